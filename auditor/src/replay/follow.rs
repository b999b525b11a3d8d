//! Steps followed one by one, right or wrong.

use table::{Act, Hand, Money, Place, SideBet, Wager, WagerKind};

use super::{Deal, Fate, Standing, Table};
use crate::hand::End;

impl Table<'_> {
    /// Follows a step, whether it was right or wrong.
    pub fn follow(&mut self, act: &Act) {
        let was_loose = self.loose.is_some();
        // The steps a round mostly consists of come first, each with only what it can change.
        match act {
            Act::Card { to, card, face, turn } => {
                self.seen.cards = true;
                self.watch_deal(act);
                self.follow_cards(act);
                self.note_side_bets(act);
                self.card(*to, *card, (*face, *turn), was_loose);
            }
            Act::Pay(..) | Act::Take(..) | Act::Push(_) | Act::Return(_) => {
                self.seen.payouts = true;
                self.note_side_bets(act);
                self.follow_settlement(act);
            }
            Act::Hit(_) | Act::Stand(_) | Act::Double(..) | Act::Split(..) | Act::Surrender(_) | Act::Zap(_) => {
                self.seen.decisions = true;
                self.shoe.decisions_seen = true;
                self.decided(act);
            }
            Act::EvenMoney(_) => self.decided(act),
            Act::Bet(wager, amount) => {
                self.seen.wagers = true;
                self.watch_deal(act);
                self.bet(*wager, *amount, false);
            }
            Act::Collect(place) => {
                self.collected(*place);
                self.follow_hands(act);
            }
            _ => {
                self.note_evidence(act);
                self.watch_deal(act);
                self.follow_cards(act);
                if let (Act::Discard(card), false) = (act, was_loose) {
                    self.discard(*card);
                }
                self.follow_chips(act);
                self.follow_hands(act);
                self.follow_calls(act);
            }
        }
    }

    fn decided(&mut self, act: &Act) {
        self.watch_deal(act);
        self.note_side_bets(act);
        self.follow_decisions(act);
    }

    /// Follows how wagers come to stand and what is done with them while they do.
    fn follow_chips(&mut self, act: &Act) {
        match act {
            Act::Alter(wager, amount) => {
                let in_time = self.deal == Deal::Betting;
                if let Some(standing) = self.wagers.get_mut(*wager) {
                    standing.stake = *amount;
                    if in_time {
                        standing.placed = *amount;
                    }
                }
            }
            Act::Marker(box_no, most) => drop(self.markers.try_push((*box_no, *most))),
            Act::Parlay(wager, amount) => {
                let main = Wager { hand: Hand::A, kind: WagerKind::Main, ..*wager };
                if let Some(standing) = self.wagers.get_mut(main) {
                    standing.cap = standing.cap.plus(*amount).unwrap_or(standing.cap);
                }
            }
            Act::Ride(wager, amount) => {
                if let Some(standing) = self.wagers.get_mut(*wager) {
                    standing.ridden = Some(*amount);
                    standing.net_before_ride = standing.fate.net().filter(|_| standing.fate.is_settled());
                }
            }
            Act::Prize(wager, amount) => {
                let wager = match wager.kind {
                    WagerKind::Main => wager.of_kind(WagerKind::Side(SideBet::Madness21)),
                    _ => *wager,
                };
                if let Some(standing) = self.wagers.get_mut(wager) {
                    standing.prize = Some(*amount);
                }
            }
            _ => {}
        }
    }

    /// Follows what becomes of a wager.
    fn follow_settlement(&mut self, act: &Act) {
        match act {
            Act::Pay(wager, amount) => {
                self.settle(*wager, |fate, _| {
                    fate.paid = fate.paid.unwrap_or_default().plus(*amount).or(fate.paid);
                });
                let meter = self.meter;
                if let Some(standing) = self.wagers.get_mut(*wager) {
                    standing.meter = meter;
                }
            }
            Act::Take(wager, amount) => {
                // A lammer that is picked up costs nobody anything.
                let free = self.wagers.get(*wager).is_some_and(|standing| standing.free);
                self.settle(*wager, |fate, stake| {
                    let amount = amount.unwrap_or(if free { Money::ZERO } else { stake });
                    fate.taken = fate.taken.unwrap_or_default().plus(amount).or(fate.taken);
                });
            }
            Act::Push(wager) => self.settle(*wager, |fate, _| fate.pushed = true),
            Act::Return(wager) => {
                self.settle(*wager, |fate, _| fate.returned = true);
                self.withdraw(*wager);
            }
            _ => {}
        }
    }

    /// Follows what is done with cards that lie at a hand, and with hands as a whole.
    fn follow_hands(&mut self, act: &Act) {
        match act {
            Act::TurnUp(place, card) => self.turn_up(*place, *card),
            Act::TurnSideways(place) => {
                if let Some(hand) = self.hand_mut(*place) {
                    hand.turned_sideways = true;
                    hand.last_sideways = true;
                }
                if let Some(zap) = place.box_no().and_then(|box_no| self.box_mut(box_no).zap.as_mut()) {
                    zap.turned |= zap.came == 2;
                }
            }
            Act::Tuck(place) => {
                self.seen.tucks = true;
                if let Some(hand) = self.hand_mut(*place) {
                    hand.tucked = true;
                }
            }
            Act::Absent(box_no) => self.box_mut(*box_no).absent = true,
            Act::Refuse(Place::Box(box_no, _)) => self.box_mut(*box_no).refused = true,
            Act::Move { card, from, to } => self.move_card(*card, *from, *to),
            Act::Void(place) => {
                self.mend();
                self.end_hand(*place, End::Void);
            }
            Act::Collect(Place::Dealer) => {
                self.dealer.collected = true;
                self.dealer_collected_at.get_or_insert(self.step);
            }
            Act::Collect(place) => {
                let at = self.step;
                if let Some(hand) = self.hand_mut(*place) {
                    hand.collected = true;
                    hand.collected_at.get_or_insert(at);
                }
            }
            _ => {}
        }
    }

    /// Follows what is said for the whole table to hear, and what machines show.
    fn follow_calls(&mut self, act: &Act) {
        match act {
            Act::Meter(amount) => {
                self.meter = Some(*amount);
                self.meter_at = Some(self.step);
            }
            Act::NoMoreBets => {
                self.no_more_bets = true;
                self.shoe.calls_heard = true;
            }
            Act::OfferInsurance => {
                self.insurance_offered = true;
                self.offered_in_time |= self.drawn == 0;
                self.shoe.calls_heard = true;
            }
            Act::Peek => {
                self.dealer.peeked = true;
                self.dealer.peeked_at.get_or_insert(self.step);
            }
            Act::Reconstruct(_) => self.mend(),
            Act::VoidRound => self.void_round(),
            Act::Fault(device) => drop(self.faults.try_push(*device)),
            Act::Supervisor => {
                self.supervisor = true;
                self.supervisor_at = Some(self.step);
            }
            Act::End => {
                self.ended = true;
                self.cleared = true;
                self.closed = true;
            }
            _ => {}
        }
    }

    fn note_evidence(&mut self, act: &Act) {
        match act {
            Act::Alter(..) => self.seen.wagers = true,
            Act::Shuffle(_) | Act::Cut { .. } | Act::CutCardIn(_) | Act::CutCardOut | Act::Burn(_) => {
                self.seen.shoe = true;
            }
            _ => {}
        }
    }

    pub(super) fn bet(&mut self, wager: Wager, stake: Money, free: bool) {
        let late = self.deal != Deal::Betting;
        let too_late = wager.kind == WagerKind::Insurance && self.insurance_is_over();
        self.wagers.place(Standing {
            wager,
            stake,
            placed: stake,
            free,
            cap: Money::ZERO,
            ridden: None,
            net_before_ride: None,
            meter: None,
            early: false,
            overdue: false,
            prize: None,
            late,
            too_late,
            even_money: None,
            asked_after_peek: false,
            withdrawn: false,
            fate: Fate::default(),
            at: self.step,
        });
    }

    fn settle(&mut self, wager: Wager, how: impl Fn(&mut Fate, Money)) {
        let (at, in_deal, after_draw) = (self.step, self.deal != Deal::Done, self.drawn > 0);
        let Some(standing) = self.wagers.get_mut(wager) else {
            let _ = self.strays.try_push((wager, at));
            return;
        };
        let stake = standing.ridden.or(standing.stake.plus(standing.cap)).unwrap_or(standing.stake);
        let fate = &mut standing.fate;
        let first = !fate.is_settled();
        fate.in_deal |= in_deal && first;
        fate.after_draw |= after_draw && first;
        fate.last = at;
        fate.steps = fate.steps.saturating_add(1);
        how(fate, stake);
        fate.at.get_or_insert(at);
    }
}
