//! Stakes within their limits: the main wager, the ante, insurance.

use table::{Money, Odds};

use super::{Breach, Lawful, Matter, ensure};
use crate::hand::{End, PlayerHand};
use crate::rules::OverMax;

/// The main wager is one the table takes.
pub(super) fn main(matter: Matter<'_>) -> Lawful {
    let (rules, around) = (matter.rules, matter.around);
    let stake = matter.original();
    ensure(stake != Money::ZERO, &["empty_box_dealt", "side_bet_without_main"], || {
        "cards to a box without a wager".to_owned()
    })?;
    if let (Some(least), Some(most)) = (around.table_min, rules.table_min_max) {
        ensure(least <= most, &["table_minimum_too_high"], || {
            format!("a table minimum of {least}, {most} is allowed")
        })?;
    }
    // A book that says how a wager outside the limits is settled leaves nothing to refuse.
    if rules.over_max == OverMax::SettleToMax {
        return Ok(());
    }
    let least = rules.bet_min.max(around.table_min).unwrap_or(Money::ZERO);
    ensure(stake >= least, &["wager_below_minimum"], || format!("a wager of {stake}, the least is {least}"))?;
    let most = match (rules.bet_max, around.table_max) {
        (Some(book), Some(table)) => Some(book.min(table)),
        (book, table) => book.or(table),
    };
    ensure(most.is_none_or(|most| stake <= most), &["wager_above_maximum"], || {
        format!("a wager of {stake}, the most is {}", most.unwrap_or_default())
    })
}

/// The ante is the one posted, or within what the book allows.
pub(super) fn ante(matter: Matter<'_>) -> Lawful {
    let (rules, ante) = (matter.rules, matter.case.ante.0);
    if ante == Money::ZERO {
        return Ok(());
    }
    ensure(rules.ante, &["ante_amount_wrong"], || "the game has no ante".to_owned())?;
    let posted = rules.ante_posted;
    ensure(posted.is_none_or(|posted| ante == posted), &["ante_amount_wrong"], || {
        format!("an ante of {ante}, the sign says {}", posted.unwrap_or_default())
    })?;
    let Some(most) = matter.around.table_min.and_then(|least| least.at(rules.ante_max)) else { return Ok(()) };
    ensure(ante <= most.whole, &["ante_above_cap", "ante_amount_wrong"], || {
        format!("an ante of {ante}, {most} is allowed")
    })
}

/// Insurance is against an ace, within its limit, and on a hand that may be insured.
pub(super) fn insurance(matter: Matter<'_>, hands: &[PlayerHand]) -> Lawful {
    let (rules, stake) = (matter.rules, matter.case.insurance.0);
    if stake == Money::ZERO {
        return Ok(());
    }
    ensure(matter.dealer().shows_ace(), &["insurance_without_ace"], || "insurance is against an ace".to_owned())?;
    let natural = hands.first().is_some_and(|hand| hand.is_natural() && hand.end != End::Void);
    ensure(!natural || rules.insurance_on_bj, &["insurance_on_natural"], || "a natural may not be insured".to_owned())?;
    let cap = matter.first().filter(|_| rules.war_cap_in_insurance).map_or(Money::ZERO, |first| first.cap.0);
    let most = matter
        .original()
        .plus(cap)
        .and_then(|base| base.at(rules.insurance_max))
        .ok_or_else(|| Breach::malformed("insurance: the wager is too large"))?;
    ensure(stake <= most.whole, &[&matter.tag_if_ridden("insurance_too_large", "half")], || {
        format!("insurance of {stake}, {most} is allowed")
    })?;
    let whole = rules.insurance_multiple.and_then(|step| {
        let step = u32::try_from(step.minor()).ok()?;
        stake.at(Odds::new(1, step)?).map(|steps| steps.is_exact())
    });
    ensure(whole != Some(false), &["insurance_off_multiple"], || {
        format!("insurance of {stake} is no multiple of {}", rules.insurance_multiple.unwrap_or_default())
    })
}
