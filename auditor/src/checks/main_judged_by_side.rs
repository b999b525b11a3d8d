//! A main wager was taken because of a side bet.

use super::prelude::*;
use super::sides::BC_SHOE;

pub(super) static CHECK: Check = Check {
    name: "main_judged_by_side",
    kind: FlagKind::WrongPayout,
    finds: "A War bet was settled, and the main wager beside it was taken before its hand was dealt.",
    matters: "Losing War costs the War stake alone; the hand plays on.",
    tags: &["main_judged_by_side.war"],
    runs: &[Run::Act(&[ActKind::Settle], look)],
    templates: &[with(
        "main_judged_by_side.war",
        BC_SHOE,
        "war=on",
        "3 $ war $: 8H 9C stand; dealer: 9S 9D",
        "take 3 war => take 3 war | take 3; take 3 =>",
    )],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Take(wager, _) = act else { return };
    let Some(standing) = table.wagers.get(*wager).filter(|_| wager.kind == WagerKind::Main) else { return };
    let war = table.wagers.get(wager.of_kind(WagerKind::Side(SideBet::War)));
    if table.deal == Deal::Done || war.is_none() {
        return;
    }
    let finding = Finding::at(
        wager.place(),
        &["main_judged_by_side.war"],
        "the main wager stays until its hand is played",
        format!("{} was taken with War", standing.stake),
    );
    report.raise(finding.worth(Money::ZERO.minus(standing.stake).unwrap_or_default()));
}
