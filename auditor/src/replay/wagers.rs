//! The chips: what was staked on what, and what became of it.

use table::{BoxNo, Hand, Money, Place, Wager, WagerKind};

use super::Boxes;

/// More wagers than any legal round has; what a tape claims beyond that is not followed.
pub(crate) const MOST_WAGERS: usize = 192;

/// One wager on the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Which.
    pub wager: Wager,
    /// What stands there; a lammer's worth if free.
    pub stake: Money,
    /// What stood there when it was placed, or last changed before the first card.
    pub placed: Money,
    /// Whether a lammer stands for it.
    pub free: bool,
    /// War winnings put on top of it.
    pub cap: Money,
    /// What of a won side bet and its winnings rides on the hand.
    pub ridden: Option<Money>,
    /// What had been won or lost by it when it was let ride; `None` if it had not been settled.
    pub net_before_ride: Option<Money>,
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

/// A wager in one number, so that looking for one compares numbers that lie side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key(u32);

impl Key {
    const FIRST_SIDE: u32 = 5;
    const KIND_BITS: u32 = 5;
    const HAND_BITS: u32 = 5;
    const HAND_AT: u32 = Self::KIND_BITS;
    const BOX_AT: u32 = Self::HAND_AT + Self::HAND_BITS;
    const TIP_AT: u32 = Self::BOX_AT + 4;
    const BETTOR_AT: u32 = Self::TIP_AT + 1;
    const KIND: u32 = (1 << Self::KIND_BITS) - 1;
    const BOX: u32 = 0b1111 << Self::BOX_AT;
    const PLACE: u32 = Self::BOX | (((1 << Self::HAND_BITS) - 1) << Self::HAND_AT);

    const fn of(wager: Wager) -> Self {
        Self(
            Self::kind(wager.kind)
                | Self::hand(wager.box_no, wager.hand)
                | (wager.tip as u32) << Self::TIP_AT
                | (wager.bettor.number() as u32) << Self::BETTOR_AT,
        )
    }

    const fn kind(kind: WagerKind) -> u32 {
        match kind {
            WagerKind::Main => 0,
            WagerKind::Split => 1,
            WagerKind::Double => 2,
            WagerKind::Insurance => 3,
            WagerKind::Ante => 4,
            WagerKind::Side(bet) => Self::FIRST_SIDE + bet as u32,
        }
    }

    const fn hand(box_no: BoxNo, hand: Hand) -> u32 {
        (box_no.number() as u32) << Self::BOX_AT | (hand.index() as u32) << Self::HAND_AT
    }

    const fn is_on_box(self, box_no: BoxNo) -> bool {
        self.0 & Self::BOX == (box_no.number() as u32) << Self::BOX_AT
    }

    /// Whether it is a stake on a hand itself: main, split or double.
    const fn is_stake_on(self, box_no: BoxNo, hand: Hand) -> bool {
        self.0 & Self::PLACE == Self::hand(box_no, hand) && self.0 & Self::KIND <= Self::kind(WagerKind::Double)
    }
}

/// All wagers of a round.
#[derive(Clone, Debug, Default)]
pub struct Wagers {
    placed: Vec<Standing>,
    /// The key of each, in the same order.
    keys: Vec<Key>,
    /// The kinds there are, a bit for each: most checks are about kinds that most rounds do not have.
    kinds: u32,
    /// Boxes with a main wager.
    mains: Boxes,
    /// Boxes with any wager.
    boxes: Boxes,
    tips: bool,
}

impl Wagers {
    pub(super) fn clear(&mut self) {
        let Self { placed, keys, kinds, mains, boxes, tips } = self;
        placed.clear();
        keys.clear();
        (*kinds, *mains, *boxes, *tips) = (0, Boxes::default(), Boxes::default(), false);
    }

