//! The selected flag: the moment, the hands, what was expected and what was seen.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use table::layout::LaidHand;
use table::{Flag, FlagKind, Layout, Place, Round};

use super::view;
use crate::accounts::Officer;
use crate::draw;
use crate::pages::calibration;
use crate::pages::flag::FlagView;
use crate::pages::footage;
use crate::pages::frame::{Frame, page};
use crate::pages::round::scene;
use crate::pages::words;
use crate::server::{Failure, Site};
use crate::store::decisions::Decided;
use crate::store::ingest::round_name;
use crate::store::queue::Queued;

/// A hand in card glyphs.
pub(crate) struct HandView {
    pub(crate) name: String,
    pub(crate) total: String,
    pub(crate) svg: String,
    /// Whether the flag is about it.
    pub(crate) hot: bool,
}

/// Everything the preview shows.
#[derive(Default)]
pub(crate) struct Shown {
    pub(crate) flag: Option<FlagView>,
    pub(crate) still: Option<String>,
    /// The outlines of the boxes over it, where they were drawn.
    pub(crate) overlay: String,
    pub(crate) felt: String,
    pub(crate) hands: Vec<HandView>,
    pub(crate) history: Vec<String>,
}

#[derive(Template)]
#[template(path = "preview.html")]
struct Preview {
    frame: Frame,
    flag: Option<FlagView>,
    still: Option<String>,
    overlay: String,
    felt: String,
    hands: Vec<HandView>,
    history: Vec<String>,
    back: String,
}

/// The preview alone, for the script. It is fetched ahead of time, so it counts as no view.
pub(crate) async fn preview(
    State(site): State<Site>,
    officer: Officer,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    let frame = Frame::new(&site, &officer, "/", "Flag");
    let queued = site.store.flag(&officer, &id).await?;
    let Shown { flag, still, overlay, felt, hands, history } = shown(&site, &officer, &frame, &queued).await?;
    page(&Preview { frame, flag, still, overlay, felt, hands, history, back: "/".to_owned() })
}

pub(super) async fn shown(site: &Site, officer: &Officer, frame: &Frame, queued: &Queued) -> Result<Shown, Failure> {
    let flag = queued.parsed()?;
    let name = round_name(&queued.table_name, queued.shoe, queued.round);
    let stored = site.store.round(officer, &name).await?;
    let round = stored.parsed()?;
    // What is judged at the end of a round is seen where the wager was settled, not on the empty table.
    let shows = |round: &Round| scene::picture_of(round, &flag);
    let at = round.as_ref().and_then(shows).unwrap_or(flag.at);
    let still = footage::has_picture(site, &flag.round.table, at).await?;
    let still = still.then(|| format!("/rounds/{name}/still?at={}", at.micros()));
    let hot: Vec<_> = flag.box_no.into_iter().collect();
    let overlay = match still {
        Some(_) => calibration::overlay(site, &flag.round.table, &hot).await?,
        None => String::new(),
    };
    let decided = site.store.decisions(&queued.flag).await?;
    Ok(Shown {
        flag: Some(view(frame, queued)?),
        felt: match (&still, &round) {
            (None, Some(round)) => drawing(round, &flag),
            _ => String::new(),
        },
        still,
        overlay,
        hands: round
            .as_ref()
            .filter(|_| flag.kind != FlagKind::Equipment)
            .map(|round| hands(round, &flag))
            .unwrap_or_default(),
        history: decided.iter().map(|decided| told(frame, decided)).collect(),
    })
}

/// The table at the step the flag points at; at its end if it points at none.
pub(crate) fn drawing(round: &Round, flag: &Flag) -> String {
    let step = scene::step_of(round, flag).unwrap_or(round.steps.len());
    draw::felt(round, step, draw::boxes_of(round))
}

/// The dealer's hand and those of the flag's box; without a box, the first few.
fn hands(round: &Round, flag: &Flag) -> Vec<HandView> {
    let layout = Layout::after(round);
    let concerned = |place: Place| match (place, flag.box_no) {
        (Place::Dealer, _) => true,
        (Place::Box(box_no, _), Some(wanted)) => box_no == wanted,
        (Place::Box(..), None) => false,
    };
    let hot = |place: Place| match (place, flag.box_no) {
        (Place::Box(box_no, hand), Some(wanted)) => box_no == wanted && flag.hand.is_none_or(|wanted| wanted == hand),
        (Place::Dealer, None) => true,
        _ => false,
    };
    let shown = layout.hands.iter().filter(|(place, hand)| concerned(**place) && !hand.cards.is_empty());
    shown.map(|(place, hand)| hand_view(*place, hand, hot(*place))).collect()
}

fn hand_view(place: Place, hand: &LaidHand, hot: bool) -> HandView {
    HandView {
        name: match place {
            Place::Dealer => "dealer".to_owned(),
            Place::Box(box_no, letter) => words::place(Some(box_no), Some(letter)),
        },
        total: hand.total().map(|total| total.to_string()).unwrap_or_default(),
        svg: draw::hand(&hand.cards),
        hot,
    }
}

/// One decision in a line.
pub(crate) fn told(frame: &Frame, decided: &Decided) -> String {
    let when = frame.when(crate::store::utc(decided.at));
    let who = decided.user.as_deref().unwrap_or("an audit");
    let what = match &*decided.action {
        "confirm" => "confirmed it".to_owned(),
        "dismiss" => "dismissed it".to_owned(),
        "escalate" => "escalated it".to_owned(),
        "assign" => decided.assignee.as_ref().map_or("gave it back".to_owned(), |to| format!("gave it to {to}")),
        "reopen" => "opened it again".to_owned(),
        "undo" => "took that back".to_owned(),
        "withdraw" => "no longer found it".to_owned(),
        other => other.to_owned(),
    };
    let why = if decided.reason.is_empty() { String::new() } else { format!(": {}", decided.reason) };
    format!("{} {} {who} {what}{why}", when.day, when.clock)
}
