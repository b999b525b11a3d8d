//! A box in play: its hands, whose chips stand on them, and its side bets.

use arrayvec::ArrayVec;
use table::{BoxNo, Card, Hand, Money, Place, SideBet, Total, Wager, WagerKind};

use super::plan::Who;
use crate::hand::{End, PlayerHand};
use crate::settle::Stakes;

/// A box in play.
#[derive(Clone, Debug)]
pub(super) struct Seat {
    pub(super) no: BoxNo,
    pub(super) punters: Vec<Punter>,
    pub(super) sides: Vec<Side>,
    /// By letter.
    pub(super) hands: Vec<HandInPlay>,
    /// Hands in the order they are played.
    pub(super) order: Vec<usize>,
    /// The first two cards as dealt.
    pub(super) initial: ArrayVec<Card, 2>,
    /// The next card the first hand got.
    pub(super) third: Option<Card>,
}

/// A hand in play.
#[derive(Clone, Debug, Default)]
pub(super) struct HandInPlay {
    pub(super) hand: PlayerHand,
    /// Which of its cards lie face down.
    pub(super) down: ArrayVec<usize, 3>,
    /// Whether it takes no more cards.
    pub(super) done: bool,
    /// Whether its cards are in the rack.
    pub(super) collected: bool,
}

/// One bettor's chips on a box, or those he plays for the dealer.
#[derive(Clone, Debug)]
pub(super) struct Punter {
    pub(super) who: Who,
    pub(super) main: Money,
    pub(super) insurance: Option<Money>,
    pub(super) even_money: bool,
    /// War winnings on top of the main wager.
    pub(super) cap: Money,
    /// His stakes by hand; the original first.
    pub(super) on: Vec<OnHand>,
}

/// One bettor's stakes on one hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnHand {
    pub(super) hand: usize,
    pub(super) stakes: Stakes,
    pub(super) settled: bool,
}

/// A side bet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) who: Who,
    pub(super) bet: SideBet,
    pub(super) stake: Money,
    pub(super) settled: bool,
    /// What of it and its winnings rides on the hand.
    pub(super) ridden: Option<Money>,
}

impl Seat {
    pub(super) fn new(no: BoxNo) -> Self {
        Self {
            no,
            punters: Vec::new(),
            sides: Vec::new(),
            hands: vec![HandInPlay::default()],
            order: vec![0],
            initial: ArrayVec::new(),
            third: None,
        }
    }

    pub(super) fn place(&self, hand: usize) -> Place {
        Place::Box(self.no, letter(hand))
    }

    pub(super) fn wager(&self, who: Who, hand: usize) -> Wager {
        let wager = Wager::on(self.no, letter(hand)).by(who.bettor);
        if who.tip { wager.for_dealer() } else { wager }
    }

    pub(super) fn side_wager(&self, side: &Side) -> Wager {
        self.wager(side.who, 0).of_kind(WagerKind::Side(side.bet))
    }

    /// Whether the first two cards were split.
    pub(super) fn is_split(&self) -> bool {
        self.hands.len() > 1
    }

    pub(super) fn is_natural(&self) -> bool {
        self.hands.len() == 1 && self.hands.first().is_some_and(|hand| hand.hand.is_natural())
    }

    /// What rides on the first hand for a bettor, and the side bet it came from.
    pub(super) fn ridden(&self, who: Who) -> Option<(usize, Money)> {
        let riding = |side: &Side| side.who == who && !side.settled;
        self.sides.iter().enumerate().filter(|(_, side)| riding(side)).find_map(|(at, side)| Some((at, side.ridden?)))
    }

    /// The hand as one bettor holds it: he alone may have taken even money.
    pub(super) fn hand_of(&self, punter: &Punter, hand: usize) -> PlayerHand {
        let mut held = self.hands.get(hand).map(|hand| hand.hand.clone()).unwrap_or_default();
        if punter.even_money {
            held.end = End::EvenMoney;
        }
        held
    }

    /// Whether any stake on this hand waits for its result.
    pub(super) fn is_open(&self, hand: usize) -> bool {
        self.punters.iter().any(|punter| punter.on.iter().any(|on| on.hand == hand && !on.settled))
    }
}

impl HandInPlay {
    pub(super) fn total(&self) -> Total {
        self.hand.total().unwrap_or(Total { points: 0, soft: false })
    }
}

impl Punter {
    pub(super) fn new(who: Who, main: Money) -> Self {
        let stakes = Stakes { base: main, ..Stakes::default() };
        let on = vec![OnHand { hand: 0, stakes, settled: false }];
        Self { who, main, insurance: None, even_money: false, cap: Money::ZERO, on }
    }
}

/// The letter of a hand; callers keep within the alphabet.
pub(super) fn letter(hand: usize) -> Hand {
    u8::try_from(hand).ok().and_then(Hand::new).unwrap_or(Hand::A)
}
