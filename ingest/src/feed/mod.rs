//! From what a table's devices sent to events: one path for a table in play and for its tape years later.
//!
//! Records go in as they stand on a tape, in the order in which they arrived: the shoe's bytes, the chip sensor's lines, and
//! the events that no bytes tell (what a camera saw, how a device is). Events come out with their source's time, their
//! arrival and the measured offset, in order of the time at which they happened, numbered from one. Nothing in here looks
//! at a clock or rolls dice, so the same records give the same events, byte for byte, however often time was let
//! [pass](Feed::pass) between them.
//!
//! ```
//! use ingest::feed::Feed;
//! use table::config::Dialect;
//! use table::tape::Record;
//! use table::{Fact, Utc};
//!
//! let mut feed = Feed::default();
//! feed.shoe("east".parse()?, Dialect::BeeTek);
//! let mut events = Vec::new();
//! let drawn = Record::ShoeBytes { shoe: "east".parse()?, bytes: b" [Game]<Card:10h> ".to_vec() };
//! feed.hear("2026-11-15T21:04:05Z".parse()?, &drawn, &mut events);
//! feed.end(&mut events);
//! assert!(matches!(&events[0].fact, Fact::Drew { card, .. } if card.card.to_string() == "TH"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ears;
mod order;
mod tape;

use std::collections::BTreeMap;
use std::time::Duration;

use table::config::{Dialect, TableConfig};
use table::event::Health;
use table::tape::Record;
use table::{Event, Fact, Ident, SourceKind, Utc};

use crate::chips::{Sensor, Trouble};
use crate::clock::{Measured, Pairing};
use crate::{chips, shoe};
use ears::{ChipEar, ShoeEar, health};
use order::Order;
pub use tape::{TapeEvents, TapeEventsError, on_tape};

/// How events are put in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How long an event is kept back for others that happened before it and take longer to reach us: a camera's
    /// sightings pass through a recogniser, a shoe's bytes through a wire.
    pub hold: Duration,
    /// How chip sensors are listened to.
    pub chips: chips::Settings,
}

impl Default for Settings {
    fn default() -> Self {
        Self { hold: Duration::from_millis(500), chips: chips::Settings::default() }
    }
}

/// A clock that is set back by more than this is our own being corrected, in microseconds; less is two threads that
/// looked at it at the same moment.
const SET_BACK: i64 = 1_000_000;

/// What has passed, for screens and metrics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Events told.
    pub events: u64,
    /// Events told after others that happened later: they came in later than anything is kept back.
    pub late: u64,
    /// Records of shoes whose dialect nobody said.
    pub not_understood: u64,
    /// Times our own clock was set back.
    pub set_back: u64,
}

/// A camera beside the shoe.
#[derive(Default)]
struct Beside {
    pairing: Pairing,
    /// When its lag was last found to have jumped.
    jumped: Option<Utc>,
}

/// Makes events of what the devices of one table sent.
#[derive(Default)]
pub struct Feed {
    settings: Settings,
    shoes: BTreeMap<Ident, ShoeEar>,
    sensors: BTreeMap<Ident, ChipEar>,
    cameras: BTreeMap<Ident, Beside>,
    order: Order,
    /// When the last record arrived, or up to when time was let pass.
    now: Option<Utc>,
    counts: Counts,
}

impl Feed {
    /// The feed of a table: what its configuration says of its devices.
    pub fn of(table: &TableConfig, settings: Settings) -> Self {
        let mut feed = Self { settings, ..Self::default() };
        if let Some(shoe) = &table.shoe {
            feed.shoe(shoe.name.clone(), shoe.dialect);
        }
        feed
    }

    /// A shoe of this name speaks this dialect. Bytes of a shoe of which that is not known are counted and left alone.
    pub fn shoe(&mut self, name: Ident, dialect: Dialect) {
        self.shoes.insert(name, ShoeEar::new(dialect));
    }

