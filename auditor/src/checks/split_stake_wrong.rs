//! The stake on a split hand is not the one the rules ask for.

use table::round::Stake;

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "split_stake_wrong",
    kind: FlagKind::DealerError,
    finds: "A hand was split for another stake than the one on the hand it came from, or for none.",
    matters: "Both hands of a split play for the same; another amount lets the player choose which hand to back.",
    tags: &[
        "split_stake_wrong",
        "split_stake_wrong.missing",
        "split_stake_wrong.ridden.house_money",
        "split_stake_wrong.ridden.let_it_ride",
    ],
    runs: &[Run::Act(&[ActKind::Split], look)],
    templates: &[
        Template {
            tag: "split_stake_wrong",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH TC split [9D stand] [8C stand]; dealer: 9S 8D",
            spoil: "split 3 => split 3 $/2; pay 3b $ => pay 3b $/2",
        },
        Template {
            tag: "split_stake_wrong.missing",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH TC split [9D stand] [8C stand]; dealer: 9S 8D",
            spoil: "split 3 => split 3 0; pay 3b $ =>",
        },
        Template {
            tag: "split_stake_wrong.ridden.house_money",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $ house_money $: TH TC ride house_money 2$ split [9D stand] [8C stand]; dealer: 9S 8D",
            spoil: "split 3 3$ => split 3 $; pay 3b 3$ => pay 3b $",
        },
        Template {
            tag: "split_stake_wrong.ridden.let_it_ride",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $ let_it_ride $: TH KH ride let_it_ride 2$ split [9D stand] [8C stand]; dealer: 9S 8D",
            spoil: "split 3 3$ => split 3 $; pay 3b 3$ => pay 3b $",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Split(wager, stake) = act else { return };
    let Some(own) = table.wagers.stake_of(*wager) else { return };
    let amount = match stake {
        Stake::Full => return,
        Stake::Free if table.rules.free_split => return,
        Stake::Free => Money::ZERO,
        Stake::Chips(amount) => *amount,
    };
    let riding = riding(table, *wager);
    let ridden = riding.map_or(Money::ZERO, |(_, ridden)| ridden);
    let Some(full) = own.stake.plus(own.cap).and_then(|full| full.plus(ridden)) else { return };
    if amount == full || (ridden == Money::ZERO && amount == own.stake) {
        return;
    }
    let tags: &[&str] = match riding {
        _ if amount == Money::ZERO => &["split_stake_wrong.missing", "split_stake_wrong"],
        Some((SideBet::HouseMoney, _)) => &["split_stake_wrong.ridden.house_money", "split_stake_wrong"],
        Some((SideBet::LetItRide, _)) => &["split_stake_wrong.ridden.let_it_ride", "split_stake_wrong"],
        _ => &["split_stake_wrong"],
    };
    report.raise(Finding::at(
        wager.place(),
        tags,
        format!("a hand that plays for {full} is split for as much"),
        format!("{amount} was put down for the split"),
    ));
}
