//! Whether a camera's picture is fit to be judged by: measurements in, and what is wrong with the picture out.
//!
//! [`Gauge`] measures a picture; [`Watch`] makes of the measurements one condition at a time. A condition has to last before
//! it is raised and has to be clearly over before it is taken back, so that an arm over the lens is no alarm.

mod gauge;
mod median;

use std::fmt;

use table::Utc;
use table::event::Health;

pub use gauge::{Gauge, Measure};
use median::Median;

/// From one measurement to the next, in microseconds.
const EVERY: i64 = 250_000;
const SECOND: i64 = 1_000_000;

/// Brightness below which nothing can be read, and above which it can again. Black is 16 in video.
const DARK: [f32; 2] = [30.0, 38.0];
/// Brightness above which nothing can be read, and below which it can again. White is 235.
const BRIGHT: [f32; 2] = [220.0, 205.0];
/// The part of the pixels that may change in a picture that stands still: a clock painted into it goes on.
const STILL: f32 = 0.002;
/// A picture that stands still for so long is frozen, or for longer if the camera is known for it: an encoder may take no
/// notice of an empty table from one key frame to the next.
const FROZEN: [i64; 2] = [3 * SECOND, 12 * SECOND];
/// Sharpness, as a part of what is usual, below which focus is lost and above which it is back.
const BLURRED: [f32; 2] = [0.4, 0.6];
/// The part of the picture that is as it was, below which the camera looks elsewhere and above which it is back.
const ALIKE: [f32; 2] = [0.35, 0.6];
/// Measurements until it is known what is usual.
const KNOWN: usize = 15;

/// What is wrong with a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Condition {
    /// Nothing.
    Ok,
    /// There is none.
    Lost,
    /// It is black.
    Dark,
    /// It is white.
    Bright,
    /// It does not change, although a sensor's noise always does.
    Frozen,
    /// The camera looks elsewhere than it did.
    Moved,
    /// It is out of focus.
    Blurred,
}

impl Condition {
    /// The same as events know it. A picture too bright is as blind as one too dark, and events know no other word.
    pub const fn health(self) -> Health {
        match self {
            Self::Ok => Health::Ok,
            Self::Lost => Health::Lost,
            Self::Dark | Self::Bright => Health::Dark,
            Self::Frozen => Health::Frozen,
            Self::Moved => Health::Moved,
            Self::Blurred => Health::Blurred,
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Ok => "the picture is good",
            Self::Lost => "there is no picture",
            Self::Dark => "the picture is black: look at light, lens cap and exposure",
            Self::Bright => "the picture is white: look at light and exposure",
            Self::Frozen => "the picture is frozen: restart the camera",
            Self::Moved => "the camera was moved: turn it back, or calibrate its areas anew",
            Self::Blurred => "the picture is out of focus: clean or focus the lens",
        })
    }
}

/// Something that is raised when it has lasted, and taken back when it has been over for a while.
#[derive(Clone, Copy, Debug)]
struct Alarm {
    rises: i64,
    falls: i64,
    raised: bool,
    since: Option<Utc>,
}

impl Alarm {
    const fn after(rises: i64, falls: i64) -> Self {
        Self { rises, falls, raised: false, since: None }
    }

    /// `wrong` is whether to raise it, `right` whether to take it back; neither leaves things as they are.
    fn hear(&mut self, at: Utc, wrong: bool, right: bool) {
        let turns = if self.raised { right } else { wrong };
        if !turns {
            self.since = None;
            return;
        }
        let since = *self.since.get_or_insert(at);
        if at.micros().saturating_sub(since.micros()) >= if self.raised { self.falls } else { self.rises } {
            self.raised = !self.raised;
            self.since = None;
        }
    }

    /// Raised, or about to be.
    const fn is_suspected(&self) -> bool {
        self.raised || self.since.is_some()
    }
}

