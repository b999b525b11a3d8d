//! Cards as they come to hands and are turned up.

use table::{BoxNo, Card, Face, Hand, Place, Turn};

use super::{Deal, HandState, Table};

impl Table<'_> {
    pub(super) fn card(&mut self, to: Place, card: Card, (face, turn): (Face, Turn), was_loose: bool) {
        if self.deal == Deal::Betting {
            self.deal = Deal::Dealing;
        }
        self.cards_dealt = self.cards_dealt.saturating_add(1);
        if self.deal == Deal::Done {
            self.last_card_at = Some(self.step);
        } else if self.hand(to).is_some_and(|hand| !hand.play.cards.is_empty()) {
            self.second_card_at.get_or_insert(self.step);
        }
        self.drawn = self.drawn.saturating_add(u16::from(self.deal == Deal::Done));
        let down = u8::from(face == Face::Down);
        let at = self.step;
        let unasked = self.is_unasked(to, was_loose);
        if self.deal == Deal::Done {
            self.first_draw_at.get_or_insert(at);
            self.note_play();
        }
        match to {
            Place::Dealer => {
                if self.deal == Deal::Done && self.dealer.at_players_done.is_none() {
                    self.leave_all();
                    self.dealer.at_players_done = Some(self.dealer.cards.len());
                }
                let _ = self.dealer.cards.try_push(card);
                let _ = self.dealer.dealt_at.try_push(at);
                self.dealer.down += down;
            }
            Place::Box(box_no, letter) => {
                if self.deal == Deal::Done {
                    self.leave_before(to, true);
                }
                if letter == Hand::A {
                    self.open_box(box_no);
                }
                let state = self.box_mut(box_no);
                let in_zap = state.zap.as_mut().filter(|zap| zap.came < 2);
                if let Some(zap) = in_zap {
                    zap.new[usize::from(zap.came)] = card;
                    zap.came += 1;
                    zap.turned = turn == Turn::Sideways;
                } else if state.initial.try_push(card).is_err() && letter == Hand::A && state.third.is_none() {
                    state.third = Some(card);
                }
                if let Some(hand) = state.hands.get_mut(letter.index()) {
                    let _ = hand.play.cards.try_push(card);
                    hand.down += down;
                    hand.last_sideways = turn == Turn::Sideways;
                    hand.owed = hand.owed.saturating_sub(1);
                    hand.since_double = hand.since_double.saturating_add(u8::from(hand.play.doubled));
                    hand.unasked = hand.unasked.or(unasked);
                }
            }
        }
        if self.deal == Deal::Dealing && self.initial_deal_is_done() {
            self.deal_is_done();
        }
    }

    /// A box has its first card, or is about to.
    pub(super) fn open_box(&mut self, box_no: BoxNo) {
        self.dealt.add(box_no);
        let state = self.box_mut(box_no);
        if state.hands.is_empty() {
            let _ = state.hands.try_push(HandState::default());
            let _ = state.order.try_push(0);
        }
    }

    pub(super) fn turn_up(&mut self, place: Place, card: Card) {
        if place == Place::Dealer {
            self.last_play_at = self.step;
        }
        let (cards, down) = match place {
            Place::Dealer => (&mut self.dealer.cards, &mut self.dealer.down),
            Place::Box(box_no, letter) => {
                let state = &mut self.boxes[usize::from(box_no.number() - 1)];
                match state.hands.get_mut(letter.index()) {
                    Some(hand) => (&mut hand.play.cards, &mut hand.down),
                    None => return,
                }
            }
        };
        *down = down.saturating_sub(1);
        let Some(at) = cards.iter().position(|card| *card == Card::HIDDEN) else { return };
        cards.replace(at, card);
        if let Place::Box(box_no, Hand::A) = place {
            let state = self.box_mut(box_no);
            if let Some(initial) = state.initial.get_mut(at) {
                *initial = card;
            } else if at == 2 {
                state.third = Some(card);
            }
        }
    }
}
