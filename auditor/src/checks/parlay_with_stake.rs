//! The War stake itself went on the main wager.

use super::parlay_partial::war_winnings;
use super::prelude::*;
use super::sides::BC_SHOE;

pub(super) static CHECK: Check = Check {
    name: "parlay_with_stake",
    kind: FlagKind::DealerError,
    finds: "More than the War winnings was put on top of the main wager: the War stake went with them.",
    matters: "Only winnings may be added to a wager in play; the stake goes back to the player.",
    tags: &["parlay_with_stake"],
    runs: &[Run::Act(&[ActKind::Parlay], look)],
    templates: &[with("parlay_with_stake", BC_SHOE, "war=on", "3 $ war $: TH 9C parlay stand; dealer: 9S 8D", "parlay 3 $ => parlay 3 2$; pay 3 2$ => pay 3 3$")],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Parlay(wager, amount) = act else { return };
    let Some(won) = war_winnings(table, *wager).filter(|won| amount > won) else { return };
    report.raise(Finding::at(
        wager.place(),
        &[CHECK.name],
        format!("the {won} won goes on the main wager and the stake goes back"),
        format!("{amount} went on the main wager"),
    ));
}
