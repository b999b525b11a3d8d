//! Cards were exchanged that may not be.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "zapped_wrong_total",
    kind: FlagKind::DealerError,
    finds: "Two cards were exchanged that do not count what the game asks for, or after the hand had been acted on.",
    matters: "An exchange replaces a poor hand; given on the wrong hand it is worth a good part of the stake.",
    tags: &["zapped_wrong_total", "zapped_wrong_total.too_late"],
    runs: &[Run::Act(&[ActKind::Zap], look)],
    templates: &[
        Template {
            tag: "zapped_wrong_total",
            fits: |rules| rules.zap.any(),
            options: "",
            plan: "3 $: TH 4C stand; dealer: 9S 8D",
            spoil: "stand 3 => zap 3 | sideways 3 | discard TH | discard 4C | card 3 TD | card 3 9D | stand 3; \
                    take 3 => pay 3 $",
        },
        Template {
            tag: "zapped_wrong_total.too_late",
            fits: |rules| rules.zap.any(),
            options: "",
            plan: "3 $: TH 2C hit 4D stand; dealer: 9S 8D",
            spoil: "stand 3 => zap 3 | sideways 3 | discard TH | discard 2C | card 3 TD | card 3 9D | stand 3; \
                    take 3 => pay 3 $",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Zap(place) = act else { return };
    let Some(hand) = table.hand(*place) else { return };
    let acted = hand.play.cards.len() > 2 || hand.play.zapped || hand.play.doubled || hand.play.split || hand.acted;
    let Some(total) = hand.play.total() else { return };
    if acted {
        report.raise(Finding::at(
            *place,
            &["zapped_wrong_total.too_late"],
            "cards are exchanged before anything else is decided on them",
            format!("the cards were exchanged after another decision, at {total}"),
        ));
        return;
    }
    if !table.rules.zap.has(total.points) || (total.soft && !table.rules.zap_soft) {
        report.raise(Finding::at(
            *place,
            &["zapped_wrong_total"],
            format!("two cards that count {} are exchanged", table.rules.zap),
            format!("{total} was exchanged"),
        ));
    }
}
