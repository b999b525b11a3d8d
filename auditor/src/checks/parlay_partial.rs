//! Only part of War winnings went on the main wager.

use super::prelude::*;
use super::sides::BC_SHOE;

pub(super) static CHECK: Check = Check {
    name: "parlay_partial",
    kind: FlagKind::DealerError,
    finds: "A War winner put less than all the winnings on top of the main wager.",
    matters: "The choice is all or nothing; anything between is a raise the rules do not have.",
    tags: &["parlay_partial"],
    runs: &[Run::Act(&[ActKind::Parlay], look)],
    templates: &[with("parlay_partial", BC_SHOE, "war=on", "3 $ war $: TH 9C parlay stand; dealer: 9S 8D", "parlay 3 $ => parlay 3 $/2; pay 3 2$ => pay 3 3$/2")],
};

/// What a War wager beside a main wager wins.
pub(super) fn war_winnings(table: &Table<'_>, main: Wager) -> Option<Money> {
    let war = table.wagers.get(main.of_kind(WagerKind::Side(SideBet::War)))?;
    war.stake.at(table::Odds::EVEN).map(|won| won.whole)
}

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Parlay(wager, amount) = act else { return };
    let Some(won) = war_winnings(table, *wager).filter(|won| amount < won) else { return };
    report.raise(Finding::at(
        wager.place(),
        &[CHECK.name],
        format!("all of the {won} won goes on the main wager, or nothing"),
        format!("{amount} of the winnings went on the main wager"),
    ));
}
