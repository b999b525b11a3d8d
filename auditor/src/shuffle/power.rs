//! What could be found: how often each fault of a shuffle shows in one shoe. A "nothing found" is worth no more than that.

use std::fmt;

use super::gauge::{Gauge, Sight, pack};
use super::null::shuffle;
use super::{Null, PIT_YEAR, Procedure, mix};
use crate::model::random::Dice;

/// Proper shuffles that the faulty ones are held against.
const PROPER: usize = 1000;

/// Measured on 1,000 shoes each, those seen to six tenths on 500: decks, hundredths of the pack seen at least, and how many
/// of a thousand shuffles of five, six and seven riffles are found at one false alarm in a hundred shoes.
/// `make shuffle-proof` measures them again; `fairdeal shuffle power --seen 0.6 --unread 0.02 --shoes 500` the rest.
const RIFFLES_FOUND: [(u8, usize, [u16; 3]); 12] = [
    (1, 90, [784, 187, 51]),
    (1, 70, [387, 84, 25]),
    (1, 0, [56, 26, 18]),
    (2, 90, [1000, 578, 131]),
    (2, 70, [685, 124, 24]),
    (2, 0, [596, 162, 54]),
    (6, 90, [1000, 979, 380]),
    (6, 70, [1000, 734, 147]),
    (6, 0, [998, 474, 104]),
    (8, 90, [1000, 996, 328]),
    (8, 70, [1000, 747, 132]),
    (8, 0, [1000, 588, 142]),
];

/// What a test finds in a single shoe, in words. All tests share one rate of false alarms, so the riffles are those that
/// the whole battery finds.
pub(super) fn note(test: &str, finds: &str, decks: u8, seen: usize) -> String {
    let near = |(measured, least, _): &&(u8, usize, [u16; 3])| *measured <= decks && *least <= seen;
    let found = RIFFLES_FOUND.iter().filter(near).max_by_key(|(measured, least, _)| (*measured, *least));
    match (test, found) {
        ("neighbours" | "rising sequences", Some((measured, least, found))) => {
            let [five, six, seven] = found.map(|of_a_thousand| f64::from(of_a_thousand) / 1000.0);
            let sight = match *least {
                90.. => "whole",
                70.. => "three quarters seen",
                _ => "six tenths seen",
            };
            format!(
                "a shoe of {measured} decks, {sight}, shows 5 riffles {five:.2} of the time, 6 {six:.2}, 7 {seven:.2}, at 1 % false alarms"
            )
        }
        ("slugs", _) => {
            // Such a run shows if it was dealt both times, and lies anywhere.
            let dealt = (seen as f64 / 100.0).min(1.0).powi(2);
            format!(
                "a run of 10 cards or more shows if it was dealt before and after, {dealt:.2} of the time, at 1 % false alarms"
            )
        }
        ("returned pairs" | "returned runs", _) => {
            "a machine that does not mix at all shows in every such stretch, at one false alarm in 100,000".to_owned()
        }
        ("early returns" | "late returns", _) => {
            format!("looks for {finds}; what is proper differs from one make of machine to the next")
        }
        _ => format!("looks for {finds}; of riffles it finds no more than the test of neighbours"),
    }
}

/// A shuffle with something wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Faulty {
    /// A procedure, such as so many riffles and no more.
    Procedure(Procedure),
    /// A run of so many cards comes through a proper shuffle together.
    Slug(usize),
    /// So many top cards stay on top.
    TopKept(usize),
}

impl fmt::Display for Faulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Procedure(procedure) => write!(f, "{procedure}"),
            Self::Slug(cards) => write!(f, "slug of {cards}"),
            Self::TopKept(cards) => write!(f, "top {cards} kept"),
        }
    }
}

impl Faulty {
    /// The faults that are told of by default: riffles by number, slugs, a top stock, a machine with ten shelves.
    pub fn usual() -> Vec<Self> {
        let written = |text: String| text.parse().ok().map(Self::Procedure);
        let riffles = (1..=8).filter_map(|count| written(format!("riffles:{count}")));
        let slugs = [6, 8, 10, 20, 40].map(Self::Slug);
        riffles.chain(slugs).chain([Self::TopKept(20)]).chain(written("shelf:10".to_owned())).collect()
    }

    fn make(&self, cards: Vec<u8>, null: &Null, dice: &mut Dice) -> Vec<u8> {
        let (length, on_top) = match self {
            Self::Procedure(procedure) => return cut(mix(&procedure.moves(), cards, dice), dice),
            Self::Slug(length) => (*length, false),
            Self::TopKept(length) => (*length, true),
        };
        let mut rest = cards;
        let length = length.min(rest.len());
        let from = if on_top { 0 } else { dice.below(rest.len() - length + 1) };
        let kept: Vec<u8> = rest.drain(from..from + length).collect();
        let mut after = match null {
            Null::Uniform => {
                shuffle(&mut rest, dice);
                rest
            }
            Null::Procedure(procedure) => cut(mix(&procedure.moves(), rest, dice), dice),
        };
        let to = if on_top { 0 } else { dice.below(after.len() + 1) };
        after.splice(to..to, kept);
        after
    }
}

fn cut(mut cards: Vec<u8>, dice: &mut Dice) -> Vec<u8> {
    let depth = cards.len() / 5 + dice.below(cards.len() * 3 / 5);
    cards.rotate_left(depth);
    cards
}

/// How often a fault is found in one shoe.
#[derive(Clone, Debug, PartialEq)]
pub struct Power {
    /// Which.
    pub fault: Faulty,
    /// At one false alarm in a hundred shoes.
    pub at_one_percent: f64,
    /// At one false alarm a pit and year.
    pub suspect: f64,
}

/// Tries every fault on so many packs.
pub fn power(decks: u8, sight: Sight, null: &Null, faults: &[Faulty], shoes: usize) -> Vec<Power> {
    let decks = usize::from(decks.max(1));
    let gauge = Gauge::draw(decks, null, sight, PROPER);
    let (one_percent, suspect) = (gauge.beyond(0.01), gauge.beyond(1.0 / PIT_YEAR));
    let of = |fault: &Faulty| {
        let mut dice = Dice::new(1).fork(&fault.to_string());
        let mut found = (0, 0);
        for _ in 0..shoes {
            let cards = pack(decks, &mut dice);
            let after = sight.see(fault.make(cards.clone(), null, &mut dice), &mut dice);
            let surprise = gauge.surprise(&sight.see(cards, &mut dice), &after);
            found.0 += usize::from(surprise > one_percent);
            found.1 += usize::from(surprise > suspect);
        }
        let part = |count: usize| count as f64 / shoes.max(1) as f64;
        Power { fault: fault.clone(), at_one_percent: part(found.0), suspect: part(found.1) }
    };
    faults.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_less_was_seen_the_less_a_note_promises() {
        let notes = [100, 75, 61].map(|seen| note("neighbours", "", 6, seen));
        assert!(notes[0].starts_with("a shoe of 6 decks, whole, shows 5 riffles 1.00"), "{}", notes[0]);
        assert!(notes[1].contains("three quarters seen") && notes[2].contains("six tenths seen"), "{notes:?}");
        let slugs = [100, 75].map(|seen| note("slugs", "", 6, seen));
        assert!(slugs[0].contains("1.00 of the time") && slugs[1].contains("0.56 of the time"), "{slugs:?}");
        for machine in ["returned pairs", "early returns"] {
            assert!(!note(machine, "cards", 6, 100).contains("riffles"), "no riffles in a machine");
        }
    }
}
