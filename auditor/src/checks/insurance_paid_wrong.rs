//! Winning insurance was paid at other odds than the rules give.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "insurance_paid_wrong",
    kind: FlagKind::WrongPayout,
    finds: "The dealer had a natural, and insurance was paid more or less than 2:1.",
    matters: "Either the house or the player is short by the difference.",
    tags: &["insurance_paid_wrong.odds", "insurance_paid_wrong"],
    runs: &[Run::Missettled(look)],
    templates: &[
        every("insurance_paid_wrong", INSURED, "pay 3 insurance $ => pay 3 insurance $/2"),
        every("insurance_paid_wrong.odds", INSURED, "pay 3 insurance $ => pay 3 insurance 3$/2"),
    ],
};

const INSURED: &str = "3 $: TH 8C insure $/2 stand; dealer: AS KD";

fn look(_: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    if judgement.wrong == Wrong::WinPaidWrong && judgement.wager().kind == WagerKind::Insurance {
        report.raise(settlement(judgement, &["insurance_paid_wrong.odds", "insurance_paid_wrong"]));
    }
}
