//! Cameras: pictures with the time they were taken, whatever the network does, and the camera's own bytes for the tape.
//!
//! Each camera has one thread, which reads, decodes and watches over the picture, and calls again when the line is lost.
//! Three short queues lead out of it: [frames](Camera::frame) to look at, [packed pictures](Camera::picture) to keep, and
//! [what it tells](Camera::told) of itself.

pub(crate) mod annexb;
mod backoff;
mod clock;
mod device;
pub mod health;
mod image;
mod lost;
mod play;
mod queue;
mod source;
mod stills;
mod told;
mod unpack;
mod video;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use table::Utc;
use table::config::CameraSource;
use table::tape::Picture;

pub use image::{Image, ImageError, View};
pub use lost::Lost;
pub use queue::Nothing;
pub use told::{News, Told};
pub use unpack::{UnpackError, Unpacker};
pub(crate) use video::silence as silence_ffmpeg;

use crate::clock::Measured;
use queue::Queue;
use source::Leash;

/// Packed pictures that wait for a recorder: some seconds of them.
const PICTURES: usize = 128;
/// News that wait for a listener; the oldest are of least interest.
const NEWS: usize = 256;

/// What becomes of frames that nobody looks at in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The newest is kept, and those it takes the place of are counted. Recordings play as fast as they were made.
    Live,
    /// All are kept: the camera waits. Recordings play as fast as they are read.
    Replay,
}

/// How a camera is to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Live or replay.
    pub mode: Mode,
    /// The folder that paths begin in: that of the site file.
    pub folder: PathBuf,
    /// Whether the packed pictures are wanted, with [`Camera::picture`]. Who asks for them in replay has to take them: the
    /// camera waits for that too.
    pub pictures: bool,
    /// Whether the picture is watched over.
    pub watched: bool,
    /// How long it may take until the first picture comes.
    pub opening: Duration,
    /// How long it may take from a picture to the next.
    pub silence: Duration,
    /// Spreads the calls of many cameras that were lost together.
    pub seed: u64,
}

impl From<Mode> for Setup {
    fn from(mode: Mode) -> Self {
        Self {
            mode,
            folder: PathBuf::new(),
            pictures: false,
            watched: true,
            opening: Duration::from_secs(10),
            silence: Duration::from_secs(3),
            seed: 0,
        }
    }
}

/// One frame.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Counted from one over all that the camera gave, so that numbers left out are frames dropped.
    pub number: u64,
    /// When it was taken, as well as we know. Never before the frame before it.
    pub at: Utc,
    /// When its bytes reached us.
    pub arrived: Utc,
    /// What the camera's own wall clock said, in microseconds since 1970.
    pub source_clock: Option<i64>,
    /// The picture.
    pub image: Image,
}

/// What a camera has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Frames that came.
    pub frames: u64,
    /// Frames that nobody looked at in time.
    pub dropped: u64,
    /// Packed pictures that nobody kept in time.
    pub not_kept: u64,
    /// Packets that are no picture.
    pub broken: u64,
    /// Times it was lost.
    pub losses: u64,
}

/// What the camera and its thread share.
struct Shared {
    leash: Arc<Leash>,
    frames: Queue<Frame>,
    pictures: Queue<Picture>,
    news: Queue<Told>,
    /// In the order of [`Counts`].
    counts: [AtomicU64; 5],
    /// What is known of the camera's wall clock.
    wall: Mutex<Option<Measured>>,
}

const FRAMES_CAME: usize = 0;
const DROPPED: usize = 1;
const NOT_KEPT: usize = 2;
const BROKEN: usize = 3;
const LOSSES: usize = 4;

/// What a camera counts, for metrics and screens, while it works and after.
#[derive(Clone)]
pub struct Counting(Arc<Shared>);

impl Counting {
    /// What the camera has done so far.
    pub fn counts(&self) -> Counts {
        let count = |what: usize| self.0.counts.get(what).map_or(0, |count| count.load(Ordering::Relaxed));
        Counts {
            frames: count(FRAMES_CAME),
            dropped: count(DROPPED),
            not_kept: count(NOT_KEPT),
            broken: count(BROKEN),
            losses: count(LOSSES),
        }
    }

    /// What is known of the camera's wall clock; `None` if it never told.
    pub fn clock(&self) -> Option<Measured> {
        *self.0.wall.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    fn clock_is(&self, measured: Measured) {
        *self.wall.lock().unwrap_or_else(PoisonError::into_inner) = Some(measured);
    }

    fn count(&self, what: usize, by: u64) {
        if let Some(count) = self.counts.get(what) {
            count.fetch_add(by, Ordering::Relaxed);
        }
    }

    fn close(&self) {
        self.frames.close();
        self.pictures.close();
        self.news.close();
    }
}

/// A camera at work. It stops when dropped.
pub struct Camera {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// Sets a camera to work, if need be with more than a [`Mode`] in its [`Setup`]. What goes wrong is [told](Camera::told).
pub fn open(source: &CameraSource, setup: impl Into<Setup>) -> Camera {
    let setup = setup.into();
    let room = if setup.mode == Mode::Live { 1 } else { 4 };
    let shared = Arc::new(Shared {
        leash: Leash::new(),
        frames: Queue::new(room),
        pictures: Queue::new(PICTURES),
        news: Queue::new(NEWS),
        counts: Default::default(),
        wall: Mutex::default(),
    });
    let player = play::Player::new(source.clone(), setup, Arc::clone(&shared));
    let thread = std::thread::Builder::new().name("camera".to_owned()).spawn(move || player.run());
    let thread = thread
        .map_err(|wrong| {
            shared.news.push_newest(Told { at: source::now(), news: News::Lost(Lost::Thread(wrong)) });
            shared.close();
        })
        .ok();
    Camera { shared, thread }
}

impl Camera {
    /// The next frame, or in live mode the newest.
    pub fn frame(&self, patience: Duration) -> Result<Frame, Nothing> {
        self.shared.frames.pop(patience)
    }

    /// The next packed picture, as the camera made it.
    pub fn picture(&self, patience: Duration) -> Result<Picture, Nothing> {
        self.shared.pictures.pop(patience)
    }

    /// What the camera tells next about itself.
    pub fn told(&self, patience: Duration) -> Result<Told, Nothing> {
        self.shared.news.pop(patience)
    }

    /// What it has done so far.
    pub fn counts(&self) -> Counts {
        self.counting().counts()
    }

    /// What it counts, for those who look on.
    pub fn counting(&self) -> Counting {
        Counting(Arc::clone(&self.shared))
    }

    /// Stops and waits until the thread has ended. Dropping a camera stops it as well, but does not wait: the system may
    /// hold a thread that asks for a host's name or waits for a driver.
    pub fn stop(mut self) {
        self.halt();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has ended too.
            let _ = thread.join();
        }
    }

    fn halt(&self) {
        self.shared.leash.stop();
        self.shared.close();
    }
}

impl Drop for Camera {
    fn drop(&mut self) {
        self.halt();
    }
}
