//! One tape being written, and how much of it is safe.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use table::Utc;
use table::tape::{About, Options, Record, TapeError, Writer};

use super::disk::{Disk, DiskError, SegmentFile};

/// A chunk is closed by flushing, long before it grows to this.
const CHUNK: u64 = 16 << 20;

/// A tape being written.
pub(super) struct Segment {
    tape: Writer<BufWriter<Sheet>>,
    file: Arc<dyn SegmentFile>,
    written: Arc<AtomicU64>,
    /// The length up to which everything is on the disk.
    safe: u64,
    pub(super) path: PathBuf,
    pub(super) begun: Instant,
    /// Whether a record is safe in it.
    used: bool,
    /// The length that was counted already.
    counted: u64,
}

/// The file as the tape's writer sees it, counting.
struct Sheet {
    file: Arc<dyn SegmentFile>,
    written: Arc<AtomicU64>,
}

impl Write for Sheet {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.file.append(bytes)?;
        self.written.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Segment {
    /// Begins a tape in a file that is not there yet.
    pub(super) fn begin(disk: &dyn Disk, path: PathBuf, about: &About) -> Result<Self, DiskError> {
        let file = disk.create(&path).map_err(|source| io_error(&path, source))?;
        let written = Arc::new(AtomicU64::new(0));
        let sheet = Sheet { file: Arc::clone(&file), written: Arc::clone(&written) };
        match Writer::with_options(BufWriter::new(sheet), about, Options { chunk_bytes: CHUNK }) {
            Ok(tape) => Ok(Self { tape, file, written, safe: 0, path, begun: Instant::now(), used: false, counted: 0 }),
            Err(source) => {
                let _ = disk.remove(&path);
                Err(tape_error(&path, source))
            }
        }
    }

    pub(super) fn record(&mut self, arrived: Utc, record: &Record) -> Result<(), TapeError> {
        self.tape.record(arrived, record)
    }

    /// Brings everything recorded so far to the disk.
    pub(super) fn make_safe(&mut self, sync: bool) -> Result<(), DiskError> {
        self.tape.flush().map_err(|source| tape_error(&self.path, source))?;
        if sync {
            self.file.sync().map_err(|source| io_error(&self.path, source))?;
        }
        self.safe = self.length();
        self.used = true;
        Ok(())
    }

    /// The length of the file.
    pub(super) fn length(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    /// How many bytes it has grown by since this was last asked.
    pub(super) fn growth(&mut self) -> u64 {
        let growth = self.length().saturating_sub(self.counted);
        self.counted += growth;
        growth
    }

    /// Its file's name.
    pub(super) fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Ends the tape; how many bytes it has grown by. A tape that cannot be ended is left as far as it is safe.
    pub(super) fn finish(self, sync: bool) -> Result<u64, DiskError> {
        let Self { tape, file, written, safe, path, counted, .. } = self;
        let ended = match tape.finish() {
            Ok(mut sheet) => sheet.flush().map_err(|source| io_error(&path, source)),
            Err(source) => Err(tape_error(&path, source)),
        };
        let ended = ended.and_then(|()| match sync {
            true => file.sync().map_err(|source| io_error(&path, source)),
            false => Ok(()),
        });
        match ended {
            Ok(()) => Ok(written.load(Ordering::Relaxed).saturating_sub(counted)),
            Err(error) => {
                cut(&*file, safe, &path);
                Err(error)
            }
        }
    }

    /// Gives up the tape: cuts it back to what is safe, so that what is written again elsewhere is not there twice. One
    /// without anything is taken away.
    pub(super) fn abandon(self, disk: &dyn Disk) {
        let Self { tape, file, safe, path, used, .. } = self;
        // Dropped first: the writer makes a last attempt to write its open chunk.
        drop(tape);
        if used {
            cut(&*file, safe, &path);
        } else if let Err(error) = disk.remove(&path) {
            tracing::warn!(tape = %path.display(), %error, "an empty tape cannot be taken away");
        }
    }
}

fn cut(file: &dyn SegmentFile, safe: u64, path: &Path) {
    if let Err(error) = file.cut(safe) {
        tracing::error!(
            tape = %path.display(), %error,
            "cannot cut the tape back to byte {safe}: what follows may stand in the next one too"
        );
    }
}

pub(super) fn io_error(path: &Path, source: io::Error) -> DiskError {
    DiskError::Io { path: path.display().to_string(), source }
}

pub(super) fn tape_error(path: &Path, source: TapeError) -> DiskError {
    DiskError::Tape { path: path.display().to_string(), source }
}
