//! No card was burned.

use super::prelude::*;
use crate::rules::Burn;

pub(super) static CHECK: Check = Check {
    name: "burn_missing",
    kind: FlagKind::Irregularity,
    finds: "After a shuffle a round was dealt without burning the card that the rules ask for.",
    matters: "The burn takes out a first card that somebody may have seen; without it every card goes to another hand.",
    tags: &["burn_missing"],
    runs: &[Run::Act(&[ActKind::FirstCard], look)],
    templates: &[
        Template {
            tag: "burn_missing",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(ready!(), one_round!()),
            spoil: "burn XX =>",
        },
    ],
};

fn look(table: &Table<'_>, _: &Act, report: &mut Report<'_>) {
    let shoe = &table.shoe;
    if table.rules.csm || !shoe.watched_from_start {
        return;
    }
    let expected = match table.rules.burn {
        Burn::PerShoe if shoe.mixed != 0 && shoe.burned == 0 => "one card is burned before the first round of a shoe",
        Burn::PerRound if u32::from(shoe.burned) <= shoe.rounds => "one card is burned before every round",
        _ => return,
    };
    report.raise(Finding::on_table(&["burn_missing"], expected, "no card was burned"));
}
