//! A hand without an ante was settled instead of declared void.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "no_ante_hand_settled",
    kind: FlagKind::WrongPayout,
    finds: "A main wager that owed an ante and had none was paid, taken or pushed.",
    matters: "Such a wager is void: the amount shown is what the player won or lost by a hand that does not count.",
    tags: &["no_ante_hand_settled"],
    runs: &[Run::Ends(look)],
    templates: &[every("no_ante_hand_settled", "3 $ ante 0.50: TH 9C stand; dealer: 9S 8D",
        "bet 3 ante 0.50 => ; take 3 ante =>",
    )],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    for standing in without_ante(table).filter(|standing| standing.fate.is_settled()) {
        let finding = Finding::at(
            standing.wager.place(),
            CHECK.tags,
            "a hand dealt without an ante is void",
            format!("{} of {} was settled", name(standing.wager), standing.stake),
        );
        report.raise(finding.shown_by(standing.at).worth(standing.fate.net().unwrap_or_default()));
    }
}
