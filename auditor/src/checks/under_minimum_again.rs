//! A wager under the minimum was settled although the box had been warned.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "under_minimum_again",
    kind: FlagKind::Irregularity,
    finds: "A box bet under the table minimum in the round before, and did so again without the wager being handed back.",
    matters: "The rulebook lets such a wager stand once; from then on the minimum is enforced or it is no minimum.",
    tags: &["under_minimum_again", "wager_below_minimum"],
    runs: &[Run::Ends(look)],
    templates: &[
        template("under_minimum_again", EVERY_GAME, "", TWICE, UNDER_TWICE),
        template(
            "wager_below_minimum",
            |rules| rules.over_max == crate::rules::OverMax::SettleToMax,
            "",
            TWICE,
            UNDER_TWICE,
        ),
    ],
};

const TWICE: &str = "3 $: TH 9C stand; dealer: 9S 8D --- 3 $: TH 8C stand; dealer: 9S 8D";
const UNDER_TWICE: &str = "bet 3 $ => bet 3 0.50; pay 3 $ => pay 3 0.50; bet 3 $ => bet 3 0.50; pay 3 $ => pay 3 0.50";

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    // A book that never tolerates it has another check for it.
    let Some(least) = table.table_min().filter(|_| report.cites("under_minimum_again")) else { return };
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
        report.raise(finding.seen_at(standing.at));
    }
}
