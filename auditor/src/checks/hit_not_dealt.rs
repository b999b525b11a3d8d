//! A player asked for a card and got none.

use super::prelude::*;
use crate::hand::End;

pub(super) static CHECK: Check = Check {
    name: "hit_not_dealt",
    kind: FlagKind::DealerError,
    finds: "A player asked for a card on a hand that may be drawn to, and no card came.",
    matters: "The hand was settled short of what its player wanted, and the card went to somebody else.",
    tags: &["hit_not_dealt"],
    runs: &[Run::Ends(look)],
    templates: &[
        Template {
            tag: "hit_not_dealt",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 4C hit 5D stand; dealer: 9S 8D",
            spoil: "card 3 5D => ; pay 3 $ => take 3",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    if table.repaired {
        return;
    }
    for (place, hand) in table.hands() {
        let played = hand.play.end == End::Played && !hand.play.doubled;
        if hand.owed == 0 || !played || hand.is_full(table.rules) || hand.points().is_none() {
            continue;
        }
        let asked = if hand.owed == 1 { "one card asked for" } else { "cards asked for" };
        report.raise(Finding::at(
            place,
            &["hit_not_dealt"],
            "a player who asks for a card is dealt one",
            format!("{asked} did not come"),
        ));
    }
}
