//! A second card was dealt before War was settled.

use super::prelude::*;
use super::sides::{BC_SHOE, fault};

pub(super) static CHECK: Check = Check {
    name: "war_paid_late",
    kind: FlagKind::DealerError,
    finds: "Second cards were dealt while a War wager had not been paid or taken.",
    matters: "War is over before the second cards; after them a winner would choose knowing more.",
    tags: &["war_paid_late"],
    runs: &[Run::SideBet(look)],
    templates: &[with("war_paid_late", BC_SHOE, "war=on", "3 $ war $: 8H 9C stand; dealer: 9S 8D", "take 3 war => ; card 3 9C => card 3 9C | take 3 war")],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let standing = judgement.standing;
    let war = standing.wager.kind == WagerKind::Side(SideBet::War) && !standing.late;
    let Some(second) = table.second_card_at.filter(|_| war && table.seen.payouts) else { return };
    let settled = standing.fate.at;
    // A bet for the dealer that is never settled is found as one left.
    let left = settled.is_none() && !standing.wager.tip && judgement.due.is_some();
    let late = settled.is_some_and(|settled| settled > second) || left;
    let alone = table.wagers.main_of(standing.wager).is_none();
    if !late || alone || fault(table, judgement, report).is_some() {
        return;
    }
    let finding = Finding::on_table(
        CHECK.tags,
        "War is settled before second cards are dealt",
        "second cards were dealt with a War wager standing",
    );
    report.raise(finding.worth(judgement.gain));
}
