//! A card drawn in error was thrown away, or one thrown away was played.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "error_card_burned",
    kind: FlagKind::Irregularity,
    finds: "A card drawn in error, and not seen, went to the rack instead of being the next card; or a card thrown \
            away in error was taken back into play.",
    matters: "Throwing it away, or fetching it back, gives every later hand another card than the shoe had for it.",
    tags: &["error_card_burned.retrieved", "error_card_burned"],
    runs: &[Run::Act(&[ActKind::Loose, ActKind::Shoe], look), Run::Act(&[ActKind::CardAfterLoose], look_at_next)],
    templates: &[
        Template {
            tag: "error_card_burned",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 9C stand; dealer: 9S 8D",
            spoil: "stand 3 => drawn 4D | discard 4D | stand 3",
        },
        Template {
            tag: "error_card_burned.retrieved",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 4C hit 5D stand; dealer: 9S 8D",
            spoil: "card 3 5D => drawn 5D | discard 5D | card 3 5D",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let (Act::Discard(card) | Act::Burn(card)) = act else { return };
    let drawn = table.loosed.how == LooseBy::Drawn && table.is_loose(*card);
    let passed = table.loosed.passed_over.is_some_and(|(passed, ..)| passed == *card);
    if (drawn || passed) && cards_are_due(table) {
        report.raise(Finding::on_table(
            &["error_card_burned"],
            "a card drawn in error is used as the next card",
            format!("{} went to the rack", card.pretty()),
        ));
    }
}

fn look_at_next(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Card { card, .. } = act else { return };
    if table.loosed.discarded == Some(*card) && card.is_known() && table.loosed.how == LooseBy::Drawn {
        report.raise(Finding::on_table(
            &["error_card_burned.retrieved", "error_card_burned"],
            "a card thrown away in error stays in the rack",
            format!("{} was taken back into play", card.pretty()),
        ));
    }
}
