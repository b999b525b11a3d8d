//! Side bets: each settled as soon as its rulebook lets it be.

use table::{Act, Money, Odds, SideBet, Wager, WagerKind, Winnings};

use super::dealing::Dealing;
use super::error::PlanError;
use super::plan::Who;
use super::script::Script;
use super::seat::Side;
use super::settling::Whole;
use crate::rules::SsSplit;
use crate::settle::Due;
use crate::settle::side::{Award, Equipment, Facts, Judged, award, capped, judge};
use crate::sidebet::{Pay, Tier};

/// What the progressive meter starts from and is reseeded with.
pub(super) const METER_SEED: Money = Money::from_minor(200_000);
/// What of every unit staked goes to the meter, in hundredths.
const METER_SHARE: i64 = 23;
/// What the button gives where the plan does not say.
const USUAL_PRIZE: Money = Money::from_minor(1000);

impl<S: Script> Dealing<'_, S> {
    fn facts<'s>(&'s self, seat: usize, side: &Side) -> Facts<'s> {
        let on = &self.seats[seat];
        Facts {
            initial: &on.initial,
            third: on.third,
            split: on.is_split(),
            complete: on.hands[0].done || on.hands[0].collected,
            dealer: self.dealers(),
            dealer_complete: self.dealer_done,
            stake: side.stake,
        }
    }

    fn judged(&self, seat: usize, side: usize) -> Judged {
        let on = &self.seats[seat].sides[side];
        judge(self.rules, on.bet, &self.facts(seat, on))
    }

    /// War is over before anybody gets a second card, from the dealer's right.
    pub(super) fn settle_war(&mut self) -> Result<(), PlanError> {
        for seat in (0..self.seats.len()).rev() {
            for side in 0..self.seats[seat].sides.len() {
                if self.seats[seat].sides[side].bet == SideBet::War {
                    self.settle_side(seat, side)?;
                }
            }
        }
        Ok(())
    }

    /// Settles those side bets of a box whose result is known and whose time has come.
    pub(super) fn settle_sides(&mut self, seat: usize) -> Result<(), PlanError> {
        for side in 0..self.seats[seat].sides.len() {
            let on = self.seats[seat].sides[side];
            if on.settled || on.ridden.is_some() {
                continue;
            }
            let judged = self.judged(seat, side);
            let later = match judged {
                Judged::Open => true,
                Judged::Lose => false,
                Judged::Win(tier) => self.is_paid_last(on.bet, tier),
            };
            if !later {
                self.settle_side(seat, side)?;
            }
        }
        Ok(())
    }

    /// Whether a win is paid only when all else is done: shares of the meter, and three suited sevens where a split
    /// pair of sevens still counts its next card.
    fn is_paid_last(&self, bet: SideBet, tier: Tier) -> bool {
        let suited =
            bet == SideBet::SuperSevens && tier == Tier::ThreeSuitedSevens && self.rules.ss_split == SsSplit::NextCard;
        self.is_meter(bet, tier) || suited
    }

    fn is_meter(&self, bet: SideBet, tier: Tier) -> bool {
        let terms = self.rules.side(bet);
        terms.is_some_and(|terms| matches!(terms.pay(terms.scale, tier), Some(Pay::Meter(_))))
    }

    fn settle_side(&mut self, seat: usize, side: usize) -> Result<(), PlanError> {
        let on = self.seats[seat].sides[side];
        let wager = self.seats[seat].side_wager(&on);
        self.seats[seat].sides[side].settled = true;
        let tier = match self.judged(seat, side) {
            Judged::Win(tier) => tier,
            // The stakes of the progressive are in the tray since before the deal.
            Judged::Lose if on.bet == SideBet::Blazing7 => return Ok(()),
            Judged::Lose => {
                self.acts.push(Act::Take(wager, None));
                return Ok(());
            }
            Judged::Open => return Err(PlanError::Wager { wager, why: "its result is not known" }),
        };
        if on.bet == SideBet::Madness21 {
            self.acts.push(Act::Prize(wager, self.prize(seat)));
        }
        let award = self.award(seat, &on, tier).ok_or(PlanError::Amount { wager })?;
        let won = match award {
            Award::Beside(won) | Award::Instead(won) => self.cap(&on, won).ok_or(PlanError::Amount { wager })?,
        };
        // A share of the meter is paid in whole minor units, the rest stays in it.
        let won = if self.is_meter(on.bet, tier) { Winnings { over: 0, ..won } } else { won };
        let won = match award {
            // Its stake is in the tray since before the deal, and comes back with the win.
            Award::Beside(_) if on.bet == SideBet::Blazing7 => {
                Winnings { whole: won.whole.plus(on.stake).ok_or(PlanError::Amount { wager })?, ..won }
            }
            _ => won,
        };
        self.settle(wager, Due::Pay(won), Whole::Part)?;
        if matches!(award, Award::Instead(_)) && on.bet != SideBet::Blazing7 {
            self.acts.push(Act::Take(wager, None));
        }
        match on.bet {
            SideBet::HouseMoney | SideBet::LetItRide => self.ride(seat, side, wager, won.whole),
            SideBet::War => {
                self.parlay(seat, wager, won.whole);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn prize(&self, seat: usize) -> Money {
        self.opening.prizes.get(&self.seats[seat].no).copied().unwrap_or(USUAL_PRIZE)
    }

    fn award(&self, seat: usize, side: &Side, tier: Tier) -> Option<Award> {
        let equipment = Equipment { meter: self.meter, prize: Some(self.prize(seat)), failed: false };
        let scale = self.rules.side(side.bet)?.scale;
        award(self.rules, side.bet, tier, scale, side.stake, &equipment)
    }

    /// A player's share where the house limits what it pays on a side bet in a round.
    fn cap(&self, side: &Side, won: Winnings) -> Option<Winnings> {
        let terms = self.rules.side(side.bet)?;
        let Some(cap) = terms.cap else { return Some(won) };
        let mut all = Money::ZERO;
        for seat in 0..self.seats.len() {
            for (at, other) in self.seats[seat].sides.iter().enumerate() {
                let counts = other.bet == side.bet || terms.cap_joint;
                if let (true, false, Judged::Win(tier)) = (counts, other.who.tip, self.judged(seat, at))
                    && let Award::Beside(won) | Award::Instead(won) = self.award(seat, other, tier)?
                {
                    all = all.plus(won.whole)?;
                }
            }
        }
        if all > cap && side.who.tip {
            return side.stake.at(Odds::EVEN);
        }
        let share = capped(won, all, cap)?;
        Some(if all > cap { Winnings { over: 0, ..share } } else { share })
    }

    fn ride(&mut self, seat: usize, side: usize, wager: Wager, won: Money) -> Result<(), PlanError> {
        let on = self.seats[seat].sides[side];
        let sign = super::bets::limit(self.limits, WagerKind::Main);
        let main = self.seats[seat].punters.iter().find(|punter| punter.who == on.who).map(|punter| punter.main);
        let room = main.zip(sign).and_then(|(main, sign)| sign.max.minus(main));
        let all = on.stake.plus(won).ok_or(PlanError::Amount { wager })?;
        let most = room.map_or(all, |room| all.min(room));
        let Some(ridden) = self.script.ride(wager, most)? else { return Ok(()) };
        if ridden <= Money::ZERO || ridden > most {
            return Err(PlanError::Wager { wager, why: "so much may not ride" });
        }
        self.seats[seat].sides[side].ridden = Some(ridden);
        self.seats[seat].sides[side].settled = false;
        self.acts.push(Act::Ride(wager, ridden));
        Ok(())
    }

    /// Puts a player's War winnings on his main wager if he asks; what is won for the dealer goes to the dealer.
    fn parlay(&mut self, seat: usize, wager: Wager, won: Money) {
        let own = |who: Who| !wager.tip && who == Who { bettor: wager.bettor, tip: false };
        let Some(punter) = self.seats[seat].punters.iter_mut().find(|punter| own(punter.who)) else { return };
        if self.script.parlay(wager) {
            punter.cap = won;
            punter.on[0].stakes.cap = won;
            self.acts.push(Act::Parlay(wager.of_kind(WagerKind::Main), won));
        }
    }

    /// The progressive's stakes go to the tray before the deal, and the meter grows by its share.
    pub(super) fn start_progressive(&mut self) {
        let mut grown = self.meter.minor();
        for seat in &self.seats {
            for side in seat.sides.iter().filter(|side| side.bet == SideBet::Blazing7) {
                self.acts.push(Act::Take(seat.side_wager(side), None));
                grown = grown.saturating_add(side.stake.minor().saturating_mul(METER_SHARE) / 100);
            }
        }
        self.meter = Money::from_minor(grown);
        self.acts.push(Act::Meter(self.meter));
    }

    /// Shares of the meter, from the dealer's right, each verified; the whole of it reseeds the meter.
    pub(super) fn pay_progressives(&mut self) -> Result<(), PlanError> {
        for seat in (0..self.seats.len()).rev() {
            for side in 0..self.seats[seat].sides.len() {
                let on = self.seats[seat].sides[side];
                if on.settled || on.bet != SideBet::Blazing7 {
                    continue;
                }
                self.acts.push(Act::Supervisor);
                self.settle_side(seat, side)?;
                if self.judged(seat, side) == Judged::Win(Tier::ThreeSuitedSevens) {
                    self.meter = METER_SEED;
                    self.acts.push(Act::Meter(self.meter));
                }
            }
        }
        Ok(())
    }

    /// Wins that are paid once the round is over.
    pub(super) fn pay_after_round(&mut self) -> Result<(), PlanError> {
        for seat in (0..self.seats.len()).rev() {
            for side in 0..self.seats[seat].sides.len() {
                if !self.seats[seat].sides[side].settled {
                    self.settle_side(seat, side)?;
                }
            }
        }
        Ok(())
    }
}
