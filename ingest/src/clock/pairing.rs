//! Shoe and camera side by side while play runs: how they lie to each other, and when that changes.

use std::collections::VecDeque;

use table::{Card, Utc};

use super::align::{Alignment, Limits, NotAligned, Sight, align};

/// So many of the latest cards of each are kept: some minutes of play.
const KEPT: usize = 96;
/// After so many further cards the two are compared again.
const EVERY: usize = 12;
/// A lag that differs by more than this is no dealer's hand, in microseconds.
const JUMP: i64 = 500_000;

/// The lag of a camera behind a shoe jumped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jump {
    /// By so many microseconds.
    pub by: i64,
}

/// One camera beside one shoe. Its memory does not grow.
#[derive(Clone, Debug, Default)]
pub struct Pairing {
    draws: VecDeque<Sight>,
    settles: VecDeque<Sight>,
    /// Cards since the last comparison.
    since: usize,
    known: Option<Alignment>,
    jumps: u64,
}

impl Pairing {
    /// The shoe saw a card leave it.
    pub fn drew(&mut self, at: Utc, card: Card) {
        keep(&mut self.draws, Sight { at, card });
    }

    /// The camera saw a card settle; whether its lag behind the shoe has jumped.
    pub fn settled(&mut self, at: Utc, card: Card) -> Option<Jump> {
        keep(&mut self.settles, Sight { at, card });
        self.since += 1;
        if self.since < EVERY {
            return None;
        }
        self.since = 0;
        match align(self.draws.make_contiguous(), self.settles.make_contiguous(), &Limits::default()) {
            Ok(found) => self.found(found),
            Err(NotAligned::Torn { .. } | NotAligned::TooFew { .. }) => None,
        }
    }

    /// How the camera lags behind the shoe, once enough cards were seen by both.
    pub const fn alignment(&self) -> Option<&Alignment> {
        self.known.as_ref()
    }

    /// How often the lag has jumped.
    pub const fn jumps(&self) -> u64 {
        self.jumps
    }

    fn found(&mut self, found: Alignment) -> Option<Jump> {
        let before = self.known.replace(found)?;
        let by = found.lag.saturating_sub(before.lag_at(found.around));
        if by.saturating_abs() <= JUMP.saturating_add(found.within) {
            return None;
        }
        self.jumps += 1;
        Some(Jump { by })
    }
}

fn keep(sights: &mut VecDeque<Sight>, sight: Sight) {
    if sights.len() >= KEPT {
        sights.pop_front();
    }
    sights.push_back(sight);
}
