//! Cards to be exchanged were not turned sideways first.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "zap_not_sideways",
    kind: FlagKind::DealerError,
    finds: "A hand was exchanged without its cards being turned sideways for the camera before they went.",
    matters: "The turn is the only sign on the recording that the player asked for the exchange.",
    tags: &["zap_not_sideways"],
    runs: &[Run::Act(&[ActKind::DrawnCard], look)],
    templates: &[
        Template {
            tag: "zap_not_sideways",
            fits: |rules| rules.zap.any(),
            options: "",
            plan: "3 $: TH 6C zap TD 9D stand; dealer: 9S 8D",
            spoil: "sideways 3 =>",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Card { to, .. } = act else { return };
    let first = to.box_no().and_then(|box_no| table.box_at(box_no).zap).is_some_and(|zap| zap.came == 0);
    if first && table.hand(*to).is_some_and(|hand| !hand.turned_sideways) {
        report.raise(Finding::at(
            *to,
            &["zap_not_sideways"],
            "cards are turned sideways before they are exchanged",
            "the cards were exchanged without being turned",
        ));
    }
}
