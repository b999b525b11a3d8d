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
    /// What had been paid on it when it was let ride.
    pub paid_before_ride: Money,
    /// What the progressive meter showed when it was paid.
    pub meter: Option<Money>,
    /// Whether a side bet was settled while the cards still left it open.
    pub early: bool,
    /// Whether play went on past a side bet that was decided and still stood.
    pub overdue: bool,
    /// The button's prize for every unit.
    pub prize: Option<Money>,
    /// Whether it was placed after the first card of the round.
    pub late: bool,
    /// For insurance: whether it was placed when its time was over.
    pub too_late: bool,
    /// Whether its natural asked for even money, and how many cards lay on the table then.
    pub even_money: Option<u16>,
    /// Whether the bettor asked only after the dealer had looked at the hole card.
    pub asked_after_peek: bool,
    /// Whether it was handed back before any card came of it, so that it counts as never made.
    pub withdrawn: bool,
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
    /// The step that last settled it.
    pub last: usize,
    /// How many steps settled it.
    pub steps: u8,
    /// Whether that began before the initial deal was complete.
    pub in_deal: bool,
    /// Whether cards had followed the initial deal by then.
    pub after_draw: bool,
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

    /// Whether there is no room to follow another wager.
    pub fn is_full(&self) -> bool {
        self.0.len() >= MOST_WAGERS
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

    /// Whether the player who decides on a box has a main wager there.
    pub fn has_seated(&self, box_no: BoxNo) -> bool {
        self.get(Wager::on(box_no, Hand::A)).is_some()
    }

    /// What of won side bets rides on a bettor's main wager.
    pub fn ridden_with(&self, wager: Wager) -> Money {
        self.on_box(wager.box_no)
            .filter(|standing| standing.wager.bettor == wager.bettor && standing.wager.tip == wager.tip)
            .filter_map(|standing| standing.ridden)
            .fold(Money::ZERO, |sum, ridden| sum.plus(ridden).unwrap_or(sum))
    }

    /// Marks the wagers whose bit is set, by their place in the order placed.
    pub(super) fn mark_overdue(&mut self, bits: &[u64]) {
        for (index, standing) in self.0.iter_mut().enumerate() {
            standing.overdue |= bits.get(index / 64).is_some_and(|word| word & (1 << (index % 64)) != 0);
        }
    }

    pub(crate) fn place(&mut self, standing: Standing) {
        let has_room = self.0.len() < MOST_WAGERS;
        match self.get_mut(standing.wager) {
            Some(there) if there.withdrawn => *there = standing,
            Some(there) => there.stake = there.stake.plus(standing.stake).unwrap_or(there.stake),
            None if has_room => self.0.push(standing),
            // A round with more wagers than a table has room for is not followed further.
            None => {}
        }
    }
}
