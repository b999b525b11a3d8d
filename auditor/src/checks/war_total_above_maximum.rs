//! Main wager and War bet together were over the table maximum.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "war_total_above_maximum",
    kind: FlagKind::Irregularity,
    finds: "A player's main wager and War bet together came to more than the table maximum.",
    matters: "War winnings may be put on the main wager; the sum is limited so that the hand stays within the maximum.",
    tags: &["war_total_above_maximum"],
    runs: &[Run::Dealt(look)],
    templates: &[with(
        "war_total_above_maximum",
        |rules| rules.decks >= 6,
        "war=on",
        "3 $ war $: 8H KC stand; dealer: 9S 8D",
        "bet 3 $ => marker 3 15 | bet 3 $",
    )],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    for standing in mains(table).filter(|standing| !standing.fate.returned) {
        let wager = standing.wager;
        let war = table.wagers.get(wager.of_kind(WagerKind::Side(SideBet::War)));
        let Some(war) = war.filter(|war| !war.fate.returned) else { continue };
        let (Some(most), Some(total)) = (table.table_max(wager.box_no), standing.stake.plus(war.stake)) else { continue };
        // A main wager over the maximum by itself is another finding.
        if total > most && standing.stake <= most {
            let finding = Finding::at(
                wager.place(),
                &["war_total_above_maximum"],
                format!("the main wager and War together are at most {most}"),
                format!("together they were {total}"),
            );
            report.raise(finding.shown_by(war.at));
        }
    }
}
