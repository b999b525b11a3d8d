//! A hand was given more cards than the game allows.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "too_many_cards",
    kind: FlagKind::DealerError,
    finds: "A hand that had as many cards as the game gives was dealt another.",
    matters: "The hand had won with its last card; a further one can only turn a winner into a loser.",
    tags: &["too_many_cards"],
    runs: &[Run::Act(&[ActKind::DrawnCard], look)],
    templates: &[
        Template {
            tag: "too_many_cards",
            fits: |rules| rules.max_cards == Some(5),
            options: "",
            plan: "3 $: 2H 3C hit 4D 2S 3D; 5 $: TD 9C stand; dealer: 9S 8D",
            spoil: "card 3 3D => card 3 3D | hit 3 | card 3 4C",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Some((place, hand)) = drawing(table, act) else { return };
    let Some(most) = table.rules.max_cards else { return };
    if hand.play.cards.len() >= usize::from(most) && !hand.play.doubled {
        report.raise_unless_mended(Finding::at(
            place,
            &["too_many_cards"],
            format!("a hand of {most} cards takes no more"),
            format!("the hand was given card {}", hand.play.cards.len() + 1),
        ));
    }
}
