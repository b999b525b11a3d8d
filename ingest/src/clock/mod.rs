//! Clocks that are not ours: how far each is off, how fast it drifts, and when it jumps.
//!
//! All we have of a source's clock is what it showed and when that reached us. The difference is the offset plus the
//! delay on the way, and a delay is never negative: the smallest differences lie nearest to the truth. So the clock is
//! measured by the line *below* all differences, which no late packet can move. `docs/design/time.md` has the reasons.
//!
//! ```
//! use ingest::clock::Clock;
//! use table::Utc;
//!
//! let mut camera = Clock::default();
//! let arrived: Utc = "2026-11-15T21:00:00.040Z".parse()?;
//! let placed = camera.observe(5_000_000, arrived);
//! assert_eq!(placed.at, arrived, "the first picture is as old as its journey, which nobody knows yet");
//! let placed = camera.observe(6_000_000, arrived.shifted(1_250_000).ok_or("no time")?);
//! assert_eq!(placed.at.to_string(), "2026-11-15T21:00:01.040000Z", "the second came a quarter of a second late");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod align;
mod envelope;
mod pairing;

use table::Utc;

pub use align::{Alignment, Limits, NotAligned, Sight, align};
use envelope::Envelope;
pub use pairing::{Jump, Pairing};

/// What counts as a jump, and how long we look back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// A clock that is off by more than this at once has jumped, in microseconds.
    pub jump: i64,
    /// A source that is late for so long was not held up on the way: its clock was set back. In microseconds.
    pub confirm: i64,
    /// Of each stretch of this length only the smallest difference is kept, in microseconds.
    pub stretch: i64,
    /// So many stretches are remembered.
    pub stretches: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { jump: 200_000, confirm: 2_000_000, stretch: 10_000_000, stretches: 60 }
    }
}

/// Where something that a source dated belongs in our time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// When it happened, as well as we know; never after it arrived.
    pub at: Utc,
    /// What was added to the source's clock to know that, in microseconds.
    pub offset: i64,
    /// By how much the source's clock jumped just before, in microseconds; ahead is positive.
    pub jumped: Option<i64>,
    /// By how much `at` was moved so that it does not come before what the source said earlier, in microseconds. Things
    /// of one source stay in the order in which it told them, and where its clock says otherwise this says so.
    pub held: i64,
}

/// What is known of a source's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// What must be added to it to get our time, in microseconds.
    pub offset: i64,
    /// How much it gains, in millionths.
    pub drift: f64,
    /// How often it has jumped.
    pub jumps: u64,
    /// How often it has been looked at.
    pub looks: u64,
}

/// A source's clock, measured while it is listened to. Its memory does not grow.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    settings: Settings,
    envelope: Envelope,
    /// What came too late to fit, since when; it is either a slow network or a clock set back.
    late: Option<Late>,
    last: Option<Last>,
    measured: Measured,
}

/// The last thing the source told.
#[derive(Clone, Copy, Debug)]
struct Last {
    clock: i64,
    at: Utc,
}

/// A run of late arrivals.
#[derive(Clone, Debug)]
struct Late {
    since: i64,
    count: u32,
    envelope: Envelope,
}

impl Clock {
    /// A clock of which nothing is known yet.
    pub fn new(settings: Settings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Takes what the source's clock showed on something that has just arrived, and says when that was. Things are
    /// observed in the order in which they arrived.
    pub fn observe(&mut self, source_clock: i64, arrived: Utc) -> Placed {
        let now = arrived.micros();
        let difference = now.saturating_sub(source_clock);
        let jumped = self.jumped(source_clock, now, difference);
        if self.late.is_none() {
            self.envelope.add(&self.settings, now, difference);
        }
        let offset = self.envelope.offset(now).unwrap_or(difference);
        // What has arrived has happened: a clock can be ahead of us, the thing itself cannot.
        let at = arrived.shifted(source_clock.saturating_add(offset).saturating_sub(now).min(0)).unwrap_or(arrived);
        let before = self.last.map_or(at, |last| last.at);
        let held = before.micros().saturating_sub(at.micros()).max(0);
        self.last = Some(Last { clock: source_clock, at: at.max(before) });
        self.measured = Measured {
            offset,
            drift: -self.envelope.slope() * 1e6,
            jumps: self.measured.jumps + u64::from(jumped.is_some()),
            looks: self.measured.looks + 1,
        };
        Placed { at: at.max(before), offset, jumped, held }
    }

    /// The source was started again and counts from somewhere else: no jump, but it is measured anew. What it tells
    /// from here on still comes after what it told before.
    pub fn begin_anew(&mut self) {
        self.late = None;
        self.envelope = Envelope::default();
        self.last = self.last.map(|last| Last { clock: i64::MIN, ..last });
    }

    /// What is known of it now.
    pub const fn measured(&self) -> Measured {
        self.measured
    }

    /// Whether the clock has jumped, and by how much. After a jump it is measured anew.
    fn jumped(&mut self, source_clock: i64, now: i64, difference: i64) -> Option<i64> {
        let expected = self.envelope.offset(now)?;
        let late = difference.saturating_sub(expected);
        let ran_back = self.last.is_some_and(|last| source_clock < last.clock.saturating_sub(self.settings.jump));
        // Nothing travels faster than before by this much, and nothing is told before what came earlier.
        if late < -self.settings.jump || (ran_back && late > self.settings.jump) {
            self.late = None;
            self.envelope = Envelope::default();
            return Some(late.saturating_neg());
        }
        if late <= self.settings.jump {
            self.late = None;
            return None;
        }
        let run = self.late.get_or_insert_with(|| Late { since: now, count: 0, envelope: Envelope::default() });
        run.count += 1;
        run.envelope.add(&self.settings, now, difference);
        if run.count < 3 || now.saturating_sub(run.since) < self.settings.confirm {
            return None;
        }
        let settled = run.envelope.offset(now).unwrap_or(difference);
        self.envelope = std::mem::take(&mut run.envelope);
        self.late = None;
        Some(expected.saturating_sub(settled))
    }
}
