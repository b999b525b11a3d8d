//! Where everything of a table comes together: on its way to the tape, and into the feed that says what it means.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ingest::chips::Trouble;
use ingest::feed::{self, Feed};
use ingest::metrics::{self, Page};
use ingest::recorder::Intake;
use ingest::transport;
use table::config::TableConfig;
use table::event::{Health, Source};
use table::tape::Record;
use table::{Chance, Event, EventId, Fact, Ident, SourceKind, Utc};

/// Unreadable lines are said this often, in microseconds.
const GARBAGE_EVERY: i64 = 1_000_000;

/// Whoever follows a table while it is played.
pub(crate) trait Listener: Send {
    /// A record as it goes to the tape.
    fn record(&mut self, arrived: Utc, record: &Record);
    /// What the feed told by now, and up to when nothing else happened.
    fn heard(&mut self, events: &[Event], until: Option<Utc>, now: Option<Utc>);
    /// Begins anew if this is a good moment for it, with a feed that has heard nothing yet.
    fn renew(&mut self) -> Option<Feed>;
}

/// One desk a table. Cheap to copy.
#[derive(Clone)]
pub(crate) struct Desk(Arc<Mutex<Inside>>);

struct Inside {
    table: Ident,
    intake: Intake,
    feed: Feed,
    /// Events that no bytes tell, so far.
    told: u64,
    /// What the last of them said of each device.
    said: BTreeMap<(SourceKind, Ident), Health>,
    /// How each device is, by all that is known.
    health: BTreeMap<(SourceKind, Ident), Health>,
    /// When an unreadable line of each sensor was last said.
    garbled: BTreeMap<Ident, Utc>,
    /// Room for events, so that none is made for each record.
    events: Vec<Event>,
    listener: Option<Box<dyn Listener>>,
}

impl Desk {
    /// A desk from which everything goes to the tape and nowhere else.
    pub(crate) fn new(table: &TableConfig, intake: Intake) -> Self {
        Self::with(table, intake, Feed::of(table, feed::Settings::default()), None)
    }

    /// A desk that goes on with a feed, and somebody who follows the table.
    pub(crate) fn with(table: &TableConfig, intake: Intake, feed: Feed, listener: Option<Box<dyn Listener>>) -> Self {
        Self(Arc::new(Mutex::new(Inside {
            table: table.id.clone(),
            intake,
            feed,
            told: 0,
            said: BTreeMap::new(),
            health: BTreeMap::new(),
            garbled: BTreeMap::new(),
            events: Vec::new(),
            listener,
        })))
    }

    /// Something arrived. It goes to the tape in the order and with the time in which the feed has it, so that the tape
    /// tells the same again.
    pub(crate) fn hear(&self, arrived: Utc, record: Record) {
        self.inside().hear(arrived, record);
    }

    /// A device is well or is not, which its bytes do not tell. Told when that changes, and the first time it is known; a
    /// jump of a clock is told each time.
    pub(crate) fn health(&self, kind: SourceKind, name: &Ident, state: Health, at: Utc, arrived: Utc) {
        let mut inside = self.inside();
        if state != Health::ClockJump && inside.said.insert((kind, name.clone()), state) == Some(state) {
            return;
        }
        inside.told += 1;
        let (id, source) = (EventId(inside.told), Source { kind, name: name.clone() });
        let fact = Fact::Health { state };
        let at = at.min(arrived);
        let event = Event { id, source, at, arrived, source_clock: None, chance: Chance::CERTAIN, fact };
        inside.hear(arrived, Record::Event(event));
    }

    /// A camera saw a card do something.
    pub(crate) fn saw(&self, event: Event, arrived: Utc) {
        let mut inside = self.inside();
        inside.told += 1;
        let id = EventId(inside.told);
        inside.hear(arrived, Record::Event(Event { id, arrived, ..event }));
    }

    /// Lets whoever follows the table begin anew, if this is a good moment.
    pub(crate) fn renew(&self) {
        let mut inside = self.inside();
        if let Some(feed) = inside.listener.as_mut().and_then(|listener| listener.renew()) {
            inside.feed = feed;
        }
    }

    /// Nobody follows the table any more. Others may still hold a copy of this desk.
    pub(crate) fn leave(&self) {
        self.inside().listener = None;
    }

