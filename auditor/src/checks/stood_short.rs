//! A player was allowed to stand below the least total.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "stood_short",
    kind: FlagKind::DealerError,
    finds: "A hand below the total at which standing is allowed was left without a further card.",
    matters: "The rule takes the choice away from the player; leaving it out changes every card that follows.",
    tags: &["stood_short", "stood_short.absent"],
    runs: &[Run::HandDone(look)],
    templates: &[
        Template {
            tag: "stood_short",
            fits: |rules| rules.forced_hit_below > 0,
            options: "",
            plan: "3 $: 5H 4C hit TD stand; dealer: 9S 8D",
            spoil: "hit 3 => ; card 3 TD => ; pay 3 $ => take 3",
        },
    ],
};

fn look(table: &Table<'_>, place: Place, report: &mut Report<'_>) {
    let Some(hand) = table.hand(place) else { return };
    let least = u16::from(table.rules.forced_hit_below);
    let Some(points) = hand.points() else { return };
    let exempt = hand.play.doubled
        || hand.collected
        || hand.play.end != crate::hand::End::Played
        || (hand.split_ace && !table.rules.hit_split_aces);
    if points >= least || exempt || hand.play.cards.len() < 2 {
        return;
    }
    let absent = place.box_no().is_some_and(|box_no| table.box_at(box_no).absent);
    let tags: &[&str] = if absent { &["stood_short.absent", "stood_short"] } else { &["stood_short"] };
    let tags = counted(tags, &hand.play.cards);
    report.raise(Finding::at(
        place,
        &tags,
        format!("a hand below {least} takes a further card"),
        format!("the hand was left at {points}"),
    ));
}
