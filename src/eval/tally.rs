//! Counting: what was there, what of it was found and read right, and how far confidence may be believed.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use recognizer::vision::{Quad, Seen, Steps};
use serde::Serialize;
use table::Card;

use super::Row;
use super::sets::Truth;

/// Outlines that share so much are of the same card.
const SAME: f32 = 0.3;
/// Nobody could name a card of which less shows; seeing it is no mistake, and missing it none either.
const LEAST_VISIBLE: f32 = 0.12;
/// Bins of confidence.
const BINS: usize = 10;

/// What became of a picture's cards.
pub(super) struct Verdict {
    /// For each card that is there, the number of the one seen.
    pub(super) found: Vec<Option<usize>>,
    /// For each card seen, the number of the one that is there.
    pub(super) of: Vec<Option<usize>>,
    /// For each card that is there, where it would have been lost.
    lost: Vec<Lost>,
}

/// The step of a search after which nothing was left of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lost {
    /// No votes met near its middle.
    NotFound,
    /// They were too few or too unsure to be read, or taken for another card's.
    Gated,
    /// The reader refused it.
    NotRead,
    /// It was taken for an echo of another, or for a pattern.
    Sifted,
}

/// How many cards were missed, by the step that lost them.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Missed {
    not_found: u32,
    gated: u32,
    not_read: u32,
    sifted: u32,
}

impl Missed {
    fn add(&mut self, lost: Lost) {
        *match lost {
            Lost::NotFound => &mut self.not_found,
            Lost::Gated => &mut self.gated,
            Lost::NotRead => &mut self.not_read,
            Lost::Sifted => &mut self.sifted,
        } += 1;
    }
}

/// Up to which step something of each card was there. An outline is of the card it shares most with.
fn lost(truth: &[Truth], steps: &Steps) -> Vec<Lost> {
    let mut lost = vec![Lost::NotFound; truth.len()];
    for (quads, then) in [(&steps.found, Lost::Gated), (&steps.gated, Lost::NotRead), (&steps.read, Lost::Sifted)] {
        for quad in quads {
            let shared = |card: &Truth| card.quad.overlap(&if card.exact { *quad } else { boxed(quad) });
            let nearest = truth.iter().map(shared).enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
            if let Some((number, _)) = nearest.filter(|(_, shared)| *shared >= SAME) {
                lost[number] = then;
            }
        }
    }
    lost
}

