//! The cards of a table over many shoes: whether one of them is never there.
//!
//! A shoe with a cutting card never shows its whole pack, so a card that was not seen may lie behind it. But it is
//! shuffled with the others and should be seen the next time. Each shoe gives an e-value for every face, the number of its
//! copies that were not read over the number to be expected, and these are followed as along a dealer. What is to be
//! expected depends on where the dealer cuts; only what is evidence wherever that is counts.

use table::Card;

use super::chain::{FACES, UNREAD};
use super::flow::CUTS;
use super::passage::face;
use super::{DECK, Flow, Orders, PIT_YEAR};

/// The evidence that a card is missing from the cards of a table.
#[derive(Clone, Debug)]
pub struct Inventory {
    faces: [Kept; FACES],
    shoes: u32,
    told: bool,
}

/// What was seen of one face since all its copies were last seen in one shoe.
#[derive(Clone, Copy, Debug, Default)]
struct Kept {
    /// By the rule of Shiryaev and Roberts, as in a [`Ledger`](super::Ledger), for each habit of cutting.
    evidence: [f64; CUTS],
    shoes: u32,
    most: usize,
}

/// A card that is missing, as far as anybody can tell who does not look through the pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Which.
    pub card: Card,
    /// In so many shoes running not all of its copies came.
    pub shoes: u32,
    /// The most that came in any of them.
    pub most: usize,
}

impl Default for Inventory {
    fn default() -> Self {
        Self { faces: [Kept::default(); FACES], shoes: 0, told: false }
    }
}

impl Inventory {
    /// Other cards came to the table.
    pub fn exchanged(&mut self) {
        *self = Self::default();
    }

    /// Enters a shoe that is over; says if a card must be missing, once for these cards.
    pub fn enter(&mut self, flow: &Flow, orders: &Orders) -> Option<Missing> {
        let faces = |cards: &[Card]| -> Vec<u8> { cards.iter().copied().map(face).collect() };
        self.count(flow, orders.decks, &faces(&orders.before), &faces(&orders.after))
    }

    /// Enters a shoe by the order in which its cards went into the shuffle, as far as it was seen, and that in which they
    /// came out.
    pub(super) fn count(&mut self, flow: &Flow, decks: u8, before: &[u8], after: &[u8]) -> Option<Missing> {
        let decks = usize::from(decks);
        let size = (decks * DECK).max(before.len()).max(after.len());
        let unread = flow.unread(size, after);
        let mut came = [0; FACES];
        for face in after.iter().filter(|face| **face < UNREAD) {
            came[usize::from(*face)] += 1;
        }
        let due = unread.map(|unread| due(decks as f64, &unread, before));
        self.shoes = self.shoes.saturating_add(1);
        for (face, kept) in self.faces.iter_mut().enumerate() {
            kept.enter(decks.saturating_sub(came[face]), due.map(|due| due[face]), came[face]);
        }
        let found = !self.told && self.evidence() >= PIT_YEAR;
        self.told |= found;
        found.then(|| self.likeliest()).flatten()
    }

    /// The evidence that some card is missing: it passes N at most once in N shoes while all cards are there.
    pub fn evidence(&self) -> f64 {
        let of = |habit: usize| self.faces.iter().map(|kept| kept.evidence[habit]).sum::<f64>() / FACES as f64;
        (0..CUTS).map(of).fold(f64::INFINITY, f64::min)
    }

    /// Shoes entered since these cards came.
    pub const fn shoes(&self) -> u32 {
        self.shoes
    }

    /// The card that is missing, if one is.
    pub fn likeliest(&self) -> Option<Missing> {
        let least = |kept: &Kept| kept.evidence.iter().copied().fold(f64::INFINITY, f64::min);
        let most = |one: &&(usize, &Kept), other: &&(usize, &Kept)| least(one.1).total_cmp(&least(other.1));
        let faces: Vec<(usize, &Kept)> = self.faces.iter().enumerate().collect();
        let (face, kept) = faces.iter().max_by(most)?;
        Some(Missing { card: Card::from_index(*face)?, shoes: kept.shoes, most: kept.most })
    }

