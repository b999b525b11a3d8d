//! The card of a split ace was not put across it.

use table::Turn;

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "split_ace_not_sideways",
    kind: FlagKind::DealerError,
    finds: "The card dealt to a split ace lay upright where the rules want it sideways.",
    matters: "The sideways card tells everybody, the camera included, that the ace takes no more.",
    tags: &["split_ace_not_sideways"],
    runs: &[Run::Act(&[ActKind::DrawnCard], look)],
    templates: &[
        Template {
            tag: "split_ace_not_sideways",
            fits: |rules| rules.split_ace_sideways,
            options: "",
            plan: "3 $: AH AC split [3D] [9C]; dealer: 9S 8D",
            spoil: "card 3 3D sideways => card 3 3D",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Card { turn: Turn::Upright, .. } = act else { return };
    let Some((place, hand)) = drawing(table, act) else { return };
    if table.rules.split_ace_sideways && hand.split_ace && hand.play.cards.len() == 1 {
        report.raise(Finding::at(
            place,
            &["split_ace_not_sideways"],
            "the card of a split ace lies sideways",
            "the card of the split ace lay upright",
        ));
    }
}
