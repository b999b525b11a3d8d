//! When a rebuilt round is exact.
//!
//! A round is exact if every card lies in the same place in the same order, up or down, upright or sideways; if every
//! decision is the same, in the same order between the cards; if every wager is staked, raised, paid, taken or left as
//! it was, in the same order once cards are dealt; and if every hand goes to the rack in the same order. Not compared is what no source can
//! show ([`Unseen`](table::Unseen)): calls, signals that changed nothing, how cards were made ready, who was called.

use std::collections::BTreeMap;
use std::fmt;

use table::round::Stake;
use table::{Act, Card, Money, Round, Wager, WagerKind};

/// Where a rebuilt round first differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What was compared.
    pub of: &'static str,
    /// What was played; nothing if the rebuilt round has a step more.
    pub played: Option<Act>,
    /// What was rebuilt; nothing if a step is missing.
    pub rebuilt: Option<Act>,
    /// How many steps of the kind agree before it.
    pub after: usize,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.of)?;
        match (&self.played, &self.rebuilt) {
            (Some(played), Some(rebuilt)) => write!(f, "{rebuilt} instead of {played}")?,
            (Some(played), None) => write!(f, "lacks {played}")?,
            (None, Some(rebuilt)) => write!(f, "has {rebuilt} besides")?,
            (None, None) => {}
        }
        write!(f, ", after {} that agree", self.after)
    }
}

/// Whether a step is of a kind.
type Is = fn(&Act) -> bool;

/// Where two rounds first differ in what sources can show; `None` if the rebuilt one is exact.
pub fn difference(played: &Round, rebuilt: &Round) -> Option<Difference> {
    let kinds: [(&'static str, Is); 3] =
        [("play", is_play), ("chips", is_chips), ("rack", |act| matches!(act, Act::Collect(_)))];
    kinds.iter().find_map(|(of, is)| {
        let (one, other) = (visible(played, is), visible(rebuilt, is));
        let after = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
        let (played, rebuilt) = (one.get(after).cloned(), other.get(after).cloned());
        (played.is_some() || rebuilt.is_some()).then_some(Difference { of, played, rebuilt, after })
    })
}

const fn is_play(act: &Act) -> bool {
    matches!(
        act,
        Act::Card { .. }
            | Act::TurnUp(..)
            | Act::TurnSideways(_)
            | Act::Hit(_)
            | Act::Stand(_)
            | Act::Double(..)
            | Act::Split(..)
            | Act::Surrender(_)
            | Act::Zap(_)
            | Act::EvenMoney(_)
            | Act::Move { .. }
            | Act::Burn(_)
            | Act::CutCardOut
    )
}

const fn is_chips(act: &Act) -> bool {
    matches!(
        act,
        Act::Bet(..)
            | Act::Alter(..)
            | Act::Parlay(..)
            | Act::Ride(..)
            | Act::Pay(..)
            | Act::Take(..)
            | Act::Push(_)
            | Act::Return(_)
    )
}

/// The steps of a kind, each written in one way only.
fn visible(round: &Round, is: impl Fn(&Act) -> bool) -> Vec<Act> {
    let mut stakes: BTreeMap<Wager, Money> = BTreeMap::new();
    let mut steps = Vec::new();
    for act in round.steps.iter().map(|step| &step.act) {
        if let Act::Bet(wager, amount) | Act::Alter(wager, amount) = act {
            stakes.insert(*wager, *amount);
        }
        if let Act::Parlay(wager, amount) = act {
            let main = stakes.entry(*wager).or_default();
            *main = main.plus(*amount).unwrap_or(*main);
        }
        if *act == Act::End {
            // What follows is the next round's to tell.
            break;
        }
        // Cards that are turned sideways to be exchanged are on their way already.
        let exchanged = matches!(act, Act::TurnSideways(place) if steps.last() == Some(&Act::Zap(*place)));
        if is(act) && !exchanged {
            steps.push(plain(act, &stakes));
        }
    }
    // In which order bets were placed before the deal is nobody's concern.
    let bets = steps.iter().take_while(|act| matches!(act, Act::Bet(..))).count();
    steps[..bets].sort_by_key(|act| if let Act::Bet(wager, _) = act { Some(*wager) } else { None });
    steps
}

/// A stake written as an amount is the full stake if it is as much; whose burn card it was nobody saw.
fn plain(act: &Act, stakes: &BTreeMap<Wager, Money>) -> Act {
    let full = |wager: &Wager, stake: &Stake| {
        let main = Wager { hand: table::Hand::A, kind: WagerKind::Main, ..*wager };
        match stake {
            Stake::Chips(amount) if stakes.get(&main) == Some(amount) => Stake::Full,
            stake => *stake,
        }
    };
    match act {
        Act::Double(wager, stake) => Act::Double(*wager, full(wager, stake)),
        Act::Split(wager, stake) => Act::Split(*wager, full(wager, stake)),
        Act::Burn(_) => Act::Burn(Card::HIDDEN),
        Act::Take(wager, Some(amount)) if stakes.get(wager) == Some(amount) => Act::Take(*wager, None),
        act => act.clone(),
    }
}

/// Rounds that were played, to be found again by when they were.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    played: Vec<Round>,
    next: usize,
}

impl Pairs {
    /// Takes in a round that was played, in order.
    pub fn played(&mut self, round: &Round) {
        self.played.push(round.clone());
    }

    /// Whether no round was played.
    pub const fn is_empty(&self) -> bool {
        self.played.is_empty()
    }

    /// The round that was being played in the middle of this rebuilt one. Each is found once.
    pub fn of(&mut self, rebuilt: &Round) -> Option<Round> {
        let (from, to) = times(rebuilt);
        let middle = from.saturating_add(to) / 2;
        let found = self.played[self.next..].iter().position(|round| {
            let (from, to) = times(round);
            round.at.micros().min(from) <= middle && middle <= to
        })?;
        self.next += found + 1;
        self.played.get(self.next - 1).cloned()
    }
}

/// When the first and the last card of a round came, or its first and last step.
fn times(round: &Round) -> (i64, i64) {
    let at = |after: u64| round.at.micros().saturating_add(i64::try_from(after).unwrap_or(i64::MAX));
    let cards = round.steps.iter().filter(|step| matches!(step.act, Act::Card { .. } | Act::Drawn(_)));
    let cards: Vec<i64> = cards.filter_map(|step| step.after).map(at).collect();
    let all: Vec<i64> = round.steps.iter().filter_map(|step| step.after).map(at).collect();
    let of = if cards.is_empty() { &all } else { &cards };
    let begin = of.iter().min().copied().unwrap_or(round.at.micros());
    (begin, all.iter().max().copied().unwrap_or(begin))
}
