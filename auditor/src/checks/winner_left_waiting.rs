//! A hand that had won was not paid at once.

use super::prelude::*;
use crate::hand::End;

pub(super) static CHECK: Check = Check {
    name: "winner_left_waiting",
    kind: FlagKind::DealerError,
    finds: "A hand that wins whatever the dealer has, a 21 or five cards under it, was still unpaid or on the layout \
            when the next card was dealt.",
    matters: "A hand that has won and still lies there can be settled against the dealer's total by mistake.",
    tags: &["winner_left_waiting", "winner_left_waiting.five_cards", "winner_left_waiting.twenty_one"],
    runs: &[Run::Ends(look)],
    templates: &[
        Template {
            tag: "winner_left_waiting",
            fits: |rules| rules.player21_wins,
            options: "",
            plan: "3 $: TH 5C hit 6D; 5 $: TD 6C hit 3D stand; dealer: 9S 8D",
            spoil: "pay 3 $ => ; collect 3 => ; stand 5 => pay 3 $ | collect 3 | stand 5",
        },
        Template {
            tag: "winner_left_waiting.twenty_one",
            fits: |rules| rules.player21_wins,
            options: "",
            plan: "3 $: TH 5C hit 6D; 5 $: TD 6C hit 3D stand; dealer: 9S 8D",
            spoil: "pay 3 $ => ; collect 3 => ; stand 5 => pay 3 $ | collect 3 | stand 5",
        },
        Template {
            tag: "winner_left_waiting.five_cards",
            fits: |rules| rules.five_card_wins,
            options: "",
            plan: "3 $: 2H 3C hit 4D 2S 3D; 5 $: TD 6C hit 3H stand; dealer: 9S 8D",
            spoil: "pay 3 $ => ; collect 3 => ; stand 5 => pay 3 $ | collect 3 | stand 5",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    for (place, hand) in table.hands() {
        let Some(points) = hand.points().filter(|points| *points <= 21) else { continue };
        let at_21 = table.rules.player21_wins && points == 21;
        let five = table.rules.five_card_wins && hand.play.cards.len() >= 5;
        if !(at_21 || five) || hand.play.is_natural() || hand.play.end != End::Played {
            continue;
        }
        let Some(dealt) = hand.overdealt_at else { continue };
        let late = |at: Option<usize>| at.is_some_and(|at| at > dealt);
        let unpaid = table.stakes_on(place).any(|standing| standing.fate.paid.is_some() && late(standing.fate.at));
        if !unpaid && !late(hand.collected_at) {
            continue;
        }
        let how = if at_21 { "winner_left_waiting.twenty_one" } else { "winner_left_waiting.five_cards" };
        let observed = if unpaid { "the winning hand was paid after the next card" } else { "the cards of the winning hand stayed past the next card" };
        report.raise_at(
            dealt,
            Finding::at(place, &[how, "winner_left_waiting"], "a hand that has won is paid and cleared at once", observed),
        );
    }
}
