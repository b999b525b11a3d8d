//! What a camera tells about itself, beside its pictures.

use std::fmt;
use std::time::Duration;

use table::Utc;
use table::tape::PictureFormat;

use super::health::Condition;
use super::lost::Lost;

/// Something a camera tells, and when.
#[derive(Debug)]
pub struct Told {
    /// When, by our clock; what is said of the picture has the time of the picture.
    pub at: Utc,
    /// What.
    pub news: News,
}

/// What a camera tells.
#[derive(Debug)]
pub enum News {
    /// It is being called.
    Connecting,
    /// The first picture came.
    Playing {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// How its pictures are packed, if a tape can keep them as they are.
        packing: Option<PictureFormat>,
    },
    /// It plays again; nothing was seen for so long.
    Gap(Duration),
    /// There are no pictures.
    Lost(Lost),
    /// It will be called again in a while.
    Retrying(Duration),
    /// Its wall clock was read: so many microseconds have to be added to get ours.
    ClockOffset(i64),
    /// Its clock leapt by so many microseconds.
    ClockJump(i64),
    /// The picture is well or is not.
    Picture(Condition),
    /// The recorder was too slow: so many packed pictures were not kept, up to one that play can begin with.
    NotKept(u64),
    /// A recording has been played to its end.
    Over,
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |micros: i64| micros as f64 / 1e6;
        match self {
            Self::Connecting => f.write_str("connecting"),
            Self::Playing { width, height, packing: Some(packing) } => write!(f, "playing {width}x{height}, {packing}"),
            Self::Playing { width, height, packing: None } => {
                write!(f, "playing {width}x{height}, packed in a way that a tape cannot keep")
            }
            Self::Gap(gap) => write!(f, "playing again, nothing was seen for {:.1} s", gap.as_secs_f64()),
            Self::Lost(why) => write!(f, "lost: {why}"),
            Self::Retrying(wait) => write!(f, "calling again in {:.1} s", wait.as_secs_f64()),
            Self::ClockOffset(by) => write!(f, "the camera's clock is {:.3} s behind ours", seconds(*by)),
            Self::ClockJump(by) => write!(f, "the camera's clock leapt by {:.3} s", seconds(*by)),
            Self::Picture(condition) => condition.fmt(f),
            Self::NotKept(count) => write!(f, "{count} pictures were not recorded, the recorder was too slow"),
            Self::Over => f.write_str("the recording is over"),
        }
    }
}
