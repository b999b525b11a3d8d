//! The cards of a paid natural stayed on the table.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "natural_cards_left",
    kind: FlagKind::DealerError,
    finds: "A natural was paid and its cards were still on the layout when the next card was dealt.",
    matters: "A paid hand left lying can be paid a second time at the end of the round.",
    tags: &["natural_cards_left", "natural_cards_left.even_money"],
    runs: &[Run::Ends(look)],
    templates: &[
        Template {
            tag: "natural_cards_left",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: AH KC; 5 $: TH 6C hit 3D stand; dealer: 9S 8D",
            spoil: "collect 3 => ; stand 5 => stand 5 | collect 3",
        },
        Template {
            tag: "natural_cards_left.even_money",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: AH KC even-money; 5 $: TH 6C hit 3D stand; dealer: AS 8D",
            spoil: "collect 3 => ; stand 5 => stand 5 | collect 3",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let Some(drawn) = table.first_draw_at else { return };
    for (place, hand) in table.hands() {
        if !crate::hand::is_ace_and_ten(&hand.play.cards) || hand.play.split || hand.play.zapped {
            continue;
        }
        let Some(collected) = hand.collected_at.filter(|collected| *collected > drawn) else { continue };
        let paid = table.stakes_on(place).all(|standing| standing.fate.at.is_some_and(|at| at < drawn));
        let even = table.stakes_on(place).all(|standing| standing.even_money.is_some() && table.grants_even_money(standing));
        let none_even = table.stakes_on(place).all(|standing| standing.even_money.is_none());
        let tags: &[&str] = match () {
            () if !paid || table.stakes_on(place).next().is_none() => continue,
            () if even => &["natural_cards_left.even_money"],
            () if none_even && !table.natural_waits() => &["natural_cards_left"],
            () => continue,
        };
        report.raise_at(
            collected,
            Finding::at(
                place,
                tags,
                "the cards of a paid natural go to the rack before the next card",
                "the cards of a paid natural went after the next card",
            ),
        );
    }
}
