//! A card was put down that had not come from the shoe.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "not_from_the_shoe",
    kind: FlagKind::Irregularity,
    finds: "The card that left the shoe and the card that was put to the hand were not the same, and the first was \
            not seen again.",
    matters: "The hand was dealt a card that did not come from the shoe in its turn; the recording shows where it \
              came from.",
    tags: &["not_from_the_shoe"],
    runs: &[Run::Ends(look)],
    templates: &[
        Template {
            tag: "not_from_the_shoe",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 4C hit 5D stand; dealer: 9S 8D",
            spoil: "card 3 5D => drawn 4D | card 3 5D",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let Some((drawn, to, step)) = table.loosed.passed_over else { return };
    let finding = Finding::at(
        to,
        &["not_from_the_shoe"],
        format!("{} gets the card that left the shoe, {}", who(to), drawn.pretty()),
        "another card came to the hand, and the one from the shoe was not seen again",
    );
    report.raise(finding.shown_by(step));
}
