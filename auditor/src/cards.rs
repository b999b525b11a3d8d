//! The cards of one hand, counted as they come: a hand is looked at far more often than it changes.

use std::ops::Deref;

use arrayvec::{ArrayVec, CapacityError};
use table::{Card, Rank, Total};

/// No legal hand has more than 21 cards; what a tape claims beyond that is kept up to this many.
const MOST: usize = 26;

/// The cards of one hand in the order they came, with their count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cards {
    cards: ArrayVec<Card, MOST>,
    /// Points with aces as one.
    points: u16,
    aces: u8,
    /// Cards whose face is not known.
    unknown: u8,
}

impl Cards {
    /// What they count; `None` if one of them is not known.
    pub const fn total(&self) -> Option<Total> {
        if self.unknown == 0 { Some(Total::counting(self.points, self.aces > 0)) } else { None }
    }

    /// The cards.
    pub fn as_slice(&self) -> &[Card] {
        &self.cards
    }

    /// Adds a card, unless there are more than any hand has.
    pub fn try_push(&mut self, card: Card) -> Result<(), CapacityError<Card>> {
        self.cards.try_push(card)?;
        self.count(card);
        Ok(())
    }

    /// Takes the last card away.
    pub fn pop(&mut self) -> Option<Card> {
        let card = self.cards.pop()?;
        self.recount();
        Some(card)
    }

    /// Takes a card away.
    pub fn pop_at(&mut self, index: usize) -> Option<Card> {
        let card = self.cards.pop_at(index)?;
        self.recount();
        Some(card)
    }

    /// Puts a card in the place of another.
    pub fn replace(&mut self, index: usize, card: Card) {
        if let Some(there) = self.cards.get_mut(index) {
            *there = card;
            self.recount();
        }
    }

    /// Takes all cards away.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    fn count(&mut self, card: Card) {
        match card.rank() {
            Some(rank) => {
                self.points += u16::from(rank.points());
                self.aces += u8::from(rank == Rank::Ace);
            }
            None => self.unknown += 1,
        }
    }

    fn recount(&mut self) {
        (self.points, self.aces, self.unknown) = (0, 0, 0);
        for card in self.cards.clone() {
            self.count(card);
        }
    }
}

impl Deref for Cards {
    type Target = [Card];

    fn deref(&self) -> &[Card] {
        &self.cards
    }
}

/// Cards beyond the most that are kept are left out.
impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut all = Self::default();
        for card in cards.into_iter().take(MOST) {
            let _ = all.try_push(card);
        }
        all
    }
}

impl<'c> IntoIterator for &'c Cards {
    type Item = &'c Card;
    type IntoIter = std::slice::Iter<'c, Card>;

    fn into_iter(self) -> Self::IntoIter {
        self.cards.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cards(text: &str) -> Cards {
        text.split(' ').map(|card| card.parse().unwrap()).collect()
    }

    #[test]
    fn the_count_follows_the_cards_whatever_is_done_with_them() {
        let mut hand = cards("AS XX 9C");
        let agrees = |hand: &Cards| assert_eq!(hand.total(), Total::of(hand.iter().copied()), "{hand:?}");
        agrees(&hand);
        hand.replace(1, "AH".parse().unwrap());
        agrees(&hand);
        assert_eq!(hand.total(), Some(Total { points: 21, soft: true }));
        hand.try_push("KD".parse().unwrap()).unwrap();
        agrees(&hand);
        assert_eq!(hand.pop_at(0), "AS".parse().ok());
        agrees(&hand);
        assert_eq!(hand.pop(), "KD".parse().ok());
        agrees(&hand);
        assert_eq!(hand, cards("AH 9C"));
        hand.clear();
        agrees(&hand);
    }

    #[test]
    fn more_cards_than_any_hand_has_are_not_kept() {
        let many: Cards = std::iter::repeat_n("TS".parse().unwrap(), 40).collect();
        assert_eq!((many.len(), many.total()), (26, Some(Total { points: 260, soft: false })));
    }
}
