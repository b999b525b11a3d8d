//! One device each: its decoder, and what of its own health is known.

use std::collections::VecDeque;

use table::config::Dialect;
use table::event::{Health, Source};
use table::{Chance, Event, EventId, Fact, Ident, SourceKind, Utc};

use super::order::Order;
use crate::chips::{self, Sensor, Told, Trouble};
use crate::shoe::{self, Decoder, Heard, Stats};

/// Until it leaves, an event has no number.
const UNNUMBERED: EventId = EventId(0);
/// So many of a shoe's own words on its health are remembered, to know them again when they stand on the tape as well.
const REMEMBERED: usize = 64;
/// And so many troubles of a chip feed, which its reader counts in any case.
const TROUBLES: usize = 16;

/// How a device is, as we found out at a time.
pub(super) fn health(source: &Source, state: Health, at: Utc) -> Event {
    found_out(source, Fact::Health { state }, at)
}

/// What no device said: we found it out ourselves.
fn found_out(source: &Source, fact: Fact, at: Utc) -> Event {
    Event { id: UNNUMBERED, source: source.clone(), at, arrived: at, source_clock: None, chance: Chance::CERTAIN, fact }
}

/// A shoe that is listened to.
pub(super) struct ShoeEar {
    decoder: Box<dyn Decoder>,
    heard: Vec<Heard>,
    /// Whether bytes of it ever came.
    spoke: bool,
    /// How its line was last said to be.
    line: Health,
    /// What its bytes said of its health lately.
    said: VecDeque<(Utc, Health)>,
}

impl ShoeEar {
    pub(super) fn new(dialect: Dialect) -> Self {
        let decoder = shoe::dialect(dialect);
        Self { decoder, heard: Vec::new(), spoke: false, line: Health::Ok, said: VecDeque::new() }
    }

    pub(super) fn stats(&self) -> Stats {
        self.decoder.stats()
    }

    pub(super) fn hear(&mut self, name: &Ident, bytes: &[u8], arrived: Utc, order: &mut Order) {
        self.spoke = true;
        self.decoder.push(bytes, &mut self.heard);
        self.add(name, arrived, order);
    }

    /// Nothing more will come.
    pub(super) fn ended(&mut self, name: &Ident, at: Utc, order: &mut Order) {
        self.decoder.line_ended(&mut self.heard);
        self.add(name, at, order);
    }

    /// What stood on the tape as an event: the line was lost, carries nothing that can be read, or is well again. What the
    /// shoe says itself its bytes say too.
    pub(super) fn told(&mut self, event: &Event, arrived: Utc, order: &mut Order) {
        match event.fact {
            Fact::Health { state } if self.said.contains(&(event.at, state)) => {}
            Fact::Health { state: state @ (Health::Lost | Health::Error | Health::Ok) } => {
                if state == Health::Lost && self.line != Health::Lost {
                    self.ended(&event.source.name, arrived, order);
                }
                if std::mem::replace(&mut self.line, state) != state {
                    order.add(event.clone());
                }
            }
            _ if self.spoke => {}
            _ => order.add(event.clone()),
        }
    }

    fn add(&mut self, name: &Ident, arrived: Utc, order: &mut Order) {
        for heard in self.heard.drain(..) {
            // A shoe has no clock: what it says happened when it was heard.
            let Some(event) = shoe::event(UNNUMBERED, name, &heard, arrived, arrived) else { continue };
            if let Fact::Health { state } = event.fact {
                self.said.push_back((arrived, state));
                let old = self.said.len().saturating_sub(REMEMBERED);
                self.said.drain(..old);
            }
            order.add(event);
        }
    }
}

/// A chip sensor that is listened to.
pub(super) struct ChipEar {
    sensor: Sensor,
    told: Vec<Told>,
    /// What was wrong on the feed lately, for whoever asks.
    troubles: VecDeque<Trouble>,
}

impl ChipEar {
    pub(super) fn new(settings: chips::Settings) -> Self {
        Self { sensor: Sensor::new(settings), told: Vec::new(), troubles: VecDeque::new() }
    }

    pub(super) const fn sensor(&self) -> &Sensor {
        &self.sensor
    }

    /// A line as a tape holds it, without its end.
    pub(super) fn line(&mut self, name: &Ident, line: &[u8], arrived: Utc, order: &mut Order) {
        self.sensor.push(arrived, line, &mut self.told);
        self.sensor.push(arrived, b"\n", &mut self.told);
        let lost = |told: &Told| matches!(told, Told::Trouble(Trouble::Lost { .. } | Trouble::Restarted { .. }));
        if self.told.iter().any(lost) {
            let source = Source { kind: SourceKind::Chips, name: name.clone() };
            // It was lost before what the line after it tells.
            let at = self.sensor.last_sent().unwrap_or(arrived);
            order.add(Event { at, ..found_out(&source, Fact::Gap { at_most: 0 }, arrived) });
        }
        self.add(name, order);
    }

    pub(super) fn gone(&mut self, name: &Ident, at: Utc, order: &mut Order) {
        self.sensor.gone(at, &mut self.told);
        self.add(name, order);
    }

    pub(super) fn tick(&mut self, name: &Ident, now: Utc, order: &mut Order) {
        self.sensor.tick(now, &mut self.told);
        self.add(name, order);
    }

    pub(super) fn ended(&mut self, name: &Ident, order: &mut Order) {
        self.sensor.ended(&mut self.told);
        self.add(name, order);
    }

    fn add(&mut self, name: &Ident, order: &mut Order) {
        let source = Source { kind: SourceKind::Chips, name: name.clone() };
        for told in self.told.drain(..) {
            match told {
                Told::Change(change) => order.add(change.event(UNNUMBERED, &source)),
                Told::Trouble(trouble) => {
                    self.troubles.push_back(trouble);
                    let old = self.troubles.len().saturating_sub(TROUBLES);
                    self.troubles.drain(..old);
                }
            }
        }
    }

    pub(super) fn troubles(&mut self) -> impl Iterator<Item = Trouble> {
        self.troubles.drain(..)
    }
}
