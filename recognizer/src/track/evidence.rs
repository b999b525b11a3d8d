//! What all looks at one card come to.
//!
//! Log-probabilities are added, but the sum never weighs more than two looks: what makes a card be misread once (a glare, a
//! fold, an ornate ace) makes it be misread again, and a hundred such looks are not a hundred witnesses.

use crate::vision::{Seen, best, softmax};

/// The weight that all looks together have at most.
const MOST: f32 = 2.0;
/// No look makes anything less likely than this.
const LEAST: f32 = 1e-4;

/// Looks added up.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Evidence {
    ranks: [f32; 13],
    suits: [f32; 4],
    weight: f32,
}

impl Evidence {
    pub(super) fn new() -> Self {
        Self { ranks: [0.0; 13], suits: [0.0; 4], weight: 0.0 }
    }

    /// Adds a look at the card's face; the more of the card showed, the more it counts.
    pub(super) fn add(&mut self, seen: &Seen) {
        let weight = 0.25 + 0.75 * seen.visible.clamp(0.0, 1.0);
        add(&mut self.ranks, &seen.ranks, weight);
        add(&mut self.suits, &seen.suits, weight);
        self.weight += weight;
    }

    /// How likely each rank and each suit is by now.
    pub(super) fn spread(&self) -> ([f32; 13], [f32; 4]) {
        let weight = self.weight.max(1e-3);
        let times = weight.min(MOST) / weight;
        (softmax(self.ranks.map(|sum| sum * times)), softmax(self.suits.map(|sum| sum * times)))
    }

    /// The likeliest rank and suit, as numbers, and how likely they are together.
    pub(super) fn best(&self) -> (usize, usize, f32) {
        let (ranks, suits) = self.spread();
        let (rank, suit) = (best(&ranks), best(&suits));
        (rank, suit, ranks[rank] * suits[suit])
    }
}

fn add<const N: usize>(sums: &mut [f32; N], chances: &[f32; N], weight: f32) {
    for (sum, chance) in sums.iter_mut().zip(chances) {
        *sum += weight * chance.max(LEAST).ln();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::Quad;

    /// A look that takes the card for the rank with this number.
    fn look(rank: usize, sure: f32) -> Seen {
        let mut ranks = [(1.0 - sure) / 12.0; 13];
        ranks[rank] = sure;
        let quad = Quad::around([0.0, 0.0], [0.0, -9.0], [6.0, 0.0]);
        Seen { quad, ranks, suits: [0.97, 0.01, 0.01, 0.01], state: [0.98, 0.01, 0.01], visible: 1.0 }
    }

    #[test]
    fn two_looks_are_surer_than_one_and_a_hundred_no_surer_than_two() {
        let after = |looks: usize| {
            let mut evidence = Evidence::new();
            (0..looks).for_each(|_| evidence.add(&look(6, 0.8)));
            evidence.best().2
        };
        assert!(after(2) > after(1));
        assert!((after(100) - after(2)).abs() < 1e-3, "{} {}", after(100), after(2));
        assert!(after(100) < 0.9999);
    }

    #[test]
    fn one_strange_look_does_not_outvote_two_good_ones() {
        let mut evidence = Evidence::new();
        evidence.add(&look(6, 0.9));
        evidence.add(&look(2, 0.7));
        evidence.add(&look(6, 0.9));
        assert_eq!(evidence.best().0, 6);
    }
}
