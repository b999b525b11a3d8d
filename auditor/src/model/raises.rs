//! Raises as people make them: what the others on a box do with the seated player's, and doubles for less.

use table::{Bettor, Limit, WagerKind};

use super::bets;
use super::plan::{Amount, Put, Who};
use super::random::Dice;
use crate::rules::{DoubleStake, Rules};

/// What the others on a box do when its seated player raises: some behind stay where they are, some tips go along.
pub fn others(dice: &mut Dice) -> Vec<(Who, Put)> {
    let mut others = Vec::new();
    for bettor in (1..=3).filter_map(Bettor::new) {
        if bettor != Bettor::SEATED && dice.once_in(3) {
            others.push((Who { bettor, tip: false }, Put::Stay));
        }
        if dice.once_in(3) {
            others.push((Who { bettor, tip: true }, Put::Due));
        }
    }
    others
}

/// The least a double may be for, where the game lets it be less than the stake.
pub fn least_double(rules: &Rules, limits: &[Limit]) -> Option<Put> {
    let sign = bets::limit(limits, WagerKind::Main);
    let least = match rules.double_stake {
        DoubleStake::IncrementToEqual => sign.and_then(|sign| sign.step),
        DoubleStake::TableMinToEqual => sign.map(|sign| sign.min),
        DoubleStake::Equal | DoubleStake::FullOrHalfOfMax => None,
    };
    least.map(|least| Put::Chips(Amount::Chips(least)))
}
