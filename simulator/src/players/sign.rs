//! What may be staked: the table's sign together with what the rulebook fixes.

use table::{Limit, Money, SideBet, WagerKind};

use auditor::{Rules, model};

/// Stakes are whole multiples of this too, so that every price of a rulebook can be paid on them.
const CHIP: Money = Money::from_minor(100);

/// The limits of one kind of wager, with room for no doubt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sign {
    /// The least that may be staked.
    pub(super) least: Money,
    /// The most.
    pub(super) most: Money,
    step: Money,
}

impl Sign {
    /// For main wagers.
    pub(super) fn main(rules: &Rules, limits: &[Limit]) -> Self {
        let posted = posted(limits, WagerKind::Main);
        let usual = model::usual_stake(rules);
        let least = [posted.map(|sign| sign.min), rules.bet_min].into_iter().flatten().max().unwrap_or(usual);
        let most = [posted.map(|sign| sign.max), rules.bet_max].into_iter().flatten().min();
        Self::new(least, most, posted.and_then(|sign| sign.step))
    }

    /// For a side bet.
    pub(super) fn side(limits: &[Limit], bet: SideBet) -> Self {
        let posted = posted(limits, WagerKind::Side(bet));
        let (least, most) = (posted.map_or(CHIP, |sign| sign.min), posted.map(|sign| sign.max));
        Self::new(least, most, posted.and_then(|sign| sign.step))
    }

    fn new(least: Money, most: Option<Money>, step: Option<Money>) -> Self {
        let step = step.filter(|step| *step > Money::ZERO).map_or(CHIP, payable);
        let least = least.max(Money::from_minor(1));
        let most = most.unwrap_or(Money::from_minor(least.minor().saturating_mul(100))).max(least);
        // Whole steps, unless the sign has no whole step between its ends.
        let up = least.minor().saturating_add(step.minor() - 1) / step.minor() * step.minor();
        let least = if up <= most.minor() { Money::from_minor(up) } else { least };
        Self { least, most, step }
    }

    /// The stake nearest below an amount in minor units that may be made.
    pub(super) fn stake(&self, wanted: f64) -> Money {
        let wanted = (wanted as i64).min(self.most.minor());
        Money::from_minor(wanted - wanted.rem_euclid(self.step.minor())).max(self.least)
    }
}

/// The least multiple of a step that is one of the chip too.
fn payable(step: Money) -> Money {
    let (mut one, mut other) = (step.minor(), CHIP.minor());
    while other != 0 {
        (one, other) = (other, one % other);
    }
    Money::from_minor(step.minor().saturating_mul(CHIP.minor() / one))
}

fn posted(limits: &[Limit], on: WagerKind) -> Option<&Limit> {
    limits.iter().find(|limit| limit.on == on)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sign(min: i64, max: i64, step: i64) -> Sign {
        let money = Money::from_minor;
        Sign::new(money(min), Some(money(max)), Some(money(step)))
    }

    #[test]
    fn stakes_are_whole_steps_between_the_limits() {
        let sign = sign(500, 50_000, 250);
        assert_eq!(sign.stake(0.0), Money::from_minor(500));
        assert_eq!(sign.stake(1499.0), Money::from_minor(1000), "12.50 could not be halved in whole chips");
        assert_eq!(sign.stake(9e18), Money::from_minor(50_000));
        assert_eq!(sign.stake(f64::NAN), Money::from_minor(500));
    }

    #[test]
    fn a_minimum_off_the_step_is_rounded_up_to_one() {
        assert_eq!(sign(600, 50_000, 500).stake(0.0), Money::from_minor(1000));
        assert_eq!(sign(600, 700, 500).stake(0.0), Money::from_minor(600));
    }
}
