//! A dealer's natural took chips that rode on a hand.

use super::prelude::*;
use super::sides::{Ridden, ridden};

pub(super) static CHECK: Check = Check {
    name: "ridden_taken_on_dealer_natural",
    kind: FlagKind::WrongPayout,
    finds: "The dealer had a natural, and chips of a side bet that rode on a hand were taken with it.",
    matters: "Against a natural ridden chips stand off; the player is owed them.",
    tags: &["ridden_taken_on_dealer_natural.house_money", "ridden_taken_on_dealer_natural.let_it_ride"],
    runs: &[Run::SideBet(look)],
    templates: &[
        every("ridden_taken_on_dealer_natural.house_money", "3 $ house_money $: 9H TH ride house_money 5$ stand; dealer: KS AD", "push 3 house_money => take 3 house_money 5$"),
        every("ridden_taken_on_dealer_natural.let_it_ride", "3 $ let_it_ride $: 9H TH ride let_it_ride 3$ stand; dealer: KS AD", "push 3 let_it_ride => take 3 let_it_ride 3$"),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    if let Some((finding, Ridden::TakenOnNatural)) = ridden(table, judgement) {
        finding.raise(CHECK.name, report);
    }
}
