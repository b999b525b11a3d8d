//! Events in order of the time at which they happened, for as long as some may still be on their way.

use std::collections::BTreeMap;

use table::{Event, EventId, Utc};

/// Keeps events back and numbers them as they leave.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// By time, and for the same time in the order in which they came.
    waiting: BTreeMap<(Utc, u64), Event>,
    came: u64,
    last: Option<Utc>,
    /// Events that have left.
    pub(super) told: u64,
    /// Those among them that happened before one that had left already.
    pub(super) late: u64,
}

impl Order {
    /// Takes an event in; its number is given when it leaves.
    pub(super) fn add(&mut self, event: Event) {
        self.waiting.insert((event.at, self.came), event);
        self.came += 1;
    }

    /// Lets go what happened up to a time, or everything.
    pub(super) fn release(&mut self, until: Option<Utc>, events: &mut Vec<Event>) {
        while let Some(first) = self.waiting.first_entry() {
            let (at, _) = *first.key();
            if until.is_some_and(|until| at > until) {
                break;
            }
            self.told += 1;
            self.late += u64::from(self.last.is_some_and(|last| at < last));
            self.last = self.last.max(Some(at));
            events.push(Event { id: EventId(self.told), ..first.remove() });
        }
    }
}
