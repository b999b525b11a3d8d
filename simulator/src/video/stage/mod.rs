//! The stage: from rounds as they were dealt to what lies where at every instant.
//!
//! Every step of a round becomes moves of things and of the hands that carry them, so timed that a step has happened at its
//! own time and is under way just before. A scene at any instant is then read off those moves.

mod acts;
pub(super) mod arms;
mod cards;
mod chips;
mod felt;
mod shuffle;
#[cfg(test)]
mod tests;
mod track;

use auditor::model::random::Dice;
use table::Utc;

use super::geometry::Geometry;
use super::scene::Scene;
use crate::Dealt;
use felt::{Felt, When};
use track::Micros;

pub use chips::stack;

/// How long a step takes that nobody timed.
const UNTIMED: Micros = 700_000;
/// After a longer pause than this between two rounds the picture starts anew instead of showing an idle table.
const LONG_PAUSE: Micros = 3_600_000_000;

/// A table on which rounds are shown one after another.
pub struct Stage {
    felt: Felt,
    /// The time of the next frame; `None` before the first.
    clock: Option<Micros>,
}

impl Stage {
    /// An empty table with so many cards in a full shoe. What the rounds leave open comes from the dice: how exactly a card
    /// lies, and what the players have put beside their boxes.
    pub fn new(geometry: Geometry, dice: &Dice, cards: usize) -> Self {
        Self { felt: Felt::new(geometry, dice.fork("stage"), cards), clock: None }
    }

    /// The table's measures.
    pub fn geometry(&self) -> &Geometry {
        &self.felt.geometry
    }

    /// A round in scenes, so many microseconds from one to the next, until its last step is done. The first follows the
    /// last of the round before without a gap, unless more than an hour lies between.
    pub fn scenes(&mut self, dealt: &Dealt, micros_per_frame: u32) -> Scenes<'_> {
        let every = Micros::from(micros_per_frame.max(1));
        let begun = dealt.round.at.micros();
        let first = self.clock.filter(|clock| begun.saturating_sub(*clock) < LONG_PAUSE).unwrap_or(begun);
        let last = self.play(dealt, first);
        let frames = last.map_or(0, |last| ((last - first).max(0) + every - 1) / every + 1);
        self.clock = Some(first.saturating_add(every.saturating_mul(frames)));
        Scenes { stage: self, next: first, every, left: frames }
    }

    /// The table at an instant of the round that was shown last.
    pub fn scene(&self, at: Utc) -> Scene {
        Scene { at, things: self.felt.seen(at.micros()) }
    }

    /// Plans all moves of a round and says when the last is over.
    fn play(&mut self, dealt: &Dealt, floor: Micros) -> Option<Micros> {
        let times = times(dealt);
        self.felt.open(dealt, floor);
        let mut from = floor;
        for (number, (step, at)) in dealt.round.steps.iter().zip(&times).enumerate() {
            let later = dealt.round.steps.get(number + 1..).unwrap_or_default();
            self.felt.follow(number, &step.act, later, When { floor, from, at: *at });
            from = from.max(*at);
        }
        times.last().copied()
    }
}

/// When each step is done. A step without a time, or with one that no calendar has, follows the one before at leisure; none
/// is done before the one before.
fn times(dealt: &Dealt) -> Vec<Micros> {
    let mut last = dealt.round.at.micros();
    let timed = dealt.round.steps.iter().map(|step| {
        let said = step.after.and_then(|after| dealt.round.at.shifted(i64::try_from(after).ok()?));
        last = said.map_or(last.saturating_add(UNTIMED), |said| said.micros().max(last));
        last
    });
    timed.collect()
}

/// The scenes of a round, one after another.
pub struct Scenes<'a> {
    stage: &'a Stage,
    next: Micros,
    every: Micros,
    left: Micros,
}

impl Iterator for Scenes<'_> {
    type Item = Scene;

    fn next(&mut self) -> Option<Scene> {
        if self.left <= 0 {
            return None;
        }
        let at = Utc::from_micros(self.next)?;
        self.left -= 1;
        self.next = self.next.saturating_add(self.every);
        Some(self.stage.scene(at))
    }
}
