//! A round began before the cards of the last were cleared.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "next_round_too_soon",
    kind: FlagKind::Irregularity,
    finds: "The first card of a round was dealt while cards of the round before still lay on the layout.",
    matters: "A hand that is still out can no longer be put together again if somebody disputes it.",
    tags: &["next_round_too_soon"],
    runs: &[Run::Act(&[ActKind::FirstCard], look)],
    templates: &[
        Template {
            tag: "next_round_too_soon",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(one_round!(), "\n---\n", another_round!()),
            spoil: "collect dealer => ; end =>",
        },
    ],
};

fn look(table: &Table<'_>, _: &Act, report: &mut Report<'_>) {
    if table.shoe.uncleared {
        report.raise(Finding::on_table(
            &["next_round_too_soon"],
            "a round begins when all cards of the last are in the rack",
            "cards of the last round still lay on the layout",
        ));
    }
}
