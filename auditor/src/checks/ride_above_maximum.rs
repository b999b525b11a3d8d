//! More was let ride than the table maximum leaves room for.

use super::prelude::*;
use super::sides::tags;

pub(super) static CHECK: Check = Check {
    name: "ride_above_maximum",
    kind: FlagKind::Irregularity,
    finds: "Chips of a won side bet were put on the hand so that they and the main wager together were above the maximum.",
    matters: "The maximum bounds what rides on one hand, whatever the chips came from.",
    tags: &["ride_above_maximum.house_money", "ride_above_maximum.let_it_ride"],
    runs: &[Run::Act(&[ActKind::Ride], look)],
    templates: &[
        every("ride_above_maximum.house_money", "3 470 house_money $: 9H TH ride house_money 3$ stand; dealer: 9S 8D", "ride 3 house_money 3$ => ride 3 house_money 5$; pay 3 house_money 3$ => pay 3 house_money 5$"),
        every("ride_above_maximum.let_it_ride", "3 480 let_it_ride $: 9H TH ride let_it_ride 2$ stand; dealer: 9S 8D", "ride 3 let_it_ride 2$ => ride 3 let_it_ride 3$; pay 3 let_it_ride 2$ => pay 3 let_it_ride 2$; pay 3 let_it_ride 2$ => pay 3 let_it_ride 3$"),
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Ride(wager, amount) = act else { return };
    let WagerKind::Side(bet) = wager.kind else { return };
    let (Some(main), Some(most)) = (table.wagers.main_of(*wager), table.table_max(wager.box_no)) else { return };
    let Some(both) = main.stake.plus(*amount).filter(|both| *both > most) else { return };
    let [own, _] = tags(CHECK.name, bet, None);
    report.raise(Finding::at(
        wager.place(),
        &[&own],
        format!("no more than {most} stands on the hand"),
        format!("{amount} was let ride on {}, {both} in all", main.stake),
    ));
}
