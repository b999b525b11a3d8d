//! Cards were split that do not count the same.

use table::Rank;

use super::prelude::*;
use crate::rules::{PlayerCards, SplitBy};

pub(super) static CHECK: Check = Check {
    name: "split_unequal_cards",
    kind: FlagKind::DealerError,
    finds: "A hand was split although its two cards are not alike in the way the game asks.",
    matters: "The rules give no second hand, and no second stake, for such cards.",
    tags: &["split_unequal_cards"],
    runs: &[Run::Act(&[ActKind::Split], look)],
    templates: &[
        Template {
            tag: "split_unequal_cards",
            fits: |rules| rules.player_cards == PlayerCards::Up,
            options: "",
            plan: "3 $: TH 8C stand; dealer: 9S 7D AC",
            spoil: "stand 3 => split 3 | card 3 9D | stand 3 | card 3b TC | stand 3b; \
                    pay 3 $ => pay 3 $ | pay 3b $; collect 3 => collect 3 | collect 3b",
        },
        Template {
            tag: "split_unequal_cards",
            fits: |rules| rules.player_cards != PlayerCards::Up && rules.players_touch_cards && !rules.hole_card,
            options: "",
            plan: "3 $: TH 8C stand; dealer: 9S 7D AC",
            spoil: "stand 3 => turn 3 TH | turn 3 8C | split 3 | card 3 9D | stand 3 | card 3b TC | stand 3b; \
                    tuck 3 => ; turn 3 TH => ; turn 3 8C => ; \
                    pay 3 $ => pay 3 $ | pay 3b $; collect 3 => collect 3 | collect 3b",
        },
        Template {
            tag: "split_unequal_cards",
            fits: |rules| rules.player_cards != PlayerCards::Up && rules.hole_card,
            options: "",
            plan: "3 $: TH 8C stand; dealer: 9S 7D AC",
            spoil: "stand 3 => turn 3 TH | turn 3 8C | split 3 | card 3 9D | stand 3 | card 3b TC | stand 3b; \
                    turn 3 TH => ; turn 3 8C => ; \
                    pay 3 $ => pay 3 $ | pay 3b $; collect 3 => collect 3 | collect 3b",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Split(wager, _) = act else { return };
    let Some(hand) = table.hand(wager.place()) else { return };
    let [first, second] = hand.play.cards.as_slice() else { return };
    let (Some(a), Some(b)) = (first.rank(), second.rank()) else { return };
    let alike = match table.rules.split_by {
        SplitBy::PointValue => Rank::points(a) == Rank::points(b),
        SplitBy::Rank => a == b,
    };
    if alike {
        return;
    }
    report.raise(Finding::at(
        wager.place(),
        &["split_unequal_cards"],
        "only cards that count the same are split",
        format!("{} was split", shown(&hand.play.cards)),
    ));
}
