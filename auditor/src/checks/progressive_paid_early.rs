//! A share of the meter was paid before the other wagers.

use super::prelude::*;
use super::sides::{BC_SHOE, is_from_meter};

pub(super) static CHECK: Check = Check {
    name: "progressive_paid_early",
    kind: FlagKind::DealerError,
    finds: "A percentage award of Blazing 7s was paid, and other winning wagers were paid after it.",
    matters: "Shares of the meter are paid last, when every other payment is settled.",
    tags: &["progressive_paid_early"],
    runs: &[Run::SideBet(look)],
    templates: &[
        with(
            "progressive_paid_early",
            BC_SHOE,
            "blazing7=on",
            "3 $ blazing7 1: 7H 7H stand; dealer: 7H 6C TC",
            "supervisor => ; pay 3 blazing7 2000.23 => ; pay 3 $ => supervisor | pay 3 blazing7 2000.23 | pay 3 $",
        ),
        with(
            "progressive_paid_early",
            |rules| !BC_SHOE(rules),
            "blazing7=on",
            "3 $ blazing7 1: 7H 7D stand; dealer: 7H 6C TC",
            "supervisor => ; pay 3 blazing7 200.02 => ; pay 3 $ => supervisor | pay 3 blazing7 200.02 | pay 3 $",
        ),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let standing = judgement.standing;
    let blazing = standing.wager.kind == WagerKind::Side(SideBet::Blazing7) && standing.fate.paid.is_some();
    if !blazing || !is_from_meter(table, SideBet::Blazing7, judgement.tier) {
        return;
    }
    let other = |other: &&crate::replay::Standing| other.wager.kind != standing.wager.kind && other.fate.paid.is_some();
    if let Some(after) = table.wagers.iter().filter(other).find(|other| other.fate.last > standing.fate.last) {
        report.raise(Finding::at(
            standing.wager.place(),
            &[CHECK.name],
            "a share of the meter is paid when all other winners are",
            format!("{} of box {} was paid after a share of the meter", name(after.wager), after.wager.box_no),
        ));
    }
}
