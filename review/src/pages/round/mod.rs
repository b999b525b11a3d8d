//! The round page: the table from above and the picture step by step, the ledger, the flags, notes and history.

mod correct;
pub(crate) mod scene;
mod told;

use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::response::{Html, IntoResponse, Redirect, Response};
use serde::Deserialize;
use table::{Card, Flag, Round, notation};

pub(crate) use correct::{Otherwise, correct, entries, ledger, read_otherwise};

use super::calculator::Row;
use super::calibration;
use super::flag::FlagView;
use super::footage;
use super::frame::{Frame, page};
use super::queue::{told as decision, view};
use super::words::{self, When};
use crate::accounts::Officer;
use crate::draw;
use crate::server::{Failure, Site};
use crate::store::cases::{Case, Member};
use crate::store::notes::{Note, Subject};
use crate::store::rounds::{Correction, RoundKey, StoredRound};

/// Open cases offered to put something into, the newest first.
const OPEN_CASES: i64 = 12;

/// A step as the list shows it.
struct Line {
    step: usize,
    what: String,
    at: Option<i64>,
    flagged: bool,
}

/// A note with its author.
pub(crate) struct NoteView {
    pub(crate) text: String,
    pub(crate) who: String,
    pub(crate) when: When,
}

impl NoteView {
    pub(crate) fn new(frame: &Frame, note: Note) -> Self {
        Self { when: frame.when(crate::store::utc(note.at)), text: note.text, who: note.user }
    }
}

#[derive(Template)]
#[template(path = "round.html")]
struct RoundPage {
    frame: Frame,
    round: Round,
    path: String,
    when: When,
    flags_said: String,
    earlier: Option<String>,
    later: Option<String>,
    skew: Option<String>,
    step: usize,
    told: String,
    felt: String,
    still: Option<String>,
    overlay: String,
    no_video: &'static str,
    timeline: String,
    ledger: Result<Vec<Row>, String>,
    steps: Vec<Line>,
    corrections: Vec<String>,
    cards: Vec<(String, String)>,
    notation: String,
    flags: Vec<FlagView>,
    /// The open cases that something of this round can be put into, each with its path and what it is called.
    cases: Vec<(String, String)>,
    /// The cases that something of it is in already.
    within: Vec<(String, String)>,
    notes: Vec<NoteView>,
    history: Vec<String>,
    covered: String,
    uncovered: String,
}

impl RoundPage {
    /// The steps that show a card.
    fn readable(&self) -> impl Iterator<Item = &Line> {
        self.steps.iter().filter(|line| {
            let step = line.step.checked_sub(1).and_then(|at| self.round.steps.get(at));
            step.is_some_and(|step| scene::card_of(&step.act).is_some())
        })
    }
}

/// Which step to show.
#[derive(Deserialize)]
pub(crate) struct At {
    step: Option<usize>,
}

/// What was and was not seen of a round.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Coverage {
    seen: Vec<String>,
    not_seen: Vec<String>,
}

pub(crate) async fn show(
    State(site): State<Site>,
    officer: Officer,
    Path(name): Path<String>,
    Query(At { step }): Query<At>,
) -> Result<Response, Failure> {
    let stored = site.store.round(&officer, &name).await?;
    let round = kept(&stored)?;
    let frame = Frame::new(&site, &officer, "/", format!("Round {name}"));
    site.store.viewed(&officer, format!("round {name}"), frame.now).await?;
    let queued = site.store.flags_of_round(&officer, &stored.table_name, stored.shoe, stored.round).await?;
    let parsed = queued.iter().map(|queued| queued.parsed()).collect::<Result<Vec<Flag>, _>>()?;
    let mut flags = queued.iter().map(|queued| view(&frame, queued)).collect::<Result<Vec<_>, _>>()?;
    for (view, flag) in flags.iter_mut().zip(&parsed) {
        view.step = scene::step_of(&round, flag);
    }
    let corrections = site.store.corrections(&stored).await?;
    let read = as_corrected(&round, &corrections);
    let marks = scene::marks(&read, &parsed);
    let first_flag = flags.iter().find_map(|flag| flag.step);
    let step = step.or(first_flag).unwrap_or(round.steps.len()).clamp(1, round.steps.len().max(1));
    let (before, after) = site.store.neighbours(&stored, 1).await?;
    let at = scene::instant(&round, step).unwrap_or(round.at);
    let pictured = footage::has_picture(&site, &round.id.table, at).await?;
    let notes = site.store.notes(Subject::Round, &name).await?;
    let mut history = Vec::new();
    for queued in &queued {
        let decided = site.store.decisions(&queued.flag).await?;
        let what = words::finding(&queued.check_name);
        history.extend(decided.iter().map(|decided| format!("{what}: {}", decision(&frame, decided))));
    }
    let mut within = site.store.cases_of(Member::Round, &name).await?;
    for queued in &queued {
        within.extend(site.store.cases_of(Member::Flag, &queued.flag).await?);
    }
    within.sort_by_key(|case| case.id);
    within.dedup_by_key(|case| case.id);
    let open = if frame.may_investigate() {
        site.store.cases_for(&officer, Some("open"), OPEN_CASES).await?
    } else {
        Vec::new()
    };
    let coverage: Coverage = serde_json::from_str(&stored.coverage).unwrap_or_default();
    let hot: Vec<_> = parsed.iter().filter_map(|flag| flag.box_no).collect();
    let overlay = if pictured { calibration::overlay(&site, &round.id.table, &hot).await? } else { String::new() };
    page(&RoundPage {
        path: format!("/rounds/{name}"),
        when: frame.when(round.at),
        flags_said: several(flags.len(), "flag"),
        earlier: before.last().map(|key: &RoundKey| format!("/rounds/{}", key.name())),
        later: after.first().map(|key| format!("/rounds/{}", key.name())),
        skew: skew(&round),
        told: step
            .checked_sub(1)
            .and_then(|at| read.steps.get(at))
            .map(|step| told::told(&step.act))
            .unwrap_or_default(),
        felt: draw::felt(&read, step, draw::boxes_of(&round)),
        still: pictured.then(|| format!("/rounds/{name}/still?at={}", at.micros())),
        overlay,
        no_video: no_video(&site, &round).await?,
        timeline: draw::timeline(&marks, step),
        ledger: scene::ledger(&site.books, &read, frame.currency()),
        steps: marks
            .iter()
            .zip(&read.steps)
            .map(|(mark, step)| Line {
                step: mark.step,
                what: told::told(&step.act),
                at: scene::instant(&round, mark.step).map(table::Utc::micros),
                flagged: mark.flagged,
            })
            .collect(),
        corrections: corrections.iter().map(|correction| corrected(&frame, correction)).collect(),
        cards: Card::faces().map(|card| (card.to_string(), card.pretty())).collect(),
        notation: notation::print(std::slice::from_ref(&read)),
        flags,
        cases: open.iter().filter(|case| case.locked_at.is_none()).map(called).collect(),
        within: within.iter().map(|case| (format!("/cases/{}", case.id), format!("case {}", case.number))).collect(),
        notes: notes.into_iter().map(|note| NoteView::new(&frame, note)).collect(),
        history,
        covered: coverage.seen.join(", "),
        uncovered: coverage.not_seen.join(", "),
        step,
        round,
        frame,
    })
}

