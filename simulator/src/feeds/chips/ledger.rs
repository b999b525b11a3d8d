//! Where every chip is: on its spot, beside it as winnings, or in the dealer's tray.

use std::collections::{BTreeMap, BTreeSet};

use table::chips::{Pile, Spot};
use table::round::Stake;
use table::{Act, Hand, Layout, Money, Place, SideBet, Wager, WagerKind};

/// What a tray holds when the table opens, and again after a fill or a credit.
const FLOAT: Money = Money::from_minor(50_000_000);
/// Below this a fill comes before the next round.
const LOW: Money = Money::from_minor(25_000_000);
/// Above this a credit goes to the cage.
const HIGH: Money = Money::from_minor(100_000_000);

/// The chips of one table.
#[derive(Clone, Debug)]
pub(super) struct Ledger {
    spots: BTreeMap<Spot, Held>,
    tray: Money,
    /// What was staked on each wager of the round; a lammer's worth for a free bet.
    staked: BTreeMap<Wager, Money>,
    /// What rides on the hand.
    ridden: BTreeMap<Wager, Money>,
    /// Knows which hand a split opens.
    layout: Layout,
}

#[derive(Clone, Copy, Debug, Default)]
struct Held {
    amount: Money,
    lammer: bool,
}

/// Sums beyond what money can hold are not of this world; the pile stays as it is.
fn sum(one: Money, other: Money) -> Money {
    one.plus(other).unwrap_or(one)
}

fn less(one: Money, other: Money) -> Money {
    one.minus(other).unwrap_or(one)
}

impl Ledger {
    pub(super) fn new() -> Self {
        Self {
            spots: BTreeMap::new(),
            tray: FLOAT,
            staked: BTreeMap::new(),
            ridden: BTreeMap::new(),
            layout: Layout::default(),
        }
    }

    /// Makes ready for a round; whether the tray was filled or relieved.
    pub(super) fn open(&mut self) -> bool {
        self.staked.clear();
        self.ridden.clear();
        self.layout = Layout::default();
        let due = self.tray < LOW || self.tray > HIGH;
        if due {
            self.tray = FLOAT;
        }
        due
    }

    pub(super) const fn tray(&self) -> Money {
        self.tray
    }

    /// What stands on a spot.
    pub(super) fn pile(&self, spot: Spot) -> Pile {
        let held = self.spots.get(&spot).copied().unwrap_or_default();
        Pile { spot, amount: held.amount, lammer: held.lammer, chips: Vec::new() }
    }

    /// Every spot on which something stands.
    pub(super) fn taken(&self) -> Vec<Spot> {
        self.spots.keys().copied().collect()
    }

    /// Follows a step; the spots on which something changed.
    pub(super) fn follow(&mut self, act: &Act) -> BTreeSet<Spot> {
        self.layout.apply(act);
        match act {
            Act::Bet(wager, amount) => self.put(*wager, *amount, false),
            Act::Alter(wager, amount) => {
                self.staked.insert(*wager, *amount);
                let lammer = self.pile(Spot::of(*wager)).lammer;
                self.set(Spot::of(*wager), Held { amount: *amount, lammer })
            }
            Act::Double(wager, stake) => self.raise(wager.of_kind(WagerKind::Double), *wager, *stake),
            Act::Split(wager, stake) => {
                let opened = self.opened(*wager);
                let further = Wager { hand: opened, kind: WagerKind::stake(opened), ..*wager };
                self.raise(further, *wager, *stake)
            }
            Act::Parlay(wager, amount) => self.parlay(*wager, *amount),
            Act::Ride(wager, amount) => {
                self.ridden.insert(*wager, *amount);
                let mut changed = self.set(Spot::beside(*wager), Held::default());
                changed.extend(self.set(Spot::of(*wager), Held { amount: *amount, lammer: false }));
                changed
            }
            Act::Pay(wager, amount) => {
                // Nobody pays out more than is in the tray: the cage brings what is missing first.
                let tray = if self.tray < *amount { sum(*amount, FLOAT) } else { self.tray };
                self.tray = less(tray, *amount);
                let beside = Spot::beside(*wager);
                let amount = sum(self.pile(beside).amount, *amount);
                self.set(beside, Held { amount, lammer: false })
            }
            Act::Take(wager, amount) => self.take(*wager, *amount),
            _ => BTreeSet::new(),
        }
    }

