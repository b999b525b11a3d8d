//! A hand was given up where or when that is not allowed.

use super::prelude::*;
use crate::rules::{Surrender, SurrenderMode};

pub(super) static CHECK: Check = Check {
    name: "surrender_not_allowed",
    kind: FlagKind::DealerError,
    finds: "A surrender was accepted in a game that has none, before the dealer had looked for a natural, after the \
            hand had been acted on, or on 21.",
    matters: "The player kept half of a stake that the rules put wholly at risk.",
    tags: &[
        "surrender_not_allowed.none",
        "surrender_not_allowed.before_peek",
        "surrender_not_allowed.too_late",
        "surrender_not_allowed.too_late.third_card",
        "surrender_not_allowed.at_21",
    ],
    runs: &[Run::Act(&[ActKind::Surrender], look)],
    templates: &[
        Template {
            tag: "surrender_not_allowed.none",
            fits: |rules| rules.surrender == Surrender::None,
            options: "",
            plan: "3 $: TH 6C stand; dealer: 9S 8D",
            spoil: "stand 3 => surrender 3; take 3 => take 3 $/2",
        },
        Template {
            tag: "surrender_not_allowed.before_peek",
            fits: |rules| rules.hole_card,
            options: "",
            plan: "3 $: TH 6C surrender; dealer: TS 8D",
            spoil: "surrender 3 => ; peek => surrender 3 | peek",
        },
        Template {
            tag: "surrender_not_allowed.too_late",
            fits: |rules| rules.surrender != Surrender::None,
            options: "",
            plan: "3 $: TH 2C hit 3D stand; dealer: 9S 8D",
            spoil: "stand 3 => surrender 3; take 3 => take 3 $/2",
        },
        Template {
            tag: "surrender_not_allowed.too_late.third_card",
            fits: |rules| rules.surrender != Surrender::None,
            options: "",
            plan: "3 $: TH 2C hit 3D stand; dealer: 9S 8D",
            spoil: "stand 3 => surrender 3; take 3 => take 3 $/2",
        },
        Template {
            tag: "surrender_not_allowed.at_21",
            fits: |rules| rules.surrender != Surrender::None,
            options: "surrender_mode=liberal",
            plan: "3 $: TH 2C hit 9D stand; dealer: 9S 8D",
            spoil: "stand 3 => surrender 3; pay 3 $ => take 3 $/2",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Surrender(wager) = act else { return };
    let Some(hand) = table.hand(wager.place()) else { return };
    let rules = table.rules;
    let strict = rules.surrender_mode == SurrenderMode::Strict;
    let third = hand.play.cards.len() > 2;
    let acted = hand.stood || hand.owed > 0 || hand.play.doubled || hand.play.split || hand.play.zapped;
    let unseen = rules.surrender == Surrender::Late && table.dealer_hand().shows_ace_or_ten() && !table.dealer.peeked;
    // Once hands were played without the look, that is what went wrong, and not this hand.
    let look_is_missing = table.drawn > 0 || table.hands().any(|(_, hand)| hand.stood);
    let at_21 = hand.points().is_some_and(|points| points >= 21);
    let (tags, expected, observed): (&[&str], _, _) = match () {
        () if rules.surrender == Surrender::None => {
            (&["surrender_not_allowed.none"], "the game has no surrender", "a hand was given up")
        }
        () if unseen && !look_is_missing => (
            &["surrender_not_allowed.before_peek"],
            "a hand is given up after the dealer has looked for a natural",
            "the hand was given up before the dealer had looked",
        ),
        () if strict && third => (
            &["surrender_not_allowed.too_late.third_card", "surrender_not_allowed.too_late"],
            "a hand is given up on its first two cards",
            "the hand was given up after a third card",
        ),
        () if strict && acted => (
            &["surrender_not_allowed.too_late"],
            "a hand is given up before anything else is decided on it",
            "the hand was given up after another decision",
        ),
        () if at_21 => (&["surrender_not_allowed.at_21"], "only a hand below 21 is given up", "a hand of 21 or more was given up"),
        () => return,
    };
    report.raise(Finding::at(wager.place(), tags, expected, observed));
}
