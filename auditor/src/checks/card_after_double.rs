//! A doubled hand got no card, or more than one.

use super::prelude::*;
use crate::hand::End;

pub(super) static CHECK: Check = Check {
    name: "card_after_double",
    kind: FlagKind::DealerError,
    finds: "A hand was doubled and then given no card, or more than the one a double buys.",
    matters: "The further stake buys exactly one card; none or two make it another bet.",
    tags: &["card_after_double", "card_after_double.back_bettor"],
    runs: &[Run::Act(&[ActKind::DrawnCard], look), Run::Ends(look_for_none)],
    templates: &[
        Template {
            tag: "card_after_double",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: 5H 3C double TD; 5 $: TH 9C stand; dealer: 9S 8D",
            spoil: "stand 5 => card 3 2C | stand 5",
        },
        Template {
            tag: "card_after_double.back_bettor",
            fits: |rules| rules.bettors_per_box > 1,
            options: "",
            plan: "3 $ /2 $: 5H 3C double /2 stay TD; 5 $: TH 9C stand; dealer: 9S 8D",
            spoil: "stand 5 => card 3 2C | stand 5",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Some((place, hand)) = drawing(table, act) else { return };
    if !hand.play.doubled || hand.since_double == 0 {
        return;
    }
    let without = table.stakes_on(place).any(|standing| {
        standing.wager.kind != WagerKind::Double
            && !standing.wager.tip
            && table.wagers.get(standing.wager.of_kind(WagerKind::Double)).is_none()
    });
    let tags: &[&str] =
        if without { &["card_after_double.back_bettor", "card_after_double"] } else { &["card_after_double"] };
    report.raise_unless_mended(Finding::at(
        place,
        tags,
        "a doubled hand takes one card",
        format!("the doubled hand was given card {}", hand.since_double.saturating_add(1)),
    ));
}

fn look_for_none(table: &Table<'_>, report: &mut Report<'_>) {
    if table.repaired {
        return;
    }
    for (place, hand) in table.hands() {
        let passed = hand.left || hand.passed_at.is_some() || table.closed;
        if hand.play.doubled && hand.since_double == 0 && hand.play.end == End::Played && passed {
            report.raise(Finding::at(
                place,
                &["card_after_double"],
                "a doubled hand takes one card",
                "the doubled hand was given no card",
            ));
        }
    }
}
