//! Insurance that had lost was paid or given back.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "insurance_lost_but_paid",
    kind: FlagKind::WrongPayout,
    finds: "The dealer had no natural, and insurance was paid, handed back or taken only in part.",
    matters: "The house was owed the insurance.",
    tags: &["insurance_lost_but_paid"],
    runs: &[Run::Missettled(look)],
    templates: &[every(
        "insurance_lost_but_paid",
        "3 $: TH 8C insure $/2 stand; dealer: AS 7D",
        "take 3 insurance => pay 3 insurance $",
    )],
};

fn look(_: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let fate = &judgement.standing.fate;
    let kept = match judgement.wrong {
        Wrong::LossPaid | Wrong::LossTakenWrong => true,
        Wrong::LossLeft => fate.pushed || fate.returned,
        _ => false,
    };
    if kept && judgement.wager().kind == WagerKind::Insurance {
        report.raise(settlement(judgement, &["insurance_lost_but_paid"]));
    }
}
