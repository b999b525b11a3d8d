//! A finished hand held face down was not put under the wager.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "not_tucked",
    kind: FlagKind::Irregularity,
    finds: "A player who held the cards stood and did not tuck them under the wager, where others at the table did.",
    matters: "Cards that stay in a player's hand after the decision can still be changed for others.",
    tags: &["not_tucked.hit", "not_tucked.stand"],
    runs: &[Run::Act(&[ActKind::Turn], look)],
    templates: &[
        Template {
            tag: "not_tucked.stand",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 9C stand; 5 $: TD 8C stand; dealer: 9S 8D",
            spoil: "tuck 3 =>",
        },
        Template {
            tag: "not_tucked.hit",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 4C hit 5D stand; 5 $: TD 8C stand; dealer: 9S 8D",
            spoil: "tuck 3 =>",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::TurnUp(place, _) = act else { return };
    let Some(hand) = table.hand(*place) else { return };
    let held = table.rules.players_touch_cards && hand.down > 0 && !hand.play.split && !hand.play.doubled;
    if !table.seen.tucks || !held || !hand.stood || hand.tucked {
        return;
    }
    let tag = if hand.play.cards.len() > 2 { "not_tucked.hit" } else { "not_tucked.stand" };
    report.raise(Finding::at(
        *place,
        &[tag],
        "the cards of a finished hand go under the wager",
        "the cards were turned up without having been tucked",
    ));
}
