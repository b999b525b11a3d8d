//! A card went to a box with no wager.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "empty_box_dealt",
    kind: FlagKind::DealerError,
    finds: "In the initial deal a card went to a box on which nobody had a wager, and it was left there.",
    matters: "The card belonged to the next box; everybody behind it has the wrong cards.",
    tags: &["empty_box_dealt"],
    runs: &[Run::Ends(look)],
    templates: &[
        Template {
            tag: "empty_box_dealt",
            fits: dealt_face_up,
            options: "",
            plan: "3 $: TH 9C stand; dealer: 9S 8D",
            spoil: "no-more-bets => no-more-bets | card 1 4D",
        },
        Template {
            tag: "empty_box_dealt",
            fits: dealt_face_down,
            options: "",
            plan: "3 $: TH 9C stand; dealer: 9S 8D",
            spoil: "no-more-bets => no-more-bets | card 1 4D down",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    for misdeal in misdeals(table, report).filter(|misdeal| misdeal.astray == Astray::EmptyBox) {
        let finding = Finding::at(
            misdeal.due,
            &["empty_box_dealt"],
            "cards go to boxes with a wager",
            format!("{} got a card without a wager", who(misdeal.due)),
        );
        report.raise(finding.shown_by(misdeal.step));
    }
}
