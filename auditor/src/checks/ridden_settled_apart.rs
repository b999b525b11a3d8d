//! Chips that rode on a hand were settled otherwise than the hand.

use super::prelude::*;
use super::sides::{Ridden, ridden};

pub(super) static CHECK: Check = Check {
    name: "ridden_settled_apart",
    kind: FlagKind::WrongPayout,
    finds: "Chips of a side bet that rode on a hand did not win, lose or stand off with it, or were paid at other \
            odds.",
    matters: "Once they ride they are part of the wager; one side is short by the difference.",
    tags: &["ridden_settled_apart.house_money", "ridden_settled_apart.let_it_ride"],
    runs: &[Run::SideBet(look)],
    templates: &[
        every("ridden_settled_apart.house_money", "3 $ house_money $: 9H TH ride house_money 5$ stand; dealer: 9S 8D", "pay 3 house_money 5$ => push 3 house_money"),
        every("ridden_settled_apart.let_it_ride", "3 $ let_it_ride $: 9H TH ride let_it_ride 3$ stand; dealer: 9S 8D", "pay 3 let_it_ride 3$ => push 3 let_it_ride"),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    if let Some((finding, Ridden::Apart)) = ridden(table, judgement) {
        finding.raise(CHECK.name, report);
    }
}
