//! Where a proper shuffle takes the cards: how likely a card that went in here comes out there.
//!
//! A shuffle of a house may leave the cards of one part of the pack together. What was behind the cutting card then comes
//! behind it again more often, or less often, than chance alone would have it, and whoever counts which cards are never
//! seen must know that. Where the pack is cut decides as much, and nobody sees that; some dealers always cut at the same
//! place. So the spread is kept for several habits.

use super::chain::UNREAD;
use super::{Null, mix};
use crate::model::random::Dice;

/// Parts that a pack is looked at in.
const PARTS: usize = 24;
/// Proper shuffles that are made to learn it.
const DRAWN: usize = 300;

/// Where a dealer may cut, in hundredths of the pack from the top: anywhere about the middle, or always at about the same
/// place.
const HABITS: [(usize, usize); 7] = [(20, 80), (20, 30), (30, 40), (40, 50), (50, 60), (60, 70), (70, 80)];
/// How many habits.
pub(super) const CUTS: usize = HABITS.len();

/// For each part of a pack that goes in, how its cards are spread over the parts of the pack that comes out.
type Spread = [[f64; PARTS]; PARTS];

/// How the cards of each part are spread, for each habit of cutting.
pub struct Flow {
    spreads: [Spread; CUTS],
}

fn part(at: usize, size: usize) -> usize {
    (at * PARTS / size.max(1)).min(PARTS - 1)
}

impl Flow {
    /// Of a proper shuffle of packs of this size.
    pub fn of(null: &Null, size: usize) -> Self {
        let mut spreads = [[[0.0; PARTS]; PARTS]; CUTS];
        let Null::Procedure(procedure) = null else {
            return Self { spreads: [[[1.0 / PARTS as f64; PARTS]; PARTS]; CUTS] };
        };
        let mut dice = Dice::new(size as u64).fork("flow");
        let moves = procedure.moves();
        for _ in 0..DRAWN {
            let shuffled = mix(&moves, (0..size).collect(), &mut dice);
            for ((least, most), spread) in HABITS.iter().zip(&mut spreads) {
                let depth = size * least / 100 + dice.below((size * (most - least) / 100).max(1));
                for (at, from) in shuffled.iter().enumerate() {
                    let to = (at + size - depth.min(size)) % size.max(1);
                    spread[part(*from, size)][part(to, size)] += 1.0;
                }
            }
        }
        for row in spreads.iter_mut().flatten() {
            let all = row.iter().sum::<f64>().max(1.0);
            row.iter_mut().for_each(|share| *share /= all);
        }
        Self { spreads }
    }

    /// For each habit and each place of a pack that goes in, how likely its card is not read when the pack comes out like
    /// this. The cards behind those that came count as not read.
    pub(super) fn unread(&self, size: usize, after: &[u8]) -> [Vec<f64>; CUTS] {
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
        std::array::from_fn(|habit| {
            let shares: Vec<f64> = self.spreads[habit].iter().map(share).collect();
            (0..size).map(|at| shares.get(part(at, size)).copied().unwrap_or(1.0)).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_goes_somewhere_and_a_machine_takes_it_anywhere() {
        for text in ["half-decks", "riffles:2", "wash"] {
            let flow = Flow::of(&Null::Procedure(text.parse().unwrap()), 312);
            for row in flow.spreads.iter().flatten() {
                assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{text}");
            }
        }
        let unread = Flow::of(&Null::Uniform, 312).unread(312, &[0; 234]);
        assert!(unread.iter().flatten().all(|chance| (chance - 0.25).abs() < 1e-9));
    }

    #[test]
    fn a_shuffle_that_keeps_the_cards_where_they_are_lets_the_cut_alone_decide() {
        let flow = Flow::of(&Null::Procedure("stack".parse().unwrap()), 312);
        let [unread, cut_at_a_quarter, ..] = flow.unread(312, &[0; 260]);
        assert!(cut_at_a_quarter[60] > 0.5, "the top quarter comes to the end: {}", cut_at_a_quarter[60]);
        assert!(unread[300] < 0.05, "what lay behind the cutting card comes to the middle: {}", unread[300]);
        assert!(unread[130] > 0.2, "what lay in the middle comes to the end: {}", unread[130]);
    }
}
