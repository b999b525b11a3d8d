//! Insurance that had won was not paid.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "insurance_won_but_unpaid",
    kind: FlagKind::WrongPayout,
    finds: "The dealer had a natural, and insurance was taken, pushed or left.",
    matters: "The player insured against exactly this and is owed 2:1.",
    tags: &["insurance_won_but_unpaid"],
    runs: &[Run::Missettled(look)],
    templates: &[every(
        "insurance_won_but_unpaid",
        "3 $: TH 8C insure $/2 stand; dealer: AS KD",
        "pay 3 insurance $ => take 3 insurance",
    )],
};

fn look(_: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let refused = matches!(judgement.wrong, Wrong::WinTaken | Wrong::WinPushed | Wrong::WinLeft);
    if refused && judgement.wager().kind == WagerKind::Insurance {
        report.raise(settlement(judgement, &["insurance_won_but_unpaid"]));
    }
}
