//! An ace and a ten from an exchange were left to look like a natural.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "zapped_21_not_turned",
    kind: FlagKind::DealerError,
    finds: "An exchange brought an ace and a ten-value card, and the second was not turned sideways.",
    matters: "The turned card keeps the hand from being paid as the natural it is not.",
    tags: &["zapped_21_not_turned"],
    runs: &[Run::Ends(look)],
    templates: &[
        Template {
            tag: "zapped_21_not_turned",
            fits: |rules| rules.zap.any(),
            options: "",
            plan: "3 $: TH 6C zap AD KS stand; dealer: 9S 8D",
            spoil: "card 3 KS sideways => card 3 KS",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    for box_no in table.dealt_boxes().iter() {
        let state = table.box_at(box_no);
        let Some(zap) = state.zap.filter(|zap| zap.came == 2 && !zap.turned) else { continue };
        if crate::hand::is_ace_and_ten(&zap.new) {
            report.raise(Finding::at(
                Place::Box(box_no, table::Hand::A),
                &["zapped_21_not_turned"],
                "the second card of an exchanged ace and ten lies sideways",
                "the second card lay upright",
            ));
        }
    }
}
