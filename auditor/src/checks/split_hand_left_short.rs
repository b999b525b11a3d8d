//! A split hand was left with one card.

use super::prelude::*;
use crate::hand::End;

pub(super) static CHECK: Check = Check {
    name: "split_hand_left_short",
    kind: FlagKind::DealerError,
    finds: "A hand opened by a split was settled without a second card.",
    matters: "The stake was decided by half a hand.",
    tags: &["split_hand_left_short"],
    runs: &[Run::Ends(look)],
    templates: &[
        Template {
            tag: "split_hand_left_short",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH TC split [9D stand] [8C stand]; dealer: 9S 8D",
            spoil: "card 3b 8C => ; stand 3b => ; pay 3b $ => take 3b",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    if table.repaired {
        return;
    }
    for (place, hand) in table.hands() {
        let short = hand.play.split && hand.play.cards.len() == 1 && hand.play.end == End::Played;
        if short && (hand.left || table.closed) {
            report.raise(Finding::at(
                place,
                &["split_hand_left_short"],
                "each hand of a split takes a card",
                "the hand was left with one card",
            ));
        }
    }
}
