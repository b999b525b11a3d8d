//! The shoe page: every card in order, how many of each, and what was seen of shuffle, cut and burn.

pub(crate) mod sightings;

use std::sync::Arc;

use askama::Template;
use auditor::check::Law;
use axum::extract::{Path, State};
use axum::response::Response;
use table::round::{Cutter, Mix};
use table::{Act, Card, Round};

use super::frame::{Frame, page};
use super::round::several;
use super::shuffle::{self, Judged, Shuffle};
use super::words::When;
use crate::accounts::Officer;
use crate::draw::{self, Segment};
use crate::server::{Failure, Site};
use crate::store::StoreError;
use crate::store::ingest::round_name;
use crate::store::rounds::StoredRound;
use sightings::{Sightings, Surplus};

#[derive(Template)]
#[template(path = "shoe.html")]
struct ShoePage {
    frame: Frame,
    table: String,
    shoe: i64,
    began: When,
    rounds_said: String,
    dealt: usize,
    unread: usize,
    flags_said: String,
    strip: String,
    composition: String,
    decks: u32,
    surplus: Vec<Surplus>,
    procedure: Vec<(&'static str, String)>,
    shuffle: Result<Shuffle, String>,
}

pub(crate) async fn show(
    State(site): State<Site>,
    officer: Officer,
    Path((table, shoe)): Path<(String, i64)>,
) -> Result<Response, Failure> {
    let stored = site.store.shoe_rounds(&officer, &table, shoe).await?;
    let frame = Frame::new(&site, &officer, "/tables", format!("{table} shoe {shoe}"));
    site.store.viewed(&officer, format!("shoe {table}.{shoe}"), frame.now).await?;
    let rounds = parsed(&stored)?;
    let shuffle =
        judge_shuffle(&site, &officer, &table, shoe, rounds.clone()).await?.map(|judged| Shuffle::of(&judged));
    let mut segments = Vec::new();
    let mut flags = 0;
    for round in &rounds {
        let number = i64::from(round.id.round);
        let found = site.store.flags_of_round(&officer, &table, shoe, number).await?;
        flags += found.len();
        segments.extend(segments_of(round, &round_name(&table, shoe, number), !found.is_empty()));
    }
    let cards = || segments.iter().flat_map(|segment| &segment.cards);
    let sightings = Sightings::of(&rounds);
    let decks = decks_of(&site, &rounds);
    page(&ShoePage {
        began: frame.when(stored.first().map_or(frame.now, |stored| crate::store::utc(stored.at))),
        table,
        shoe,
        rounds_said: several(stored.len(), "round"),
        dealt: cards().count(),
        unread: cards().filter(|card| **card == Card::UNREAD).count(),
        flags_said: several(flags, "flag"),
        strip: draw::strip(&segments),
        composition: draw::composition(&sightings.counts(), decks),
        decks,
        surplus: sightings.surplus(decks),
        procedure: procedure(&rounds),
        shuffle,
        frame,
    })
}

pub(crate) fn parsed(stored: &[StoredRound]) -> Result<Vec<Round>, Failure> {
    let mut rounds = Vec::with_capacity(stored.len());
    for stored in stored {
        rounds.extend(stored.parsed()?);
    }
    Ok(rounds)
}

/// The shuffle of a shoe, whose cards went in as the shoe before left them; why not, where it cannot be judged. Away from the
/// server's threads: it is ranked among hundreds of shuffles.
pub(crate) async fn judge_shuffle(
    site: &Site,
    officer: &Officer,
    table: &str,
    shoe: i64,
    rounds: Vec<Round>,
) -> Result<Result<Judged, String>, Failure> {
    let before = match site.store.shoe_rounds(officer, table, shoe - 1).await {
        Ok(stored) => parsed(&stored)?,
        Err(StoreError::Missing(_)) => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let books = Arc::clone(&site.books);
    let judged = tokio::task::spawn_blocking(move || shuffle::report(&books, &before, &rounds)).await;
    Ok(judged.unwrap_or_else(|_| Err("The shuffle could not be judged.".to_owned())))
}

/// A round's cards as they left the shoe: what was burned apart from what was dealt.
fn segments_of(round: &Round, name: &str, flagged: bool) -> Vec<Segment> {
    let mut burned = Vec::new();
    let mut dealt = Vec::new();
    let mut cut_before = None;
    for step in &round.steps {
        match &step.act {
            Act::Burn(card) => burned.push(*card),
            Act::CutCardOut => cut_before = Some(dealt.len()),
            // A hole card turned up is the card that was dealt face down.
            Act::TurnUp(_, card) => {
                if let Some(hidden) = dealt.iter_mut().find(|dealt| **dealt == Card::HIDDEN) {
                    *hidden = *card;
                }
            }
            Act::Card { card, .. } | Act::Drawn(card) => dealt.push(*card),
            _ => {}
        }
    }
    let segment = |name: String, cards, burned: bool, link: Option<String>| Segment {
        name,
        link,
        flagged: flagged && !burned,
        burned,
        cut_before: if burned { None } else { cut_before },
        cards,
    };
    let burn = segment("burn".to_owned(), burned, true, None);
    let play = segment(round.id.round.to_string(), dealt, false, Some(format!("/rounds/{name}")));
    [burn, play].into_iter().filter(|segment| !segment.cards.is_empty()).collect()
}

/// How many decks the game of these rounds is played with; 0 if that is not known.
pub(crate) fn decks_of(site: &Site, rounds: &[Round]) -> u32 {
    let law = rounds.first().and_then(|round| Law::of(&site.books, &round.game).ok());
    law.and_then(|law| law.rules.get("decks")).and_then(|decks| decks.parse().ok()).unwrap_or_default()
}

/// What was seen of the way the cards came into the shoe.
fn procedure(rounds: &[Round]) -> Vec<(&'static str, String)> {
    let told = |act: &Act| {
        Some(match act {
            Act::Cards { prepared, decks } => {
                ("cards", format!("{}, {prepared}", several(usize::from(*decks), "deck")))
            }
            Act::Inspect(person) => ("inspected", format!("by the {person}")),
            Act::Shuffle(Mix::Whole) => ("shuffled", "seen".to_owned()),
            Act::Shuffle(mix) => ("shuffled", mix.to_string()),
            Act::OfferCut(box_no) => ("cut offered", format!("to box {box_no}")),
            Act::Cut { by, depth } => {
                let depth = depth.map(|depth| format!(", {depth} cards from the front")).unwrap_or_default();
                match by {
                    Cutter::Box(box_no) => ("cut", format!("by box {box_no}{depth}")),
                    Cutter::Staff => ("cut", format!("by staff{depth}")),
                }
            }
            Act::CutCardIn(depth) => ("cutting card", format!("{depth} cards from the back")),
            Act::CutCardOut => ("cutting card", "came out".to_owned()),
            Act::Burn(Card::HIDDEN) => ("burned", "face down".to_owned()),
            Act::Burn(card) => ("burned", card.pretty()),
            _ => return None,
        })
    };
    rounds.iter().flat_map(|round| &round.steps).filter_map(|step| told(&step.act)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shoe_is_read_in_the_order_its_cards_left_it() {
        let text = "game nz-base\nburn 5C\ncard 1 7H\ncard dealer XX down\ncut-card\ncard 1 8H\nturn dealer 9D";
        let round = table::notation::parse(text).unwrap().remove(0);
        let segments = segments_of(&round, "t.1.1", true);
        let cards = |at: usize| segments[at].cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ");
        assert_eq!((cards(0), cards(1)), ("5C".to_owned(), "7H 9D 8H".to_owned()));
        assert_eq!((segments[0].burned, segments[1].cut_before, segments[1].flagged), (true, Some(2), true));
    }

    #[test]
    fn the_drawing_and_the_counts_agree() {
        let text = "game nz-base\nburn 5C\ncard 1 7H\ncard dealer XX down\ncard 1 7H\nturn dealer 9D\ndiscard 7H";
        let rounds = table::notation::parse(text).unwrap();
        let mut drawn = [0; 52];
        for card in segments_of(&rounds[0], "t.1.1", false).iter().flat_map(|segment| &segment.cards) {
            drawn[card.index().unwrap()] += 1;
        }
        assert_eq!(Sightings::of(&rounds).counts(), drawn);
    }
}
