//! The cards of a natural went before its result was known.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "natural_cards_cleared_early",
    kind: FlagKind::DealerError,
    finds: "The cards of a natural that still waited for the dealer's hand were put in the rack.",
    matters: "Without its cards nobody can show what the hand was when it comes to be settled.",
    tags: &["natural_cards_cleared_early", "natural_cards_cleared_early.even_money"],
    runs: &[Run::Ends(look)],
    templates: &[
        Template {
            tag: "natural_cards_cleared_early",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: AH KC; 5 $: TH 9C stand; dealer: TS 8D",
            spoil: "collect 3 => ; stand 5 => collect 3 | stand 5",
        },
        Template {
            tag: "natural_cards_cleared_early.even_money",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $ /2 $: AH KC even-money; 5 $: TH 9C stand; dealer: AS 8D",
            spoil: "collect 3 => ; stand 5 => collect 3 | stand 5",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    if !table.dealer_hand().shows_ace_or_ten() || !table.natural_waits() || table.repaired {
        return;
    }
    let Some(completed) = table.dealer.dealt_at.last().copied().filter(|_| table.dealer.cards.len() > 1) else { return };
    for (place, hand) in table.hands() {
        if !crate::hand::is_ace_and_ten(&hand.play.cards) || hand.play.split || hand.play.zapped {
            continue;
        }
        let Some(collected) = hand.collected_at.filter(|collected| *collected < completed) else { continue };
        let waiting = table.stakes_on(place).any(|standing| standing.fate.at.is_none_or(|at| at > collected));
        let ungranted = table
            .stakes_on(place)
            .any(|standing| standing.even_money.is_some() && !table.grants_even_money(standing));
        let even = table.stakes_on(place).any(|standing| standing.even_money.is_some());
        if !waiting || ungranted {
            continue;
        }
        let tag = if even { "natural_cards_cleared_early.even_money" } else { "natural_cards_cleared_early" };
        report.raise_at(
            collected,
            Finding::at(
                place,
                &[tag],
                "the cards of a natural stay until every wager on it is settled",
                "the cards of a natural went before the dealer's hand was complete",
            ),
        );
    }
}