/// Which seen cards are which.
pub(super) fn compare(truth: &[Truth], seen: &[Seen], steps: &Steps) -> Verdict {
    let mut pairs = Vec::new();
    for (number, card) in truth.iter().enumerate() {
        for (which, seen) in seen.iter().enumerate() {
            let outline = if card.exact { seen.quad } else { boxed(&seen.quad) };
            let shared = card.quad.overlap(&outline);
            if shared >= SAME {
                // Where cards lie close, the one that reads alike is meant.
                let alike = if seen.card() == card.card { 0.3 } else { 0.0 };
                pairs.push((shared + alike, number, which));
            }
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (found, of) = (vec![None; truth.len()], vec![None; seen.len()]);
    let mut verdict = Verdict { found, of, lost: lost(truth, steps) };
    for (_, number, which) in pairs {
        if verdict.found[number].is_none() && verdict.of[which].is_none() {
            verdict.found[number] = Some(which);
            verdict.of[which] = Some(number);
        }
    }
    verdict
}

fn boxed(quad: &Quad) -> Quad {
    let [left, top, right, bottom] = quad.bounds();
    Quad([[left, top], [right, top], [right, bottom], [left, bottom]])
}

/// Whether somebody could name it.
pub(super) fn counts(card: &Truth) -> bool {
    card.visible.is_none_or(|visible| visible >= LEAST_VISIBLE)
}

/// Counts of one group.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Tally {
    pub(super) cards: u32,
    pub(super) found: u32,
    pub(super) rank_right: u32,
    pub(super) suit_right: u32,
    pub(super) right: u32,
    pub(super) wrong: u32,
    /// None where nobody saw step by step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) missed: Option<Missed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) false_cards: Option<u32>,
    /// Expected calibration error in parts of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) calibration_error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
}

impl Tally {
    fn add(&mut self, truth: &Truth, seen: Option<&Seen>, lost: Lost) {
        self.cards += 1;
        let missed = self.missed.get_or_insert_default();
        let Some(seen) = seen else {
            missed.add(lost);
            return;
        };
        self.found += 1;
        let (read, is) = (seen.card(), truth.card);
        let alike = |of: fn(Card) -> Option<u8>| match (read, is) {
            (Some(read), Some(is)) => of(read) == of(is),
            (read, is) => read.is_none() && is.is_none(),
        };
        self.rank_right += u32::from(alike(|card| card.rank().map(|rank| rank as u8)));
        self.suit_right += u32::from(alike(|card| card.suit().map(|suit| suit as u8)));
        self.right += u32::from(read == is);
        self.wrong += u32::from(read != is);
    }
}

/// Counts of a set, by group.
pub(super) struct Groups {
    set: String,
    groups: BTreeMap<String, Tally>,
    all: Tally,
    false_cards: u32,
    /// Cards by confidence: how many, their confidence added up, how many of them right.
    bins: [(u32, f64, u32); BINS],
    time: Duration,
    pictures: u32,
}

impl Groups {
    pub(super) fn new(set: String) -> Self {
        Self {
            set,
            groups: BTreeMap::new(),
            all: Tally::default(),
            false_cards: 0,
            bins: [(0, 0.0, 0); BINS],
            time: Duration::ZERO,
            pictures: 0,
        }
    }

    pub(super) fn time(&mut self, took: Duration) {
        self.time += took;
        self.pictures += 1;
    }

    pub(super) fn add(&mut self, truth: &[Truth], seen: &[Seen], verdict: &Verdict) {
        for ((card, found), lost) in truth.iter().zip(&verdict.found).zip(&verdict.lost) {
            if !counts(card) {
                continue;
            }
            let found = found.and_then(|which| seen.get(which));
            self.all.add(card, found, *lost);
            for group in groups(card) {
                self.groups.entry(group).or_default().add(card, found, *lost);
            }
        }
        for (seen, of) in seen.iter().zip(&verdict.of) {
            let truth = of.and_then(|number| truth.get(number));
            self.false_cards += u32::from(truth.is_none());
            let sure = f64::from(seen.confidence());
            let bin = &mut self.bins[((sure * BINS as f64) as usize).min(BINS - 1)];
            let right = truth.is_some_and(|truth| truth.card == seen.card());
            *bin = (bin.0 + 1, bin.1 + sure, bin.2 + u32::from(right));
        }
    }

    pub(super) fn rows(self) -> Vec<Row> {
        let count: u32 = self.bins.iter().map(|bin| bin.0).sum();
        let error: f64 = self.bins.iter().map(|(_, sure, right)| (sure - f64::from(*right)).abs()).sum();
        let all = Tally {
            false_cards: Some(self.false_cards),
            calibration_error: (count > 0).then(|| error / f64::from(count)),
            ms: Some(self.time.as_secs_f64() * 1e3 / f64::from(self.pictures.max(1))),
            ..self.all
        };
        let first = Row { set: self.set.clone(), group: format!("all, {} pictures", self.pictures), tally: all };
        let set = self.set;
        let rest = self.groups.into_iter().map(|(group, tally)| Row { set: set.clone(), group, tally });
        std::iter::once(first).chain(rest).collect()
    }
}

/// The groups a card counts in.
fn groups(card: &Truth) -> Vec<String> {
    let (across, along) = card.quad.size();
    let (short, long) = (across.min(along), across.max(along));
    let mut groups = Vec::new();
    if card.card.is_none() {
        groups.push("face down".to_owned());
    }
    if !card.exact {
        return groups;
    }
    const WIDTHS: &[(f32, &str)] = &[
        (40.0, "under 40"),
        (50.0, "40 to 50"),
        (60.0, "50 to 60"),
        (80.0, "60 to 80"),
        (120.0, "80 to 120"),
        (200.0, "120 to 200"),
    ];
    let width = (across * along / 1.4).sqrt();
    let wide = WIDTHS.iter().find(|(most, _)| width < *most).map_or("over 200", |(_, name)| name);
    let order = WIDTHS.iter().position(|(most, _)| width < *most).unwrap_or(WIDTHS.len());
    groups.push(format!("width {order}: {wide} px"));
    if let Some(visible) = card.visible {
        groups.push(match visible {
            visible if visible >= 0.95 => "visible: whole".to_owned(),
            visible if visible >= 0.5 => "visible: half or more".to_owned(),
            _ => "visible: less than half".to_owned(),
        });
    }
    // A card seen from straight above is 1.4 times as long as wide, whichever side is foreshortened.
    let slant = (long / short.max(1e-3) / 1.397).max(1.397 * short / long.max(1e-3));
    groups.push(if slant > 1.35 { "slant: flat camera" } else { "slant: from above" }.to_owned());
    groups
}

/// The rows as a table for people.
pub(super) fn table(out: &mut impl Write, rows: &[Row]) -> std::io::Result<()> {
    let mut set = "";
    for row in rows {
        if row.set != set {
            set = &row.set;
            writeln!(
                out,
                "{set}\n  {:<28} {:>6} {:>7} {:>7} {:>7} {:>7} {:>6}",
                "", "cards", "found", "rank", "suit", "right", "wrong"
            )?;
        }
        let tally = &row.tally;
        let part = |count: u32| 100.0 * f64::from(count) / f64::from(tally.cards.max(1));
        write!(
            out,
            "  {:<28} {:>6} {:>6.1}% {:>6.1}% {:>6.1}% {:>6.1}% {:>5.1}%",
            row.group,
            tally.cards,
            part(tally.found),
            part(tally.rank_right),
            part(tally.suit_right),
            part(tally.right),
            part(tally.wrong)
        )?;
        if let Some(count) = tally.false_cards {
            write!(out, "  {count} false")?;
        }
        if let Some(error) = tally.calibration_error {
            write!(out, ", calibration error {:.1} %", 100.0 * error)?;
        }
        if let Some(ms) = tally.ms {
            write!(out, ", {ms:.1} ms each")?;
        }
        if let Some(note) = &tally.note {
            write!(out, ", {note}")?;
        }
        writeln!(out)?;
        if let Some(missed) = tally.missed.filter(|_| tally.false_cards.is_some()) {
            let Missed { not_found, gated, not_read, sifted } = missed;
            writeln!(
                out,
                "  missed: {not_found} not found, {gated} not worth reading, {not_read} not read, {sifted} sifted out"
            )?;
        }
    }
    Ok(())
}
