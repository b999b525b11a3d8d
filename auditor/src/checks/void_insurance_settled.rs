//! The insurance of a void hand was settled.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "void_insurance_settled",
    kind: FlagKind::WrongPayout,
    finds: "A hand was declared void, and its insurance was paid or taken all the same.",
    matters: "Insurance falls with the hand it stands on and goes back to the player.",
    tags: &["void_insurance_settled"],
    runs: &[Run::Missettled(look)],
    templates: &[every(
        "void_insurance_settled",
        "3 $: TH 8C insure $/2 stand; 5 $: TD 8C stand; dealer: AS 7D",
        "stand 3 => void 3 | return 3; push 3 =>",
    )],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let wager = judgement.wager();
    let void = table.hand(wager.place()).is_some_and(|hand| hand.play.end == crate::hand::End::Void);
    if judgement.wrong == Wrong::VoidSettled && wager.kind == WagerKind::Insurance && void {
        report.raise(settlement(judgement, &["void_insurance_settled"]));
    }
}
