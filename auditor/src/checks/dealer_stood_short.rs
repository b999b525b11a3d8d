//! The dealer stood on a hand that had to be drawn to.

use super::prelude::*;
use crate::dealer::must_draw;
use crate::rules::DealerSkip;

pub(super) static CHECK: Check = Check {
    name: "dealer_stood_short",
    kind: FlagKind::DealerError,
    finds: "The dealer ended the hand on a total that the rules make him draw to, with wagers depending on it.",
    matters: "Every hand still in play was settled against a total that was not finished.",
    tags: &["dealer_stood_short.soft17", "dealer_stood_short.hard", "dealer_stood_short"],
    runs: &[Run::Ends(look)],
    templates: &[
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
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    if table.void || table.dealer.cards.len() < 2 || table.dealer_hand().is_natural() {
        return;
    }
    let Some(total) = table.dealer_hand().total() else { return };
    if !must_draw(table.rules, total) || !somebody_waits(table) {
        return;
    }
    let tags: &[&str] = if total.soft && total.points == 17 {
        &["dealer_stood_short.soft17", "dealer_stood_short"]
    } else {
        &["dealer_stood_short.hard", "dealer_stood_short"]
    };
    let tags = counted(tags, &table.dealer.cards);
    report.raise(Finding::on_table(&tags, format!("dealer draws on {total}"), format!("dealer stood on {total}")));
}

/// Whether any hand's result depended on the dealer's total.
fn somebody_waits(table: &Table<'_>) -> bool {
    let skips = table.rules.dealer_skip != DealerSkip::Unstated;
    table.hands().any(|(_, hand)| {
        let decided = hand.play.end != crate::hand::End::Played
            || hand.is_bust()
            || hand.play.is_natural()
            || (table.rules.player21_wins && hand.points() == Some(21))
            || (table.rules.five_card_wins && hand.play.cards.len() >= 5);
        !decided || !skips
    })
}
