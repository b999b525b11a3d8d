//! A player was not asked about a card that fell to the floor.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "dropped_card_no_choice",
    kind: FlagKind::Irregularity,
    finds: "A card that had fallen to the floor was played or thrown away without the player having been asked.",
    matters: "The player may keep the card or take the next; the choice is not the dealer's.",
    tags: &["dropped_card_no_choice"],
    runs: &[Run::Act(&[ActKind::CardAfterLoose, ActKind::Loose], look)],
    templates: &[
        Template {
            tag: "dropped_card_no_choice",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 4C hit 5D stand; dealer: 9S 8D",
            spoil: "card 3 5D => dropped 5D | supervisor | card 3 5D",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let (card, done) = match act {
        Act::Card { to: Place::Box(..), card, .. } => (card, "was put to the hand"),
        Act::Discard(card) if table.turn().is_some() => (card, "was thrown away"),
        _ => return,
    };
    let dropped = table.loosed.how == LooseBy::Dropped && table.is_loose(*card);
    if dropped && table.loosed.answer.is_none() {
        report.raise(Finding::on_table(
            &["dropped_card_no_choice"],
            "the player keeps the dropped card or takes the next",
            format!("{} {done} without the player being asked", card.pretty()),
        ));
    }
}
