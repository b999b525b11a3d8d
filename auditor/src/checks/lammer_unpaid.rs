//! A free bet won and was not paid what the original stake is worth.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "lammer_unpaid",
    kind: FlagKind::WrongPayout,
    finds: "A hand with a free bet on it won, and the lammer was not paid the amount of the original wager.",
    matters: "The lammer is the player's win; unpaid it is money kept from him.",
    tags: &["lammer_unpaid.double", "lammer_unpaid.split", "lammer_unpaid"],
    runs: &[Run::Missettled(look)],
    templates: &[
        every("lammer_unpaid", "3 $: 5H 4C double TD; dealer: 9S 8D", "pay 3 double $ => take 3 double"),
        every("lammer_unpaid.double", "3 $: 5H 4C double TD; dealer: 9S 8D", "pay 3 double $ => pay 3 double $/2"),
        every("lammer_unpaid.split", "3 $: 8H 8C split [TD stand] [TS stand]; dealer: 9S 8D", "pay 3b $ => push 3b"),
    ],
};

fn look(_: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let unpaid = matches!(
        judgement.wrong,
        Wrong::WinLeft | Wrong::WinPushed | Wrong::WinTaken | Wrong::WinPaidWrong
    );
    if !unpaid || !is_free(judgement) {
        return;
    }
    let tags: &[&str] = match judgement.wager().kind {
        WagerKind::Double => &["lammer_unpaid.double", "lammer_unpaid"],
        _ => &["lammer_unpaid.split", "lammer_unpaid"],
    };
    report.raise(settlement(judgement, tags));
}