    /// Takes the next record, and appends the events that can be told now.
    pub fn hear(&mut self, arrived: Utc, record: &Record, events: &mut Vec<Event>) {
        self.now.get_or_insert(arrived);
        self.pass(arrived, events);
        match record {
            Record::ShoeBytes { shoe, bytes } => match self.shoes.get_mut(shoe) {
                Some(ear) => ear.hear(shoe, bytes, arrived, &mut self.order),
                None => self.counts.not_understood += 1,
            },
            Record::ChipLine { sensor, line } => {
                ear_of(&mut self.sensors, self.settings.chips, sensor).line(sensor, line, arrived, &mut self.order);
            }
            Record::Event(event) => self.told(arrived, event),
            // Pictures become events in the recogniser; the rest was made of events.
            Record::Picture { .. }
            | Record::Round(_)
            | Record::Flag(_)
            | Record::Truth(_)
            | Record::Expected(_)
            | Record::Unknown(_) => {}
        }
        self.release(arrived, events);
    }

    /// Time passes without a record, up to `now`. Who replays need not call it. Nothing begins before the first record.
    pub fn pass(&mut self, now: Utc, events: &mut Vec<Event>) {
        let Some(before) = self.now else { return };
        if now.micros() < before.micros().saturating_sub(SET_BACK) {
            // What came before a correction of our clock stays before what comes after it, whatever the times say.
            self.counts.set_back += 1;
            self.tell(None, events);
            self.now = Some(now);
        }
        // What falls due meanwhile happens when it is due, not when somebody looks.
        while let Some((due, name)) = self.next_due().filter(|(due, _)| *due <= now) {
            self.release(due, events);
            match self.sensors.get_mut(&name) {
                Some(ear) => ear.tick(&name, due, &mut self.order),
                None => break,
            }
        }
        self.now = self.now.max(Some(now));
        self.release(now, events);
    }

    /// The tape is over, or somebody stopped: appends all that is left.
    pub fn end(&mut self, events: &mut Vec<Event>) {
        let Some(now) = self.now else { return };
        for (name, ear) in &mut self.shoes {
            ear.ended(name, now, &mut self.order);
        }
        // Whatever stands on the layout when nothing more is heard has stood long enough.
        for (name, ear) in &mut self.sensors {
            ear.ended(name, &mut self.order);
        }
        self.tell(None, events);
    }

    /// When the last record arrived, or up to when time was let pass.
    pub const fn now(&self) -> Option<Utc> {
        self.now
    }

    /// The time up to which everything has been told that did not come too late: whoever follows the table may take it that
    /// nothing else happened by then.
    pub fn told_until(&self) -> Option<Utc> {
        self.until(self.now?)
    }

    /// What an arrival time must be for a tape to tell the same as this feed: time does not run backwards because two
    /// threads looked at the clock in the same moment. A clock that was set back is left as it is.
    pub fn not_before(&self, arrived: Utc) -> Utc {
        match self.now {
            Some(now) if now.micros().saturating_sub(arrived.micros()) <= SET_BACK => arrived.max(now),
            _ => arrived,
        }
    }

    /// What has passed.
    pub const fn counts(&self) -> Counts {
        Counts { events: self.order.told, late: self.order.late, ..self.counts }
    }

    /// What has passed on the shoes' lines.
    pub fn shoes(&self) -> impl Iterator<Item = (&Ident, shoe::Stats)> {
        self.shoes.iter().map(|(name, ear)| (name, ear.stats()))
    }

    /// The readers of the chip sensors.
    pub fn sensors(&self) -> impl Iterator<Item = (&Ident, &Sensor)> {
        self.sensors.iter().map(|(name, ear)| (name, ear.sensor()))
    }

    /// What was wrong on the chip feeds since this was last asked, if that is not long ago. All of it is counted.
    pub fn troubles(&mut self) -> impl Iterator<Item = (&Ident, Trouble)> {
        self.sensors.iter_mut().flat_map(|(name, ear)| ear.troubles().map(move |trouble| (name, trouble)))
    }

    /// How each camera lies to the shoe, once enough cards were seen by both.
    pub fn pairings(&self) -> impl Iterator<Item = (&Ident, &Pairing)> {
        self.cameras.iter().map(|(name, beside)| (name, &beside.pairing))
    }

