//! A Madness 21 prize was paid that the display did not show.

use super::prelude::*;
use super::sides::{Fault, fault, is_prize, prize_paid};

pub(super) static CHECK: Check = Check {
    name: "madness_display_differs",
    kind: FlagKind::WrongPayout,
    finds: "A Madness 21 winner was paid another prize than the display showed, or the display showed none.",
    matters: "The display is the only proof of what the button gave.",
    tags: &["madness_display_differs.unread", "madness_display_differs"],
    runs: &[Run::SideBet(look)],
    templates: &[
        every("madness_display_differs", "prize 3 24; 3 $ madness21 $: AH KC; dealer: 9S 8D", "pay 3 madness21 24$ => pay 3 madness21 25$"),
        every("madness_display_differs.unread", "prize 3 24; 3 $ madness21 $: AH KC; dealer: 9S 8D", "prize 3 madness21 24 =>"),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    if let Some((_, Fault::OtherPrize)) = fault(table, judgement, report) {
        report.raise(settlement(judgement, &[CHECK.name]));
        return;
    }
    let standing = judgement.standing;
    let unread = judgement.wager().kind == WagerKind::Side(SideBet::Madness21)
        && judgement.tier.is_some()
        && judgement.due.is_none();
    let Some(paid) = standing.fate.paid.filter(|_| unread && prize_paid(standing).is_some_and(is_prize)) else {
        return;
    };
    report.raise(Finding::at(
        standing.wager.place(),
        &["madness_display_differs.unread"],
        "the display shows the prize before it is paid",
        format!("{paid} was paid and no prize was shown"),
    ));
}
