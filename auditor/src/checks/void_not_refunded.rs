//! A stake on a void hand was not handed back.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "void_not_refunded",
    kind: FlagKind::WrongPayout,
    finds: "A hand was declared void, and a stake on it was still on the layout when the round ended.",
    matters: "Chips that stay down look like a wager for the next round; the rules give them back.",
    tags: &["void_not_refunded"],
    runs: &[Run::Missettled(look)],
    templates: &[every(
        "void_not_refunded",
        "3 $: TH 6C stand; 5 $: TD 8C stand; dealer: 9S 8D",
        "stand 3 => void 3; take 3 =>",
    )],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let place = judgement.wager().place();
    let void = table.hand(place).is_some_and(|hand| hand.play.end == crate::hand::End::Void);
    if judgement.wrong == Wrong::VoidLeft && void {
        report.raise(settlement(judgement, &["void_not_refunded"]));
    }
}
