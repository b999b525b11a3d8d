//! A split ace was given more than one card.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "split_ace_extra_card",
    kind: FlagKind::DealerError,
    finds: "A split ace was given more than one card.",
    matters: "The rules give a split ace one card and no more.",
    tags: &["split_ace_extra_card"],
    runs: &[Run::Act(&[ActKind::DrawnCard], look)],
    templates: &[
        Template {
            tag: "split_ace_extra_card",
            fits: |rules| !rules.hit_split_aces && !rules.hole_card,
            options: "",
            plan: "3 $: AH AC split [3D] [9C]; dealer: 9S 8D",
            spoil: "card dealer 8D => hit 3b | card 3b TD | card dealer 8D",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Some((place, hand)) = drawing(table, act) else { return };
    // Where aces are not doubled, the double was the wrong.
    let doubled = hand.play.doubled && !table.rules.double_aces;
    if table.rules.hit_split_aces || !hand.split_ace || hand.play.cards.len() < 2 || doubled {
        return;
    }
    report.raise_unless_mended(Finding::at(
        place,
        &["split_ace_extra_card"],
        "a split ace takes one card",
        format!("the split ace was given card {}", hand.play.cards.len()),
    ));
}
