//! What all sources of pictures have in common: they are opened, give what they took, and can be told to stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use table::Utc;
use table::tape::PictureFormat;

use super::clock::Times;
use super::image::Image;
use super::lost::Lost;

/// Gives pictures, one after another.
pub(super) trait Source {
    /// How its times are had.
    fn times(&self) -> Times;
    /// What its packed pictures are, if a tape can keep them.
    fn packing(&self) -> Option<PictureFormat>;
    /// Waits for the next of what it takes.
    fn next(&mut self, took: &mut Vec<Took>) -> Result<(), Lost>;
}

/// What came from a source.
pub(super) enum Took {
    /// A frame as it was sent.
    Packed(Packed),
    /// A frame to look at.
    Frame(Decoded),
    /// Something that was sent and is no frame.
    Broken,
}

pub(super) struct Packed {
    /// The stream's count in microseconds.
    pub(super) counted: Option<i64>,
    /// The camera's wall clock in microseconds since 1970.
    pub(super) wall: Option<i64>,
    pub(super) arrived: Utc,
    /// The bytes for a tape, if it can keep them, and whether play can begin with them.
    pub(super) unit: Option<(Vec<u8>, bool)>,
}

pub(super) struct Decoded {
    pub(super) counted: Option<i64>,
    pub(super) wall: Option<i64>,
    pub(super) arrived: Utc,
    pub(super) image: Image,
}

/// A wish to stop, and how long a source may keep silent; looked at from within calls that would wait for ever.
pub(super) struct Leash {
    stopped: AtomicBool,
    begun: Instant,
    /// In milliseconds after `begun`.
    deadline: AtomicU64,
    sleeping: Mutex<()>,
    woken: Condvar,
}

impl Leash {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            stopped: AtomicBool::new(false),
            begun: Instant::now(),
            deadline: AtomicU64::new(u64::MAX),
            sleeping: Mutex::new(()),
            woken: Condvar::new(),
        })
    }

    pub(super) fn stop(&self) {
        let held = self.sleeping.lock().unwrap_or_else(PoisonError::into_inner);
        self.stopped.store(true, Ordering::Release);
        drop(held);
        self.woken.notify_all();
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    /// From now on, silence is borne for so long.
    pub(super) fn allow(&self, patience: Duration) {
        let until = u64::try_from((self.begun.elapsed() + patience).as_millis()).unwrap_or(u64::MAX);
        self.deadline.store(until, Ordering::Relaxed);
    }

    /// Whether a call that waits should give up.
    pub(super) fn is_over(&self) -> bool {
        let passed = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.is_stopped() || passed > self.deadline.load(Ordering::Relaxed)
    }

    /// Sleeps, unless it is told to stop; says whether it was.
    pub(super) fn sleep(&self, time: Duration) -> bool {
        let held = self.sleeping.lock().unwrap_or_else(PoisonError::into_inner);
        let slept = self.woken.wait_timeout_while(held, time, |()| !self.is_stopped());
        drop(slept);
        self.is_stopped()
    }
}

/// Plays what is already there as fast as it was once, as a camera would.
pub(super) struct Pace {
    leash: Arc<Leash>,
    begun: Option<(Instant, i64)>,
}

impl Pace {
    pub(super) const fn new(leash: Arc<Leash>) -> Self {
        Self { leash, begun: None }
    }

    /// Waits until something with this count is due.
    pub(super) fn wait(&mut self, counted: i64) -> Result<(), Lost> {
        let (begun, first) = *self.begun.get_or_insert((Instant::now(), counted));
        let due = Duration::from_micros(u64::try_from(counted.saturating_sub(first)).unwrap_or(0));
        let stopped = self.leash.sleep(due.saturating_sub(begun.elapsed()));
        if stopped { Err(Lost::Stopped) } else { Ok(()) }
    }
}

/// What time it is.
pub(super) fn now() -> Utc {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).ok().and_then(Utc::from_micros).unwrap_or(Utc::EPOCH)
}
