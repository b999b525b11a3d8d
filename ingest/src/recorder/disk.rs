//! What the recorder asks of a disk.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use table::tape::TapeError;

/// A place for segments. Tests have one that fails when they want it to.
pub trait Disk: Send {
    /// Creates a file that is not there yet.
    fn create(&self, path: &Path) -> io::Result<Arc<dyn SegmentFile>>;
    /// Takes away a file into which nothing could be written.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Bytes free in a folder.
    fn free(&self, folder: &Path) -> io::Result<u64>;
}

/// Why nothing can be written.
#[derive(Debug, thiserror::Error)]
pub enum DiskError {
    /// The disk or its folder fails.
    #[error("{path}: {source}")]
    Io {
        /// What was to be written.
        path: String,
        /// What the system says.
        source: io::Error,
    },
    /// The tape cannot be written on.
    #[error("{path}: {}", in_full(source))]
    Tape {
        /// Which.
        path: String,
        /// Why.
        source: TapeError,
    },
    /// Too little room to begin a segment.
    #[error("the disk is full: {free} bytes are free, {least} are needed to begin a tape")]
    Full {
        /// Bytes free.
        free: u64,
        /// Bytes needed.
        least: u64,
    },
}

/// An error with its causes on one line.
fn in_full(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

/// A file that a segment is written to. It only grows, except when it is cut back to what was safe.
pub trait SegmentFile: fmt::Debug + Send + Sync {
    /// Appends.
    fn append(&self, bytes: &[u8]) -> io::Result<usize>;
    /// Waits until everything appended is on the disk itself.
    fn sync(&self) -> io::Result<()>;
    /// Cuts the file back to a length.
    fn cut(&self, length: u64) -> io::Result<()>;
}

/// The disk of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct LocalDisk;

impl Disk for LocalDisk {
    fn create(&self, path: &Path) -> io::Result<Arc<dyn SegmentFile>> {
        let file = OpenOptions::new().append(true).create_new(true).open(path)?;
        // Whoever tidies up sees by the lock that this one is being written; it ends with the process, however that ends.
        // A file system without locks still takes tapes.
        if let Err(error) = file.try_lock() {
            tracing::warn!(tape = %path.display(), %error, "cannot mark the tape as open");
        }
        if let Some(folder) = path.parent() {
            // The name must be as safe as what is written under it.
            File::open(folder)?.sync_all()?;
        }
        Ok(Arc::new(file))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        std::fs::remove_file(path)
    }

    fn free(&self, folder: &Path) -> io::Result<u64> {
        let found = rustix::fs::statvfs(folder)?;
        Ok(found.f_bavail.saturating_mul(found.f_frsize))
    }
}

impl SegmentFile for File {
    fn append(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut file = self;
        file.write(bytes)
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_data()
    }

    fn cut(&self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}
