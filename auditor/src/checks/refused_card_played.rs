//! A card that had been refused was played.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "refused_card_played",
    kind: FlagKind::Irregularity,
    finds: "A player chose not to keep a card that had fallen to the floor, and it was played all the same.",
    matters: "A refused card is out of the game; everybody has seen it.",
    tags: &["refused_card_played"],
    runs: &[Run::Act(&[ActKind::CardAfterLoose], look)],
    templates: &[
        Template {
            tag: "refused_card_played",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 4C hit 5D stand; dealer: 9S 8D",
            spoil: "card 3 5D => dropped 5D | supervisor | refuse 3 | card 3 5D",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Card { to, card, .. } = act else { return };
    let refused = table.loosed.how == LooseBy::Dropped && table.loosed.answer == Some(false);
    if refused && card.is_known() && table.loose.is_some_and(|(loose, _)| loose == *card) {
        report.raise(Finding::at(
            *to,
            &["refused_card_played"],
            "a refused card goes to the rack",
            format!("{} went to {}", card.pretty(), who(*to)),
        ));
    }
}
