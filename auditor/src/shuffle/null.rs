//! What a proper shuffle would have made of the same cards.

use super::chain::{FACES, UNREAD};
use super::{Procedure, mix};
use crate::model::random::Dice;

/// The shuffle a shoe is compared with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Null {
    /// Every order equally likely: what a shuffle is for.
    #[default]
    Uniform,
    /// The house's own procedure done properly, and a cut about the middle.
    Procedure(Procedure),
}

/// Draws orders that might have come out, with the same cards unread.
pub(super) struct Draws<'a> {
    null: &'a Null,
    decks: usize,
    before: &'a [u8],
    after: &'a [u8],
    pack: Vec<u8>,
    spare: Vec<u8>,
}

impl<'a> Draws<'a> {
    pub(super) fn new(null: &'a Null, decks: usize, before: &'a [u8], after: &'a [u8]) -> Self {
        Self { null, decks, before, after, pack: Vec::new(), spare: Vec::new() }
    }

    /// The next one.
    pub(super) fn draw(&mut self, dice: &mut Dice, drawn: &mut Vec<u8>) {
        drawn.clear();
        drawn.extend(self.after);
        match self.null {
            Null::Uniform => self.permute(dice, drawn),
            Null::Procedure(procedure) => self.shuffle(procedure, dice, drawn),
        }
    }

    /// The cards that were read, in any order at the places where cards were read: given which cards those are, each of
    /// these orders is as likely as the one that was seen.
    fn permute(&mut self, dice: &mut Dice, drawn: &mut [u8]) {
        self.pack.clear();
        self.pack.extend(self.after.iter().filter(|face| **face < UNREAD));
        shuffle(&mut self.pack, dice);
        for (place, face) in drawn.iter_mut().filter(|face| **face < UNREAD).zip(&self.pack) {
            *place = *face;
        }
    }

    /// The house's procedure.
    fn shuffle(&mut self, procedure: &Procedure, dice: &mut Dice, drawn: &mut [u8]) {
        self.complete(dice);
        let shuffled = mix(&procedure.moves(), self.pack.clone(), dice);
        self.deal(&shuffled, dice, drawn);
    }

    /// A riffle from so many packets at once: two to the power of `k` are as good as `k` riffles.
    pub(super) fn riffle(&mut self, packets: usize, dice: &mut Dice, drawn: &mut Vec<u8>) {
        drawn.clear();
        drawn.extend(self.after);
        self.complete(dice);
        // Each place takes the next card of some packet: sorted by packet the places stand as the cards did.
        let mut places: Vec<(usize, usize)> = (0..self.pack.len()).map(|at| (dice.below(packets), at)).collect();
        places.sort_unstable();
        let mut riffled = vec![UNREAD; self.pack.len()];
        for ((_, at), face) in places.iter().zip(&self.pack) {
            riffled[*at] = *face;
        }
        self.deal(&riffled, dice, drawn);
    }

    /// The pack as it went in, what is unknown of it drawn from the cards it must be.
    fn complete(&mut self, dice: &mut Dice) {
        self.spare.clear();
        let mut counts = [0_usize; FACES];
        for face in self.before.iter().filter(|face| **face < UNREAD) {
            counts[usize::from(*face)] += 1;
        }
        for (face, count) in counts.iter().enumerate() {
            self.spare.extend(std::iter::repeat_n(face as u8, self.decks.saturating_sub(*count)));
        }
        shuffle(&mut self.spare, dice);
        let mut spare = self.spare.iter().copied();
        let pack = self.before.iter().map(|face| if *face < UNREAD { *face } else { spare.next().unwrap_or(UNREAD) });
        self.pack.clear();
        self.pack.extend(pack);
    }

    /// Cut about the middle and dealt, with the same cards unread.
    fn deal(&self, shuffled: &[u8], dice: &mut Dice, drawn: &mut [u8]) {
        let size = shuffled.len().max(1);
        let depth = size / 5 + dice.below(size * 3 / 5);
        for (at, place) in drawn.iter_mut().enumerate().filter(|(_, place)| **place < UNREAD) {
            *place = shuffled.get((at + depth) % size).copied().unwrap_or(UNREAD);
        }
    }
}

/// Every order equally likely.
pub(super) fn shuffle(cards: &mut [u8], dice: &mut Dice) {
    for last in (1..cards.len()).rev() {
        cards.swap(last, dice.below(last + 1));
    }
}
