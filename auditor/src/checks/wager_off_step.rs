//! A wager was no multiple of the amount the sign asks for.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "wager_off_step",
    kind: FlagKind::Irregularity,
    finds: "A main wager was not a multiple of the amount that the sign at the table gives.",
    matters: "Odd stakes cannot always be paid in chips, and hide small mistakes in payment.",
    tags: &["wager_off_step"],
    runs: &[Run::Dealt(look)],
    templates: &[every("wager_off_step", "3 $: TH 9C stand; dealer: 9S 8D",
        "bet 3 $ => bet 3 10.50; pay 3 $ => pay 3 10.50",
    )],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let Some(step) = table.limit(WagerKind::Main).and_then(|limit| limit.step) else { return };
    for standing in mains(table).filter(|standing| !is_multiple(standing.stake, step) && !standing.fate.returned) {
        let finding = Finding::at(
            standing.wager.place(),
            &["wager_off_step"],
            format!("a wager is a multiple of {step}"),
            format!("{} was {}", name(standing.wager), standing.stake),
        );
        report.raise(finding.shown_by(standing.at));
    }
}
