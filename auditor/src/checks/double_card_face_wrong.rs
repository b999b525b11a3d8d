//! The card of a double lay with the wrong face up.

use table::{Face, Turn};

use super::prelude::*;
use crate::rules::PlayerCards;

pub(super) static CHECK: Check = Check {
    name: "double_card_face_wrong",
    kind: FlagKind::DealerError,
    finds: "The card dealt to a doubled hand came face down where it belongs face up, or face up where it belongs \
            face down.",
    matters: "A hidden card that should be seen can be changed; a shown card that should be hidden tells the others \
              what left the shoe.",
    tags: &["double_card_face_wrong", "double_card_face_wrong.le11", "double_card_face_wrong.ge12"],
    runs: &[Run::Act(&[ActKind::DrawnCard], look)],
    templates: &[
        Template {
            tag: "double_card_face_wrong",
            fits: |rules| rules.double_sideways,
            options: "",
            plan: "3 $: 7H 5C double 8D; dealer: 9S 8H",
            spoil: "card 3 8D sideways => card 3 8D down sideways",
        },
        Template {
            tag: "double_card_face_wrong",
            fits: |rules| !rules.double_sideways,
            options: "",
            plan: "3 $: 7H 5C double 8D; dealer: 9S 8H",
            spoil: "card 3 8D => card 3 8D down",
        },
        Template {
            tag: "double_card_face_wrong.ge12",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: 7H 5C double 8D; dealer: 9S 8H",
            spoil: "card 3 8D sideways => card 3 8D down; pay 3 $ => turn 3 8D | pay 3 $",
        },
        Template {
            tag: "double_card_face_wrong.le11",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: 5H 4C double TD; dealer: 9S 8H",
            spoil: "card 3 TD down => card 3 TD",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Card { face, turn, .. } = act else { return };
    let Some((place, hand)) = drawing(table, act) else { return };
    if !hand.play.doubled || hand.since_double > 0 {
        return;
    }
    let by_total = report.cites("double_card_face_wrong.le11") && table.rules.player_cards != PlayerCards::Up;
    let points = hand.points();
    // For a low total the house may show the card, but then it lies sideways.
    let (tag, expected) = match (by_total, face, turn) {
        (false, Face::Down, _) => ("double_card_face_wrong", "the card of a double lies face up"),
        (true, Face::Up, Turn::Upright) if points.is_some_and(|points| points <= 11) => {
            ("double_card_face_wrong.le11", "the card of a double on 11 or less lies face down")
        }
        (true, Face::Down, _) if points.is_some_and(|points| points >= 12) => {
            ("double_card_face_wrong.ge12", "the card of a double on 12 or more lies face up")
        }
        _ => return,
    };
    report.raise(Finding::at(place, &[tag], expected, format!("the card of the double lay face {face}")));
}
