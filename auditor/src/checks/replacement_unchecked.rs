//! Replacement cards were not checked.

use table::round::Preparation;

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "replacement_unchecked",
    kind: FlagKind::Irregularity,
    finds: "Fresh decks, or a fresh card for a damaged one, went into play before dealer and supervisor had checked \
            them.",
    matters: "Only the check shows that the new cards belong to the game.",
    tags: &["replacement_unchecked"],
    runs: &[Run::Act(&[ActKind::FirstCard], look)],
    templates: &[
        Template {
            tag: "replacement_unchecked",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(one_round!(), "\n---\n", opening!(), another_round!()),
            spoil: "inspect supervisor =>",
        },
        Template {
            tag: "replacement_unchecked",
            fits: |rules| rules.cut_card_back_min.is_some(),
            options: "",
            plan: concat!(
                one_round!(),
                "; after: damaged TH replaced TH inspect dealer inspect supervisor\n---\n",
                another_round!(),
            ),
            spoil: "inspect supervisor =>",
        },
    ],
};

fn look(table: &Table<'_>, _: &Act, report: &mut Report<'_>) {
    let shoe = &table.shoe;
    let decks = shoe.supply.is_some_and(|supply| supply.replacement && supply.prepared == Preparation::New);
    // Where the book speaks of mixing the replacement too, it means whole decks and not a single card.
    let card = shoe.replaced && !report.cites("cards_not_mixed.replacement");
    let unseen = match (shoe.inspected.dealer, shoe.inspected.supervisor) {
        (true, true) => return,
        (true, false) => "the supervisor did not check the new cards",
        (false, true) => "the dealer did not check the new cards",
        (false, false) => "nobody checked the new cards",
    };
    if decks || card {
        report.raise(Finding::on_table(
            &["replacement_unchecked"],
            "dealer and supervisor check replacement cards before play",
            unseen,
        ));
    }
}
