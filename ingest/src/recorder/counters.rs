//! What a recorder has done, counted where every thread can look.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The running counts of one recorder.
#[derive(Debug, Default)]
pub struct Counters {
    pub(super) offered: AtomicU64,
    pub(super) safe: AtomicU64,
    pub(super) bytes: AtomicU64,
    pub(super) lost: AtomicU64,
    pub(super) dropped: AtomicU64,
    pub(super) refused: AtomicU64,
    pub(super) segments: AtomicU64,
    pub(super) failures: AtomicU64,
    pub(super) waiting_bytes: AtomicU64,
    pub(super) free: AtomicU64,
    pub(super) failing: AtomicBool,
}

/// What a recorder has done up to a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Records handed over by the sources.
    pub offered: u64,
    /// Records flushed to the disk: no crash takes them away.
    pub safe: u64,
    /// Bytes of all segments.
    pub bytes: u64,
    /// Records other than pictures that are lost, for want of room or because the disk failed to the end.
    pub lost: u64,
    /// Pictures dropped, for want of room.
    pub dropped: u64,
    /// Records that no tape can hold.
    pub refused: u64,
    /// Segments begun.
    pub segments: u64,
    /// Times the disk failed.
    pub failures: u64,
    /// Bytes that wait in memory.
    pub waiting_bytes: u64,
    /// Bytes free on the disk when last looked at.
    pub free: u64,
    /// Whether the disk is failing now.
    pub failing: bool,
}

impl Counts {
    /// Records of which it is known what became of them: safe, lost, dropped or refused.
    pub const fn settled(&self) -> u64 {
        self.safe + self.lost + self.dropped + self.refused
    }
}

impl Counters {
    /// The counts now.
    pub fn counts(&self) -> Counts {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Counts {
            offered: read(&self.offered),
            safe: read(&self.safe),
            bytes: read(&self.bytes),
            lost: read(&self.lost),
            dropped: read(&self.dropped),
            refused: read(&self.refused),
            segments: read(&self.segments),
            failures: read(&self.failures),
            waiting_bytes: read(&self.waiting_bytes),
            free: read(&self.free),
            failing: self.failing.load(Ordering::Relaxed),
        }
    }
}

/// Counts so many more.
pub(super) fn add(count: &AtomicU64, more: u64) {
    count.fetch_add(more, Ordering::Relaxed);
}
