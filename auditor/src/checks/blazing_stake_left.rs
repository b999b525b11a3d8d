//! A progressive stake was still on its spot when the deal began.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "blazing_stake_left",
    kind: FlagKind::DealerError,
    finds: "The first card was dealt before a Blazing 7s stake had been moved to the tray.",
    matters: "The stakes feed the meter when they are collected; one left on the spot can be taken back.",
    tags: &["blazing_stake_left"],
    runs: &[Run::Act(&[ActKind::FirstCard], look)],
    templates: &[with(
        "blazing_stake_left",
        EVERY_GAME,
        "blazing7=on",
        "3 $ blazing7 1: 8H TC stand; dealer: 9S 8D",
        "take 3 blazing7 => ; card dealer 9S => card dealer 9S | take 3 blazing7",
    )],
};

fn look(table: &Table<'_>, _: &Act, report: &mut Report<'_>) {
    for standing in table.wagers.of_kind(WagerKind::Side(SideBet::Blazing7)) {
        let collected = standing.fate.taken.is_some() || standing.fate.paid.is_some();
        if !collected && table.wagers.main_of(standing.wager).is_some() {
            report.raise(Finding::on_box(
                standing.wager.box_no,
                &[CHECK.name],
                "progressive stakes are in the tray before the deal",
                format!("{} still stood on its spot", standing.stake),
            ));
        }
    }
}
