//! Errors put right: cards moved, put away or declared void.

use table::{Card, Hand, Place};

use super::{Deal, Table};
use crate::hand::End;

impl Table<'_> {
    /// A single card that lay at a hand goes to the rack: one of an exchange, or the last one dealt to the dealer in
    /// error.
    pub(super) fn discard(&mut self, card: Card) {
        let open = self.boxes.iter_mut().filter_map(|state| state.zap.as_mut()).find(|zap| zap.came == 0);
        if let Some(zap) = open {
            zap.removed = zap.removed.saturating_add(1);
        } else if self.deal == Deal::Done && self.dealer.cards.len() > 1 && self.dealer.cards.last() == Some(&card) {
            self.dealer.cards.pop();
            self.dealer.dealt_at.pop();
            self.mended_at = Some(self.step);
            self.take_back();
        }
    }

    /// A card was taken from the dealer again: if it was the first drawn, the hands it had passed are open as before.
    pub(super) fn take_back(&mut self) {
        if self.dealer.at_players_done.is_none_or(|before| self.dealer.cards.len() > before) {
            return;
        }
        self.dealer.at_players_done = None;
        for hand in self.boxes.iter_mut().flat_map(|state| &mut state.hands) {
            hand.left = hand.left_for.is_some();
        }
    }

    pub(super) fn mend(&mut self) {
        self.repaired = true;
        self.mended_at = Some(self.step);
    }

    pub(super) fn move_card(&mut self, card: Card, from: Place, to: Place) {
        self.mend();
        let cards = match from {
            Place::Dealer => Some(&mut self.dealer.cards),
            place => self.hand_mut(place).map(|hand| &mut hand.play.cards),
        };
        let Some(cards) = cards else { return };
        let Some(at) = cards.iter().rposition(|there| *there == card) else { return };
        cards.pop_at(at);
        if from == Place::Dealer {
            self.dealer.dealt_at.pop();
            self.take_back();
        }
        match to {
            Place::Dealer => {
                let _ = self.dealer.cards.try_push(card);
                let _ = self.dealer.dealt_at.try_push(self.step);
            }
            place => {
                if let Place::Box(box_no, Hand::A) = place {
                    self.open_box(box_no);
                }
                if let Some(hand) = self.hand_mut(place) {
                    let _ = hand.play.cards.try_push(card);
                }
            }
        }
        for place in [from, to] {
            if let Place::Box(box_no, Hand::A) = place {
                let state = self.box_mut(box_no);
                if let Some(hand) = state.hands.first() {
                    state.initial = hand.play.cards.iter().take(2).copied().collect();
                    state.third = hand.play.cards.get(2).copied();
                }
            }
        }
    }

    pub(super) fn void_round(&mut self) {
        self.void = true;
        self.mend();
        for state in self.boxes.iter_mut() {
            for hand in &mut state.hands {
                hand.play.end = End::Void;
            }
        }
    }
}
