//! A Madness 21 winner was paid something else than the rules set for a failure of the equipment.

use super::prelude::*;
use super::sides::{Fault, fault};

pub(super) static CHECK: Check = Check {
    name: "madness_fault_paid_wrong",
    kind: FlagKind::WrongPayout,
    finds: "The prize equipment failed in the round, and a winner was paid another amount than the fixed one.",
    matters: "Without a display nobody can verify a prize; the fixed amount is what replaces it.",
    tags: &["madness_fault_paid_wrong"],
    runs: &[Run::SideBet(look)],
    templates: &[every(
        "madness_fault_paid_wrong",
        "prize 3 24; 3 $ madness21 $: AH KC; dealer: 9S 8D",
        "prize 3 madness21 24 => fault button",
    )],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    if let Some((_, Fault::FailurePrize)) = fault(table, judgement, report) {
        report.raise(settlement(judgement, &[CHECK.name]));
    }
}
