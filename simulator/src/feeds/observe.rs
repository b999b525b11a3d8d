//! The round as an observer of these feeds would write it.
//!
//! Where cards went and what players decided is taken from the truth. Only the faces are what the shoe and the camera
//! had of them, and each step says how sure that is and which events show it.

use table::chance::Spread;
use table::{Act, Card, Chance, EventId, Reading, Round};

use super::camera::Sighted;
use super::pieces::Pieces;
use super::shoe;
use crate::Dealt;

/// What an observer has of a round's cards.
#[derive(Clone, Debug)]
pub struct Seen {
    /// What is made of each card: `None` where nothing was read.
    readings: Vec<Option<Reading>>,
    /// For each step, the card that it names.
    named: Vec<Option<usize>>,
    /// For each step, the events that show it.
    shows: Vec<Vec<EventId>>,
}

impl Seen {
    pub(super) fn new(noise: f64, pieces: Pieces, told: Vec<Option<Card>>, sighted: Sighted) -> Self {
        let trust = 1.0 - noise * shoe::misread_part();
        let shoe = |piece: usize| pieces.all[piece].draw.and_then(|draw| told.get(draw).copied().flatten());
        let readings = sighted.best.into_iter().enumerate().map(|(piece, saw)| fuse(shoe(piece), saw, trust)).collect();
        Self { readings, named: pieces.named, shows: sighted.shows }
    }
}

/// What the shoe told and the camera saw, as one reading. Where they agree the card is certain.
fn fuse(told: Option<Card>, saw: Option<Reading>, trust: f64) -> Option<Reading> {
    let chance = |p: f64| Chance::from_f64(p.clamp(0.0, 1.0)).unwrap_or(Chance::CERTAIN);
    match (told, saw) {
        (None, saw) => saw,
        (Some(card), None) => Some(Reading { card, chance: chance(trust), spread: None }),
        (Some(card), Some(saw)) if card == saw.card => Some(Reading::certain(card)),
        // What lies on the table in plain sight is what is played, whatever left the shoe.
        (Some(_), Some(saw)) if saw.chance == Chance::CERTAIN => Some(saw),
        (Some(card), Some(saw)) => {
            let by_shoe = trust * saw.spread.as_ref().map_or(0.0, |spread| likelihood(spread, card));
            let by_camera = (1.0 - trust) / 51.0 * saw.chance.as_f64();
            let all = by_shoe + by_camera;
            if by_shoe > by_camera {
                Some(Reading { card, chance: chance(by_shoe / all), spread: None })
            } else {
                let p = if all > 0.0 { by_camera / all } else { 0.5 };
                Some(Reading { chance: chance(p), ..saw })
            }
        }
    }
}

fn likelihood(spread: &Spread, card: Card) -> f64 {
    let rank = card.rank().and_then(|rank| spread.ranks.get(rank as usize - 1));
    let suit = card.suit().and_then(|suit| spread.suits.get(suit as usize));
    rank.zip(suit).map_or(0.0, |(rank, suit)| rank.as_f64() * suit.as_f64())
}

/// The round with each face as it was read, `??` where it was not. A card that the truth calls hidden stays hidden, and a
/// card without doubt leaves the step's chance as it is: without noise and troubles only the events are added.
pub fn observe(dealt: &Dealt, seen: &Seen) -> Round {
    let mut round = dealt.round.clone();
    for (number, step) in round.steps.iter_mut().enumerate() {
        step.events = seen.shows.get(number).cloned().unwrap_or_default().into();
        let piece = seen.named.get(number).copied().flatten();
        let (Some(card), Some(piece)) = (face(&mut step.act).filter(|card| card.is_known()), piece) else { continue };
        match seen.readings.get(piece).cloned().flatten() {
            Some(reading) => {
                *card = reading.card;
                if reading.chance < Chance::CERTAIN {
                    step.chance = Some(reading.chance);
                }
            }
            None => *card = Card::UNREAD,
        }
    }
    round
}

/// The card that a step names.
const fn face(act: &mut Act) -> Option<&mut Card> {
    match act {
        Act::Burn(card)
        | Act::Card { card, .. }
        | Act::TurnUp(_, card)
        | Act::Drawn(card)
        | Act::Exposed(card)
        | Act::Dropped(card)
        | Act::Boxed(card)
        | Act::Damaged(card)
        | Act::Replaced(card)
        | Act::Discard(card)
        | Act::Move { card, .. } => Some(card),
        _ => None,
    }
}
