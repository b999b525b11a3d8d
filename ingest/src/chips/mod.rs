//! The chip sensor's reader: from bytes on a line to what stands on the layout.
//!
//! The feed is described in `docs/ref/chip-feed.md`. Lines say what a sensor sees now; this says what has stood long
//! enough to be meant. It has no clock and no socket: the caller gives it bytes with the time they arrived, and a tick
//! when [`Sensor::next_tick`] says so, since the last state of a quiet table has no later line to prove that it lasted.

mod cut;
mod settle;

use std::time::Duration;

use serde::Serialize;
use table::chips::{Felt, Follows, Line, NotALine, Pile};
use table::event::{Fact, Health, Source};
use table::{Chance, Event, EventId, Money, Utc};

use crate::clock::{Clock, Measured};
use cut::{Cut, Cutter};
use settle::{Moment, Settling};

/// How a sensor is listened to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What stands for less than this, by the sensor's clock, was a hand and not chips.
    pub settle: Duration,
    /// How much longer we wait without a further line: lines are not all equally quick.
    pub grace: Duration,
    /// Without a line for so long the sensor is lost. A sound one sends one at least every ten seconds.
    pub silence: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self { settle: Duration::from_millis(300), grace: Duration::from_millis(100), silence: Duration::from_secs(25) }
    }
}

/// What a change is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A spot now holds this; an amount of nothing without a lammer is an empty spot.
    Stands(Pile),
    /// The tray now holds this.
    Tray(Money),
    /// The sensor is so now.
    Health(Health),
}

impl What {
    fn is_empty_spot(&self) -> bool {
        matches!(self, Self::Stands(pile) if pile.amount == Money::ZERO && !pile.lammer)
    }
}

/// Something that changed and stayed so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// When it began: the sensor's clock, corrected by the offset.
    pub at: Utc,
    /// When we heard of it first.
    pub arrived: Utc,
    /// What the sensor's clock said, in microseconds of its own counting; `None` for what we found out without it.
    pub source_clock: Option<i64>,
    /// What changed.
    pub what: What,
}

impl Change {
    /// The change as an event.
    pub fn event(self, id: EventId, source: &Source) -> Event {
        let Self { at, arrived, source_clock, what } = self;
        let fact = match what {
            What::Stands(Pile { spot, amount, lammer, chips }) => {
                Fact::Stands { wager: spot.wager, payout: spot.payout, amount, lammer, chips }
            }
            What::Tray(total) => Fact::Tray { total },
            What::Health(state) => Fact::Health { state },
        };
        Event { id, source: source.clone(), at, arrived, source_clock, chance: Chance::CERTAIN, fact }
    }
}

/// Something wrong on the feed. Each heals by itself with the next full line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// A line that cannot be read.
    #[error(transparent)]
    Unreadable(NotALine),
    /// Lines that did not come.
    #[error("chip feed, line {line}: lines lost before it: {lost}")]
    Lost {
        /// The line after them.
        line: u64,
        /// How many.
        lost: u64,
    },
    /// A line that came before.
    #[error("chip feed, line {line}: a repeat of the line before")]
    Repeated {
        /// The repeat.
        line: u64,
    },
    /// The sensor counts from the beginning again.
    #[error("chip feed, line {line}: the sensor has started again")]
    Restarted {
        /// Its first line.
        line: u64,
    },
}

/// What a sensor's reader tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// Something changed at the table or at the sensor.
    Change(Change),
    /// Something is wrong on the feed.
    Trouble(Trouble),
}

/// What has passed on a feed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Lines that could be read.
    pub lines: u64,
    /// Lines that could not, those that are too long among them.
    pub unreadable: u64,
    /// Lines longer than is read.
    pub too_long: u64,
    /// Lines that came before.
    pub repeats: u64,
    /// Lines that did not come.
    pub lost: u64,
    /// Times the sensor started again.
    pub restarts: u64,
    /// States that did not last.
    pub flickers: u64,
    /// Changes told.
    pub changes: u64,
}

