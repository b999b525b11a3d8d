//! The recorder: writes tapes while play runs, and goes on whatever the disk does.
//!
//! Sources hand their records to an [`Intake`], which never makes them wait. A thread writes them into a segment: a tape
//! that is ended when it is large or old enough and followed by the next. What was recorded is flushed and synced at
//! least every second, so the death of the process, or of the machine, loses no more than that. Records wait in
//! memory until they are safe; when the disk fails, the segment is cut back to what was safe, and what waits goes into
//! a new one as soon as there is room. Memory is bounded: when the disk is away for long, pictures are dropped first.
//!
//! ```
//! use ingest::recorder::{Recorder, Settings, Shelf};
//! use table::tape::Record;
//!
//! let folder = tempfile::tempdir()?;
//! let opens = "2026-01-05T20:00:00Z".parse()?;
//! let shelf = Shelf::folder(folder.path(), "BJ-04".parse()?, opens);
//! let recorder = Recorder::start(shelf, "fairdeal 0.1.0", None, Settings::default())?;
//! recorder.intake().offer(opens, Record::ShoeBytes { shoe: "east".parse()?, bytes: b"[Game]<Card:4S>".to_vec() });
//! let ended = recorder.finish();
//! assert_eq!((ended.safe, ended.lost), (1, 0));
//! assert!(folder.path().join("BJ-04-20260105T200000Z.mcap").exists());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod counters;
mod disk;
mod queue;
mod segment;
mod shelf;
mod writing;

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use table::Utc;
use table::tape::{Config, Record};

pub use counters::{Counters, Counts};
pub use disk::{Disk, DiskError, LocalDisk, SegmentFile};
use queue::Queue;
pub use shelf::Shelf;
use writing::Writing;

/// How a table is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What came is made safe at least this often.
    pub flush_every: Duration,
    /// And whenever this much is waiting, in bytes.
    pub flush_bytes: usize,
    /// Whether safe means safe from a power cut as well as from a crash of this process.
    pub sync: bool,
    /// A segment is ended when it is larger than this, in bytes.
    pub segment_bytes: u64,
    /// A segment is ended when it is older than this.
    pub segment_age: Duration,
    /// The most memory for records that wait to be written, in bytes.
    pub queue_bytes: usize,
    /// The part of it that pictures may take, in bytes.
    pub picture_bytes: usize,
    /// No segment is begun with less room on the disk, in bytes.
    pub least_free: u64,
    /// How long we rest before we try a failing disk again.
    pub retry_every: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            flush_every: Duration::from_secs(1),
            flush_bytes: 1 << 20,
            sync: true,
            segment_bytes: 1 << 30,
            segment_age: Duration::from_secs(3600),
            queue_bytes: 64 << 20,
            picture_bytes: 48 << 20,
            least_free: 16 << 20,
            retry_every: Duration::from_secs(1),
        }
    }
}

/// Something the operator has to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Alarm {
    /// Nothing can be written.
    Failed {
        /// What the disk says.
        why: String,
    },
    /// Recording goes on.
    Recovered {
        /// In this segment.
        segment: PathBuf,
        /// Records lost meanwhile.
        lost: u64,
        /// Pictures dropped meanwhile.
        dropped: u64,
    },
}

/// The recorder could not begin.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Its thread.
    #[error("cannot start a thread for the recorder")]
    Thread(#[source] io::Error),
    /// Its first segment.
    #[error("cannot begin a tape in {}", folder.display())]
    Disk {
        /// Where.
        folder: PathBuf,
        /// Why not.
        source: DiskError,
    },
}

/// Where sources put what they have. Cheap to copy; offering never waits for the disk.
#[derive(Clone, Debug)]
pub struct Intake(Arc<Queue>);

impl Intake {
    /// Hands over something that arrived at a time. Whether there was room for it: without room, pictures give way to
    /// what shoes and chips said, and what is lost is counted.
    pub fn offer(&self, arrived: Utc, record: Record) -> bool {
        self.0.offer(arrived, record)
    }

    /// Makes safe at once what was handed over so far, instead of within the second. Does not wait for it:
    /// [`Counts::settled`] says when it is done.
    pub fn hurry(&self) {
        self.0.hurry();
    }

    /// Whether less than half of the room is taken: a source that can wait should, until it is so.
    pub fn roomy(&self) -> bool {
        self.0.roomy()
    }
}

/// A recording in progress. Dropped without [`finish`](Self::finish) it ends its tape all the same.
#[derive(Debug)]
pub struct Recorder {
    queue: Arc<Queue>,
    alarms: Option<mpsc::Receiver<Alarm>>,
    counters: Arc<Counters>,
    thread: Option<JoinHandle<()>>,
}

impl Recorder {
    /// Begins a tape on this machine's own disk.
    pub fn start(shelf: Shelf, product: &str, config: Option<Config>, settings: Settings) -> Result<Self, StartError> {
        Self::on(LocalDisk, shelf, product, config, settings)
    }

    /// Begins a tape on a given disk. A disk that fails now is an error, since somebody stands before the screen; one
    /// that fails later is an alarm.
    pub fn on(
        disk: impl Disk + 'static,
        shelf: Shelf,
        product: &str,
        config: Option<Config>,
        settings: Settings,
    ) -> Result<Self, StartError> {
        let counters = Arc::new(Counters::default());
        let queue = Arc::new(Queue::new(settings.queue_bytes, settings.picture_bytes, Arc::clone(&counters)));
        // More alarms than anybody reads are in the log all the same.
        let (tell, alarms) = mpsc::sync_channel(64);
        let folder = shelf.folder_path().to_owned();
        let parts = writing::Parts { disk: Box::new(disk), shelf, product: product.into(), config, settings };
        let mut writing = Writing::new(parts, Arc::clone(&queue), Arc::clone(&counters), tell);
        writing.begin().map_err(|source| StartError::Disk { folder, source })?;
        let name = thread::Builder::new().name("recorder".into());
        let thread = name.spawn(move || writing.run()).map_err(StartError::Thread)?;
        Ok(Self { queue, alarms: Some(alarms), counters, thread: Some(thread) })
    }

    /// Where sources put what they have.
    pub fn intake(&self) -> Intake {
        Intake(Arc::clone(&self.queue))
    }

    /// What has been recorded. It goes on counting when it is shared.
    pub fn counters(&self) -> Arc<Counters> {
        Arc::clone(&self.counters)
    }

    /// Alarms as they are raised; the first to ask gets them.
    pub fn alarms(&mut self) -> Option<mpsc::Receiver<Alarm>> {
        self.alarms.take()
    }

    /// Writes what waits, ends the tape and says what came of it. What a failing disk does not take now is lost.
    pub fn finish(mut self) -> Counts {
        self.end();
        self.counters.counts()
    }

    fn end(&mut self) {
        self.queue.close();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the recorder's thread broke off; its tape is unfinished");
        }
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.end();
    }
}
