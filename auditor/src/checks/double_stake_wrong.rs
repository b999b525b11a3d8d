//! The further stake of a double is not what the rules ask for.

use table::round::Stake;

use super::prelude::*;
use crate::rules::DoubleStake;

pub(super) static CHECK: Check = Check {
    name: "double_stake_wrong",
    kind: FlagKind::DealerError,
    finds: "A hand was doubled for more or less than the rules allow, or for nothing.",
    matters: "The rules fix the price of a double; another amount is another bet.",
    tags: &[
        "double_stake_wrong",
        "double_stake_wrong.over",
        "double_stake_wrong.under",
        "double_stake_wrong.missing",
        "double_stake_wrong.missing.le11",
        "double_stake_wrong.missing.ge12",
        "double_stake_wrong.ridden.house_money",
        "double_stake_wrong.ridden.let_it_ride",
    ],
    runs: &[Run::Act(&[ActKind::Double], look)],
    templates: &[
        Template {
            tag: "double_stake_wrong",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: 7H 5C double 8D; dealer: 9S 8H",
            spoil: "double 3 => double 3 2$; pay 3 double $ => pay 3 double 2$",
        },
        Template {
            tag: "double_stake_wrong.over",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: 7H 5C double 8D; dealer: 9S 8H",
            spoil: "double 3 => double 3 2$; pay 3 double $ => pay 3 double 2$",
        },
        Template {
            tag: "double_stake_wrong.under",
            fits: |rules| rules.double_stake == DoubleStake::Equal,
            options: "",
            plan: "3 $: 7H 5C double 8D; dealer: 9S 8H",
            spoil: "double 3 => double 3 $/2; pay 3 double $ => pay 3 double $/2",
        },
        Template {
            tag: "double_stake_wrong.under",
            fits: |rules| rules.double_stake == DoubleStake::IncrementToEqual,
            options: "",
            plan: "3 $: 7H 5C double 8D; dealer: 9S 8H",
            spoil: "double 3 => double 3 0.05; pay 3 double $ => pay 3 double 0.05",
        },
        Template {
            tag: "double_stake_wrong.missing",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: 7H 5C double 8D; dealer: 9S 8H",
            spoil: "double 3 => double 3 0; pay 3 double $ =>",
        },
        Template {
            tag: "double_stake_wrong.missing.ge12",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: 7H 5C double 8D; dealer: 9S 8H",
            spoil: "double 3 => double 3 0; pay 3 double $ =>",
        },
        Template {
            tag: "double_stake_wrong.missing.le11",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: 5H 4C double TD; dealer: 9S 8H",
            spoil: "double 3 => double 3 0; pay 3 double $ =>",
        },
        Template {
            tag: "double_stake_wrong.ridden.house_money",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $ house_money $: 7H 6C ride house_money 2$ double 8D; dealer: 9S 8H",
            spoil: "double 3 3$ => double 3 4$; pay 3 double 3$ => pay 3 double 4$",
        },
        Template {
            tag: "double_stake_wrong.ridden.let_it_ride",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $ let_it_ride $: 7H 6C ride let_it_ride 2$ double 8D; dealer: 9S 8H",
            spoil: "double 3 3$ => double 3 4$; pay 3 double 3$ => pay 3 double 4$",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Double(wager, stake) = act else { return };
    let Some(own) = table.wagers.stake_of(*wager) else { return };
    let free_game = table.rules.free_double.any();
    let amount = match stake {
        Stake::Full => return,
        Stake::Free if free_game => return,
        Stake::Free => Money::ZERO,
        Stake::Chips(amount) => *amount,
    };
    let riding = riding(table, *wager);
    let ridden = riding.map_or(Money::ZERO, |(_, ridden)| ridden);
    let Some(full) = own.stake.plus(own.cap).and_then(|full| full.plus(ridden)) else { return };
    let tags: &[&str] = if amount == Money::ZERO {
        match table.hand(wager.place()).and_then(HandState::points) {
            Some(..=11) => &["double_stake_wrong.missing.le11", "double_stake_wrong.missing", "double_stake_wrong"],
            Some(_) => &["double_stake_wrong.missing.ge12", "double_stake_wrong.missing", "double_stake_wrong"],
            None => &["double_stake_wrong.missing", "double_stake_wrong"],
        }
    } else if amount > full {
        match riding {
            Some((SideBet::HouseMoney, _)) => {
                &["double_stake_wrong.ridden.house_money", "double_stake_wrong.over", "double_stake_wrong"]
            }
            Some((SideBet::LetItRide, _)) => {
                &["double_stake_wrong.ridden.let_it_ride", "double_stake_wrong.over", "double_stake_wrong"]
            }
            _ => &["double_stake_wrong.over", "double_stake_wrong"],
        }
    } else if is_too_little(table, amount, own.stake, full) {
        &["double_stake_wrong.under", "double_stake_wrong"]
    } else {
        return;
    };
    report.raise(Finding::at(
        wager.place(),
        tags,
        format!("a stake of {full} is doubled for {}", allowed(table, full)),
        format!("{amount} was put down for the double"),
    ));
}

/// Whether less was staked than the least the rules allow.
fn is_too_little(table: &Table<'_>, amount: Money, own: Money, full: Money) -> bool {
    match table.rules.double_stake {
        DoubleStake::Equal => amount != full && amount != own,
        DoubleStake::IncrementToEqual => {
            let step = table.limit(WagerKind::Main).and_then(|limit| limit.step);
            step.is_some_and(|step| amount < step)
        }
        DoubleStake::TableMinToEqual => amount < full && table.table_min().is_some_and(|least| amount < least),
        DoubleStake::FullOrHalfOfMax => {
            let half = Money::from_minor(full.minor() / 2);
            let most = table.rules.bet_max.is_none_or(|most| full == most);
            amount != full && !(most && amount == half)
        }
    }
}

fn allowed(table: &Table<'_>, full: Money) -> String {
    match table.rules.double_stake {
        DoubleStake::Equal => "as much".to_owned(),
        DoubleStake::IncrementToEqual => format!("at least the table's step and at most {full}"),
        DoubleStake::TableMinToEqual => format!("at least the table minimum and at most {full}"),
        DoubleStake::FullOrHalfOfMax => "as much, or half of it on the highest stake".to_owned(),
    }
}
