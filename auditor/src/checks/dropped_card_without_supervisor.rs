//! A card fell to the floor and nobody was called.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "dropped_card_without_supervisor",
    kind: FlagKind::Irregularity,
    finds: "A card fell to the floor and play went on without the floor manager.",
    matters: "A card off the table is out of sight; somebody has to see that the same one comes back.",
    tags: &["dropped_card_without_supervisor"],
    runs: &[Run::Ends(look)],
    templates: &[
        Template {
            tag: "dropped_card_without_supervisor",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 4C hit 5D stand; dealer: 9S 8D",
            spoil: "card 3 5D => dropped 5D | accept 3 | card 3 5D",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    if table.loosed.dropped && !table.supervisor {
        report.raise(Finding::on_table(
            &["dropped_card_without_supervisor"],
            "the floor manager is called when a card falls to the floor",
            "a card fell and nobody was called",
        ));
    }
}
