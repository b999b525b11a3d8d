//! A dealer's natural took more than the original stake.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "extra_stake_taken",
    kind: FlagKind::WrongPayout,
    finds: "The dealer had a natural, and the further stake of a doubled or split box was taken with the original.",
    matters: "Players raised without knowing of the natural; the rules give them the further stake back.",
    tags: &["extra_stake_taken.double", "extra_stake_taken.split"],
    runs: &[Run::Missettled(look)],
    templates: &[
        every(
            "extra_stake_taken.double",
            "3 $: 5H 3C double TD; dealer: KS AD",
            "push 3 double => take 3 double",
        ),
        every(
            "extra_stake_taken.split",
            "3 $: TH TC split [8D stand] [7S stand]; dealer: KS AD",
            "push 3b => take 3b",
        ),
    ],
};

fn look(_: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    if judgement.wrong != Wrong::PushTaken || !judgement.spared || is_free(judgement) {
        return;
    }
    let tag = match judgement.wager().kind {
        WagerKind::Double => "extra_stake_taken.double",
        WagerKind::Split => "extra_stake_taken.split",
        _ => return,
    };
    report.raise(settlement(judgement, &[tag]));
}