    /// A bettor takes up what is left of a wager and its winnings.
    pub(super) fn clear(&mut self, wager: Wager) -> BTreeSet<Spot> {
        let mut changed = self.set(Spot::of(wager), Held::default());
        changed.extend(self.set(Spot::beside(wager), Held::default()));
        changed
    }

    fn set(&mut self, spot: Spot, held: Held) -> BTreeSet<Spot> {
        let before = if held.amount == Money::ZERO && !held.lammer {
            self.spots.remove(&spot)
        } else {
            self.spots.insert(spot, held)
        };
        let before = before.unwrap_or_default();
        let same = before.amount == held.amount && before.lammer == held.lammer;
        if same { BTreeSet::new() } else { BTreeSet::from([spot]) }
    }

    fn put(&mut self, wager: Wager, amount: Money, free: bool) -> BTreeSet<Spot> {
        let staked = self.staked.entry(wager).or_default();
        *staked = sum(*staked, amount);
        let there = self.pile(Spot::of(wager));
        let amount = if free { there.amount } else { sum(there.amount, amount) };
        self.set(Spot::of(wager), Held { amount, lammer: free || there.lammer })
    }

    /// A further stake beside one that stands. In full it is as much as that, with what rides on the hand.
    fn raise(&mut self, further: Wager, standing: Wager, stake: Stake) -> BTreeSet<Spot> {
        let base = standing.of_kind(WagerKind::stake(standing.hand));
        let own = self.staked.get(&base).copied().unwrap_or_default();
        let amount = match stake {
            Stake::Chips(amount) => amount,
            Stake::Free => own,
            Stake::Full if standing.hand == Hand::A => sum(own, self.rides_with(standing)),
            Stake::Full => own,
        };
        self.put(further, amount, stake == Stake::Free)
    }

    fn rides_with(&self, wager: Wager) -> Money {
        let with = |other: &Wager| (other.box_no, other.bettor, other.tip) == (wager.box_no, wager.bettor, wager.tip);
        self.ridden.iter().filter(|(other, _)| with(other)).fold(Money::ZERO, |all, (_, amount)| sum(all, *amount))
    }

    /// The hand that the split just followed has opened, or that was opened by the seated player's.
    fn opened(&self, wager: Wager) -> Hand {
        let hands = self.layout.hands.keys().filter_map(|place| match place {
            Place::Box(box_no, hand) if *box_no == wager.box_no => Some(*hand),
            _ => None,
        });
        hands.max().unwrap_or(Hand::A)
    }

    /// War winnings go from beside the War wager on top of the main one; what is not there comes from the pocket.
    fn parlay(&mut self, wager: Wager, amount: Money) -> BTreeSet<Spot> {
        let beside = Spot::beside(wager.of_kind(WagerKind::Side(SideBet::War)));
        let won = self.pile(beside).amount;
        let mut changed = self.set(beside, Held { amount: less(won, won.min(amount)), lammer: false });
        let main = Spot::of(Wager { hand: Hand::A, kind: WagerKind::Main, ..wager });
        let there = self.pile(main);
        changed.extend(self.set(main, Held { amount: sum(there.amount, amount), lammer: there.lammer }));
        changed
    }

    /// The dealer takes a wager, or so much of it; what is not on the spot is asked of the bettor.
    fn take(&mut self, wager: Wager, amount: Option<Money>) -> BTreeSet<Spot> {
        let there = self.pile(Spot::of(wager));
        let taken = amount.unwrap_or(there.amount);
        self.tray = sum(self.tray, taken);
        let amount = less(there.amount, taken.min(there.amount));
        let lammer = there.lammer && amount > Money::ZERO;
        self.set(Spot::of(wager), Held { amount, lammer })
    }
}
