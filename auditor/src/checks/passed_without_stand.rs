//! Play went on past a hand whose player had not asked to stand.

use super::prelude::*;
use crate::hand::End;

pub(super) static CHECK: Check = Check {
    name: "passed_without_stand",
    kind: FlagKind::DealerError,
    finds: "A hand that could still be drawn to was passed over without a sign from its player to stand.",
    matters: "Without the sign nobody can say later what the player wanted.",
    tags: &["passed_without_stand"],
    runs: &[Run::Ends(look)],
    templates: &[
        Template {
            tag: "passed_without_stand",
            fits: |rules| !rules.players_touch_cards || rules.hole_card,
            options: "",
            plan: "3 $: TH 9C stand; 5 $: TD 8C stand; dealer: 9S 8D",
            spoil: "stand 3 =>",
        },
        Template {
            tag: "passed_without_stand",
            fits: |rules| rules.players_touch_cards && !rules.hole_card,
            options: "",
            plan: "3 $: TH 9C stand; 5 $: TD 8C stand; dealer: 9S 8D",
            spoil: "stand 3 => ; tuck 3 =>",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let natural = table.rules.hole_card && table.dealer_hand().is_natural();
    if !table.shoe.decisions_seen || table.repaired || table.void || natural {
        return;
    }
    // The dealer who turns up the hole card is done with the players, even if no card follows.
    let turned = table.rules.hole_card && table.dealer.cards.len() > 1 && table.dealer.down == 0;
    for (place, hand) in table.hands() {
        let signed = hand.stood || hand.tucked || hand.owed > 0 || hand.play.doubled;
        let absent = place.box_no().is_some_and(|box_no| table.box_at(box_no).absent || table.box_at(box_no).refused);
        let passed = hand.left || turned;
        let open = passed && hand.play.end == End::Played && hand.play.cards.len() > 1 && !hand.is_full(table.rules);
        let Some(points) = hand.points().filter(|points| *points < 21) else { continue };
        if signed || absent || !open {
            continue;
        }
        report.raise(Finding::at(
            place,
            &["passed_without_stand"],
            "play goes on when the player signs to stand",
            format!("the hand was left at {points} without a sign"),
        ));
    }
}
