//! An ante was higher than any ante may be.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "ante_above_cap",
    kind: FlagKind::Irregularity,
    finds: "The ante beside a main wager was more than the part of the table minimum that the rulebook allows.",
    matters: "The cap limits the fee; the amount shown is what was charged beyond it.",
    tags: &["ante_above_cap"],
    runs: &[Run::Dealt(look)],
    templates: &[every("ante_above_cap", "3 $ ante 0.50: TH 9C stand; dealer: 9S 8D",
        "bet 3 ante 0.50 => bet 3 ante 9",
    )],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let Some(cap) = ante_cap(table) else { return };
    for ante in antes(table).filter(|ante| ante.stake > cap) {
        let finding = Finding::at(
            ante.wager.place(),
            CHECK.tags,
            format!("the ante is at most {cap}"),
            format!("{} was {}", name(ante.wager), ante.stake),
        );
        report.raise(finding.shown_by(ante.at).worth(cap.minus(ante.stake).unwrap_or_default()));
    }
}
