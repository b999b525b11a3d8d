//! Chips that had been taken down were settled with the hand.

use super::prelude::*;
use super::sides::{Fault, Ridden, fault, ridden, tags};

pub(super) static CHECK: Check = Check {
    name: "taken_chips_still_played",
    kind: FlagKind::WrongPayout,
    finds: "The player took a side bet and its winnings down, and they were paid or taken with the hand all the same.",
    matters: "What is taken down is out of play; settling it is settling a wager nobody made.",
    tags: &["taken_chips_still_played.house_money", "taken_chips_still_played.let_it_ride"],
    runs: &[Run::SideBet(look)],
    templates: &[
        every("taken_chips_still_played.house_money", "3 $ house_money $: 9H TH stand; dealer: 9S 8D", "pay 3 $ => pay 3 $ | pay 3 house_money 5$"),
        every("taken_chips_still_played.let_it_ride", "3 $ let_it_ride $: 9H TH stand; dealer: 9S 8D", "pay 3 $ => pay 3 $ | pay 3 let_it_ride 3$"),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    if let Some((bet, Fault::StillPlayed)) = fault(table, judgement, report) {
        let [own, _] = tags(CHECK.name, bet, None);
        report.raise(settlement(judgement, &[&own]));
    } else if let Some((finding, Ridden::StillPlayed)) = ridden(table, judgement) {
        finding.raise(CHECK.name, report);
    }
}
