//! A dealer's natural left a further stake to the player where all stakes lose.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "extra_stake_spared",
    kind: FlagKind::WrongPayout,
    finds: "The dealer had a natural, and the further stake of a doubled or split box was pushed or handed back although \
            the rules take every stake.",
    matters: "The house was owed the stake. Other rulebooks spare it, so the two are easily confused.",
    tags: &["extra_stake_spared.double", "extra_stake_spared.split", "extra_stake_spared"],
    runs: &[Run::Missettled(look)],
    templates: &[
        every("extra_stake_spared", "3 $: 5H 4C double TD; dealer: KS AD", "take 3 double => push 3 double"),
        every("extra_stake_spared.double", "3 $: 5H 4C double TD; dealer: KS AD", "take 3 double => return 3 double"),
        every(
            "extra_stake_spared.split",
            "3 $: 8H 8C split [TD stand] [9S stand]; dealer: KS AD",
            "take 3b => push 3b",
        ),
    ],
};

fn look(_: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let fate = &judgement.standing.fate;
    let kept = judgement.wrong == Wrong::LossLeft && (fate.pushed || fate.returned);
    if !kept || point(judgement) != Some(Point::DealerNatural) || is_free(judgement) {
        return;
    }
    let tag = match judgement.wager().kind {
        WagerKind::Double => "extra_stake_spared.double",
        WagerKind::Split => "extra_stake_spared.split",
        _ => return,
    };
    report.raise(settlement(judgement, &[tag, "extra_stake_spared"]));
}
