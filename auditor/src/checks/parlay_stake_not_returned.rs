//! The War stake was kept when its winnings went on the main wager.

use super::prelude::*;
use super::sides::{BC_SHOE, Fault, fault};

pub(super) static CHECK: Check = Check {
    name: "parlay_stake_not_returned",
    kind: FlagKind::WrongPayout,
    finds: "A War winner put the winnings on the main wager, and the War stake was taken instead of being returned.",
    matters: "The stake is the player's; only the winnings stay in play.",
    tags: &["parlay_stake_not_returned"],
    runs: &[Run::SideBet(look)],
    templates: &[with("parlay_stake_not_returned", BC_SHOE, "war=on", "3 $ war $: TH 9C parlay stand; dealer: 9S 8D", "parlay 3 $ => parlay 3 $ | take 3 war")],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    if let Some((_, Fault::ParlayStake)) = fault(table, judgement, report) {
        report.raise(settlement(judgement, &[CHECK.name]));
    }
}
