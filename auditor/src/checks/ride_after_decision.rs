//! A won side bet was let ride after the player had acted on the hand.

use super::prelude::*;
use super::sides::tags;

pub(super) static CHECK: Check = Check {
    name: "ride_after_decision",
    kind: FlagKind::Irregularity,
    finds: "Chips of a won side bet were put on the hand after a decision had been made on it.",
    matters: "A player who has seen a further card raises with knowledge; the win should have been handed over.",
    tags: &["ride_after_decision.house_money", "ride_after_decision.let_it_ride"],
    runs: &[Run::Act(&[ActKind::Ride], look)],
    templates: &[
        every("ride_after_decision.house_money", "3 $ house_money $: 9H TH ride house_money 5$ stand; dealer: 9S 8D", "ride 3 house_money 5$ => ; stand 3 => stand 3 | ride 3 house_money 5$"),
        every("ride_after_decision.let_it_ride", "3 $ let_it_ride $: 9H TH ride let_it_ride 3$ stand; dealer: 9S 8D", "ride 3 let_it_ride 3$ => ; stand 3 => stand 3 | ride 3 let_it_ride 3$"),
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Ride(wager, amount) = act else { return };
    let WagerKind::Side(bet) = wager.kind else { return };
    if !table.hand(wager.place()).is_some_and(|hand| hand.acted) {
        return;
    }
    let [own, _] = tags(CHECK.name, bet, None);
    report.raise(Finding::at(
        wager.place(),
        &[&own],
        "what rides is chosen before the hand is played",
        format!("{amount} was let ride after a decision"),
    ));
}
