//! How far the sensor's clock is from ours.

use table::Utc;

/// For so long the least delay is remembered, in microseconds, and as long again: a clock that drifts 100 millionths
/// moves 60 milliseconds meanwhile.
const WINDOW: i64 = 300_000_000;

/// The least difference between arrival and the sensor's clock. A line can come late and never early, so the least is
/// the nearest to the truth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offset {
    since: i64,
    before: i64,
    least: i64,
}

impl Offset {
    /// From the first line.
    pub(super) const fn new(arrived: Utc, clock: i64) -> Self {
        let least = arrived.micros().saturating_sub(clock);
        Self { since: arrived.micros(), before: least, least }
    }

    /// Follows a line.
    pub(super) fn hear(&mut self, arrived: Utc, clock: i64) {
        let delay = arrived.micros().saturating_sub(clock);
        if arrived.micros().saturating_sub(self.since) >= WINDOW {
            *self = Self { since: arrived.micros(), before: self.least, least: delay };
        } else {
            self.least = self.least.min(delay);
        }
    }

    /// What is added to the sensor's clock to have ours, in microseconds.
    pub(super) fn micros(&self) -> i64 {
        self.least.min(self.before)
    }

    /// When something happened that the sensor's clock dates so: never after it was heard of.
    pub(super) fn place(&self, arrived: Utc, clock: i64) -> Utc {
        Utc::from_micros(clock.saturating_add(self.micros())).map_or(arrived, |at| at.min(arrived))
    }
}
