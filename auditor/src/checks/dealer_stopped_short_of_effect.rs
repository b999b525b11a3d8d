//! The dealer took no card although a wager depended on it.

use table::SideBet;

use super::prelude::*;
use crate::dealer::must_draw;

pub(super) static CHECK: Check = Check {
    name: "dealer_stopped_short_of_effect",
    kind: FlagKind::DealerError,
    finds: "The round ended without the dealer's second card though a hand or insurance waited for it, or without a \
            further one though a wager on the dealer's own total did.",
    matters: "A wager was settled, or left, on a card that never came.",
    tags: &["dealer_stopped_short_of_effect", "dealer_stopped_short_of_effect.push22"],
    runs: &[Run::Ends(look)],
    templates: &[
        Template {
            tag: "dealer_stopped_short_of_effect",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 9C stand; dealer: 9S 8D",
            spoil: "card dealer 8D =>",
        },
        Template {
            tag: "dealer_stopped_short_of_effect.push22",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $ push22 $: TH 6C hit 9D; dealer: 9S 5D 7C",
            spoil: "card dealer 7C =>",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let cards = table.dealer.cards.len();
    let over = table.closed || table.dealer.collected;
    if table.void || table.repaired || table.rules.hole_card || cards == 0 || table.deal != Deal::Done || !over {
        return;
    }
    let hands = || table.hands().filter(|(place, _)| !table.is_astray(*place));
    let contested = || hands().any(|(_, hand)| table.turns_on_dealer(hand) == Some(true));
    let live = |kind| table.wagers.of_kind(kind).any(|standing| !standing.fate.returned && !table.is_void(standing));
    let push22 = || live(WagerKind::Side(SideBet::Push22));
    let second = || live(WagerKind::Insurance) || hands().any(|(_, hand)| table.turns_on_second_card(hand));
    let (tag, observed): (_, String) = if cards == 1 && second() {
        ("dealer_stopped_short_of_effect", "the dealer took no second card".to_owned())
    } else if push22() && !contested() && is_unfinished(table) {
        ("dealer_stopped_short_of_effect.push22", format!("the dealer stopped at {}", count(table)))
    } else {
        return;
    };
    let expected = "the dealer draws as long as a wager depends on it";
    report.raise_at(table.last_play_at, Finding::on_table(&[tag], expected, observed));
}

fn is_unfinished(table: &Table<'_>) -> bool {
    let total = table.dealer_hand().total();
    table.dealer.cards.len() < 2 || total.is_some_and(|total| must_draw(table.rules, total))
}

fn count(table: &Table<'_>) -> String {
    table.dealer_hand().total().map_or_else(String::new, |total| total.to_string())
}
