//! Insurance was settled although its hand had taken even money.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "insurance_settled_after_even_money",
    kind: FlagKind::WrongPayout,
    finds: "A bettor took even money, and the insurance on the hand was paid, taken or left instead of being handed \
            back.",
    matters: "Even money settles the hand and voids the insurance on it; keeping both pays or charges it twice.",
    tags: &["insurance_settled_after_even_money"],
    runs: &[Run::Missettled(look)],
    templates: &[every(
        "insurance_settled_after_even_money",
        "3 $: AH KC insure $/2 even-money; 5 $: TD 8C stand; dealer: AS 8D",
        "return 3 insurance => take 3 insurance",
    )],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let wager = judgement.wager();
    let void = table.hand(wager.place()).is_none_or(|hand| hand.play.end == crate::hand::End::Void);
    let wrong = matches!(judgement.wrong, Wrong::VoidSettled | Wrong::VoidLeft);
    if wrong && wager.kind == WagerKind::Insurance && !void {
        report.raise(settlement(judgement, &["insurance_settled_after_even_money"]));
    }
}
