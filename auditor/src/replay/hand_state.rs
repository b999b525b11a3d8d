//! A hand as the table shows it: its cards, and how far it has come.

use arrayvec::ArrayVec;
use table::Place;

use crate::hand::{Cards, PlayerHand};

/// A hand on a box, with how far it has come.
#[derive(Clone, Debug, Default)]
pub struct HandState {
    /// Cards and how they came to be.
    pub play: PlayerHand,
    /// How many of them lie face down and were not turned up.
    pub down: u8,
    /// Whether the last card lies sideways.
    pub last_sideways: bool,
    /// Whether the cards were turned sideways to mark an exchange.
    pub turned_sideways: bool,
    /// Whether the player decided anything on it.
    pub acted: bool,
    /// Cards asked for and not yet given.
    pub owed: u8,
    /// Cards given since it was doubled.
    pub since_double: u8,
    /// Whether it began as one of two split aces.
    pub split_ace: bool,
    /// Whether the player asked for no more.
    pub stood: bool,
    /// Whether play has gone on past it.
    pub left: bool,
    /// Whether its cards are in the rack.
    pub collected: bool,
    /// The step that put them there.
    pub collected_at: Option<usize>,
    /// Whether the player tucked the cards under the wager.
    pub tucked: bool,
    /// Whether cards lay face down when it was doubled.
    pub doubled_unseen: bool,
    /// The hand played while this one was still open.
    pub left_for: Option<Place>,
    /// The first step of play elsewhere since it was done.
    pub passed_at: Option<usize>,
    /// The first card dealt elsewhere since it was done.
    pub overdealt_at: Option<usize>,
    /// A card nobody asked for.
    pub unasked: Option<Unasked>,
}

/// A card that came to a hand without a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unasked {
    /// The step that dealt it.
    pub at: usize,
    /// Whether the player had asked for no more.
    pub stood: bool,
}

impl HandState {
    /// What it counts; `None` if a card is not known.
    pub fn points(&self) -> Option<u16> {
        self.play.total().map(|total| total.points)
    }

    /// Whether it went over 21.
    pub fn is_bust(&self) -> bool {
        self.play.total().is_some_and(|total| total.is_bust())
    }
}

/// The dealer's hand.
#[derive(Clone, Debug, Default)]
pub struct DealerState {
    /// Its cards, the hole card included.
    pub cards: Cards,
    /// How many lie face down.
    pub down: u8,
    /// Whether the dealer looked at the hole card.
    pub peeked: bool,
    /// The step at which that was.
    pub peeked_at: Option<usize>,
    /// How many cards the dealer had when the last player was done.
    pub at_players_done: Option<usize>,
    /// The steps that dealt the cards, one for each.
    pub dealt_at: ArrayVec<usize, 26>,
    /// Whether the cards are in the rack.
    pub collected: bool,
}
