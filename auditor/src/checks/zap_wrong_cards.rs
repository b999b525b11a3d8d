//! An exchange took or gave another number of cards than two.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "zap_wrong_cards",
    kind: FlagKind::DealerError,
    finds: "In an exchange the two cards of the hand did not both go to the rack, or not exactly two new ones came.",
    matters: "The exchange gives two cards for two; keeping one or drawing three makes a hand the game does not know.",
    tags: &["zap_wrong_cards.removed", "zap_wrong_cards.replaced"],
    runs: &[Run::Act(&[ActKind::DrawnCard], look), Run::Ends(look_for_few)],
    templates: &[
        Template {
            tag: "zap_wrong_cards.removed",
            fits: |rules| rules.zap.any(),
            options: "",
            plan: "3 $: TH 6C zap TD 9D stand; dealer: 9S 8D",
            spoil: "discard 6C =>",
        },
        Template {
            tag: "zap_wrong_cards.replaced",
            fits: |rules| rules.zap.any(),
            options: "",
            plan: "3 $: TH 6C zap TD 5D stand; dealer: 9S 8D",
            spoil: "card 3 5D => card 3 5D | card 3 3D; take 3 => pay 3 $",
        },
        Template {
            tag: "zap_wrong_cards.replaced",
            fits: |rules| rules.zap.any(),
            options: "",
            plan: "3 $: TH 6C zap TD 5D stand; dealer: 9S 8D",
            spoil: "card 3 5D =>",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Card { to, .. } = act else { return };
    let Some((zap, hand)) = to.box_no().and_then(|box_no| table.box_at(box_no).zap).zip(table.hand(*to)) else {
        return;
    };
    // That no card was seen going to the rack says nothing: one of two says that the other stayed.
    if zap.came == 0 && !matches!(zap.removed, 0 | 2) {
        report.raise(Finding::at(
            *to,
            &["zap_wrong_cards.removed"],
            "both cards of an exchanged hand go to the rack",
            format!("{} went to the rack", several(zap.removed, "card")),
        ));
    }
    if zap.came == 2 && !hand.acted && !hand.play.split && !table.is_closed(*to) {
        report.raise_unless_mended(Finding::at(
            *to,
            &["zap_wrong_cards.replaced"],
            "two cards replace an exchanged hand",
            "a third card came",
        ));
    }
}

fn look_for_few(table: &Table<'_>, report: &mut Report<'_>) {
    if table.repaired {
        return;
    }
    for box_no in table.dealt_boxes().iter() {
        let state = table.box_at(box_no);
        let Some(zap) = state.zap.filter(|zap| zap.came < 2) else { continue };
        if state.hands.first().is_some_and(|hand| hand.left || hand.stood) {
            report.raise(Finding::at(
                Place::Box(box_no, table::Hand::A),
                &["zap_wrong_cards.replaced"],
                "two cards replace an exchanged hand",
                format!("{} came", several(zap.came, "card")),
            ));
        }
    }
}