    /// The clocks of all sources that have one, by kind and name.
    pub fn clocks(&self) -> impl Iterator<Item = (SourceKind, &Ident, Measured)> {
        self.sensors().map(|(name, sensor)| (SourceKind::Chips, name, sensor.measured()))
    }

    /// An event that stood on the tape. What this feed finds out from the device's own bytes is not told twice.
    fn told(&mut self, arrived: Utc, event: &Event) {
        let name = &event.source.name;
        let state = match &event.fact {
            Fact::Health { state } => Some(*state),
            _ => None,
        };
        match event.source.kind {
            SourceKind::Chips if state == Some(Health::Lost) => {
                ear_of(&mut self.sensors, self.settings.chips, name).gone(name, arrived, &mut self.order);
            }
            // It was reached: from here on, if it is silent it is silent.
            SourceKind::Chips if state == Some(Health::Ok) => {
                ear_of(&mut self.sensors, self.settings.chips, name).tick(name, arrived, &mut self.order);
            }
            SourceKind::Chips if self.sensors.contains_key(name) => {}
            SourceKind::Shoe => match self.shoes.get_mut(name) {
                Some(ear) => ear.told(event, arrived, &mut self.order),
                None => self.order.add(event.clone()),
            },
            SourceKind::Camera => self.camera(event),
            SourceKind::Chips | SourceKind::Person => self.order.add(event.clone()),
        }
    }

    /// What a camera saw, which also shows how its clock lies to the shoe's.
    fn camera(&mut self, event: &Event) {
        let beside = self.cameras.entry(event.source.name.clone()).or_default();
        match &event.fact {
            Fact::Settled { card, .. } if beside.pairing.settled(event.at, card.card).is_some() => {
                beside.jumped = Some(event.at);
                let jump = health(&event.source, Health::ClockJump, event.at);
                self.order.add(Event { arrived: event.arrived, source_clock: event.source_clock, ..jump });
            }
            // Found out from the cards a moment ago.
            Fact::Health { state: Health::ClockJump } if beside.jumped == Some(event.at) => return,
            _ => {}
        }
        // What has arrived has happened: a clock that jumped ahead must not put it among what comes later.
        self.order.add(Event { at: event.at.min(event.arrived), ..event.clone() });
    }

    fn next_due(&self) -> Option<(Utc, Ident)> {
        let due = self.sensors.iter().filter_map(|(name, ear)| Some((ear.sensor().next_tick()?, name)));
        due.min().map(|(due, name)| (due, name.clone()))
    }

    /// Appends what happened so long before `now` that nothing earlier is to be expected.
    fn release(&mut self, now: Utc, events: &mut Vec<Event>) {
        if let Some(until) = self.until(now) {
            self.tell(Some(until), events);
        }
    }

    fn until(&self, now: Utc) -> Option<Utc> {
        let hold = i64::try_from(self.settings.hold.as_micros()).unwrap_or(i64::MAX);
        let until = now.shifted(hold.saturating_neg())?;
        let unproven = self.sensors.values().filter_map(|ear| ear.sensor().unproven()).min();
        Some(unproven.and_then(|at| at.shifted(-1)).map_or(until, |at| at.min(until)))
    }

    fn tell(&mut self, until: Option<Utc>, events: &mut Vec<Event>) {
        let from = events.len();
        self.order.release(until, events);
        for event in events.iter().skip(from) {
            if let (SourceKind::Shoe, Fact::Drew { card, .. }) = (event.source.kind, &event.fact) {
                self.cameras.values_mut().for_each(|beside| beside.pairing.drew(event.at, card.card));
            }
        }
    }
}

/// The ear for a sensor, which need not have been named before.
fn ear_of<'e>(sensors: &'e mut BTreeMap<Ident, ChipEar>, settings: chips::Settings, name: &Ident) -> &'e mut ChipEar {
    sensors.entry(name.clone()).or_insert_with(|| ChipEar::new(settings))
}