/// Watches over one camera's picture.
#[derive(Clone, Debug)]
pub struct Watch {
    said: Condition,
    measured: Option<Utc>,
    lost: bool,
    dark: Alarm,
    bright: Alarm,
    moved: Alarm,
    blurred: Alarm,
    frozen: bool,
    /// Since when the picture stands still, and the longest it has done so and gone on.
    still: Option<Utc>,
    usual_still: i64,
    stirred: bool,
    sharpness: Median,
}

impl Default for Watch {
    fn default() -> Self {
        Self {
            said: Condition::Ok,
            measured: None,
            lost: false,
            dark: Alarm::after(2 * SECOND, SECOND),
            bright: Alarm::after(2 * SECOND, SECOND),
            moved: Alarm::after(5 * SECOND / 2, SECOND),
            blurred: Alarm::after(3 * SECOND, SECOND),
            frozen: false,
            still: None,
            usual_still: 0,
            stirred: false,
            sharpness: Median::default(),
        }
    }
}

impl Watch {
    /// Whether a frame of this time should be measured: not all need to be.
    pub fn is_due(&self, at: Utc) -> bool {
        self.measured.is_none_or(|last| at.micros().saturating_sub(last.micros()) >= EVERY)
    }

    /// There are no pictures; says whether that is news.
    pub fn lost(&mut self) -> bool {
        self.lost = true;
        self.still = None;
        self.frozen = false;
        std::mem::replace(&mut self.said, Condition::Lost) != Condition::Lost
    }

    /// Looks at a measurement; gives the condition if it is another than before.
    pub fn look(&mut self, at: Utc, measure: &Measure) -> Option<Condition> {
        self.measured = Some(at);
        self.lost = false;
        self.dark.hear(at, measure.light < DARK[0], measure.light > DARK[1]);
        self.bright.hear(at, measure.light > BRIGHT[0], measure.light < BRIGHT[1]);
        let blind = self.dark.is_suspected() || self.bright.is_suspected();
        self.stand(at, measure.changed, blind);
        // In the dark there is nothing to see of place or focus; what was known of them stays.
        if !blind {
            self.place(at, measure.alike);
            self.focus(at, measure.sharpness);
        }
        let condition = self.condition();
        (std::mem::replace(&mut self.said, condition) != condition).then_some(condition)
    }

    fn stand(&mut self, at: Utc, changed: Option<f32>, blind: bool) {
        let stirs = changed.is_none_or(|changed| changed > STILL);
        // A key frame paints the same picture a little differently; only what stirs twice in a row is alive.
        let stirred = std::mem::replace(&mut self.stirred, stirs);
        if blind || stirs && (stirred || self.still.is_none()) {
            let stood = self.still.take().map_or(0, |since| at.micros().saturating_sub(since.micros()));
            if !std::mem::replace(&mut self.frozen, false) {
                self.usual_still = self.usual_still.max(stood);
            }
            return;
        }
        let stood = at.micros().saturating_sub(self.still.get_or_insert(at).micros());
        self.frozen = stood >= (2 * self.usual_still).clamp(FROZEN[0], FROZEN[1]);
    }

    fn place(&mut self, at: Utc, alike: Option<f32>) {
        if let Some(alike) = alike {
            self.moved.hear(at, alike < ALIKE[0], alike > ALIKE[1]);
        }
    }

    fn focus(&mut self, at: Utc, sharpness: f32) {
        let usual = self.sharpness.value().filter(|_| self.sharpness.len() >= KNOWN);
        if let Some(usual) = usual {
            self.blurred.hear(at, sharpness < BLURRED[0] * usual, sharpness > BLURRED[1] * usual);
        }
        if !self.blurred.is_suspected() && !self.moved.is_suspected() {
            self.sharpness.add(sharpness);
        }
    }

    fn condition(&self) -> Condition {
        let raised = [
            (self.lost, Condition::Lost),
            (self.dark.raised, Condition::Dark),
            (self.bright.raised, Condition::Bright),
            (self.frozen, Condition::Frozen),
            (self.moved.raised, Condition::Moved),
            (self.blurred.raised, Condition::Blurred),
        ];
        raised.into_iter().find(|(raised, _)| *raised).map_or(Condition::Ok, |(_, condition)| condition)
    }
}
