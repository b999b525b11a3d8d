//! An ante was left with the player.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "ante_not_taken",
    kind: FlagKind::DealerError,
    finds: "The round ended and an ante had not been collected.",
    matters: "The ante is the house's whatever the hand does; the amount shown is what was not collected.",
    tags: &["ante_not_taken"],
    runs: &[Run::Ends(look)],
    templates: &[every("ante_not_taken", "3 $ ante 0.50: TH 9C stand; dealer: 9S 8D",
        "take 3 ante =>",
    )],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    if !table.seen.payouts || table.void {
        return;
    }
    for ante in antes(table).filter(|ante| !ante.fate.is_settled() && table.is_live(ante.wager.place())) {
        let finding = Finding::at(
            ante.wager.place(),
            CHECK.tags,
            "the ante is collected after the initial deal",
            format!("{} of {} was left", name(ante.wager), ante.stake),
        );
        report.raise(finding.worth(ante.stake));
    }
}