    /// Time passes.
    pub(crate) fn pass(&self, now: Utc) {
        let mut inside = self.inside();
        let now = inside.feed.not_before(now);
        let mut events = std::mem::take(&mut inside.events);
        inside.feed.pass(now, &mut events);
        inside.events = events;
        inside.heed();
    }

    /// Whether a source that can wait should not.
    pub(crate) fn roomy(&self) -> bool {
        self.inside().intake.roomy()
    }

    /// How every device is, by all that is known.
    pub(crate) fn devices(&self) -> Vec<(SourceKind, Ident, Health)> {
        self.inside().health.iter().map(|((kind, name), state)| (*kind, name.clone(), *state)).collect()
    }

    /// What is wrong with the devices now, each in a few words.
    pub(crate) fn troubles(&self) -> Vec<String> {
        let inside = self.inside();
        let ill = inside.health.iter().filter(|(_, state)| !matches!(state, Health::Ok | Health::Unlocked));
        ill.map(|((kind, name), state)| format!("{kind} {name} {state}")).collect()
    }

    /// Puts the numbers of decoders, readers and clocks on a page.
    pub(crate) fn metrics(&self, page: &mut Page) {
        let inside = self.inside();
        let (table, feed) = (inside.table.as_str(), &inside.feed);
        metrics::feed(page, table, &feed.counts());
        for (name, stats) in feed.shoes() {
            metrics::shoe(page, table, name.as_str(), &stats);
        }
        for (name, sensor) in feed.sensors() {
            metrics::chips(page, table, name.as_str(), &sensor.counts());
        }
        for (_, name, measured) in feed.clocks().filter(|(.., measured)| measured.looks > 0) {
            metrics::clock(page, table, name.as_str(), &measured);
        }
        for (name, pairing) in feed.pairings() {
            metrics::pairing(page, table, name.as_str(), pairing);
        }
        for ((kind, name), state) in &inside.health {
            metrics::health(page, table, name.as_str(), kind.name(), *state);
        }
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        // A task that panicked has left the feed between two records, which is where it always is.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inside {
    fn hear(&mut self, arrived: Utc, record: Record) {
        let arrived = self.feed.not_before(arrived);
        self.feed.pass(arrived, &mut self.events);
        self.heed();
        self.feed.hear(arrived, &record, &mut self.events);
        if let Some(listener) = &mut self.listener {
            listener.record(arrived, &record);
        }
        self.intake.offer(arrived, record);
        self.heed();
    }

    /// Looks through what the feed told for what an operator has to know.
    fn heed(&mut self) {
        let mut events = std::mem::take(&mut self.events);
        if let Some(listener) = &mut self.listener {
            listener.heard(&events, self.feed.told_until(), self.feed.now());
        }
        for event in events.drain(..) {
            if let (Fact::Gap { at_most }, SourceKind::Shoe) = (&event.fact, event.source.kind) {
                tracing::warn!(device = %event.source.name, "telegrams are missing; cards not seen: at most {at_most}");
            }
            self.note(&event);
        }
        self.events = events;
        let now = transport::now();
        for (device, trouble) in self.feed.troubles() {
            // A line at the wrong speed is garbage without end; it is counted, and said once a second.
            let garbage = matches!(trouble, Trouble::Unreadable(_));
            match self.garbled.get(device) {
                Some(last) if garbage && now.micros().saturating_sub(last.micros()) < GARBAGE_EVERY => {
                    tracing::debug!(%device, "{trouble}");
                }
                _ => {
                    tracing::warn!(%device, "{trouble}");
                    if garbage {
                        self.garbled.insert(device.clone(), now);
                    }
                }
            }
        }
    }

    fn note(&mut self, event: &Event) {
        let Fact::Health { state } = event.fact else { return };
        let (device, kind) = (&event.source.name, event.source.kind);
        if state == Health::ClockJump {
            tracing::warn!(%device, "the clock of this {kind} jumped");
            return;
        }
        let before = self.health.insert((kind, device.clone()), state).unwrap_or(Health::Ok);
        match state {
            _ if before == state => {}
            Health::Ok | Health::Locked | Health::Unlocked => tracing::info!(%device, "{kind}: {state}"),
            ill => tracing::warn!(%device, "{kind}: {ill}"),
        }
    }
}