/// A case's path, and what to call it among others.
fn called(case: &Case) -> (String, String) {
    (format!("/cases/{}", case.id), format!("{}: {}", case.number, case.fields.title))
}

/// The round of an entry, unless retention let it go.
fn kept(stored: &StoredRound) -> Result<Round, Failure> {
    let gone = || Failure::Missing(format!("record of round {} any more: retention let it go", stored.name()));
    stored.parsed()?.ok_or_else(gone)
}

/// `1 flag`, `2 flags`, `no flags`.
pub(crate) fn several(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        many => format!("{many} {what}s"),
    }
}

/// The round as officers read it: the last correction of each step counts.
pub(crate) fn as_corrected(round: &Round, corrections: &[Correction]) -> Round {
    corrections.iter().fold(round.clone(), |round, correction| {
        let step = usize::try_from(correction.step).ok().and_then(|step| step.checked_add(1));
        let card = correction.becomes.parse().ok();
        step.zip(card).and_then(|(step, card)| scene::corrected(&round, step, card)).unwrap_or(round)
    })
}

/// A correction in a line.
pub(crate) fn corrected(frame: &Frame, correction: &Correction) -> String {
    let pretty = |name: &str| name.parse::<Card>().map_or_else(|_| name.to_owned(), Card::pretty);
    let when = frame.when(crate::store::utc(correction.at));
    format!(
        "Step {}: {} was really {}. {} ({}, {} {})",
        correction.step + 1,
        pretty(&correction.was),
        pretty(&correction.becomes),
        correction.reason,
        correction.user,
        when.day,
        when.clock
    )
}

/// Steps whose times run backwards: two clocks that disagree.
fn skew(round: &Round) -> Option<String> {
    let times: Vec<_> = round.steps.iter().filter_map(|step| step.after).collect();
    let back = times.windows(2).filter_map(|pair| pair[0].checked_sub(pair[1])).max().filter(|back| *back > 0)?;
    Some(format!(
        "Steps of this round are up to {}.{:03} s out of order: the sources' clocks disagree. The order is the table's, the times are not exact.",
        back / 1_000_000,
        back / 1000 % 1000
    ))
}

async fn no_video(site: &Site, round: &Round) -> Result<&'static str, Failure> {
    Ok(match footage::cameras(site, &round.id.table).await?.is_empty() {
        true => {
            "No recording of this table is at hand. The drawing is made from the shoe, the chips and what was read."
        }
        false => "This table is recorded, but nothing of this moment is kept.",
    })
}

/// The drawing of one step, for the script.
pub(crate) async fn felt(
    State(site): State<Site>,
    officer: Officer,
    Path(name): Path<String>,
    Query(At { step }): Query<At>,
) -> Result<Response, Failure> {
    let stored = site.store.round(&officer, &name).await?;
    let round = as_corrected(&kept(&stored)?, &site.store.corrections(&stored).await?);
    let step = step.unwrap_or(round.steps.len());
    Ok(Html(draw::felt(&round, step, draw::boxes_of(&round))).into_response())
}

/// A note on a round.
#[derive(Deserialize)]
pub(crate) struct Text {
    text: String,
}

pub(crate) async fn note(
    State(site): State<Site>,
    officer: Officer,
    Path(name): Path<String>,
    Form(Text { text }): Form<Text>,
) -> Result<Response, Failure> {
    site.store.round(&officer, &name).await?;
    site.store.add_note(&officer, Subject::Round, &name, &text, site.now()).await?;
    Ok(Redirect::to(&format!("/rounds/{name}#notes")).into_response())
}
