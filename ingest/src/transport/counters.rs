//! What has passed on a line, counted where it happens and read from anywhere.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use serde::Serialize;
use table::Utc;

/// Counts of one line, shared between its listener and whoever shows them.
#[derive(Debug)]
pub struct Counters {
    bytes: AtomicU64,
    reads: AtomicU64,
    connections: AtomicU64,
    losses: AtomicU64,
    held_up: AtomicU64,
    /// Microseconds of the last byte; `NEVER` before the first.
    last_seen: AtomicI64,
}

const NEVER: i64 = i64::MIN;

/// The counts at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Bytes that came.
    pub bytes: u64,
    /// Reads in which they came.
    pub reads: u64,
    /// Times the far end was reached.
    pub connections: u64,
    /// Times it was lost, or could not be reached.
    pub losses: u64,
    /// Times that reading had to wait for the listener.
    pub held_up: u64,
    /// When the last byte came.
    pub last_seen: Option<Utc>,
}

impl Counts {
    /// Times the far end was reached again.
    pub const fn reconnects(&self) -> u64 {
        self.connections.saturating_sub(1)
    }
}

impl Default for Counters {
    fn default() -> Self {
        Self {
            bytes: AtomicU64::new(0),
            reads: AtomicU64::new(0),
            connections: AtomicU64::new(0),
            losses: AtomicU64::new(0),
            held_up: AtomicU64::new(0),
            last_seen: AtomicI64::new(NEVER),
        }
    }
}

impl Counters {
    /// What has passed so far.
    pub fn now(&self) -> Counts {
        Counts {
            bytes: self.bytes.load(Ordering::Relaxed),
            reads: self.reads.load(Ordering::Relaxed),
            connections: self.connections.load(Ordering::Relaxed),
            losses: self.losses.load(Ordering::Relaxed),
            held_up: self.held_up.load(Ordering::Relaxed),
            // No time is `NEVER`: it lies before the year 1.
            last_seen: Utc::from_micros(self.last_seen.load(Ordering::Relaxed)),
        }
    }

    pub(super) fn read(&self, at: Utc, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.last_seen.store(at.micros(), Ordering::Relaxed);
    }

    pub(super) fn connected(&self) {
        self.connections.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn lost(&self) {
        self.losses.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn held_up(&self) {
        self.held_up.fetch_add(1, Ordering::Relaxed);
    }
}