    /// Every wager in the order placed.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Standing> {
        self.placed.iter()
    }

    /// Whether there is no room to follow another wager.
    pub fn is_full(&self) -> bool {
        self.placed.len() >= MOST_WAGERS
    }

    /// Whether there is any wager of a kind.
    pub const fn has_kind(&self, kind: WagerKind) -> bool {
        self.kinds & (1 << Key::kind(kind)) != 0
    }

    /// Whether there is any side bet.
    pub const fn has_sides(&self) -> bool {
        self.kinds >> Key::FIRST_SIDE != 0
    }

    /// Every wager of a kind in the order placed.
    pub fn of_kind(&self, kind: WagerKind) -> impl DoubleEndedIterator<Item = &Standing> {
        let some = if self.has_kind(kind) { self.placed.as_slice() } else { &[] };
        some.iter().filter(move |standing| standing.wager.kind == kind)
    }

    /// Every side bet in the order placed.
    pub fn sides(&self) -> impl Iterator<Item = &Standing> {
        let some = if self.has_sides() { self.placed.as_slice() } else { &[] };
        some.iter().filter(|standing| matches!(standing.wager.kind, WagerKind::Side(_)))
    }

    /// Every wager played for the dealer, in the order placed.
    pub fn tips(&self) -> impl Iterator<Item = &Standing> {
        let some = if self.tips { self.placed.as_slice() } else { &[] };
        some.iter().filter(|standing| standing.wager.tip)
    }

    /// Boxes with a main wager.
    pub const fn mains(&self) -> Boxes {
        self.mains
    }

    /// Boxes with any wager.
    pub const fn boxes(&self) -> Boxes {
        self.boxes
    }

    /// The wagers on a box.
    pub fn on_box(&self, box_no: BoxNo) -> impl Iterator<Item = &Standing> {
        self.whose_key(move |key| key.is_on_box(box_no))
    }

    /// Every bettor's own stakes on a hand: main or split, and double.
    pub fn stakes_on(&self, place: Place) -> impl Iterator<Item = &Standing> {
        self.whose_key(move |key| match place {
            Place::Dealer => false,
            Place::Box(box_no, hand) => key.is_stake_on(box_no, hand),
        })
    }

    fn whose_key(&self, fits: impl Fn(Key) -> bool) -> impl Iterator<Item = &Standing> {
        let found = self.keys.iter().zip(&self.placed).filter(move |(key, _)| fits(**key));
        found.map(|(_, standing)| standing)
    }

    fn position(&self, wager: Wager) -> Option<usize> {
        let wanted = Key::of(wager);
        self.keys.iter().position(|key| *key == wanted)
    }

    /// This wager, if it was made.
    pub fn get(&self, wager: Wager) -> Option<&Standing> {
        self.placed.get(self.position(wager)?)
    }

    pub(crate) fn get_mut(&mut self, wager: Wager) -> Option<&mut Standing> {
        let at = self.position(wager)?;
        self.placed.get_mut(at)
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
    pub const fn has_main(&self, box_no: BoxNo) -> bool {
        self.mains.has(box_no)
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
        for (index, standing) in self.placed.iter_mut().enumerate() {
            standing.overdue |= bits.get(index / 64).is_some_and(|word| word & (1 << (index % 64)) != 0);
        }
    }

    pub(crate) fn place(&mut self, standing: Standing) {
        let has_room = !self.is_full();
        match self.get_mut(standing.wager) {
            Some(there) if there.withdrawn => *there = standing,
            Some(there) => there.stake = there.stake.plus(standing.stake).unwrap_or(there.stake),
            None if has_room => self.add(standing),
            // A round with more wagers than a table has room for is not followed further.
            None => {}
        }
    }

    fn add(&mut self, standing: Standing) {
        let wager = standing.wager;
        self.kinds |= 1 << Key::kind(wager.kind);
        self.boxes.add(wager.box_no);
        if wager.kind == WagerKind::Main {
            self.mains.add(wager.box_no);
        }
        self.tips |= wager.tip;
        self.keys.push(Key::of(wager));
        self.placed.push(standing);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use table::{Bettor, SideBet};

    use super::*;

    #[test]
    fn no_two_wagers_share_a_key() {
        let kinds = [WagerKind::Main, WagerKind::Split, WagerKind::Double, WagerKind::Insurance, WagerKind::Ante];
        let kinds: Vec<_> = kinds.into_iter().chain(SideBet::ALL.iter().copied().map(WagerKind::Side)).collect();
        let (mut keys, mut wagers) = (BTreeSet::new(), 0);
        for box_no in BoxNo::all() {
            for hand in (0..26).filter_map(Hand::new) {
                for bettor in (1..=9).filter_map(Bettor::new) {
                    for (tip, kind) in kinds.iter().flat_map(|kind| [(false, *kind), (true, *kind)]) {
                        keys.insert(Key::of(Wager { box_no, hand, bettor, tip, kind }).0);
                        wagers += 1;
                    }
                }
            }
        }
        assert_eq!(keys.len(), wagers);
    }
}
