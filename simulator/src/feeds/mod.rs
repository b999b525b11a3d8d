//! What the devices of a table send while rounds are dealt: the shoe's bytes, the chip sensor's lines, and what a
//! camera's recogniser sees.
//!
//! Each device has dice of its own, so that more noise on one changes nothing that another sends. With no noise every
//! device tells the truth and nothing else; the [troubles](crate::Trouble) of a round happen at any noise.

mod camera;
mod chips;
mod observe;
mod pieces;
pub mod shoe;
#[cfg(test)]
mod tests;

use auditor::model::random::Dice;
use table::config::Dialect;
use table::ident::NotAnIdent;
use table::tape::Record;
use table::{Event, Ident, Round, Utc};

use crate::Dealt;
use camera::Camera;
use chips::Chips;
use pieces::Pieces;
use shoe::Shoe;

pub use observe::{Seen, observe};

/// What the devices of a table are called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// The smart shoe.
    pub shoe: Ident,
    /// The chip sensor.
    pub chips: Ident,
    /// The camera.
    pub camera: Ident,
    /// Further cameras, of which there is video only.
    pub beside: Vec<Ident>,
}

impl Names {
    /// `shoe`, `chips` and `camera`.
    pub fn usual() -> Result<Self, NotAnIdent> {
        Self::filmed_by(1)
    }

    /// The same with so many cameras, at least one: `camera`, `camera-2` and so on.
    pub fn filmed_by(cameras: usize) -> Result<Self, NotAnIdent> {
        let beside = (2..=cameras).map(|number| format!("camera-{number}").parse()).collect::<Result<_, _>>()?;
        Ok(Self { shoe: "shoe".parse()?, chips: "chips".parse()?, camera: "camera".parse()?, beside })
    }

    /// All cameras, the one whose sightings are told first.
    pub fn cameras(&self) -> impl Iterator<Item = &Ident> {
        std::iter::once(&self.camera).chain(&self.beside)
    }
}

/// The devices of one table, from its first round on.
#[derive(Clone, Debug)]
pub struct Feeds {
    names: Names,
    noise: f64,
    shoe: Shoe,
    chips: Chips,
    camera: Camera,
    /// Events numbered so far.
    events: u64,
    /// When the last record of the rounds before came, in microseconds.
    last: i64,
}

/// What came in during one round.
#[derive(Clone, Debug)]
pub struct Watched {
    /// What reached the recorder, in order of time.
    pub records: Vec<(Utc, Record)>,
    /// What an observer could make of it.
    pub seen: Seen,
}

impl Feeds {
    /// Devices that have not seen a round yet. `noise` is the chance that a telegram, a line or a sighting suffers
    /// something; it is held between 0 and 1.
    pub fn new(names: Names, dialect: Dialect, noise: f64, dice: &Dice) -> Self {
        let noise = if noise.is_nan() { 0.0 } else { noise.clamp(0.0, 1.0) };
        Self {
            names,
            noise,
            shoe: Shoe::new(dialect, noise, dice.fork("shoe")),
            chips: Chips::new(noise, dice.fork("chips")),
            camera: Camera::new(noise, dice.fork("camera")),
            events: 0,
            last: i64::MIN,
        }
    }

    /// What the devices are called.
    pub const fn names(&self) -> &Names {
        &self.names
    }

    /// What the devices send during a round. Rounds are shown in the order in which they were dealt.
    pub fn of(&mut self, dealt: &Dealt) -> Watched {
        let times = times(&dealt.round);
        let pieces = Pieces::of(dealt);
        let heard = self.shoe.of(dealt, &times);
        let lines = self.chips.of(&dealt.round, &times);
        let sighted = self.camera.of(dealt, &pieces, &times, &self.names.camera, &mut self.events);

        let shoe = heard.reads.into_iter().map(|(at, bytes)| {
            let record = Record::ShoeBytes { shoe: self.names.shoe.clone(), bytes };
            (at, record)
        });
        let chips = lines.into_iter().map(|(at, line)| {
            let record = Record::ChipLine { sensor: self.names.chips.clone(), line };
            (at, record)
        });
        // Nothing overtakes what came in before, however close the rounds follow each other.
        let before = self.last;
        let events = sighted.events.iter().map(|event| {
            let at = event.arrived.micros().max(before);
            (at, Record::Event(Event { arrived: utc(at), ..event.clone() }))
        });
        let mut records: Vec<(i64, Record)> = shoe.chain(chips).chain(events).collect();
        records.sort_by_key(|(at, _)| *at);
        self.last = records.last().map_or(before, |(at, _)| before.max(*at));
        let records = records.into_iter().map(|(at, record)| (utc(at.max(before)), record)).collect();
        let seen = Seen::new(self.noise, pieces, heard.read, sighted);
        Watched { records, seen }
    }
}

/// The first and the last microsecond that can be written.
const YEAR_1: i64 = -62_135_596_800_000_000;
const END_OF_YEAR_9999: i64 = 253_402_300_799_999_999;

/// When each step happened, in microseconds since 1970. A step without a time, or with one that runs backwards, happens
/// with the step before it.
fn times(round: &Round) -> Vec<i64> {
    let mut last = round.at.micros();
    let mut time = |after: Option<u64>| {
        let after = after.and_then(|after| i64::try_from(after).ok());
        last = last.max(after.map_or(last, |after| round.at.micros().saturating_add(after))).min(END_OF_YEAR_9999);
        last
    };
    round.steps.iter().map(|step| time(step.after)).collect()
}

/// A time that was reckoned in microseconds, held within the years that can be written.
fn utc(micros: i64) -> Utc {
    Utc::from_micros(micros.clamp(YEAR_1, END_OF_YEAR_9999)).unwrap_or(Utc::EPOCH)
}

/// So many milliseconds, somewhere between two bounds, in microseconds.
fn millis(dice: &mut Dice, low: f64, high: f64) -> i64 {
    (dice.between(low, high) * 1000.0) as i64
}

/// One of a table of things that come about as often as their weights say.
fn weighted<T: Copy>(dice: &mut Dice, table: &[(T, usize)]) -> Option<T> {
    let mut roll = dice.below(table.iter().map(|(_, weight)| weight).sum());
    for (thing, weight) in table {
        match roll.checked_sub(*weight) {
            Some(rest) => roll = rest,
            None => return Some(*thing),
        }
    }
    None
}
