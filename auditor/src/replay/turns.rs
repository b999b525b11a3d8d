//! Whose turn it is: which hands are done, which play has passed, and which cards nobody asked for.

use arrayvec::ArrayVec;
use table::Place;

use super::{Deal, HandState, MOST_HANDS, Table, Unasked};
use crate::hand::End;
use crate::rules::Hit21;

impl Table<'_> {
    /// Whether a hand takes no more cards: it stood, bust, may not be hit, or is out of the round.
    pub fn is_done(&self, place: Place) -> bool {
        self.hand(place).is_none_or(|hand| hand.stood || hand.left) || self.is_closed(place)
    }

    /// Whether a hand gets no more cards, whatever its player says: it is out of the round or has all the rules give.
    pub fn is_closed(&self, place: Place) -> bool {
        self.hand(place).is_none_or(|hand| hand.collected || hand.play.end != End::Played || self.is_full(hand))
    }

    /// Whether a hand has all the cards the rules give it.
    pub fn is_full(&self, hand: &HandState) -> bool {
        let rules = self.rules;
        let total = hand.play.total();
        let at_21 = total.is_some_and(|total| total.points == 21 && (rules.hit_21 == Hit21::Forbidden || !total.soft));
        hand.is_bust()
            || hand.play.is_natural()
            || (at_21 && rules.hit_21 != Hit21::Allowed)
            || (hand.play.doubled && hand.since_double > 0)
            || (hand.split_ace && !rules.hit_split_aces && hand.play.cards.len() >= 2)
            || rules.max_cards.is_some_and(|most| hand.play.cards.len() >= usize::from(most))
    }

    /// The hand whose turn it is: the first, in playing order, that is not done.
    pub fn turn(&self) -> Option<Place> {
        self.hands().map(|(place, _)| place).find(|place| !self.is_done(*place))
    }

    /// A card nobody asked for, unless the rules give it: the second card of a split hand, new cards of an exchange, a
    /// draw to the least total, a card drawn in error that is used as the next. A hand that is closed is not meant: a
    /// card to it is another wrong.
    pub(super) fn is_unasked(&self, to: Place, was_loose: bool) -> Option<Unasked> {
        let hand = self.hand(to)?;
        let state = self.box_at(to.box_no()?);
        let exchanged = hand.play.zapped && !hand.play.split && !hand.acted;
        let forced = hand.points().is_none_or(|points| points < u16::from(self.rules.forced_hit_below));
        let given = hand.play.cards.len() < 2 || exchanged || forced || was_loose || state.absent || hand.play.doubled;
        let unasked = self.deal == Deal::Done && hand.owed == 0 && !given && !self.is_closed(to);
        unasked.then_some(Unasked { at: self.step, stood: hand.stood })
    }

    pub(super) fn note_play(&mut self) {
        self.play_began_at.get_or_insert(self.step);
        self.last_play_at = self.step;
    }

    /// Play has come to a hand: those before it that were still open have been left as they are.
    pub(super) fn leave_before(&mut self, place: Place, by_card: bool) {
        let at = self.step;
        let earlier = self.hands().map(|(other, _)| other).take_while(|other| *other != place);
        let earlier: ArrayVec<Place, { MOST_HANDS * 9 }> = earlier.collect();
        for other in earlier {
            let done = self.is_done(other);
            let Some(hand) = self.hand_mut(other) else { continue };
            if done {
                hand.pass(at, by_card);
            } else {
                hand.left = true;
                hand.left_for = Some(place);
            }
        }
        if let Some(hand) = self.hand_mut(place) {
            hand.passed_at = None;
            hand.overdealt_at = None;
        }
    }

    pub(super) fn leave_all(&mut self) {
        let at = self.step;
        for state in self.boxes.iter_mut() {
            for hand in &mut state.hands {
                hand.left = true;
                hand.pass(at, true);
            }
        }
    }
}

impl HandState {
    /// Play goes on elsewhere.
    fn pass(&mut self, at: usize, by_card: bool) {
        self.passed_at.get_or_insert(at);
        if by_card {
            self.overdealt_at.get_or_insert(at);
        }
    }
}
