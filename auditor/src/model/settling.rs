//! Settlement of hands and insurance: who is paid, taken or pushed, and in which order.

use table::{Act, Money, Place, SideBet, Wager, WagerKind, Winnings};

use super::dealing::Dealing;
use super::error::PlanError;
use super::script::Script;
use crate::hand::{End, PlayerHand};
use crate::settle::side::on_ridden;
use crate::settle::{Due, HandDue, Stakes, is_kept_tip, on_box, on_insurance};

impl<S: Script> Dealing<'_, S> {
    /// Settles a hand for everybody with a stake on it: the seated player, what he plays for the dealer, those behind.
    pub(super) fn settle_hand(&mut self, seat: usize, hand: usize) -> Result<(), PlanError> {
        self.reveal(seat, hand);
        for punter in 0..self.seats[seat].punters.len() {
            self.settle_punter(seat, punter, hand)?;
        }
        self.seats[seat].hands[hand].done = true;
        Ok(())
    }

    /// Settles a hand for one bettor, ridden chips included.
    pub(super) fn settle_punter(&mut self, seat: usize, punter: usize, hand: usize) -> Result<(), PlanError> {
        let who = self.seats[seat].punters[punter].who;
        let Some(at) = self.seats[seat].punters[punter].on.iter().position(|on| on.hand == hand && !on.settled) else {
            return Ok(());
        };
        let wager = self.seats[seat].wager(who, hand);
        let due = self.due(seat, punter, at).ok_or(PlanError::Amount { wager })?;
        let stakes = self.seats[seat].punters[punter].on[at].stakes;
        self.seats[seat].punters[punter].on[at].settled = true;
        let kept = is_kept_tip(self.rules, who.tip, stakes.base, due.ruling.point);
        let base = if kept { Due::Push } else { due.base };
        self.settle(wager, base, whole(stakes.base, stakes.free_base, stakes.cap))?;
        if let Some(double) = due.double {
            let whole = whole(stakes.double, stakes.free_double, Money::ZERO);
            self.settle(wager.of_kind(WagerKind::Double), double, whole)?;
        }
        match self.seats[seat].ridden(who) {
            Some((side, ridden)) if hand == 0 => {
                let wager = self.seats[seat].side_wager(&self.seats[seat].sides[side]);
                let dealer = self.dealers();
                let due = on_ridden(self.rules, ridden, due.ruling, dealer).ok_or(PlanError::Amount { wager })?;
                self.seats[seat].sides[side].settled = true;
                self.settle(wager, due, Whole::Part)
            }
            _ => Ok(()),
        }
    }

    /// What one bettor is due on one of his hands.
    fn due(&self, seat: usize, punter: usize, at: usize) -> Option<HandDue> {
        let seat = &self.seats[seat];
        let punter = &seat.punters[punter];
        let held: Vec<PlayerHand> = punter.on.iter().map(|on| seat.hand_of(punter, on.hand)).collect();
        let hands: Vec<(&PlayerHand, Stakes)> = held.iter().zip(punter.on.iter().map(|on| on.stakes)).collect();
        let most = super::bets::limit(self.limits, WagerKind::Main).map(|limit| limit.max);
        on_box(self.rules, self.dealers(), &hands, most)?.into_iter().nth(at)
    }

    /// Does with a wager what it is due.
    pub(super) fn settle(&mut self, wager: Wager, due: Due, whole: Whole) -> Result<(), PlanError> {
        let exact = |won: Winnings| if won.is_exact() { Ok(won.whole) } else { Err(PlanError::Amount { wager }) };
        self.acts.push(match due {
            Due::Pay(won) => Act::Pay(wager, exact(won)?),
            Due::Take(lost) => {
                let lost = exact(lost)?;
                let all = match whole {
                    Whole::Lammer => true,
                    Whole::Chips(stake) => stake == lost,
                    Whole::Part => false,
                };
                Act::Take(wager, if all { None } else { Some(lost) })
            }
            Due::Push => Act::Push(wager),
            Due::Return => Act::Return(wager),
        });
        Ok(())
    }

    /// Settles one bettor's insurance; before the dealer's second card only where it is handed back.
    pub(super) fn settle_insurance_of(&mut self, seat: usize, punter: usize, now: bool) -> Result<(), PlanError> {
        let on = &self.seats[seat];
        let held = &on.punters[punter];
        let Some(stake) = held.insurance.filter(|_| now) else { return Ok(()) };
        let wager = on.wager(held.who, 0).of_kind(WagerKind::Insurance);
        let due = on_insurance(self.rules, self.dealers(), stake, &on.hand_of(held, 0));
        self.seats[seat].punters[punter].insurance = None;
        self.settle(wager, due.ok_or(PlanError::Amount { wager })?, Whole::Chips(stake))
    }

    /// The dealer's second card is known: insurance from the dealer's right, then what else waited for it.
    pub(super) fn after_second_card(&mut self) -> Result<(), PlanError> {
        for seat in (0..self.seats.len()).rev() {
            for punter in 0..self.seats[seat].punters.len() {
                self.settle_insurance_of(seat, punter, true)?;
            }
        }
        for seat in (0..self.seats.len()).rev() {
            self.settle_sides(seat)?;
            if self.seats[seat].hands[0].hand.end == End::Surrendered && self.seats[seat].is_open(0) {
                self.settle_hand(seat, 0)?;
                if !self.cards_needed(seat) {
                    self.collect(seat, 0);
                }
            }
        }
        Ok(())
    }

    /// The hole card makes no natural: insurance is taken before play goes on, from the dealer's right.
    pub(super) fn take_losing_insurance(&mut self) -> Result<(), PlanError> {
        for seat in (0..self.seats.len()).rev() {
            for punter in 0..self.seats[seat].punters.len() {
                if let Some(stake) = self.seats[seat].punters[punter].insurance.take() {
                    let wager = self.seats[seat].wager(self.seats[seat].punters[punter].who, 0);
                    let lost = Winnings { whole: stake, over: 0, per: 1 };
                    self.settle(wager.of_kind(WagerKind::Insurance), Due::Take(lost), Whole::Chips(stake))?;
                }
            }
        }
        Ok(())
    }

    /// Whether a wager beside the main one still needs a box's cards on the table.
    pub(super) fn cards_needed(&self, seat: usize) -> bool {
        let seat = &self.seats[seat];
        let insured = seat.punters.iter().any(|punter| punter.insurance.is_some());
        insured
            || seat.sides.iter().any(|side| !side.settled && matches!(side.bet, SideBet::Push22 | SideBet::Blazing7))
    }

    /// Everything still open, from the dealer's right: each box's hands, side bets, then its cards; the dealer's last.
    pub(super) fn final_settlement(&mut self) -> Result<(), PlanError> {
        for seat in (0..self.seats.len()).rev() {
            for hand in self.seats[seat].order.clone() {
                if self.seats[seat].is_open(hand) {
                    self.settle_hand(seat, hand)?;
                }
            }
            self.settle_sides(seat)?;
            if !self.cards_needed(seat) {
                self.collect_box(seat);
            }
        }
        self.pay_progressives()?;
        for seat in (0..self.seats.len()).rev() {
            self.collect_box(seat);
        }
        self.acts.push(Act::Collect(Place::Dealer));
        self.pay_after_round()
    }

    fn collect_box(&mut self, seat: usize) {
        for hand in self.seats[seat].order.clone() {
            self.collect(seat, hand);
        }
    }
}

/// What the whole of a wager is, so that taking all of it need not name an amount.
pub(super) enum Whole {
    /// These chips.
    Chips(Money),
    /// A lammer, which costs nothing.
    Lammer,
    /// More than the wager was placed for, or less: the amount is always named.
    Part,
}

fn whole(chips: Money, lammer: Money, cap: Money) -> Whole {
    match () {
        () if lammer != Money::ZERO => Whole::Lammer,
        () if cap != Money::ZERO => Whole::Part,
        () => Whole::Chips(chips),
    }
}
