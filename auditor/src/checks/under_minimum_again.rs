//! A wager under the minimum was settled although the box had been warned.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "under_minimum_again",
    kind: FlagKind::Irregularity,
    finds: "A box bet under the table minimum in the round before, and did so again without the wager being handed back.",
    matters: "The rulebook lets such a wager stand once; from then on the minimum is enforced or it is no minimum.",
    tags: &["under_minimum_again"],
    runs: &[Run::Ends(look)],
    templates: &[every("under_minimum_again", "3 $: TH 9C stand; dealer: 9S 8D --- 3 $: TH 8C stand; dealer: 9S 8D",
        "bet 3 $ => bet 3 2; pay 3 $ => pay 3 2; bet 3 $ => bet 3 2; pay 3 $ => pay 3 2",
    )],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let Some(least) = table.table_min() else { return };
    for standing in mains(table).filter(|standing| standing.stake < least && !standing.fate.returned) {
        let wager = standing.wager;
        if wager.bettor != Bettor::SEATED || !table.was_under_minimum(wager.box_no) {
            continue;
        }
        let finding = Finding::at(
            wager.place(),
            CHECK.tags,
            format!("after the warning a wager under {least} is handed back"),
            format!("{} was {} again", name(wager), standing.stake),
        );
        report.raise(finding.shown_by(standing.at));
    }
}
