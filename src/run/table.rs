//! One table of a running site: its devices, its tapes, its journal, and the rounds made of them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use auditor::Rulebook;
use ingest::feed::{self, Feed};
use ingest::metrics::{self, Registry};
use ingest::recorder::{self, Counters, Intake, Recorder, Shelf};
use ingest::transport;
use recognizer::round::Playing;
use review::Store;
use review::store::ingest::Audited;
use table::config::{Secrets, TableConfig};
use table::event::Health;
use table::tape::{Config, ConfigFormat, Record};
use table::{Event, Fact, RoundId, Utc};
use tokio::runtime::Handle;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::board::{Doing, Slate};
use super::journal::{Journal, Journals, is_fact};
use super::rehearsal::{Reached, Rehearsal};
use super::writer::Entry;
use crate::follow::Follower;
use crate::record::cameras::Recorded;
use crate::record::desk::{Desk, Listener};
use crate::record::devices;
use crate::record::reading::Reading;
use crate::tape;

/// How often time is let pass where nothing comes.
const TICK: Duration = Duration::from_millis(50);
/// How often the state is written down.
const TELL_EVERY: Duration = Duration::from_secs(1);
/// A table at which nothing came for so long begins a new journal, in microseconds.
const CLOSED: i64 = 1_800_000_000;
/// After so many rounds a new journal is begun in the next pause that is as long as a shuffle, in microseconds.
const LONG: u64 = 200;
const SHUFFLE: i64 = 80_000_000;
/// A table that never pauses begins one between two rounds, after so many of them.
const TOO_LONG: u64 = 2000;
/// A stop of our own that was longer than this is told of as a loss of all devices, in microseconds.
const ABSENT: i64 = 5_000_000;

/// What is needed to watch a table.
pub(super) struct Watch {
    pub(super) table: TableConfig,
    pub(super) playing: Playing,
    pub(super) books: Cow<'static, [Rulebook]>,
    /// Where the site's file is.
    pub(super) folder: PathBuf,
    pub(super) tapes: PathBuf,
    pub(super) recording: recorder::Settings,
    pub(super) rehearsal: Option<Rehearsal>,
    pub(super) store: Store,
    pub(super) runtime: Handle,
    pub(super) entries: mpsc::UnboundedSender<Entry>,
    pub(super) slate: Slate,
    pub(super) registry: Registry,
}

/// Where the reading of the journals ended.
struct Resumed {
    feed: Feed,
    follower: Follower,
    journal: Option<Journal>,
    reached: Reached,
}

impl Watch {
    /// Watches the table until its feeds have ended or somebody stops it.
    pub(super) fn run(&self, stopped: &watch::Receiver<bool>) -> anyhow::Result<()> {
        let now = transport::now();
        self.slate.write().turns(Doing::Catching, now);
        let journals = Journals::of(&self.tapes, &self.table.id);
        let Resumed { feed, follower, journal, reached } = self.resume(&journals)?;
        let journal = match journal {
            Some(journal) => journal,
            None => journals.begin(now, follower.shoe())?,
        };
        let facts = journals.record(&journal, &self.table, now)?;
        let shelf = Shelf::folder(&self.tapes, self.table.id.clone(), now);
        let config = Config { format: ConfigFormat::Toml, text: self.table.to_toml(Secrets::Masked) };
        let tapes = Recorder::start(shelf, &tape::product(), Some(config), self.recording.clone())?;
        let ear = self.ear(journals, facts, follower, &feed);
        let desk = Desk::with(&self.table, tapes.intake(), feed, Some(Box::new(ear)));
        self.count(&tapes, &desk);
        self.slate.write().turns(Doing::Watching, now);
        let ended = match &self.rehearsal {
            Some(rehearsal) => self.rehearse(rehearsal, reached, &tapes, &desk, stopped),
            None => self.listen(reached, &tapes, &desk, stopped),
        };
        self.tell(&tapes, &desk, &BTreeMap::new());
        // The round in progress stays in the journal, and is told when it is over.
        desk.leave();
        let counts = tapes.finish();
        if counts.lost > 0 {
            tracing::error!(table = %self.table.id, "{} records were lost: the disk did not take them", counts.lost);
        }
        ended
    }

