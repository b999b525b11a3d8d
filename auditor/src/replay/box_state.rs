//! A box as the table shows it: its hands in the order they are played, and what decides its side bets.

use arrayvec::ArrayVec;
use table::Card;

use super::{HandState, MOST_HANDS};

/// A box with its hands.
#[derive(Clone, Debug, Default)]
pub struct BoxState {
    /// Hands by letter.
    pub hands: ArrayVec<HandState, MOST_HANDS>,
    /// The letters in the order in which the hands are played.
    pub order: ArrayVec<u8, MOST_HANDS>,
    /// The first two cards as dealt.
    pub initial: ArrayVec<Card, 2>,
    /// The card that came to the first hand after those.
    pub third: Option<Card>,
    /// Cards of an exchange: how many went and how many came.
    pub zap: Option<Zap>,
    /// Whether its player is away.
    pub absent: bool,
    /// Whether its player refused a card.
    pub refused: bool,
    /// Whether a card went to it that was out of order, so that its deal is not judged further.
    pub misdealt: bool,
}

impl BoxState {
    /// Clears it without touching the room its hands take.
    pub(super) fn clear(&mut self) {
        let Self { hands, order, initial, third, zap, absent, refused, misdealt } = self;
        hands.clear();
        order.clear();
        initial.clear();
        (*third, *zap) = (None, None);
        (*absent, *refused, *misdealt) = (false, false, false);
    }
}

/// An exchange of both cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zap {
    /// What the hand counted before, and whether soft.
    pub from: Option<table::Total>,
    /// Cards given since.
    pub came: u8,
    /// Which they were.
    pub new: [Card; 2],
    /// Single cards seen going to the rack before the first new one came.
    pub removed: u8,
    /// Whether the second new card lies sideways.
    pub turned: bool,
}
