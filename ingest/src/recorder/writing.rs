//! The recorder's thread: from the queue to the disk, and over every failure of it.

use std::sync::atomic::Ordering;
use std::sync::{Arc, mpsc};
use std::time::Instant;

use table::Utc;
use table::tape::{About, Config, Record, TapeError};

use super::counters::{Counters, Counts, add};
use super::disk::{Disk, DiskError};
use super::queue::{Next, Queue, Waiting};
use super::segment::{Segment, io_error, tape_error};
use super::{Alarm, Settings, Shelf};

/// What a recorder is made of.
pub(super) struct Parts {
    pub(super) disk: Box<dyn Disk>,
    pub(super) shelf: Shelf,
    pub(super) product: String,
    pub(super) config: Option<Config>,
    pub(super) settings: Settings,
}

/// A time in which nothing can be written.
struct Outage {
    /// The counts when it began.
    before: Counts,
    retry: Instant,
}

pub(super) struct Writing {
    parts: Parts,
    queue: Arc<Queue>,
    counters: Arc<Counters>,
    tell: mpsc::SyncSender<Alarm>,
    segment: Option<Segment>,
    /// The number of the next segment.
    number: u32,
    /// What the next segment continues.
    continues: Option<String>,
    /// What has been given to the segment and is not safe yet.
    pending: Vec<Waiting>,
    pending_cost: usize,
    flushed: Instant,
    outage: Option<Outage>,
    /// When the newest record arrived.
    latest: Utc,
}

impl Writing {
    pub(super) fn new(parts: Parts, queue: Arc<Queue>, counters: Arc<Counters>, tell: mpsc::SyncSender<Alarm>) -> Self {
        let continues = parts.shelf.left_over().map(|name| format!("continues {name}, which has no end"));
        let latest = parts.shelf.created();
        Self {
            parts,
            queue,
            counters,
            tell,
            segment: None,
            number: 1,
            continues,
            pending: Vec::new(),
            pending_cost: 0,
            flushed: Instant::now(),
            outage: None,
            latest,
        }
    }

    /// Begins the next segment.
    pub(super) fn begin(&mut self) -> Result<(), DiskError> {
        let Parts { disk, shelf, product, config, settings } = &self.parts;
        let folder = shelf.folder_path();
        let free = disk.free(folder).map_err(|source| io_error(folder, source))?;
        self.counters.free.store(free, Ordering::Relaxed);
        if free < settings.least_free {
            return Err(DiskError::Full { free, least: settings.least_free });
        }
        let mut about = About::new(shelf.table().clone(), self.latest, product);
        about.origin.clone_from(&self.continues);
        about.config.clone_from(config);
        // What is there already stays as it is.
        while shelf.segment(self.number).exists() {
            self.number = self.number.saturating_add(1);
        }
        let segment = Segment::begin(&**disk, shelf.segment(self.number), &about)?;
        tracing::info!(tape = %segment.path.display(), "recording");
        add(&self.counters.segments, 1);
        self.number = self.number.saturating_add(1);
        self.segment = Some(segment);
        Ok(())
    }

    /// Records until the queue is closed and empty.
    pub(super) fn run(mut self) {
        loop {
            if let Some(outage) = &self.outage {
                let closed = self.queue.rest(outage.retry);
                let failed = self.resume().is_err();
                if closed && failed {
                    return self.give_up();
                }
                continue;
            }
            match self.queue.next(self.flushed + self.parts.settings.flush_every) {
                Next::Record(waiting) => self.take(waiting),
                Next::Nothing => {}
                Next::Hurry => self.make_safe(),
                Next::Closed => {
                    self.end_segment();
                    if self.outage.is_none() {
                        return;
                    }
                }
            }
            self.keep_up();
        }
    }

    /// Makes safe what is due, and ends a segment that is large or old enough.
    fn keep_up(&mut self) {
        let settings = &self.parts.settings;
        let due = self.flushed.elapsed() >= settings.flush_every || self.pending_cost >= settings.flush_bytes;
        if due {
            self.make_safe();
        }
        let settings = &self.parts.settings;
        let over = self
            .segment
            .as_ref()
            .is_some_and(|of| of.length() >= settings.segment_bytes || of.begun.elapsed() >= settings.segment_age);
        if over {
            self.roll();
        }
    }

    /// Gives a record to the segment.
    fn take(&mut self, waiting: Waiting) {
        self.latest = self.latest.max(waiting.arrived);
        match self.write(&waiting) {
            Ok(()) => {}
            // A camera that sends another kind of pictures from now on needs a tape that says so.
            Err(TapeError::ChannelConflict(_)) => {
                self.roll();
                if self.outage.is_none()
                    && let Err(error) = self.write(&waiting)
                {
                    return self.refuse(&waiting, &error);
                }
            }
            Err(error @ (TapeError::TooLong { .. } | TapeError::Time(_) | TapeError::Encode(_))) => {
                return self.refuse(&waiting, &error);
            }
            Err(error) => {
                let error = self.segment.as_ref().map(|segment| tape_error(&segment.path, error));
                self.keep(waiting);
                if let Some(error) = error {
                    self.fail(&error);
                }
                return;
            }
        }
        self.keep(waiting);
    }

