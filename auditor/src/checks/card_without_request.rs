//! A player got a card without asking for one.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "card_without_request",
    kind: FlagKind::DealerError,
    finds: "A hand was given a further card that its player had not asked for and the rules did not ask for either.",
    matters: "The player's decision was taken away; from that card on the shoe runs differently for everybody.",
    tags: &["card_without_request", "card_without_request.after_stand", "card_without_request.split_hand"],
    runs: &[Run::Ends(look)],
    templates: &[
        Template {
            tag: "card_without_request",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 4C hit 5D stand; dealer: 9S 8D",
            spoil: "hit 3 =>",
        },
        Template {
            tag: "card_without_request.after_stand",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 4C hit 5D stand; dealer: 9S 8D",
            spoil: "stand 3 => stand 3 | card 3 AC",
        },
        Template {
            tag: "card_without_request.split_hand",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH TC split [4D hit 5C stand] [8C stand]; dealer: 9S 8D",
            spoil: "hit 3 =>",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    if !table.shoe.decisions_seen {
        return;
    }
    for (place, hand) in table.hands() {
        let Some(unasked) = hand.unasked else { continue };
        if table.mended_at.is_some_and(|mended| mended >= unasked.at) {
            continue;
        }
        let split = hand.play.split && report.cites("card_without_request.split_hand");
        let (tags, observed): (&[&str], _) = match (unasked.stood, split) {
            (true, _) => (&["card_without_request.after_stand", "card_without_request"], "a card came after the stand"),
            (false, true) => (&["card_without_request.split_hand"], "a card came that was not asked for"),
            (false, false) => (&["card_without_request"], "a card came that was not asked for"),
        };
        report.raise_at(unasked.at, Finding::at(place, tags, "a card comes when the player asks for it", observed));
    }
}
