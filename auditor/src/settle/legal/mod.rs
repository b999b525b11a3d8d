//! Whether a case could have happened: a box that breaks the game's rules has no right settlement, only a breach.

mod cards;
mod dealer;
mod hand;
mod side;
mod split;
mod stakes;

use table::{Money, SideBet};

use super::case::{Action, Case, CaseHand, Circumstances};
use crate::hand::{DealerHand, PlayerHand};
use crate::rules::Rules;

pub(super) use split::third_card;

/// Why a case cannot be settled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Breach {
    /// What is wrong, in words.
    pub message: String,
    /// Under which tags a rulebook cites the clause that is broken, best first (a tag stands for its shorter forms too);
    /// none if no clause is.
    pub tags: Vec<String>,
}

impl Breach {
    /// A case that says nothing that could be judged.
    pub(super) fn malformed(message: impl Into<String>) -> Self {
        Self { message: message.into(), tags: Vec::new() }
    }

    /// A case that breaks a rule.
    fn of(tags: &[&str], message: impl Into<String>) -> Self {
        Self { message: message.into(), tags: tags.iter().map(|tag| (*tag).to_owned()).collect() }
    }
}

type Lawful = Result<(), Breach>;

fn ensure(lawful: bool, tags: &[&str], message: impl FnOnce() -> String) -> Lawful {
    if lawful { Ok(()) } else { Err(Breach::of(tags, message())) }
}

/// A case before its judge.
#[derive(Clone, Copy)]
pub(super) struct Matter<'c> {
    pub(super) rules: &'c Rules,
    pub(super) case: &'c Case,
    pub(super) around: &'c Circumstances,
}

impl<'c> Matter<'c> {
    pub(super) fn dealer(self) -> DealerHand<'c> {
        DealerHand { cards: &self.case.dealer_cards }
    }

    /// The hand that carries the original stake.
    pub(super) fn first(self) -> Option<&'c CaseHand> {
        self.case.hands.first()
    }

    /// The stake the box began with.
    pub(super) fn original(self) -> Money {
        self.first().map_or(Money::ZERO, |hand| hand.wager.0)
    }

    pub(super) fn is_split(self) -> bool {
        self.case.hands.len() > 1
    }

    pub(super) fn is_zapped(self) -> bool {
        self.case.hands.iter().any(|hand| hand.has(Action::Zap))
    }

    /// Chips of winning side bets that ride on the hand.
    pub(super) fn ridden(self) -> Option<Money> {
        self.case.side_bets.iter().try_fold(Money::ZERO, |sum, side| sum.plus(side.ride.0))
    }

    /// A tag with the bet whose chips ride as its aspect, or with the other aspect where nothing rides.
    fn tag_if_ridden(self, check: &str, otherwise: &str) -> String {
        let riding = self.case.side_bets.iter().find(|side| side.ride.0 != Money::ZERO);
        match riding {
            Some(side) => format!("{check}.ridden.{}", side.bet),
            None => format!("{check}.{otherwise}"),
        }
    }

    fn stake_on(self, bet: SideBet) -> Option<Money> {
        let mut on = self.case.side_bets.iter().filter(|side| side.bet == bet).peekable();
        on.peek()?;
        on.try_fold(Money::ZERO, |sum, side| sum.plus(side.wager.0))
    }
}

/// The hands of a lawful case as the rules look at them; otherwise the first breach.
pub(super) fn hands(matter: Matter<'_>) -> Result<Vec<PlayerHand>, Breach> {
    cards::known(matter)?;
    cards::in_the_shoe(matter)?;
    stakes::main(matter)?;
    stakes::ante(matter)?;
    side::all(matter)?;
    cards::from_the_first_two(matter)?;
    split::all(matter)?;
    let hands = matter.case.hands.iter().map(|hand| hand::played(matter, hand)).collect::<Result<Vec<_>, _>>()?;
    stakes::insurance(matter, &hands)?;
    dealer::played(matter, &hands)?;
    Ok(hands)
}
