//! A damaged card stayed in play.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "damaged_card_kept",
    kind: FlagKind::Irregularity,
    finds: "A card was found damaged, and the next round was dealt without replacing it.",
    matters: "A card that can be told from its back is known before it is turned.",
    tags: &["damaged_card_kept"],
    runs: &[Run::Act(&[ActKind::FirstCard], look)],
    templates: &[
        Template {
            tag: "damaged_card_kept",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(one_round!(), "\n---\n", another_round!()),
            spoil: "stand 3 => damaged TH | stand 3",
        },
    ],
};

fn look(table: &Table<'_>, _: &Act, report: &mut Report<'_>) {
    if let Some((card, true)) = table.shoe.damaged {
        report.raise(Finding::on_table(
            &["damaged_card_kept"],
            "a damaged card is replaced at the end of the round",
            format!("the next round was dealt with {} as it was", card.pretty()),
        ));
    }
}