    fn write(&mut self, waiting: &Waiting) -> Result<(), TapeError> {
        match &mut self.segment {
            Some(segment) => segment.record(waiting.arrived, &waiting.record),
            None => Ok(()),
        }
    }

    fn keep(&mut self, waiting: Waiting) {
        self.pending_cost += waiting.cost;
        self.pending.push(waiting);
    }

    fn refuse(&self, waiting: &Waiting, error: &TapeError) {
        add(&self.counters.refused, 1);
        tracing::error!(arrived = %waiting.arrived, %error, "a record that no tape can hold is left out");
    }

    /// Brings to the disk what is pending.
    fn make_safe(&mut self) {
        self.flushed = Instant::now();
        if self.pending.is_empty() {
            return;
        }
        let sync = self.parts.settings.sync;
        let Some(segment) = &mut self.segment else { return };
        match segment.make_safe(sync) {
            Ok(()) => {
                add(&self.counters.bytes, segment.growth());
                add(&self.counters.safe, self.pending.len() as u64);
                self.pending.clear();
                self.pending_cost = 0;
                if let Ok(free) = self.parts.disk.free(self.parts.shelf.folder_path()) {
                    self.counters.free.store(free, Ordering::Relaxed);
                }
            }
            Err(error) => self.fail(&error),
        }
    }

    /// Ends this segment and begins the next.
    fn roll(&mut self) {
        self.end_segment();
        if self.outage.is_none()
            && let Err(error) = self.begin()
        {
            self.fail(&error);
        }
    }

    fn end_segment(&mut self) {
        self.make_safe();
        let Some(segment) = self.segment.take() else { return };
        let name = segment.name();
        match segment.finish(self.parts.settings.sync) {
            Ok(growth) => {
                add(&self.counters.bytes, growth);
                self.continues = Some(format!("continues {name}"));
            }
            Err(error) => {
                self.continues = Some(format!("continues {name}, which has no end"));
                self.fail(&error);
            }
        }
    }

    /// Leaves a segment that cannot be written on, and says so.
    fn fail(&mut self, error: &DiskError) {
        // Counted before anybody is told, so that all that is lost from here on is told of when recording goes on.
        let before = self.counters.counts();
        if let Some(segment) = self.segment.take() {
            self.continues = Some(format!("continues {}, which has no end", segment.name()));
            segment.abandon(&*self.parts.disk);
        }
        add(&self.counters.failures, 1);
        self.counters.failing.store(true, Ordering::Relaxed);
        tracing::error!(table = %self.parts.shelf.table(), %error, "nothing can be recorded");
        // A full channel means that nobody listens; the log has it.
        let _ = self.tell.try_send(Alarm::Failed { why: error.to_string() });
        self.outage = Some(Outage { before, retry: Instant::now() + self.parts.settings.retry_every });
    }

    /// Tries to go on in a new segment with what is pending.
    fn resume(&mut self) -> Result<(), DiskError> {
        let resumed = self.begin().and_then(|()| self.write_pending());
        if let Err(error) = resumed {
            if let Some(segment) = self.segment.take() {
                segment.abandon(&*self.parts.disk);
            }
            tracing::debug!(%error, "still nothing can be recorded");
            if let Some(outage) = &mut self.outage {
                outage.retry = Instant::now() + self.parts.settings.retry_every;
            }
            return Err(error);
        }
        let now = self.counters.counts();
        let before = self.outage.take().map_or(now, |outage| outage.before);
        let (lost, dropped) = (now.lost.saturating_sub(before.lost), now.dropped.saturating_sub(before.dropped));
        self.counters.failing.store(false, Ordering::Relaxed);
        if let Some(segment) = &self.segment {
            let path = segment.path.clone();
            tracing::warn!(tape = %path.display(), lost, dropped, "recording again");
            let _ = self.tell.try_send(Alarm::Recovered { segment: path, lost, dropped });
        }
        Ok(())
    }

    fn write_pending(&mut self) -> Result<(), DiskError> {
        let Some(segment) = &mut self.segment else { return Ok(()) };
        let mut refused = 0;
        for waiting in &self.pending {
            match segment.record(waiting.arrived, &waiting.record) {
                Ok(()) => {}
                // The outage came just when a camera changed its format. Of the two, the first has the tape.
                Err(TapeError::ChannelConflict(_)) => refused += 1,
                Err(source) => return Err(tape_error(&segment.path, source)),
            }
        }
        segment.make_safe(self.parts.settings.sync)?;
        add(&self.counters.bytes, segment.growth());
        add(&self.counters.safe, self.pending.len() as u64 - refused);
        add(&self.counters.refused, refused);
        self.pending.clear();
        self.pending_cost = 0;
        Ok(())
    }

    /// The recording ends while the disk fails: what is in memory is lost, and counted.
    fn give_up(mut self) {
        let mut left = std::mem::take(&mut self.pending);
        while let Next::Record(waiting) = self.queue.next(Instant::now()) {
            left.push(waiting);
        }
        let pictures = left.iter().filter(|waiting| matches!(waiting.record, Record::Picture { .. })).count();
        let others = left.len() - pictures;
        add(&self.counters.dropped, pictures as u64);
        add(&self.counters.lost, others as u64);
        tracing::error!(lost = others, dropped = pictures, "the recording ends with records that no disk took");
    }
}
