//! War was settled in the wrong direction.

use super::prelude::*;
use super::sides::BC_SHOE;

pub(super) static CHECK: Check = Check {
    name: "war_settled_left_to_right",
    kind: FlagKind::DealerError,
    finds: "War wagers were not settled from the dealer's right to the left.",
    matters: "A fixed direction lets the camera, and the next dealer, see what has been settled.",
    tags: &["war_settled_left_to_right"],
    runs: &[Run::Act(&[ActKind::Settle], look)],
    templates: &[with(
        "war_settled_left_to_right",
        BC_SHOE,
        "war=on",
        "3 $ war $: 8H 9C stand; 5 $ war $: 7H TC stand; dealer: 9S 8D",
        "take 5 war => take 3 war; take 3 war => take 5 war",
    )],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let (Act::Pay(wager, _) | Act::Take(wager, _)) = act else { return };
    let war = WagerKind::Side(SideBet::War);
    let first = table.wagers.get(*wager).is_some_and(|standing| !standing.fate.is_settled());
    if wager.kind != war || !first {
        return;
    }
    let mut settled = table.wagers.of_kind(war).filter(|other| other.fate.is_settled());
    let Some(other) = settled.find(|other| other.wager.box_no < wager.box_no) else { return };
    report.raise(Finding::on_table(
        &[CHECK.name],
        "War is settled from the dealer's right to the left",
        format!("box {} was settled before box {}", other.wager.box_no, wager.box_no),
    ));
}
