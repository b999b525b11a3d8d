//! A natural was paid later than the rules ask.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "natural_paid_late",
    kind: FlagKind::DealerError,
    finds: "A natural that nothing could beat was left unpaid while play went on past it, or, where the rules want it \
            paid first, while further cards were dealt.",
    matters: "A finished hand left on the table can be played on, miscounted or forgotten.",
    tags: &["natural_paid_late", "natural_paid_late.further_card"],
    runs: &[Run::Ends(look)],
    templates: &[
        Template {
            tag: "natural_paid_late",
            fits: PAYS_3_TO_2,
            options: "",
            plan: "3 $: AH KC; 5 $: TH 6C hit 3D stand; dealer: 9S 8D",
            spoil: "pay 3 3$/2 => ; collect 3 => ; card dealer 8D => card dealer 8D | pay 3 3$/2 | collect 3",
        },
        Template {
            tag: "natural_paid_late",
            fits: |rules| !PAYS_3_TO_2(rules),
            options: "",
            plan: "3 $: AH KC; 5 $: TH 6C hit 3D stand; dealer: 9S 8D",
            spoil: "pay 3 6$/5 => ; collect 3 => ; card dealer 8D => card dealer 8D | pay 3 6$/5 | collect 3",
        },
        Template {
            tag: "natural_paid_late.further_card",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 6C hit 3D stand; 5 $: AH KC; dealer: 9S 8D",
            spoil: "pay 5 3$/2 => ; collect 5 => ; stand 3 => stand 3 | pay 5 3$/2 | collect 5",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    if table.natural_waits() || table.dealer_hand().up().is_none_or(|up| !up.is_known()) {
        return;
    }
    for (place, hand) in table.hands().filter(|(_, hand)| hand.play.is_natural()) {
        let paid = table.stakes_on(place).filter(|standing| standing.fate.paid.is_some() && standing.even_money.is_none());
        let Some(paid_at) = paid.filter_map(|standing| standing.fate.at).max() else { continue };
        let before = |step: Option<usize>| step.filter(|step| *step < paid_at);
        let (step, tags, observed): (_, &[&str], _) = if let Some(passed) = before(hand.passed_at) {
            let tags: &[&str] = &["natural_paid_late", "natural_paid_late.further_card"];
            (passed, tags, "the natural was paid after play had gone on past it")
        } else if let Some(drawn) = before(table.first_draw_at).filter(|_| report.cites("natural_paid_late.further_card")) {
            (drawn, &["natural_paid_late.further_card"], "the natural was paid after further cards had been dealt")
        } else {
            continue;
        };
        report.raise_at(step, Finding::at(place, tags, "a natural that cannot be beaten is paid first", observed));
    }
}