    /// After how many shoes a missing card is found, about, where this part of the pack is seen: the steps by which the
    /// evidence for it grows on average until it outweighs the other faces and the bar.
    ///
    /// ```
    /// use auditor::shuffle::Inventory;
    /// assert_eq!(Inventory::needs(1, 0.65), Some(15));
    /// assert!(Inventory::needs(8, 0.75) > Inventory::needs(6, 0.8));
    /// assert_eq!(Inventory::needs(6, 0.0), None);
    /// ```
    pub fn needs(decks: u8, seen: f64) -> Option<u32> {
        if seen >= 1.0 {
            // The first shoe shows its whole pack.
            return Some(1);
        }
        let copies = i32::from(decks.max(1)) - 1;
        let all = f64::from(decks.max(1));
        let mut step = 0.0;
        let mut ways = 1.0;
        for came in 0..=copies {
            let chance = ways * seen.powi(came) * (1.0 - seen).powi(copies - came);
            step += chance * ((1.0 - f64::from(came) / all) / (1.0 - seen)).ln();
            ways *= f64::from(copies - came) / f64::from(came + 1);
        }
        let needed = (PIT_YEAR * FACES as f64).ln() / step;
        (step > 1e-3 && needed.is_finite()).then_some(needed.ceil() as u32)
    }
}

/// How many cards of each face are to be expected among those that are not read, where each place's card is not read with
/// this chance.
fn due(decks: f64, unread: &[f64], before: &[u8]) -> [f64; FACES] {
    let (mut expected, mut known) = ([0.0; FACES], [0.0; FACES]);
    let (mut elsewhere, mut places) = (0.0, 0.0);
    for (at, chance) in unread.iter().enumerate() {
        match before.get(at).map(|face| usize::from(*face)).filter(|face| *face < FACES) {
            Some(face) => {
                expected[face] += chance;
                known[face] += 1.0;
            }
            None => {
                elsewhere += chance;
                places += 1.0;
            }
        }
    }
    // Where the other copies went in nobody saw: they are as likely at any place that was not read.
    let elsewhere = elsewhere / f64::max(places, 1.0);
    std::array::from_fn(|face| expected[face] + f64::max(decks - known[face], 0.0) * elsewhere)
}

impl Kept {
    fn enter(&mut self, hidden: usize, due: [f64; CUTS], came: usize) {
        if hidden == 0 {
            *self = Self::default();
            return;
        }
        // No shoe is so sure to show a card that missing it once says everything.
        for (evidence, due) in self.evidence.iter_mut().zip(due) {
            *evidence = (1.0 + *evidence) * hidden as f64 / due.max(0.05);
        }
        self.shoes = self.shoes.saturating_add(1);
        self.most = self.most.max(came);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::random::Dice;
    use crate::shuffle::{Null, Procedure};

    /// Deals so many shoes of a pack and says after how many a card was told to be missing.
    fn deal(decks: u8, procedure: &str, gone: Option<u8>, shoes: u32, seed: u64) -> Option<(u32, Missing)> {
        let procedure: Procedure = procedure.parse().unwrap();
        let mut dice = Dice::new(seed);
        let whole = usize::from(decks) * DECK;
        let mut pack: Vec<u8> = (0..whole).map(|card| (card % DECK) as u8).collect();
        if let Some(gone) = gone {
            pack.remove(usize::from(gone));
        }
        let flow = Flow::of(&Null::Procedure(procedure.clone()), whole);
        let mut inventory = Inventory::default();
        let mut seen = 0;
        for shoe in 1..=shoes {
            let before: Vec<u8> = pack[..seen].to_vec();
            pack = procedure.shuffle(pack, &mut dice);
            let (margin, half) = (pack.len() / 3, pack.len() / 6);
            pack.rotate_left(margin + dice.below(half) + dice.below(half));
            seen = pack.len() * 3 / 4 + dice.below(pack.len() / 10);
            if let Some(found) = inventory.count(&flow, decks, &before, &pack[..seen]) {
                return Some((shoe, found));
            }
        }
        None
    }

    #[test]
    fn a_card_that_is_gone_is_named_after_as_many_shoes_as_are_said_to_be_needed() {
        for (decks, procedure) in
            [(1, "riffle-riffle-box-riffle"), (2, "half-decks"), (6, "half-decks"), (6, "machine")]
        {
            for seed in 1..4 {
                let (after, found) = deal(decks, procedure, Some(17), 300, seed).unwrap();
                assert_eq!(Some(found.card), Card::from_index(17), "{decks} {procedure}");
                let needed = Inventory::needs(decks, 0.8).unwrap();
                assert!((needed / 2..3 * needed).contains(&after), "{decks} {procedure}: {after} of {needed}");
                assert!(found.most < usize::from(decks) && found.shoes <= after);
            }
        }
    }

    #[test]
    fn whole_decks_are_left_in_peace_however_badly_they_are_shuffled() {
        for (decks, procedure) in [(1, "riffle-riffle-box-riffle"), (2, "half-decks"), (6, "riffles:2"), (6, "wash")] {
            assert_eq!(deal(decks, procedure, None, 1500, 5), None, "{decks} {procedure}");
        }
    }
}
