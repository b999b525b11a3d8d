//! Whose turn it is: which hands are done, which play has passed, and which cards nobody asked for.

use table::Place;

use super::{Deal, HandState, Table, Unasked};
use crate::hand::End;
use crate::rules::{Hit21, Rules};

impl Table<'_> {
    /// Whether a hand takes no more cards: it stood, bust, may not be hit, or is out of the round.
    pub fn is_done(&self, place: Place) -> bool {
        self.hand(place).is_none_or(|hand| hand.is_done(self.rules) || self.stands_unplayed(place, hand))
    }

    /// Whether nobody is there to play a hand that has all it is drawn to: it stands without a word.
    fn stands_unplayed(&self, place: Place, hand: &HandState) -> bool {
        let least = u16::from(self.rules.forced_hit_below);
        let absent = place.box_no().is_some_and(|box_no| self.box_at(box_no).absent);
        absent && least > 0 && hand.points().is_some_and(|points| points >= least)
    }

    /// Whether a hand gets no more cards, whatever its player says: it is out of the round or has all the rules give.
    pub fn is_closed(&self, place: Place) -> bool {
        self.hand(place).is_none_or(|hand| hand.is_closed(self.rules))
    }

    /// The hand whose turn it is: the first, in playing order, that is not done.
    pub fn turn(&self) -> Option<Place> {
        self.hands().find(|(_, hand)| !hand.is_done(self.rules)).map(|(place, _)| place)
    }

    /// A card nobody asked for, unless the rules give it: the second card of a split hand, new cards of an exchange, a
    /// draw to the least total, a card drawn in error that is used as the next. A hand that is closed is not meant: a
    /// card to it is another wrong.
    pub(super) fn is_unasked(&self, to: Place, was_loose: bool) -> Option<Unasked> {
        let hand = self.hand(to).filter(|hand| self.deal == Deal::Done && hand.owed == 0)?;
        let state = self.box_at(to.box_no()?);
        let exchanged = hand.play.zapped && !hand.play.split && !hand.acted;
        let forced = hand.points().is_none_or(|points| points < u16::from(self.rules.forced_hit_below));
        let given = hand.play.cards.len() < 2 || exchanged || forced || was_loose || state.absent || hand.play.doubled;
        let unasked = !given && !hand.is_closed(self.rules);
        unasked.then_some(Unasked { at: self.step, stood: hand.stood })
    }

    pub(super) fn note_play(&mut self) {
        self.play_began_at.get_or_insert(self.step);
        self.last_play_at = self.step;
    }

    /// Play has come to a hand: those before it that were still open have been left as they are.
    pub(super) fn leave_before(&mut self, place: Place, by_card: bool) {
        let at = self.step;
        let rules = self.rules;
        'earlier: for box_no in self.dealt.iter() {
            let until = match place {
                Place::Box(last, hand) if last == box_no => Some(hand.index()),
                _ => None,
            };
            let state = self.box_mut(box_no);
            for letter in &state.order {
                if until == Some(usize::from(*letter)) {
                    break 'earlier;
                }
                let Some(hand) = state.hands.get_mut(usize::from(*letter)) else { continue };
                if hand.is_done(rules) {
                    hand.pass(at, by_card);
                } else {
                    hand.left = true;
                    hand.left_for = Some(place);
                }
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
    /// Whether it takes no more cards.
    pub(crate) fn is_done(&self, rules: &Rules) -> bool {
        self.stood || self.left || self.is_closed(rules)
    }

    fn is_closed(&self, rules: &Rules) -> bool {
        self.collected || self.play.end != End::Played || self.is_full(rules)
    }

    /// Whether it has all the cards the rules give it.
    pub fn is_full(&self, rules: &Rules) -> bool {
        // A natural is a 21 too, so a hand below that needs no closer look at its cards.
        let by_count = self.play.total().filter(|total| total.points >= 21).is_some_and(|total| {
            let at_21 = rules.hit_21 == Hit21::Forbidden || (rules.hit_21 != Hit21::Allowed && !total.soft);
            total.is_bust() || at_21 || self.play.is_natural()
        });
        by_count
            || (self.play.doubled && self.since_double > 0)
            || (self.split_ace && !rules.hit_split_aces && self.play.cards.len() >= 2)
            || rules.max_cards.is_some_and(|most| self.play.cards.len() >= usize::from(most))
    }

    /// Play goes on elsewhere.
    fn pass(&mut self, at: usize, by_card: bool) {
        self.passed_at.get_or_insert(at);
        if by_card {
            self.overdealt_at.get_or_insert(at);
        }
    }
}
