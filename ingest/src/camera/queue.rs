//! A short queue between a camera's thread and whoever looks: full, it forgets the oldest, waits, or says so.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Why nothing came out of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Nothing {
    /// Nothing came in time.
    #[error("nothing came in time")]
    Yet,
    /// Nothing will ever come.
    #[error("nothing more will come")]
    More,
}

pub(super) struct Queue<T> {
    inside: Mutex<Inside<T>>,
    changed: Condvar,
    room: usize,
}

struct Inside<T> {
    items: VecDeque<T>,
    closed: bool,
}

impl<T> Queue<T> {
    pub(super) fn new(room: usize) -> Self {
        let inside = Inside { items: VecDeque::with_capacity(room.max(1)), closed: false };
        Self { inside: Mutex::new(inside), changed: Condvar::new(), room: room.max(1) }
    }

    /// A reader that panicked has left nothing half done in here.
    fn lock(&self) -> MutexGuard<'_, Inside<T>> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an item, forgetting the oldest if there is no room; says how many were forgotten.
    pub(super) fn push_newest(&self, item: T) -> u64 {
        let mut inside = self.lock();
        let mut forgotten = 0;
        while inside.items.len() >= self.room {
            inside.items.pop_front();
            forgotten += 1;
        }
        inside.items.push_back(item);
        drop(inside);
        self.changed.notify_all();
        forgotten
    }

    /// Adds an item once there is room; false if the queue was closed before there was.
    pub(super) fn push_waiting(&self, item: T) -> bool {
        let inside = self.lock();
        let full = |inside: &mut Inside<T>| inside.items.len() >= self.room && !inside.closed;
        let mut inside = self.changed.wait_while(inside, full).unwrap_or_else(PoisonError::into_inner);
        if inside.closed {
            return false;
        }
        inside.items.push_back(item);
        drop(inside);
        self.changed.notify_all();
        true
    }

    /// Adds an item if there is room for it.
    pub(super) fn push_if_room(&self, item: T) -> bool {
        let mut inside = self.lock();
        let room = inside.items.len() < self.room && !inside.closed;
        if room {
            inside.items.push_back(item);
            drop(inside);
            self.changed.notify_all();
        }
        room
    }

    /// The next item, waiting for it so long.
    pub(super) fn pop(&self, patience: Duration) -> Result<T, Nothing> {
        let until = Instant::now() + patience;
        let mut inside = self.lock();
        loop {
            if let Some(item) = inside.items.pop_front() {
                drop(inside);
                self.changed.notify_all();
                return Ok(item);
            }
            if inside.closed {
                return Err(Nothing::More);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Nothing::Yet);
            }
            inside = self.changed.wait_timeout(inside, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Nothing more will come; what is in the queue stays.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_push_out_the_oldest_and_are_counted() {
        let queue = Queue::new(2);
        let forgotten: u64 = (0..5).map(|item| queue.push_newest(item)).sum();
        queue.close();
        assert_eq!(forgotten, 3);
        assert_eq!([(); 3].map(|()| queue.pop(Duration::ZERO)), [Ok(3), Ok(4), Err(Nothing::More)]);
    }

    #[test]
    fn who_may_not_forget_waits_until_there_is_room_or_the_queue_closes() {
        let queue = Queue::new(1);
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| (0..100).take_while(|item| queue.push_waiting(*item)).count());
            for item in 0..50 {
                assert_eq!(queue.pop(Duration::from_secs(10)), Ok(item));
            }
            queue.close();
            assert!((50..=51).contains(&writer.join().unwrap()));
        });
    }
}