    /// Reads the journals again. All rounds go to the database once more, where those that are known change nothing.
    fn resume(&self, journals: &Journals) -> anyhow::Result<Resumed> {
        let latest = self.runtime.block_on(self.store.shoes(self.table.id.as_str(), 1))?;
        let known = latest.first().map_or((0, 0), |shoe| (shoe.shoe, shoe.rounds));
        let told = u32::try_from(known.0).unwrap_or(u32::MAX);
        let mut resumed = self.fresh(told);
        for journal in journals.all()? {
            resumed = Resumed { reached: resumed.reached, ..self.fresh(journal.shoes) };
            let Resumed { feed, follower, reached, .. } = &mut resumed;
            // Of a round that was told again when there was more to say, the last word counts.
            let mut told: BTreeMap<RoundId, Audited> = BTreeMap::new();
            journal.read(|arrived, record| {
                if is_fact(record) {
                    reached.record(arrived);
                }
                let audited = follower.hear(feed, arrived, record);
                told.extend(audited.into_iter().map(|audited| (audited.round.id.clone(), audited)));
            })?;
            self.send(told.into_values().collect());
            resumed.journal = Some(journal);
        }
        let last = resumed
            .follower
            .last()
            .map_or((i64::from(resumed.follower.shoe()), 0), |last| (last.shoe.into(), last.round.into()));
        if resumed.journal.is_some() && last < known {
            // A disk failed or somebody deleted something. No number is given twice.
            tracing::warn!(table = %self.table.id, "the journal ends before the database: a new one begins");
            return Ok(Resumed { reached: resumed.reached, ..self.fresh(told) });
        }
        let silent =
            resumed.reached.at.is_some_and(|at| transport::now().micros().saturating_sub(at.micros()) > CLOSED);
        if silent && self.rehearsal.is_none() {
            return Ok(self.fresh(told.max(resumed.follower.shoe())));
        }
        Ok(resumed)
    }

    fn fresh(&self, shoes: u32) -> Resumed {
        let follower = Follower::new(self.books.clone(), self.playing.clone(), shoes);
        Resumed {
            feed: Feed::of(&self.table, feed::Settings::default()),
            follower,
            journal: None,
            reached: Reached::default(),
        }
    }

    /// Sends rounds that were read again to the database.
    fn send(&self, audited: Vec<Audited>) {
        if !audited.is_empty() {
            self.slate.write().waiting += audited.len() as u64;
            // Nobody writes any more only when the program ends.
            let _ = self.entries.send(Entry::Rounds { audited, journal: None, heard: None });
        }
    }

    fn ear(&self, journals: Journals, facts: Recorder, follower: Follower, feed: &Feed) -> Ear {
        let (intake, counters) = (facts.intake(), facts.counters());
        Ear {
            table: self.table.clone(),
            books: self.books.clone(),
            playing: self.playing.clone(),
            journals,
            facts,
            intake,
            counters,
            offered: 0,
            follower,
            until: feed.told_until(),
            played: feed.told_until(),
            entries: self.entries.clone(),
            slate: self.slate.clone(),
            live: self.rehearsal.is_none(),
        }
    }

    fn count(&self, tapes: &Recorder, desk: &Desk) {
        let (counters, name) = (tapes.counters(), self.table.id.to_string());
        self.registry.add(move |page| metrics::recorder(page, &name, &counters.counts()));
        let counted = desk.clone();
        self.registry.add(move |page| counted.metrics(page));
    }

    fn rehearse(
        &self,
        rehearsal: &Rehearsal,
        reached: Reached,
        tapes: &Recorder,
        desk: &Desk,
        stopped: &watch::Receiver<bool>,
    ) -> anyhow::Result<()> {
        std::thread::scope(|scope| {
            let playing = scope.spawn(|| rehearsal.play(reached, desk, stopped));
            while !playing.is_finished() {
                self.tell(tapes, desk, &BTreeMap::new());
                std::thread::park_timeout(TICK);
            }
            playing.join().map_err(|_| anyhow::anyhow!("the rehearsal broke off"))?
        })
    }

