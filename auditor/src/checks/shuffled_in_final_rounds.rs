//! The cards were shuffled in the last rounds of the day.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "shuffled_in_final_rounds",
    kind: FlagKind::Irregularity,
    finds: "After the last three rounds were announced the cutting card came and the cards were shuffled instead of \
            dealt on.",
    matters: "The last rounds are dealt out as they lie; a shuffle in between is neither asked for nor foreseen.",
    tags: &["shuffled_in_final_rounds"],
    runs: &[Run::Act(&[ActKind::Shoe], look)],
    templates: &[
        Template {
            tag: "shuffled_in_final_rounds",
            fits: EVERY_GAME,
            options: "",
            plan: concat!("shoe: final-rounds; ", one_round!(), "; after: cut-card\n---\n", another_round!()),
            spoil: "cut-card => cut-card | shuffle | offer-cut 3 | cut 3 104 | cut-card-in 52 | burn XX",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let shoe = &table.shoe;
    let last = shoe.final_rounds && shoe.rounds_since_final < 3;
    if matches!(act, Act::Shuffle(_)) && last && shoe.mixed == 0 && shoe.cut_card_out.is_some() {
        report.raise(Finding::on_table(
            &["shuffled_in_final_rounds"],
            "in the last three rounds the cutting card is put aside and dealing goes on",
            format!("the cards were shuffled after round {} of the last three", shoe.rounds_since_final),
        ));
    }
}
