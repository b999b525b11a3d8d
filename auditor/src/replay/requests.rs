//! What players ask for beside their turn, what the dealer turns down, and what is remembered for the next round.

use table::{BoxNo, Hand, Place, Rank, Wager, WagerKind};

use super::{Deal, Table};
use crate::hand::End;

impl Table<'_> {
    /// Whether the dealer's second card is out or was looked at, so that nobody can insure against it any more.
    pub fn second_card_known(&self) -> bool {
        let shown = self.dealer.cards.len().saturating_sub(usize::from(self.dealer.down));
        self.dealer.peeked || shown >= 2
    }

    /// Whether the time for insurance is over: play has gone on, unless the offer itself was forgotten so far.
    pub(super) fn insurance_is_over(&self) -> bool {
        self.second_card_known() || (self.drawn > 0 && self.offered_in_time)
    }

    /// A natural asks for even money. Every bettor on a box asks for himself; the hand is over when all have.
    pub(super) fn even_money(&mut self, wager: Wager) {
        let main = Wager { hand: Hand::A, kind: WagerKind::Main, ..wager };
        let (peeked, cards) = (self.dealer.peeked, self.cards_dealt);
        if let Some(standing) = self.wagers.get_mut(main) {
            standing.even_money = Some(cards);
            standing.asked_after_peek = peeked;
        }
        let stakes = || self.wagers.on_box(wager.box_no).filter(|standing| standing.wager.kind == WagerKind::Main);
        let all = stakes().all(|standing| standing.even_money.is_some() || standing.wager.tip);
        let natural = self.hand(wager.place()).is_some_and(|hand| hand.play.is_natural());
        if all && natural {
            self.end_hand(wager.place(), End::EvenMoney);
        }
    }

    /// A stake handed back before any card came of it: the wager was not taken or the request turned down, and the hand
    /// is as it was.
    pub(super) fn withdraw(&mut self, wager: Wager) {
        let before_effect = match wager.kind {
            WagerKind::Insurance => !self.second_card_known(),
            WagerKind::Double => self.hand(wager.place()).is_some_and(|hand| hand.since_double == 0),
            WagerKind::Split => self.hand(wager.place()).is_some_and(|hand| hand.play.cards.len() == 1),
            WagerKind::Main | WagerKind::Ante | WagerKind::Side(_) => self.deal == Deal::Betting,
        };
        let Some(standing) = self.wagers.get_mut(wager).filter(|_| before_effect) else { return };
        standing.withdrawn = true;
        let same = |other: &Wager| other.place() == wager.place() && other.kind == wager.kind;
        let others = self.wagers.iter().any(|standing| same(&standing.wager) && !standing.withdrawn);
        match wager.kind {
            WagerKind::Double if !others => {
                if let Some(hand) = self.hand_mut(wager.place()) {
                    hand.play.doubled = false;
                    hand.owed = hand.owed.saturating_sub(1);
                }
            }
            WagerKind::Main if !others => self.watch.wagered.remove(wager.box_no),
            WagerKind::Split if !others => self.unsplit(wager.box_no, wager.hand),
            _ => {}
        }
    }

    /// Puts the only card of the hand opened last back where it came from.
    fn unsplit(&mut self, box_no: BoxNo, opened: Hand) {
        let state = self.box_mut(box_no);
        if state.hands.len() != opened.index() + 1 {
            return;
        }
        let at = state.order.iter().position(|letter| usize::from(*letter) == opened.index());
        let parent = at.and_then(|at| at.checked_sub(1)).and_then(|at| state.order.get(at)).copied();
        let (Some(at), Some(parent)) = (at, parent) else { return };
        if state.hands.get(usize::from(parent)).is_none_or(|hand| hand.play.cards.len() != 1) {
            return;
        }
        state.order.remove(at);
        let card = state.hands.pop().and_then(|hand| hand.play.cards.first().copied());
        let still_split = state.hands.len() > 1;
        if let (Some(hand), Some(card)) = (state.hands.get_mut(usize::from(parent)), card) {
            let _ = hand.play.cards.try_push(card);
            hand.play.split = still_split;
            hand.split_ace = still_split && card.rank() == Some(Rank::Ace);
        }
    }

    /// Keeps what the next round must know: who bet under the minimum, and what was won for the dealer.
    pub(crate) fn remember_wagers(&mut self) {
        self.shoe.under_minimum = super::Boxes::default();
        self.shoe.tips.clear();
        let least = self.table_min();
        for standing in self.wagers.iter() {
            let Wager { kind, tip, bettor, .. } = standing.wager;
            let fate = &standing.fate;
            let seated = kind == WagerKind::Main && !tip && bettor.number() == 1;
            if seated && least.is_some_and(|least| standing.stake < least) {
                self.shoe.under_minimum.add(standing.wager.box_no);
            }
            if tip && (fate.paid.is_some() || fate.pushed) {
                // Only a stake for the dealer on the hand itself may stay, and only when it stood off.
                let may_stay = fate.paid.is_none() && !matches!(kind, WagerKind::Side(_));
                let _ = self.shoe.tips.try_push((standing.wager, may_stay));
            }
        }
    }

    /// Whether the seated player of a box bet under the minimum in the last round too.
    pub fn was_under_minimum(&self, box_no: BoxNo) -> bool {
        self.shoe.under_minimum.has(box_no)
    }

    /// Whether a hand lies at a place and was not declared void.
    pub fn is_live(&self, place: Place) -> bool {
        self.hand(place).is_some_and(|hand| hand.play.end != End::Void)
    }
}