/// Reads the feed of one sensor.
#[derive(Clone, Debug, Default)]
pub struct Sensor {
    settings: Settings,
    cutter: Cutter,
    felt: Felt,
    settling: Settling,
    /// What is known of the sensor's clock.
    clock: Clock,
    /// What it showed on the last line.
    shown: Option<i64>,
    /// When it sent the last line, by its clock as far as that is known.
    sent: Option<Utc>,
    /// When it was noticed that lines are missing, until a full line makes good what they told.
    missing: Option<Moment>,
    /// When the last line came, or when the waiting for the first began.
    heard: Option<Utc>,
    health: Option<Health>,
    counts: Counts,
}

impl Sensor {
    /// A sensor that has said nothing yet.
    pub fn new(settings: Settings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Takes the next bytes of the line and appends what they tell.
    pub fn push(&mut self, arrived: Utc, mut bytes: &[u8], told: &mut Vec<Told>) {
        while let Some(cut) = self.cutter.next(&mut bytes) {
            self.cut(arrived, cut, told);
        }
    }

    /// The line is gone: a connection that broke, or the end of a file. A line without its end is read as it is.
    pub fn gone(&mut self, at: Utc, told: &mut Vec<Told>) {
        if let Some(cut) = self.cutter.broken_off() {
            self.cut(at, cut, told);
        }
        self.is(Health::Lost, at, told);
    }

    /// Nobody listens any more: whatever still stands has stood long enough.
    pub fn ended(&mut self, told: &mut Vec<Told>) {
        self.release(|_| true, told);
    }

    /// Time passes: lets go what has stood long enough, and says so when the sensor has been silent too long.
    pub fn tick(&mut self, now: Utc, told: &mut Vec<Told>) {
        let wait = micros(self.settings.settle).saturating_add(micros(self.settings.grace));
        self.release(|since| now.micros().saturating_sub(since.arrived.micros()) >= wait, told);
        let heard = *self.heard.get_or_insert(now);
        if now.micros().saturating_sub(heard.micros()) >= micros(self.settings.silence) {
            self.is(Health::Lost, now, told);
        }
    }

    /// When to tick next; `None` if only a line can bring something new.
    pub fn next_tick(&self) -> Option<Utc> {
        let wait = micros(self.settings.settle).saturating_add(micros(self.settings.grace));
        let settled = self.settling.oldest().and_then(|oldest| oldest.shifted(wait));
        let silent = self.heard.filter(|_| self.health != Some(Health::Lost));
        let silent = silent.and_then(|heard| heard.shifted(micros(self.settings.silence)));
        settled.into_iter().chain(silent).min()
    }

    /// What has passed so far.
    pub const fn counts(&self) -> Counts {
        Counts { flickers: self.settling.flickers, ..self.counts }
    }

    /// What the last line left standing, whether or not it has stood long enough.
    pub const fn felt(&self) -> &Felt {
        &self.felt
    }

    /// What is known of the sensor's clock.
    pub const fn measured(&self) -> Measured {
        self.clock.measured()
    }

    /// The earliest change that may still turn out to have been a hand; `None` if all that was heard is told.
    pub fn unproven(&self) -> Option<Utc> {
        self.settling.earliest()
    }

    /// When the last line was sent.
    pub const fn last_sent(&self) -> Option<Utc> {
        self.sent
    }

    fn cut(&mut self, arrived: Utc, cut: Cut, told: &mut Vec<Told>) {
        let number = cut.number;
        let line = cut.line.map_err(|length| {
            self.counts.too_long += 1;
            let why = format!("{length} bytes long, at most {} are read", table::chips::LONGEST);
            NotALine { line: number, column: 0, why, excerpt: String::new() }
        });
        match line.and_then(|bytes| if blank(&bytes) { Ok(None) } else { Line::parse(number, &bytes).map(Some) }) {
            Ok(Some(line)) => self.line(arrived, number, &line, told),
            Ok(None) => {}
            Err(wrong) => {
                self.counts.unreadable += 1;
                told.push(Told::Trouble(Trouble::Unreadable(wrong)));
            }
        }
    }

    fn line(&mut self, arrived: Utc, number: u64, line: &Line, told: &mut Vec<Told>) {
        self.counts.lines += 1;
        self.heard = Some(arrived);
        let follows = self.felt.hear(line);
        let trouble = match follows {
            Follows::Next => None,
            Follows::Again => {
                self.counts.repeats += 1;
                Some(Trouble::Repeated { line: number })
            }
            Follows::After(lost) => {
                self.counts.lost = self.counts.lost.saturating_add(lost);
                Some(Trouble::Lost { line: number, lost })
            }
            Follows::Anew => {
                self.counts.restarts += 1;
                Some(Trouble::Restarted { line: number })
            }
        };
        told.extend(trouble.map(Told::Trouble));
        if follows != Follows::Again {
            let moment = self.place(arrived, line.at, follows == Follows::Anew, told);
            self.sent = Some(moment.at);
            if matches!(follows, Follows::After(_)) && !line.full {
                self.missing.get_or_insert(moment);
            }
            let moment = self.made_good(line, moment);
            self.states(line, moment);
        }
        match line.health {
            Some(health) => self.is(health, arrived, told),
            // A line is proof of life; an error of the sensor's own lasts until it takes it back.
            None if self.health == Some(Health::Lost) => self.is(Health::Ok, arrived, told),
            None => {}
        }
    }

    /// Dates a line, and lets go what has lasted up to it.
    fn place(&mut self, arrived: Utc, shows: i64, anew: bool, told: &mut Vec<Told>) -> Moment {
        let backwards = self.shown.is_some_and(|last| shows < last);
        if anew {
            // A sensor that starts again may count its time from anywhere; that is no fault of its clock.
            self.clock.begin_anew();
        }
        let placed = self.clock.observe(shows, arrived);
        let jumped = !anew && (backwards || placed.jumped.is_some());
        if anew || jumped {
            self.missing = None;
            // Times before and after cannot be compared: what is still unproven has to prove itself again.
            self.settling.forget();
        }
        if jumped {
            self.change(arrived, arrived, Some(shows), What::Health(Health::ClockJump), told);
        }
        self.shown = Some(shows);
        let settle = micros(self.settings.settle);
        self.release(|since| shows.saturating_sub(since.clock) >= settle, told);
        Moment { at: placed.at, arrived, clock: shows }
    }

    /// When what a line tells happened. Changes have lines of their own, so what only a full one tells stood on one that was lost,
    /// before the line by which that was noticed.
    fn made_good(&mut self, line: &Line, moment: Moment) -> Moment {
        let missing = self.missing.take_if(|_| line.full);
        missing
            .and_then(|missing| missing.at.shifted(-1))
            .map_or(moment, |at| Moment { at: at.min(moment.at), ..moment })
    }

    fn states(&mut self, line: &Line, moment: Moment) {
        for pile in &line.spots {
            self.settling.pile(pile, moment);
        }
        if line.full {
            self.settling.empty_but(|spot| line.spots.iter().any(|pile| pile.spot == spot), moment);
        }
        if let Some(total) = line.tray {
            self.settling.tray(total, moment);
        }
    }

    fn release(&mut self, lasted: impl Fn(&Moment) -> bool, told: &mut Vec<Told>) {
        for (what, since) in self.settling.release(lasted) {
            self.change(since.at, since.arrived, Some(since.clock), what, told);
        }
    }

    /// The sensor is well or not, told when that changes.
    fn is(&mut self, health: Health, at: Utc, told: &mut Vec<Told>) {
        let known = self.health.unwrap_or(Health::Ok);
        self.health = Some(health);
        if known != health {
            self.change(at, at, None, What::Health(health), told);
        }
    }

    fn change(&mut self, at: Utc, arrived: Utc, source_clock: Option<i64>, what: What, told: &mut Vec<Told>) {
        self.counts.changes += 1;
        told.push(Told::Change(Change { at, arrived, source_clock, what }));
    }
}

/// A line on which nothing is said, as some devices send to show that they live.
fn blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}
