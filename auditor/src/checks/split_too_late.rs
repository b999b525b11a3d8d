//! A hand was split after its third card.

use super::prelude::*;
use crate::rules::PlayerCards;

pub(super) static CHECK: Check = Check {
    name: "split_too_late",
    kind: FlagKind::DealerError,
    finds: "A hand was split that had more than its first two cards.",
    matters: "Splitting is a choice on two cards; after a further card the player knows more than the rules allow for.",
    tags: &["split_too_late"],
    runs: &[Run::Act(&[ActKind::Split], look)],
    templates: &[
        Template {
            tag: "split_too_late",
            fits: |rules| rules.player_cards == PlayerCards::Up,
            options: "",
            plan: "3 $: 8H 5C hit 5D stand; dealer: 9S 8D",
            spoil: "stand 3 => split 3 | stand 3 | card 3b TD | stand 3b; pay 3 $ => take 3 | take 3b; \
                    collect 3 => collect 3 | collect 3b",
        },
        Template {
            tag: "split_too_late",
            fits: |rules| rules.player_cards != PlayerCards::Up && !rules.hole_card,
            options: "",
            plan: "3 $: 8H 5C hit 5D stand; dealer: 9S 8D",
            spoil: "stand 3 => turn 3 8H | turn 3 5C | split 3 | stand 3 | card 3b TD | stand 3b; tuck 3 => ; \
                    turn 3 8H => ; turn 3 5C => ; pay 3 $ => take 3 | take 3b; collect 3 => collect 3 | collect 3b",
        },
        Template {
            tag: "split_too_late",
            fits: |rules| rules.player_cards != PlayerCards::Up && rules.hole_card,
            options: "",
            plan: "3 $: 8H 5C hit 5D stand; dealer: 9S 8D",
            spoil: "stand 3 => turn 3 8H | turn 3 5C | split 3 | stand 3 | card 3b TD | stand 3b; \
                    turn 3 8H => ; turn 3 5C => ; pay 3 $ => take 3 | take 3b; collect 3 => collect 3 | collect 3b",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Split(wager, _) = act else { return };
    let Some(hand) = table.hand(wager.place()) else { return };
    let cards = hand.play.cards.len();
    if cards > 2 {
        report.raise(Finding::at(
            wager.place(),
            &["split_too_late"],
            "a hand is split on its first two cards",
            format!("the hand was split on {cards} cards"),
        ));
    }
}
