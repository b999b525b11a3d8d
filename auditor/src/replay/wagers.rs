//! The chips: what was staked on what, and what became of it.

use table::{BoxNo, Hand, Money, Wager, WagerKind};

/// More wagers than any legal round has; what a tape claims beyond that is not followed.
pub(crate) const MOST_WAGERS: usize = 192;

/// One wager on the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Which.
    pub wager: Wager,
    /// What stands there; a lammer's worth if free.
    pub stake: Money,
    /// What stood there when it was placed.
    pub placed: Money,
    /// Whether a lammer stands for it.
    pub free: bool,
    /// War winnings put on top of it.
    pub cap: Money,
    /// What of a won side bet and its winnings rides on the hand.
    pub ridden: Option<Money>,
    /// The button's prize for every unit.
    pub prize: Option<Money>,
    /// Whether its bettor asked for even money.
    pub even_money: bool,
    /// Whether it was placed after the first card of the round.
    pub late: bool,
    /// What became of it.
    pub fate: Fate,
    /// The step that placed it.
    pub at: usize,
}

/// What became of a wager, as far as seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fate {
    /// Paid beside its stake.
    pub paid: Option<Money>,
    /// Taken by the house.
    pub taken: Option<Money>,
    /// Stood off.
    pub pushed: bool,
    /// Handed back.
    pub returned: bool,
    /// The step that first settled it.
    pub at: Option<usize>,
}

impl Fate {
    /// Whether anything was done with it.
    pub const fn is_settled(&self) -> bool {
        self.at.is_some()
    }

    /// What the player won or lost by it.
    pub fn net(&self) -> Option<Money> {
        self.paid.unwrap_or_default().minus(self.taken.unwrap_or_default())
    }
}

/// All wagers of a round.
#[derive(Clone, Debug, Default)]
pub struct Wagers(Vec<Standing>);

impl Wagers {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Every wager in the order placed.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Standing> {
        self.0.iter()
    }

    /// The wagers on a box.
    pub fn on_box(&self, box_no: BoxNo) -> impl Iterator<Item = &Standing> {
        self.0.iter().filter(move |standing| standing.wager.box_no == box_no)
    }

    /// This wager, if it was made.
    pub fn get(&self, wager: Wager) -> Option<&Standing> {
        self.0.iter().find(|standing| standing.wager == wager)
    }

    pub(crate) fn get_mut(&mut self, wager: Wager) -> Option<&mut Standing> {
        self.0.iter_mut().find(|standing| standing.wager == wager)
    }

    /// What the bettor of `wager` has staked on the hand it stands on: main or split.
    pub fn stake_of(&self, wager: Wager) -> Option<&Standing> {
        self.get(wager.of_kind(WagerKind::stake(wager.hand)))
    }

    /// What the bettor of `wager` staked on the hand first dealt.
    pub fn main_of(&self, wager: Wager) -> Option<&Standing> {
        self.get(Wager { hand: Hand::A, kind: WagerKind::Main, ..wager })
    }

    /// Whether anybody has a main wager on a box.
    pub fn has_main(&self, box_no: BoxNo) -> bool {
        self.on_box(box_no).any(|standing| standing.wager.kind == WagerKind::Main)
    }

    /// What of won side bets rides on a bettor's main wager.
    pub fn ridden_with(&self, wager: Wager) -> Money {
        self.on_box(wager.box_no)
            .filter(|standing| standing.wager.bettor == wager.bettor && standing.wager.tip == wager.tip)
            .filter_map(|standing| standing.ridden)
            .fold(Money::ZERO, |sum, ridden| sum.plus(ridden).unwrap_or(sum))
    }

    pub(crate) fn place(&mut self, standing: Standing) {
        if let Some(there) = self.get_mut(standing.wager) {
            there.stake = there.stake.plus(standing.stake).unwrap_or(there.stake);
        } else if self.0.len() < MOST_WAGERS {
            self.0.push(standing);
        }
    }
}
