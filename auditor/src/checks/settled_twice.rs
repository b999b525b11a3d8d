//! A wager was settled more than once.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "settled_twice",
    kind: FlagKind::WrongPayout,
    finds: "A wager that had been settled was paid or taken a second time, so that the sum is wrong.",
    matters: "A second payment is lost to the house, a second collection to the player.",
    tags: &["settled_twice"],
    runs: &[Run::Missettled(look)],
    templates: &[every("settled_twice", "3 $: TH 9C stand; dealer: 9S 8D", "pay 3 $ => pay 3 $ | pay 3 $")],
};

fn look(_: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    // An ante that is taken and given back again is found as one given back.
    if judgement.wrong == Wrong::Twice && judgement.wager().kind != WagerKind::Ante {
        report.raise(settlement(judgement, &["settled_twice"]));
    }
}