    /// Listens to the devices.
    fn listen(
        &self,
        reached: Reached,
        tapes: &Recorder,
        desk: &Desk,
        stopped: &watch::Receiver<bool>,
    ) -> anyhow::Result<()> {
        if let Some(gone) = reached.at {
            self.was_absent(gone, desk);
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start")?;
        runtime.block_on(async {
            // The devices are told to stop also where this ends with an error.
            let (stop, devices_stopped) = watch::channel(false);
            let mut devices = JoinSet::new();
            for device in devices::of(&self.table, &self.folder, &self.registry) {
                devices.spawn(device.listen(desk.clone(), devices_stopped.clone()));
            }
            let mut readings = BTreeMap::new();
            for of in self.table.cameras.iter().cloned() {
                let (table, seed) = (self.table.id.clone(), devices::seed(&self.table.id, &of.name));
                let reading = Reading::default();
                readings.insert(of.name.to_string(), (reading.clone(), reading.frames(), Instant::now()));
                let (folder, registry) = (self.folder.clone(), self.registry.clone());
                let camera = Recorded { table, of, folder, seed, registry, reading: Some(reading) };
                devices.spawn(camera.listen(desk.clone(), devices_stopped.clone()));
            }
            let mut stopped = stopped.clone();
            let mut tick = tokio::time::interval(TICK);
            tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
            let mut told = Instant::now();
            let ended = loop {
                tokio::select! {
                    _ = stopped.wait_for(|stopped| *stopped) => break Ok(()),
                    ended = devices.join_next() => match ended {
                        None => break Ok(()),
                        Some(Ok(())) => {}
                        Some(Err(error)) => break Err(error).context("a device's line broke off"),
                    },
                    _ = tick.tick() => {
                        desk.pass(transport::now());
                        desk.renew();
                        if told.elapsed() >= TELL_EVERY {
                            told = Instant::now();
                            self.tell(tapes, desk, &frames_a_second(&mut readings));
                        }
                    }
                }
            };
            stop.send_replace(true);
            while devices.join_next().await.is_some() {}
            ended
        })
    }

    /// Nobody listened for a while: what the devices said meanwhile is lost, and they are told of as lost.
    fn was_absent(&self, gone: Utc, desk: &Desk) {
        let now = transport::now();
        if now.micros().saturating_sub(gone.micros()) <= ABSENT {
            return;
        }
        let shoe = self.table.shoe.iter().map(|shoe| (table::SourceKind::Shoe, &shoe.name));
        let chips = self.table.chips.iter().map(|chips| (table::SourceKind::Chips, &chips.name));
        let cameras = self.table.cameras.iter().map(|camera| (table::SourceKind::Camera, &camera.name));
        for (kind, name) in shoe.chain(chips).chain(cameras) {
            desk.health(kind, name, Health::Lost, gone, now);
        }
    }

    /// Writes down how the table is.
    fn tell(&self, tapes: &Recorder, desk: &Desk, fps: &BTreeMap<String, (f64, f64)>) {
        let counts = tapes.counters().counts();
        let devices = desk.devices();
        let mut table = self.slate.write();
        table.fps = fps.iter().map(|(name, (fps, _))| (name.clone(), *fps)).collect();
        table.frame_ms = fps.iter().map(|(name, (_, ms))| (name.clone(), *ms)).collect();
        table.devices =
            devices.into_iter().map(|(kind, name, state)| (format!("{kind} {name}"), state.to_string())).collect();
        (table.recorded, table.lost, table.pictures_dropped) = (counts.bytes, counts.lost, counts.dropped);
        table.disk_failing = counts.failing;
    }
}

/// How many frames of each camera were read in a second since this was last asked, and what one takes in milliseconds.
fn frames_a_second(readings: &mut BTreeMap<String, (Reading, u64, Instant)>) -> BTreeMap<String, (f64, f64)> {
    let each = |(name, (reading, before, when)): (&String, &mut (Reading, u64, Instant))| {
        let frames = reading.frames();
        let fps = frames.saturating_sub(*before) as f64 / when.elapsed().as_secs_f64().max(1e-3);
        (*before, *when) = (frames, Instant::now());
        (name.clone(), ((fps * 10.0).round() / 10.0, reading.micros_a_frame() as f64 / 1e3))
    };
    readings.iter_mut().map(each).collect()
}

/// Follows the table from the desk.
struct Ear {
    table: TableConfig,
    books: Cow<'static, [Rulebook]>,
    playing: Playing,
    journals: Journals,
    facts: Recorder,
    intake: Intake,
    counters: Arc<Counters>,
    /// Records handed to the journal.
    offered: u64,
    follower: Follower,
    /// Up to when the table was followed, and when a round was last being played.
    until: Option<Utc>,
    played: Option<Utc>,
    entries: mpsc::UnboundedSender<Entry>,
    slate: Slate,
    /// Whether devices are listened to, and not a tape.
    live: bool,
}

impl Listener for Ear {
    fn record(&mut self, arrived: Utc, record: &Record) {
        if is_fact(record) {
            self.intake.offer(arrived, record.clone());
            self.offered += 1;
            self.slate.write().heard = Some(arrived);
        }
    }

