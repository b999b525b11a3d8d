//! The round as an observer of these feeds would write it.
//!
//! Where cards went and what players decided is taken from the truth. Only the faces are what the shoe and the camera
//! had of them, and each step says how sure that is and which events show it.

use table::chance::Spread;
use table::{Card, Chance, EventId, Reading, Round};

use super::camera::Sighted;
use super::pieces::Pieces;
use super::shoe;
use crate::{Dealt, face};

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
    match (told, saw) {
        (None, saw) => saw,
        (Some(card), None) => {
            let chance = Chance::from_f64(trust).unwrap_or(Chance::CERTAIN);
            Some(Reading { card, chance, spread: None })
        }
        (Some(card), Some(saw)) if card == saw.card => Some(Reading::certain(card)),
        // What lies on the table in plain sight is what is played, whatever left the shoe.
        (Some(_), Some(saw)) if saw.chance == Chance::CERTAIN => Some(saw),
        (Some(card), Some(saw)) => Some(weigh(card, saw, trust)),
    }
}

/// Two words against each other: every face is as likely as the camera's spread and the shoe's trust make it together.
fn weigh(told: Card, saw: Reading, trust: f64) -> Reading {
    let Some(spread) = &saw.spread else { return saw };
    let shoe = |face: Card| if face == told { trust } else { (1.0 - trust) / 51.0 };
    let (mut best, mut all) = ((told, 0.0), 0.0);
    for face in Card::faces() {
        let likely = shoe(face) * likelihood(spread, face);
        all += likely;
        if likely > best.1 {
            best = (face, likely);
        }
    }
    match Chance::from_f64(best.1 / all) {
        Some(chance) => Reading { card: best.0, chance, spread: None },
        // A shoe that is never wrong and a camera that rules its card out: what is seen is what lies there.
        None => saw,
    }
}

fn likelihood(spread: &Spread, card: Card) -> f64 {
    let rank = card.rank().and_then(|rank| spread.ranks.get(rank as usize - 1));
    let suit = card.suit().and_then(|suit| spread.suits.get(suit as usize));
    rank.zip(suit).map_or(0.0, |(rank, suit)| rank.as_f64() * suit.as_f64())
}

/// The round with each face as it was read, `??` where it was not. A card that the truth calls hidden stays hidden, and
/// a card without doubt leaves the step's chance as it is: without noise and troubles only the events are added.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn card(text: &str) -> Card {
        text.parse().unwrap()
    }

    /// A camera that sees the eight of clubs with 60 % and the nine or the spade as well.
    fn saw() -> Reading {
        let part = |millionths: u32| Chance::from_millionths(millionths).unwrap();
        let mut spread = Spread { ranks: [part(0); 13], suits: [part(0); 4] };
        (spread.ranks[7], spread.ranks[8]) = (part(750_000), part(250_000));
        (spread.suits[0], spread.suits[3]) = (part(800_000), part(200_000));
        Reading::from_spread(spread)
    }

    #[test]
    fn a_card_that_both_know_is_certain_and_one_that_neither_knows_is_not_there() {
        assert_eq!(fuse(Some(card("8C")), Some(saw()), 0.9), Some(Reading::certain(card("8C"))));
        assert_eq!(fuse(None, None, 0.9), None);
        assert_eq!(fuse(Some(card("8C")), None, 1.0), Some(Reading::certain(card("8C"))));
    }

    #[test]
    fn a_likeness_that_the_camera_cannot_rule_out_is_what_the_shoe_says() {
        let reading = fuse(Some(card("9C")), Some(saw()), 0.99).unwrap();
        assert!(reading.card == card("9C") && reading.chance.as_f64() > 0.99, "{reading:?}");
    }

    #[test]
    fn against_a_shoe_that_must_be_wrong_the_camera_is_as_sure_as_before() {
        for trust in [0.99, 1.0] {
            let reading = fuse(Some(card("2H")), Some(saw()), trust).unwrap();
            assert_eq!((reading.card, reading.chance), (card("8C"), saw().chance), "trust {trust}");
        }
    }
}
