//! A player was allowed to stand below the least total.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "stood_short",
    kind: FlagKind::DealerError,
    finds: "A hand below the total at which standing is allowed was left without a further card, or the hand of an \
            absent player was drawn to beyond it.",
    matters: "The rule takes the choice away from the player; leaving it out changes every card that follows.",
    tags: &["stood_short", "stood_short.absent", "stood_short.split"],
    runs: &[Run::Ends(look), Run::Act(&[ActKind::DrawnCard], look_at_absent)],
    templates: &[
        Template {
            tag: "stood_short",
            fits: |rules| rules.forced_hit_below > 0,
            options: "",
            plan: "3 $: 5H 4C hit TD stand; dealer: 9S 8D",
            spoil: "hit 3 => ; card 3 TD => ; pay 3 $ => take 3",
        },
        Template {
            tag: "stood_short.split",
            fits: |rules| rules.forced_hit_below > 0,
            options: "",
            plan: "3 $: 8H 8C split [2D hit 9C stand] [TD stand]; dealer: 9S 8D",
            spoil: "hit 3 => ; card 3 9C => ; pay 3 $ => take 3",
        },
        Template {
            tag: "stood_short.absent",
            fits: |rules| rules.forced_hit_below > 0,
            options: "",
            plan: "3 $: 5H 4C hit TD stand; dealer: 9S 8D",
            spoil: "hit 3 => absent 3; card 3 TD => ; stand 3 => ; pay 3 $ => take 3",
        },
        Template {
            tag: "stood_short.absent",
            fits: |rules| rules.forced_hit_below > 0,
            options: "",
            plan: "3 $: TH 4C stand; dealer: 9S 8D",
            spoil: "stand 3 => absent 3 | card 3 2D",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let least = u16::from(table.rules.forced_hit_below);
    if least == 0 || table.repaired {
        return;
    }
    for (place, hand) in table.hands() {
        let Some(points) = hand.points().filter(|points| *points < least) else { continue };
        let exempt = hand.play.doubled
            || hand.play.end != crate::hand::End::Played
            || (hand.split_ace && !table.rules.hit_split_aces)
            || table.rules.max_cards.is_some_and(|most| hand.play.cards.len() >= usize::from(most));
        // A card that was asked for and did not come is a wrong of its own, unless the player then stood.
        let refused = hand.owed > 0 && !hand.stood;
        if exempt || hand.play.cards.len() < 2 || !(hand.stood || hand.left) || refused {
            continue;
        }
        let absent = place.box_no().is_some_and(|box_no| table.box_at(box_no).absent);
        let tags: &[&str] = match (absent, hand.play.split) {
            (true, _) => &["stood_short.absent", "stood_short"],
            (false, true) => &["stood_short", "stood_short.split"],
            (false, false) => &["stood_short"],
        };
        let tags = counted(tags, &hand.play.cards);
        let finding = Finding::at(
            place,
            &tags,
            format!("a hand below {least} takes a further card"),
            format!("the hand was left at {points}"),
        );
        report.raise_at(hand.passed_at.unwrap_or(table.last_play_at), finding);
    }
}

fn look_at_absent(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Some((place, hand)) = drawing(table, act) else { return };
    let least = u16::from(table.rules.forced_hit_below);
    let absent = place.box_no().is_some_and(|box_no| table.box_at(box_no).absent);
    let Some(points) = hand.points().filter(|points| (least..21).contains(points)) else { return };
    if !absent || least == 0 || hand.owed > 0 || hand.play.cards.len() < 2 || table.is_closed(place) {
        return;
    }
    report.raise_unless_mended(Finding::at(
        place,
        &["stood_short.absent"],
        format!("an absent player's hand takes no card from {least} on"),
        format!("a card was dealt to {points}"),
    ));
}
