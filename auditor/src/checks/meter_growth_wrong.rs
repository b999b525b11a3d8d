//! The progressive meter did not grow as the rules say.

use super::prelude::*;
use super::sides::{is_from_meter, judged};

pub(super) static CHECK: Check = Check {
    name: "meter_growth_wrong",
    kind: FlagKind::Irregularity,
    finds: "Between two readings the meter gained less than its part of the stakes collected, or fell after a fixed award.",
    matters: "The meter is built from the players' stakes; what it lacks is missing from the next jackpot.",
    tags: &["meter_growth_wrong.fixed_award", "meter_growth_wrong"],
    runs: &[Run::Act(&[ActKind::Other], look)],
    templates: &[
        with(
            "meter_growth_wrong",
            EVERY_GAME,
            "blazing7=on",
            "3 $ blazing7 1: 8H TC stand; dealer: 9S 8D",
            "meter 2000.23 => meter 2000.10",
        ),
        with(
            "meter_growth_wrong.fixed_award",
            EVERY_GAME,
            "blazing7=on",
            "3 $ blazing7 1: 7H TC stand; dealer: 9S 8D",
            "pay 3 blazing7 2 => pay 3 blazing7 2 | meter 1998.23",
        ),
    ],
};

/// What of every unit staked goes to the meter, in hundredths.
const SHARE: i64 = 23;

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Meter(shown) = act else { return };
    let (Some(before), Some(at)) = (table.meter, table.meter_at) else { return };
    let mut staked: i64 = 0;
    let mut fixed = false;
    for standing in table.wagers.of_kind(WagerKind::Side(SideBet::Blazing7)) {
        let fate = &standing.fate;
        // What the bet does not allow is found for itself; whether the meter took it in is not to be known.
        let fixed_stake = table.rules.side(SideBet::Blazing7).and_then(|terms| terms.stake);
        if standing.wager.tip || fixed_stake.is_some_and(|stake| stake != standing.stake) {
            return;
        }
        if fate.taken.is_some() && fate.at > Some(at) {
            staked = staked.saturating_add(standing.stake.minor());
        }
        if fate.paid.is_some() && fate.last > at {
            // A share of the meter lowers it by as much: nothing is to be said about growth then.
            if is_from_meter(table, SideBet::Blazing7, judged(table, standing.wager, SideBet::Blazing7)) {
                return;
            }
            fixed = true;
        }
    }
    let Some(least) = before.plus(Money::from_minor(staked.saturating_mul(SHARE) / 100)) else { return };
    // Other tables may feed the same meter: it may grow faster, never slower.
    if *shown >= least {
        return;
    }
    let tags: &[&str] = if fixed { &["meter_growth_wrong.fixed_award"] } else { &["meter_growth_wrong"] };
    report.raise(Finding::on_table(tags, format!("the meter shows {least} at least"), format!("the meter showed {shown}")));
}
