//! Hands as the rules look at them: a player's cards and how they came to be, the dealer's cards.

use table::{Card, Rank, Total};

pub use crate::cards::Cards;

/// How a player's hand came to be and ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerHand {
    /// Its cards in the order they came.
    pub cards: Cards,
    /// Whether it was formed by a split; the hand that was split is one of them.
    pub split: bool,
    /// Whether its first cards were exchanged.
    pub zapped: bool,
    /// Whether it was doubled, by chips or by a free bet.
    pub doubled: bool,
    /// How it ended, if not by being played out.
    pub end: End,
}

/// How a hand ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// Played out.
    #[default]
    Played,
    /// Given up for half.
    Surrendered,
    /// A natural that asked for even money.
    EvenMoney,
    /// Declared void.
    Void,
}

impl PlayerHand {
    /// What it counts; `None` if a card is not known.
    pub const fn total(&self) -> Option<Total> {
        self.cards.total()
    }

    /// Whether it is a natural: ace and ten-value as dealt, not split, not exchanged, not doubled.
    pub fn is_natural(&self) -> bool {
        !self.split && !self.zapped && !self.doubled && is_ace_and_ten(&self.cards)
    }
}

/// Whether these are an ace and a ten-value card and nothing else.
pub fn is_ace_and_ten(cards: &[Card]) -> bool {
    match cards {
        [a, b] => matches!(
            (a.rank().map(Rank::points), b.rank().map(Rank::points)),
            (Some(1), Some(10)) | (Some(10), Some(1))
        ),
        _ => false,
    }
}

/// What the dealer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DealerHand<'c> {
    /// The cards, up card first.
    pub cards: &'c [Card],
}

impl DealerHand<'_> {
    /// The up card.
    pub fn up(&self) -> Option<Card> {
        self.cards.first().copied()
    }

    /// Whether the up card could make a natural.
    pub fn shows_ace_or_ten(&self) -> bool {
        matches!(self.up().and_then(Card::rank).map(Rank::points), Some(1 | 10))
    }

    /// Whether the up card is an ace.
    pub fn shows_ace(&self) -> bool {
        self.up().and_then(Card::rank) == Some(Rank::Ace)
    }

    /// Whether the first two cards are a natural.
    pub fn is_natural(&self) -> bool {
        self.cards.len() == 2 && is_ace_and_ten(self.cards)
    }

    /// What it counts; `None` if a card is not known.
    pub fn total(&self) -> Option<Total> {
        Total::of(self.cards.iter().copied())
    }
}
