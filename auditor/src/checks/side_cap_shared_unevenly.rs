//! The most the house pays on a side bet was not shared by what each had won.

use super::prelude::*;
use super::side_cap_exceeded::paid_in_all;
use super::sides::{BC_SHOE, Fault, fault, tags};

pub(super) static CHECK: Check = Check {
    name: "side_cap_shared_unevenly",
    kind: FlagKind::WrongPayout,
    finds: "The wins of a round were cut to what the house may pay, and a winner got another share than the part due.",
    matters: "What one winner has too much another has too little.",
    tags: &["side_cap_shared_unevenly.kings_bounty", "side_cap_shared_unevenly.push22", "side_cap_shared_unevenly"],
    runs: &[Run::SideBet(look)],
    templates: &[
        some("side_cap_shared_unevenly", |rules| rules.zap.any(), TWO_KINGS, "pay 3 kings_bounty 12500 => pay 3 kings_bounty 10000"),
        some("side_cap_shared_unevenly.kings_bounty", BC_SHOE, TWO_KINGS, "pay 3 kings_bounty 12500 => pay 3 kings_bounty 10000"),
        every("side_cap_shared_unevenly.push22", "3 $ push22 500: TH 9C stand; 5 $ push22 500: TD 8C stand; dealer: 6S TS 6S", "pay 3 push22 12500 => pay 3 push22 10000"),
    ],
};

const TWO_KINGS: &str = "3 $ kings_bounty 20: KS KS stand; 5 $ kings_bounty 20: KS KS stand; dealer: AC KD";

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let Some((bet, Fault::Cap)) = fault(table, judgement, report) else { return };
    let cap = table.rules.side(bet).and_then(|terms| terms.cap);
    if cap.zip(paid_in_all(table, bet)).is_none_or(|(cap, all)| all > cap) {
        return;
    }
    let [own, _] = tags(CHECK.name, bet, None);
    report.raise(settlement(judgement, &[&own, CHECK.name]));
}
