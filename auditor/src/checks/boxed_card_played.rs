//! A card found face up in the shoe was played.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "boxed_card_played",
    kind: FlagKind::Irregularity,
    finds: "A card that lay face up in the shoe went to a hand instead of the rack.",
    matters: "Everybody saw the card before it was dealt; it must not decide anything.",
    tags: &["boxed_card_played"],
    runs: &[Run::Act(&[ActKind::CardAfterLoose], look)],
    templates: &[
        Template {
            tag: "boxed_card_played",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 4C hit 5D stand; dealer: 9S 8D",
            spoil: "card 3 5D => boxed 5D | card 3 5D",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Card { to, card, .. } = act else { return };
    let boxed = table.loosed.how == LooseBy::Boxed;
    if boxed && card.is_known() && table.loose.is_some_and(|(loose, _)| loose == *card) {
        report.raise(Finding::at(
            *to,
            &["boxed_card_played"],
            "a card found face up in the shoe goes to the rack",
            format!("{} went to {}", card.pretty(), who(*to)),
        ));
    }
}
