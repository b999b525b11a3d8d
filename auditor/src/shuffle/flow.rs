//! Where a proper shuffle takes the cards: how likely a card that went in here comes out there.
//!
//! A shuffle of a house may leave the cards of one part of the pack together. What was behind the cutting card then comes
//! behind it again more often, or less often, than chance alone would have it, and whoever counts which cards are never
//! seen must know that.

use super::chain::UNREAD;
use super::{Null, mix};
use crate::model::random::Dice;

/// Parts that a pack is looked at in.
const PARTS: usize = 24;
/// Proper shuffles that are made to learn it.
const DRAWN: usize = 300;

/// For each part of a pack that goes in, how its cards are spread over the parts of the pack that comes out.
pub struct Flow {
    spread: [[f64; PARTS]; PARTS],
}

fn part(at: usize, size: usize) -> usize {
    (at * PARTS / size.max(1)).min(PARTS - 1)
}

impl Flow {
    /// Of a proper shuffle of packs of this size.
    pub fn of(null: &Null, size: usize) -> Self {
        let mut spread = [[0.0; PARTS]; PARTS];
        let Null::Procedure(procedure) = null else {
            return Self { spread: [[1.0 / PARTS as f64; PARTS]; PARTS] };
        };
        let mut dice = Dice::new(size as u64).fork("flow");
        let moves = procedure.moves();
        for _ in 0..DRAWN {
            let shuffled = mix(&moves, (0..size).collect(), &mut dice);
            let depth = size / 5 + dice.below((size * 3 / 5).max(1));
            for (at, from) in shuffled.iter().enumerate() {
                let to = (at + size - depth.min(size)) % size.max(1);
                spread[part(*from, size)][part(to, size)] += 1.0;
            }
        }
        for row in &mut spread {
            let all = row.iter().sum::<f64>().max(1.0);
            row.iter_mut().for_each(|share| *share /= all);
        }
        Self { spread }
    }

    /// For each place of a pack that goes in, how likely its card is not read when the pack comes out like this. The cards
    /// behind those that came count as not read.
    pub(super) fn unread(&self, size: usize, after: &[u8]) -> Vec<f64> {
        let (mut places, mut unread) = ([0.0; PARTS], [0.0; PARTS]);
        for at in 0..size {
            let part = part(at, size);
            places[part] += 1.0;
            if after.get(at).is_none_or(|face| *face >= UNREAD) {
                unread[part] += 1.0;
            }
        }
        let share = |row: &[f64; PARTS]| {
            let each = row.iter().zip(unread.iter().zip(&places));
            each.map(|(share, (unread, places))| share * unread / f64::max(*places, 1.0)).sum::<f64>()
        };
        let shares: Vec<f64> = self.spread.iter().map(share).collect();
        (0..size).map(|at| shares.get(part(at, size)).copied().unwrap_or(1.0)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_goes_somewhere_and_a_machine_takes_it_anywhere() {
        for text in ["half-decks", "riffles:2", "wash"] {
            let flow = Flow::of(&Null::Procedure(text.parse().unwrap()), 312);
            for row in &flow.spread {
                assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{text}");
            }
        }
        let unread = Flow::of(&Null::Uniform, 312).unread(312, &[0; 234]);
        assert!(unread.iter().all(|chance| (chance - 0.25).abs() < 1e-9));
    }

    #[test]
    fn a_shuffle_that_keeps_the_cards_where_they_are_lets_the_cut_alone_decide() {
        let flow = Flow::of(&Null::Procedure("stack".parse().unwrap()), 312);
        let unread = flow.unread(312, &[0; 260]);
        assert!(unread[300] < 0.05, "what lay behind the cutting card comes to the middle: {}", unread[300]);
        assert!(unread[130] > 0.2, "what lay in the middle comes to the end: {}", unread[130]);
    }
}
