//! Cards came to an opening table and were not looked through.

use table::round::{Mix, Preparation};

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "opening_not_inspected",
    kind: FlagKind::Irregularity,
    finds: "New decks were put into play without the inspections an opening asks for: by the dealer, by a \
            supervisor, and spread out for the players.",
    matters: "Only the inspection shows that no card is missing, doubled or marked before money is bet on them.",
    tags: &["opening_not_inspected.dealer", "opening_not_inspected.supervisor", "opening_not_inspected.spread"],
    runs: &[Run::Act(&[ActKind::FirstCard], look)],
    templates: &[
        Template {
            tag: "opening_not_inspected.dealer",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(opening!(), one_round!()),
            spoil: "inspect dealer =>",
        },
        Template {
            tag: "opening_not_inspected.supervisor",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(opening!(), one_round!()),
            spoil: "inspect supervisor =>",
        },
        Template {
            tag: "opening_not_inspected.spread",
            fits: |rules| !rules.hole_card,
            options: "",
            plan: concat!(opening!(), one_round!()),
            spoil: "inspect players =>",
        },
        Template {
            tag: "opening_not_inspected.spread",
            fits: |rules| rules.hole_card,
            options: "",
            plan: concat!(opening!(), one_round!()),
            spoil: "inspect dealer =>",
        },
    ],
};

fn look(table: &Table<'_>, _: &Act, report: &mut Report<'_>) {
    let Some(supply) = table.shoe.supply else { return };
    if supply.prepared != Preparation::New || supply.replacement {
        return;
    }
    let seen = table.shoe.inspected;
    // Where a supervisor looks too, the spread is for the players; elsewhere it is how the dealer looks.
    let full = report.cites("opening_not_inspected.supervisor");
    let machine = table.rules.csm || table.shoe.was_mixed_by(Mix::Machine);
    let dealer: &[&str] = if full {
        &["opening_not_inspected.dealer"]
    } else {
        &["opening_not_inspected.dealer", "opening_not_inspected.spread"]
    };
    let inspections: [(bool, &[&str], &str); 3] = [
        (seen.dealer, dealer, "the dealer"),
        (seen.supervisor || !full, &["opening_not_inspected.supervisor"], "a supervisor"),
        (seen.players || !full || machine, &["opening_not_inspected.spread"], "the players"),
    ];
    for (_, tags, whom) in inspections.into_iter().filter(|(seen, ..)| !seen) {
        report.raise(Finding::on_table(
            tags,
            format!("new cards are looked through by {whom} before play"),
            "new cards were put into play without that",
        ));
    }
}
