//! The dealer stood on a hand that had to be drawn to.

use super::prelude::*;
use crate::dealer::must_draw;

pub(super) static CHECK: Check = Check {
    name: "dealer_stood_short",
    kind: FlagKind::DealerError,
    finds: "The dealer ended the hand on a total on which the rules ask for another card, while wagers depended on it.",
    matters: "Every hand still in play was settled against a total that was not finished.",
    tags: &["dealer_stood_short.soft17", "dealer_stood_short.hard", "dealer_stood_short"],
    runs: &[Run::Ends(look)],
    templates: &[
        Template {
            tag: "dealer_stood_short",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 9C stand; dealer: 9S 7D 3C",
            spoil: "card dealer 3C => ; push 3 => pay 3 $",
        },
        Template {
            tag: "dealer_stood_short.hard",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 9C stand; dealer: 9S 7D 3C",
            spoil: "card dealer 3C => ; push 3 => pay 3 $",
        },
        Template {
            tag: "dealer_stood_short.soft17",
            fits: |rules| rules.dealer_hits_soft_17(),
            options: "",
            plan: "3 $: TH 9C stand; dealer: 6S AD 2C",
            spoil: "card dealer 2C => ; push 3 => pay 3 $",
        },
        Template {
            tag: "dealer_stood_short.soft17",
            fits: |rules| rules.style_a,
            options: "style_a=true",
            plan: "3 $: TH 9C stand; dealer: 6S AD 2C",
            spoil: "card dealer 2C => ; push 3 => pay 3 $",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    if table.void || table.repaired || table.dealer.cards.len() < 2 || table.dealer_hand().is_natural() {
        return;
    }
    let Some(total) = table.dealer_hand().total() else { return };
    if !must_draw(table.rules, total) || !is_settled_against(table) {
        return;
    }
    let how =
        if total.soft && total.points == 17 { "dealer_stood_short.soft17" } else { "dealer_stood_short.hard" };
    let tags = counted(&[how, "dealer_stood_short"], &table.dealer.cards);
    let finding = Finding::on_table(
        &tags,
        format!("the dealer draws on {total}"),
        format!("the dealer stood on {total}"),
    );
    report.raise_at(table.last_play_at, finding);
}

/// Whether a hand that turns on the dealer's total was settled, or the round ended with it.
fn is_settled_against(table: &Table<'_>) -> bool {
    let over = table.closed || table.dealer.collected;
    table.hands().any(|(place, hand)| {
        let settled = table.stakes_on(place).any(|standing| standing.fate.is_settled());
        table.turns_on_dealer(hand) == Some(true) && !table.is_astray(place) && (over || settled)
    })
}
