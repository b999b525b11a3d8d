//! What whoever reads a table must know of its game: who has cards coming, and when a hand takes no more.
//!
//! This is not the law. It says what usually follows, so that a card nobody saw can be put where it most likely went,
//! and a decision nobody heard be told from what came of it. The rulebooks fill it in.

use crate::card::Card;
use crate::total::Total;

/// The shape of a game's rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grammar {
    /// Decks in the shoe.
    pub decks: u8,
    /// Whether the cards go back into a continuous shuffler after every round.
    pub csm: bool,
    /// Whether the dealer takes a second card face down in the initial deal, and looks at it.
    pub hole_card: bool,
    /// Whether a hard 21 may draw.
    pub hard_21_draws: bool,
    /// Whether a soft 21 may draw.
    pub soft_21_draws: bool,
    /// A hand with so many cards takes no more.
    pub most_cards: Option<u8>,
    /// Whether split aces take more than one card.
    pub split_aces_draw: bool,
    /// Whether a hand may be given up for half.
    pub surrender: bool,
    /// Whether a natural may ask for even money.
    pub even_money: bool,
    /// Whether two cards may be exchanged.
    pub exchange: bool,
    /// Whether the dealer draws on 16.
    pub dealer_draws_on_16: bool,
    /// Whether the dealer draws on a soft 17.
    pub dealer_draws_on_soft_17: bool,
}

impl Default for Grammar {
    /// The commonest game: six decks, no hole card, draw to seventeen.
    fn default() -> Self {
        Self {
            decks: 6,
            csm: false,
            hole_card: false,
            hard_21_draws: false,
            soft_21_draws: false,
            most_cards: None,
            split_aces_draw: false,
            surrender: false,
            even_money: false,
            exchange: false,
            dealer_draws_on_16: true,
            dealer_draws_on_soft_17: false,
        }
    }
}

impl Grammar {
    /// Whether a player's hand has all the cards it can get. `split` says whether it was opened or left by a split.
    pub fn is_full(&self, cards: &[Card], split: bool) -> bool {
        let natural = cards.len() == 2 && !split && Total::of(cards.iter().copied()).is_some_and(|of| of.points == 21);
        let ace = cards.first().and_then(|card| card.rank()) == Some(crate::card::Rank::Ace);
        natural || (split && ace && !self.split_aces_draw && cards.len() >= 2) || self.is_full_by_total(cards)
    }

    /// Whether a hand has all the cards it can get whatever became of it before: two cards that were exchanged for others
    /// make no natural.
    pub fn is_full_by_total(&self, cards: &[Card]) -> bool {
        let Some(total) = Total::of(cards.iter().copied()) else { return false };
        let draws_on_21 = if total.soft { self.soft_21_draws } else { self.hard_21_draws };
        total.is_bust()
            || (total.points == 21 && !draws_on_21)
            || self.most_cards.is_some_and(|most| cards.len() >= usize::from(most))
    }

    /// Whether the dealer draws to this hand as long as a wager depends on it.
    pub fn dealer_draws(&self, cards: &[Card]) -> bool {
        let Some(total) = Total::of(cards.iter().copied()) else { return true };
        match total.points {
            ..=15 => true,
            16 => self.dealer_draws_on_16,
            17 => total.soft && self.dealer_draws_on_soft_17,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cards(text: &str) -> Vec<Card> {
        text.split_whitespace().map(|card| card.parse().unwrap()).collect()
    }

    #[test]
    fn a_hand_is_full_at_21_bust_or_after_one_card_on_a_split_ace() {
        let game = Grammar::default();
        for (hand, split, full) in [
            ("TH 9C", false, false),
            ("TH 9C 5D", false, true),
            ("AH KC", false, true),
            ("AH KC", true, true),
            ("AH 5C", true, true),
            ("AH 5C", false, false),
            ("7H 7C 7D", false, true),
        ] {
            assert_eq!(game.is_full(&cards(hand), split), full, "{hand}, split {split}");
        }
        let generous = Grammar { soft_21_draws: true, split_aces_draw: true, ..game };
        assert!(!generous.is_full(&cards("AH KC"), true) && generous.is_full(&cards("AH KC"), false));
    }

    #[test]
    fn of_a_hand_with_an_unread_card_nothing_is_said() {
        assert!(!Grammar::default().is_full(&cards("KH ?? 9C"), false));
        assert!(Grammar::default().dealer_draws(&cards("KH ??")));
    }
}
