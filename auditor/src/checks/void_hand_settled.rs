//! A void hand was settled as if it had been played.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "void_hand_settled",
    kind: FlagKind::WrongPayout,
    finds: "A hand was declared void, and its stake was paid or taken all the same.",
    matters: "A void hand has no winner: every stake on it goes back to where it came from.",
    tags: &["void_hand_settled.round", "void_hand_settled"],
    runs: &[Run::Missettled(look)],
    templates: &[
        every(
            "void_hand_settled",
            "3 $: TH 6C stand; 5 $: TD 8C stand; dealer: 9S 8D",
            "stand 3 => reconstruct 5 | void 3",
        ),
        every(
            "void_hand_settled.round",
            "3 $: TH 6C stand; dealer: 9S 8D",
            "card dealer 8D => card dealer 8D | void round",
        ),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    if judgement.wrong != Wrong::VoidSettled || !is_hand_stake(judgement.wager()) {
        return;
    }
    let tags: &[&str] = &["void_hand_settled.round", "void_hand_settled"];
    report.raise(settlement(judgement, if table.void { tags } else { &tags[1..] }));
}
