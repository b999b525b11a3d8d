//! Insurance was for an amount that cannot be paid in chips.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "insurance_off_multiple",
    kind: FlagKind::Irregularity,
    finds: "An insurance wager was not a multiple of the smallest amount the house can pay.",
    matters: "A win could not be paid exactly from the float; rounding it favours one side every time.",
    tags: &["insurance_off_multiple"],
    runs: &[Run::Ends(look)],
    templates: &[with(
        "insurance_off_multiple",
        EVERY_GAME,
        "insurance_multiple=1",
        "3 $: TH 9C insure $/2 stand; dealer: AS 7D",
        "insure 3 $/2 => insure 3 2.25",
    )],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let Some(step) = table.rules.insurance_multiple else { return };
    for insurance in insurances(table).filter(|insurance| !is_multiple(insurance.stake, step)) {
        let finding = Finding::at(
            insurance.wager.place(),
            CHECK.tags,
            format!("{} is a multiple of {step}", name(insurance.wager)),
            format!("{} was {}", name(insurance.wager), insurance.stake),
        );
        report.raise(finding.shown_by(insurance.at));
    }
}
