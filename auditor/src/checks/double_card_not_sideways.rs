//! The card of a double was not put across the hand.

use table::{Face, Turn};

use super::prelude::*;
use crate::rules::PlayerCards;

pub(super) static CHECK: Check = Check {
    name: "double_card_not_sideways",
    kind: FlagKind::DealerError,
    finds: "The card dealt to a doubled hand lay upright where the rules want it sideways.",
    matters: "The sideways card tells everybody, the camera included, that the hand takes no more.",
    tags: &["double_card_not_sideways"],
    runs: &[Run::Act(&[ActKind::DrawnCard], look)],
    templates: &[
        Template {
            tag: "double_card_not_sideways",
            fits: |rules| rules.double_sideways,
            options: "",
            plan: "3 $: 7H 5C double 8D; dealer: 9S 8H",
            spoil: "card 3 8D sideways => card 3 8D",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Card { face: Face::Up, turn: Turn::Upright, .. } = act else { return };
    let Some((place, hand)) = drawing(table, act) else { return };
    if !table.rules.double_sideways || !hand.play.doubled || hand.since_double > 0 {
        return;
    }
    // Where a card for a low total comes face down, one that lies face up and upright is wrong for its face; and a game
    // of that kind dealt face up has no such rule.
    let hidden = report.cites("double_card_face_wrong.le11");
    let low = hand.points().is_none_or(|points| points <= 11);
    if hidden && (low || table.rules.player_cards == PlayerCards::Up) {
        return;
    }
    report.raise(Finding::at(
        place,
        &["double_card_not_sideways"],
        "the card of a double lies sideways",
        "the card of the double lay upright",
    ));
}
