//! An ante was taken from a wager that the sign frees from it.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "ante_waived_wrongly",
    kind: FlagKind::Irregularity,
    finds: "An ante was charged on a main wager as high as the one from which the sign waives it.",
    matters: "The waiver is an offer on the sign; charging all the same takes money the player does not owe.",
    tags: &["ante_waived_wrongly"],
    runs: &[Run::Ends(look)],
    templates: &[with(
        "ante_waived_wrongly",
        EVERY_GAME,
        "ante_waive_at=10",
        "3 $: TH 9C stand; dealer: 9S 8D",
        "bet 3 $ => bet 3 $ | bet 3 ante 0.50; stand 3 => take 3 ante | stand 3",
    )],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let Some(from) = table.rules.ante_waive_at else { return };
    for ante in antes(table).filter(|ante| !ante.fate.returned) {
        let Some(main) = table.wagers.main_of(ante.wager).filter(|main| main.stake >= from) else { continue };
        let finding = Finding::at(
            ante.wager.place(),
            CHECK.tags,
            format!("a wager of {from} or more pays no ante"),
            format!("{} of {} was charged on {}", name(ante.wager), ante.stake, main.stake),
        );
        report.raise(finding.shown_by(ante.at).worth(ante.fate.net().unwrap_or_default()));
    }
}
