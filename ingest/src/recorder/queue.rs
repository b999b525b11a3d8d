//! What waits to be written: bounded, and never a reason for a source to wait.

use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use table::tape::{PictureFormat, Record};
use table::{Ident, Utc};

use super::counters::{Counters, add};

/// What a record costs in memory besides its bytes.
const OVERHEAD: usize = 128;
/// What an event, a round or a flag is taken to cost.
const SMALL: usize = 1024;

/// Something to be written.
pub(super) struct Waiting {
    number: u64,
    pub(super) arrived: Utc,
    pub(super) record: Record,
    pub(super) cost: usize,
}

/// Two queues of which pictures have the lesser right.
#[derive(Debug)]
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    most: usize,
    most_pictures: usize,
    counters: Arc<Counters>,
}

#[derive(Default)]
struct State {
    pictures: VecDeque<Waiting>,
    others: VecDeque<Waiting>,
    picture_cost: usize,
    other_cost: usize,
    next: u64,
    /// Cameras of whose video a frame was dropped: the frames up to the next key frame show nothing without it.
    broken: BTreeSet<Ident>,
    /// Somebody waits for what is in here to be safe.
    hurry: bool,
    closed: bool,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let waiting = (self.pictures.len(), self.others.len());
        f.debug_struct("State").field("waiting", &waiting).field("closed", &self.closed).finish_non_exhaustive()
    }
}

impl Queue {
    pub(super) fn new(most: usize, most_pictures: usize, counters: Arc<Counters>) -> Self {
        let most_pictures = most_pictures.min(most);
        Self { state: Mutex::default(), changed: Condvar::new(), most, most_pictures, counters }
    }

    /// Takes a record if there is room, or if pictures can make room.
    pub(super) fn offer(&self, arrived: Utc, record: Record) -> bool {
        let mut state = self.lock();
        add(&self.counters.offered, 1);
        let cost = cost(&record);
        let camera = match &record {
            Record::Picture { camera, picture } => Some((camera.clone(), picture.format, is_key(&picture.data))),
            _ => None,
        };
        let taken = match camera {
            Some((camera, format, key)) => self.admit_picture(&mut state, &camera, format, key, cost),
            None => self.admit_other(&mut state, cost),
        };
        if taken {
            let number = state.next;
            state.next += 1;
            let is_picture = matches!(record, Record::Picture { .. });
            let waiting = Waiting { number, arrived, record, cost };
            if is_picture { state.pictures.push_back(waiting) } else { state.others.push_back(waiting) }
        }
        self.note(&state);
        self.changed.notify_one();
        taken
    }

    fn admit_picture(&self, state: &mut State, camera: &Ident, format: PictureFormat, key: bool, cost: usize) -> bool {
        let useless = format == PictureFormat::H264 && !key && state.broken.contains(camera);
        let full =
            state.picture_cost + cost > self.most_pictures || state.picture_cost + state.other_cost + cost > self.most;
        if state.closed || useless || full {
            state.broken.insert(camera.clone());
            add(&self.counters.dropped, 1);
            return false;
        }
        state.broken.remove(camera);
        state.picture_cost += cost;
        true
    }

    fn admit_other(&self, state: &mut State, cost: usize) -> bool {
        while state.picture_cost + state.other_cost + cost > self.most {
            let Some(oldest) = state.pictures.pop_front() else { break };
            state.picture_cost -= oldest.cost;
            add(&self.counters.dropped, 1);
        }
        if state.closed || state.picture_cost + state.other_cost + cost > self.most {
            add(&self.counters.lost, 1);
            return false;
        }
        state.other_cost += cost;
        true
    }

    pub(super) fn roomy(&self) -> bool {
        let state = self.lock();
        (state.picture_cost + state.other_cost) * 2 <= self.most
    }

    /// The next record in order of arrival; waits for one until a time. `Closed` once all are gone and none will come.
    pub(super) fn next(&self, until: Instant) -> Next {
        let mut state = self.lock();
        loop {
            let pictures_first = match (state.pictures.front(), state.others.front()) {
                (Some(picture), Some(other)) => picture.number < other.number,
                (picture, _) => picture.is_some(),
            };
            let taken = if pictures_first { state.pictures.pop_front() } else { state.others.pop_front() };
            if let Some(waiting) = taken {
                let side = if pictures_first { &mut state.picture_cost } else { &mut state.other_cost };
                *side -= waiting.cost;
                self.note(&state);
                return Next::Record(waiting);
            }
            if state.closed {
                return Next::Closed;
            }
            if std::mem::take(&mut state.hurry) {
                return Next::Hurry;
            }
            let Some(left) = until.checked_duration_since(Instant::now()) else { return Next::Nothing };
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits until a time without taking anything, or until the queue is closed; whether it is.
    pub(super) fn rest(&self, until: Instant) -> bool {
        let mut state = self.lock();
        while !state.closed {
            let Some(left) = until.checked_duration_since(Instant::now()) else { break };
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.closed
    }

    /// Somebody waits for what is in here to be safe.
    pub(super) fn hurry(&self) {
        self.lock().hurry = true;
        self.changed.notify_one();
    }

    /// Takes no more.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    fn note(&self, state: &State) {
        let waiting = (state.picture_cost + state.other_cost) as u64;
        self.counters.waiting_bytes.store(waiting, Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code that can panic runs under the lock; if it did, the queue itself would still be whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the queue has for the writer.
pub(super) enum Next {
    /// A record.
    Record(Waiting),
    /// Nothing until now.
    Nothing,
    /// Nothing more, and somebody waits for what there was to be safe.
    Hurry,
    /// Nothing ever again.
    Closed,
}

fn cost(record: &Record) -> usize {
    OVERHEAD
        + match record {
            Record::ShoeBytes { bytes, .. } => bytes.len(),
            Record::ChipLine { line, .. } => line.len(),
            Record::Picture { picture, .. } => picture.data.len(),
            Record::Unknown(message) => message.data.len(),
            _ => SMALL,
        }
}

/// Whether a frame of H.264 can be shown without those before it: it has an IDR slice (unit type 5).
fn is_key(annex_b: &[u8]) -> bool {
    annex_b.windows(4).any(|window| matches!(window, [0, 0, 1, unit] if unit & 0x1f == 5))
}
