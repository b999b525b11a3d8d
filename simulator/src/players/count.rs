//! The Hi-Lo count: low cards seen are good for the players, tens and aces seen are bad.

use table::{Card, Rank};

/// Cards of a deck.
const DECK: f64 = 52.0;
/// Nobody estimates less than half a deck.
const LEAST: f64 = 0.5;

/// What a counter has seen of a shoe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    running: i32,
    seen: u32,
}

impl Count {
    /// Takes note of a card; one that nobody could read says nothing.
    pub(super) fn see(&mut self, card: Card) {
        let Some(rank) = card.rank() else { return };
        self.seen = self.seen.saturating_add(1);
        self.running = self.running.saturating_add(match rank.points() {
            _ if rank == Rank::Ace => -1,
            2..=6 => 1,
            7..=9 => 0,
            _ => -1,
        });
    }

    /// The count for each deck of which nothing has been seen.
    pub(super) fn per_deck(&self, decks: u8) -> f64 {
        let left = f64::from(decks) - f64::from(self.seen) / DECK;
        f64::from(self.running) / left.max(LEAST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_deck_counts_nothing_and_low_cards_seen_count_for_more_when_few_are_left() {
        let mut count = Count::default();
        Card::faces().for_each(|card| count.see(card));
        assert_eq!(count, Count { running: 0, seen: 52 });
        let fives = ["5C", "5D", "5H", "5S"].map(|card| card.parse().unwrap());
        fives.into_iter().for_each(|card| count.see(card));
        count.see(Card::HIDDEN);
        assert!(count.per_deck(2) > count.per_deck(6));
        assert!((count.per_deck(3) - 4.0 / (3.0 - 56.0 / 52.0)).abs() < 1e-9);
    }
}
