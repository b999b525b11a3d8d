//! Decisions: what players do with their hands, and the stakes that go with it.

use table::round::Stake;
use table::{Act, Bettor, Card, Hand, Money, Place, Rank, Wager, WagerKind};

use super::{HandState, Table, Zap};
use crate::hand::{Cards, End, PlayerHand};

impl Table<'_> {
    /// Follows what a player decides.
    pub(super) fn follow_decisions(&mut self, act: &Act) {
        match act {
            Act::EvenMoney(wager) => self.even_money(*wager),
            Act::Surrender(wager) => self.surrender(*wager),
            Act::Hit(place) => self.decide(*place, |hand| hand.owed = hand.owed.saturating_add(1)),
            Act::Stand(place) => self.decide(*place, |hand| hand.stood = true),
            Act::Double(wager, stake) => self.double(*wager, *stake),
            Act::Split(wager, stake) => self.split(*wager, *stake),
            Act::Zap(place) => self.zap(*place),
            _ => {}
        }
    }

    fn decide(&mut self, place: Place, how: impl Fn(&mut HandState)) {
        self.note_play();
        self.leave_before(place, false);
        if let Some(hand) = self.hand_mut(place) {
            hand.acted = true;
            how(hand);
        }
    }

    fn surrender(&mut self, wager: Wager) {
        // Once the dealer has looked, giving a hand up is play as much as playing it.
        if self.dealer.peeked {
            self.play_began_at.get_or_insert(self.step);
        }
        self.end_hand(wager.place(), End::Surrendered);
    }

    pub(super) fn end_hand(&mut self, place: Place, end: End) {
        if let Some(hand) = self.hand_mut(place) {
            hand.acted = true;
            hand.play.end = end;
        }
    }

    fn double(&mut self, wager: Wager, stake: Stake) {
        let full = self.wagers.stake_of(wager).map(|standing| standing.stake).unwrap_or_default();
        let ridden = if wager.hand == Hand::A { self.wagers.ridden_with(wager) } else { Money::ZERO };
        let amount = match stake {
            Stake::Chips(amount) => amount,
            Stake::Full => full.plus(ridden).unwrap_or(full),
            Stake::Free => full,
        };
        // Chips of bettors behind or for the dealer follow the player's double; alone they double nothing.
        let decides = wager == wager.by(Bettor::SEATED) && !wager.tip;
        if decides || !self.wagers.has_seated(wager.box_no) {
            self.double_hand(wager.place());
        }
        self.bet(wager.of_kind(WagerKind::Double), amount, stake == Stake::Free);
    }

    fn double_hand(&mut self, place: Place) {
        self.decide(place, |hand| {
            if !hand.play.doubled {
                hand.doubled_unseen = hand.down > 0;
                hand.play.doubled = true;
                hand.since_double = 0;
                hand.owed = hand.owed.saturating_add(1);
            }
        });
    }

    fn split(&mut self, wager: Wager, stake: Stake) {
        let full = self.wagers.stake_of(wager).map(|standing| standing.stake).unwrap_or_default();
        let ridden = if wager.hand == Hand::A { self.wagers.ridden_with(wager) } else { Money::ZERO };
        let amount = match stake {
            Stake::Chips(amount) => amount,
            Stake::Full => full.plus(ridden).unwrap_or(full),
            Stake::Free => full,
        };
        self.decide(wager.place(), |_| {});
        let Some(opened) = self.open_split_hand(wager) else { return };
        let further = Wager { hand: opened, kind: WagerKind::Split, ..wager };
        self.bet(further, amount, stake == Stake::Free);
    }

    /// Moves the second card to a new hand; a bettor behind who splits too joins the hand opened last.
    fn open_split_hand(&mut self, wager: Wager) -> Option<Hand> {
        let state = self.box_mut(wager.box_no);
        let count = state.hands.len();
        let hand = state.hands.get_mut(wager.hand.index())?;
        if hand.play.cards.len() < 2 {
            return count.checked_sub(1).and_then(|last| Hand::new(u8::try_from(last).ok()?));
        }
        let moved = hand.play.cards.pop()?;
        let aces = moved.rank() == Some(Rank::Ace);
        hand.play.split = true;
        hand.split_ace = aces;
        let play = PlayerHand {
            cards: Cards::from_iter([moved]),
            split: true,
            zapped: hand.play.zapped,
            ..PlayerHand::default()
        };
        let opened = HandState { play, split_ace: aces, ..HandState::default() };
        state.hands.try_push(opened).ok()?;
        let letter = u8::try_from(count).ok()?;
        let after = state.order.iter().position(|played| usize::from(*played) == wager.hand.index())?;
        state.order.try_insert(after + 1, letter).ok()?;
        Hand::new(letter)
    }

    fn zap(&mut self, place: Place) {
        self.decide(place, |_| {});
        let Place::Box(box_no, _) = place else { return };
        let state = self.box_mut(box_no);
        let Some(hand) = state.hands.first_mut() else { return };
        let new = [Card::HIDDEN; 2];
        state.zap = Some(Zap { from: hand.play.total(), came: 0, new, removed: 0, turned: false });
        hand.play.cards.clear();
        hand.play.zapped = true;
        // An exchange comes before any other decision, and what follows starts afresh.
        hand.acted = false;
    }
}
