//! The proving ground: a blackjack table that plays any game of the rulebooks from a seed, goes wrong on purpose, says
//! so in labels, and is watched by a shoe, chip sensors and cameras of its own.
//!
//! What really happened is a [`Dealt`] round: its true steps with human timing, every card as it left the shoe, and a
//! [`Label`] for each fault. Feeds and video are made from that alone, so they can only show what happened;
//! the labels go on the tape's truth channel, which no auditor reads.

pub mod art;
pub mod config;
pub mod faults;
pub mod feeds;
pub mod film;
pub mod players;
pub mod recording;
pub mod score;
pub mod setup;
pub mod shift;
pub mod shuffle;
pub mod timing;
pub mod truth;
pub mod video;

use table::{Act, Card, Round};

use truth::{Label, Shuffled};

/// A round as it really was.
#[derive(Clone, Debug)]
pub struct Dealt {
    /// What happened, every step with its time.
    pub round: Round,
    /// The cards that left the shoe, in order.
    pub drawn: Vec<Draw>,
    /// The shuffle of the shoe before, if this round is the first of another: only now is it known how its cards came.
    pub shuffled: Option<Shuffled>,
    /// What went wrong.
    pub labels: Vec<Label>,
    /// What the equipment got wrong, though nobody at the table did.
    pub troubles: Vec<Trouble>,
}

/// A card that left the shoe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The step of the round with which it left.
    pub step: usize,
    /// Its face, also if nobody at the table saw it.
    pub card: Card,
}

/// Something the equipment does wrong during a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The shoe reads a draw as another card.
    ShoeMisread {
        /// Which of the round's draws.
        draw: usize,
        /// What the shoe says.
        says: Card,
    },
    /// The shoe cannot read a draw.
    ShoeUnread {
        /// Which of the round's draws.
        draw: usize,
    },
    /// The shoe sends the telegram of a draw more often than it should.
    ShoeRepeated {
        /// Which of the round's draws.
        draw: usize,
    },
    /// The telegram of a draw is lost, repeats and all.
    ShoeLost {
        /// Which of the round's draws.
        draw: usize,
    },
    /// The camera sees nothing from a step on.
    CameraGap {
        /// The first step it misses.
        step: usize,
        /// For how long, in microseconds.
        micros: u64,
    },
    /// The camera's clock jumps with a step.
    ClockJump {
        /// With which step.
        step: usize,
        /// By how much, in microseconds.
        micros: i64,
    },
}

/// The card that a step names.
pub(crate) const fn face(act: &mut Act) -> Option<&mut Card> {
    match act {
        Act::Burn(card)
        | Act::Card { card, .. }
        | Act::TurnUp(_, card)
        | Act::Drawn(card)
        | Act::Exposed(card)
        | Act::Dropped(card)
        | Act::Boxed(card)
        | Act::Damaged(card)
        | Act::Replaced(card)
        | Act::Discard(card)
        | Act::Move { card, .. } => Some(card),
        _ => None,
    }
}
