//! Hands were played although the dealer had looked at a natural.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "played_on_after_dealer_natural",
    kind: FlagKind::DealerError,
    finds: "The dealer had looked at a hole card that made a natural, and players were still dealt cards or asked to \
            decide.",
    matters: "The round was over: whoever added a stake after it did so on a hand already lost.",
    tags: &["played_on_after_dealer_natural"],
    runs: &[Run::Ends(look)],
    templates: &[
        Template {
            tag: "played_on_after_dealer_natural",
            fits: |rules| rules.hole_card,
            options: "",
            plan: "3 $: TH 9C; dealer: AS KD",
            spoil: "peek => peek | stand 3",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let natural = table.dealer.cards.get(..2).is_some_and(crate::hand::is_ace_and_ten);
    if !table.rules.hole_card || !table.dealer.peeked || !natural || table.repaired {
        return;
    }
    for (place, hand) in table.hands() {
        let played = hand.stood || hand.play.doubled || hand.play.split || hand.play.cards.len() > 2 || hand.owed > 0;
        if played {
            report.raise(Finding::at(
                place,
                &["played_on_after_dealer_natural"],
                "the round ends when the dealer has a natural",
                "the hand was played on",
            ));
        }
    }
}