    fn heard(&mut self, events: &[Event], until: Option<Utc>, now: Option<Utc>) {
        let audited = self.follower.take(events, until);
        self.until = until.max(self.until);
        if self.follower.in_round() {
            self.played = self.until;
        }
        for event in events.iter().filter(|_| self.live) {
            if let Fact::Health { state } = event.fact {
                self.health(event, state);
            }
        }
        if audited.is_empty() {
            return;
        }
        // A round that was over because time passed is over at the same time when the journal is read again.
        for (audited, now) in audited.iter().zip(now.iter().cycle()) {
            self.intake.offer(*now, Record::Round(Box::new(audited.round.clone())));
            self.offered += 1;
        }
        self.intake.hurry();
        let mut table = self.slate.write();
        table.waiting += audited.len() as u64;
        table.broke_off = self.follower.broke_off();
        drop(table);
        let journal = Some((Arc::clone(&self.counters), self.offered));
        // Nobody writes any more only when the program ends.
        let _ = self.entries.send(Entry::Rounds { audited, journal, heard: Some(Instant::now()) });
    }

    fn renew(&mut self) -> Option<Feed> {
        let pause = self.until?.micros().saturating_sub(self.played?.micros());
        let rounds = self.follower.rounds();
        let due = rounds >= LONG && pause > SHUFFLE || rounds > 0 && pause > CLOSED || rounds >= TOO_LONG;
        if !due || self.follower.in_round() {
            return None;
        }
        match self.begin_anew() {
            Ok(()) => Some(Feed::of(&self.table, feed::Settings::default())),
            Err(error) => {
                tracing::error!(table = %self.table.id, "cannot begin a new journal: {error:#}");
                None
            }
        }
    }
}

impl Ear {
    fn begin_anew(&mut self) -> anyhow::Result<()> {
        let (now, shoes) = (transport::now(), self.follower.shoe());
        let journal = self.journals.begin(now, shoes)?;
        self.facts = self.journals.record(&journal, &self.table, now)?;
        (self.intake, self.counters, self.offered) = (self.facts.intake(), self.facts.counters(), 0);
        self.follower = Follower::new(self.books.clone(), self.playing.clone(), shoes);
        self.played = None;
        Ok(())
    }

    fn health(&self, event: &Event, state: Health) {
        let health = review::store::site::Health {
            at: event.at.micros(),
            table_name: self.table.id.to_string(),
            source: format!("{} {}", event.source.kind, event.source.name),
            state: state.to_string(),
            detail: String::new(),
        };
        let _ = self.entries.send(Entry::Health(health));
    }
}
