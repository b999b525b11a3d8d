//! What is on a tape as its devices sent it, and if wanted with its video read anew.

use std::collections::BTreeMap;
use std::collections::VecDeque;
use std::io::Read;
use std::ops::RangeInclusive;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use anyhow::Context;
use ingest::camera::{Frame, Unpacker};
use recognizer::track::{Layout, Watcher};
use recognizer::vision::Eyes;
use table::config::TableConfig;
use table::tape::{Reader, Record};
use table::{EventId, Fact, Ident, SourceKind, Utc};

use crate::recognize;

/// When something arrived, and what it was; nothing for a picture that nobody reads.
pub(crate) type Moment = (Utc, Option<Record>);

/// The records of a tape, in order.
pub(crate) fn plain<R: Read>(tape: Reader<R>) -> impl Iterator<Item = anyhow::Result<Moment>> {
    tape.map(|message| {
        let message = message?;
        // Of a picture only the time is of interest here, and it would cost the most to unpack.
        let picture = is_picture(&message.channel.topic);
        Ok((message.at(), if picture { None } else { Some(Record::decode(&message)?) }))
    })
}

fn is_picture(topic: &str) -> bool {
    topic.starts_with("/camera/")
}

/// When there is video of each camera on a tape: from its first picture to its last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filmed(BTreeMap<Ident, RangeInclusive<Utc>>);

impl Filmed {
    /// Looks through a tape.
    pub(crate) fn on<R: Read>(tape: Reader<R>) -> anyhow::Result<Self> {
        let mut filmed: BTreeMap<Ident, RangeInclusive<Utc>> = BTreeMap::new();
        for message in tape {
            let message = message?;
            let Some(camera) = message.channel.topic.strip_prefix("/camera/") else { continue };
            let (camera, at) = (camera.parse()?, message.at());
            filmed.entry(camera).and_modify(|time| *time = *time.start()..=at).or_insert(at..=at);
        }
        Ok(Self(filmed))
    }

    /// Whether there is video of any camera at a time.
    pub(crate) fn at(&self, at: Utc) -> bool {
        self.0.values().any(|time| time.contains(&at))
    }

    /// Each camera of which there is video, with the times of its first picture and its last.
    pub(crate) fn cameras(&self) -> impl Iterator<Item = (&Ident, &RangeInclusive<Utc>)> {
        self.0.iter()
    }

    fn of(&self, camera: &Ident, at: Utc) -> bool {
        self.0.get(camera).is_some_and(|time| time.contains(&at))
    }
}

/// So many pictures may be unpacked ahead of the one that is looked at.
const AHEAD: usize = 24;

/// The records of a tape with its video read anew. What the tape itself says the camera saw counts only where there is no
/// video. Pictures are unpacked on a thread of their own, a few ahead of those that are looked at.
pub(crate) struct Reread {
    unpacked: Receiver<anyhow::Result<Unpacked>>,
    filmed: Filmed,
    cameras: BTreeMap<Ident, Sight>,
    ready: VecDeque<Moment>,
    sightings: u64,
    over: bool,
}

struct Sight {
    watcher: Watcher,
    eyes: Eyes,
}

/// What is on the tape, its pictures unpacked.
enum Unpacked {
    Frames { camera: Ident, at: Utc, frames: Vec<Frame> },
    Record(Utc, Record),
}

impl Reread {
    /// Reads the cameras that the table's configuration has calibrated.
    pub(crate) fn new<R: Read + Send + 'static>(
        tape: Reader<R>,
        filmed: Filmed,
        table: &TableConfig,
    ) -> anyhow::Result<Self> {
        let mut cameras = BTreeMap::new();
        for camera in table.cameras.iter().filter(|camera| filmed.0.contains_key(&camera.name)) {
            let layout = Layout::of(camera);
            if layout.is_empty() {
                tracing::warn!(camera = %camera.name, "not calibrated, so its video is not read");
                continue;
            }
            let sight = Sight { watcher: Watcher::new(layout), eyes: recognize::eyes(None)? };
            cameras.insert(camera.name.clone(), sight);
        }
        let unpackers = cameras.keys().map(|name| (name.clone(), Unpacker::new())).collect();
        let (to, unpacked) = sync_channel(AHEAD);
        let times = filmed.clone();
        thread::Builder::new().name("unpacking".to_owned()).spawn(move || {
            if let Err(error) = unpack(tape, &times, unpackers, &to) {
                // Whoever stopped listening does not want to know.
                let _ = to.send(Err(error));
            }
        })?;
        Ok(Self { unpacked, filmed, cameras, ready: VecDeque::new(), sightings: 0, over: false })
    }

    fn take(&mut self, unpacked: Unpacked) -> anyhow::Result<()> {
        match unpacked {
            Unpacked::Frames { camera, at, frames } => {
                self.see(&camera, at, frames)?;
                self.ready.push_back((at, None));
            }
            Unpacked::Record(_, Record::Event(event))
                if event.source.kind == SourceKind::Camera
                    && matches!(event.fact, Fact::Settled { .. } | Fact::Left { .. })
                    && self.cameras.contains_key(&event.source.name)
                    && self.filmed.of(&event.source.name, event.at) => {}
            Unpacked::Record(at, record) => self.ready.push_back((at, Some(record))),
        }
        Ok(())
    }

    fn see(&mut self, camera: &Ident, at: Utc, frames: Vec<Frame>) -> anyhow::Result<()> {
        let Some(sight) = self.cameras.get_mut(camera) else { return Ok(()) };
        for frame in frames {
            for sighting in sight.watcher.see(&mut sight.eyes, &frame)? {
                let id = EventId(self.sightings + 1);
                if let Some(event) = sighting.event(id, camera, frame.source_clock) {
                    self.sightings += 1;
                    self.ready.push_back((at, Some(Record::Event(event))));
                }
            }
        }
        Ok(())
    }
}

impl Iterator for Reread {
    type Item = anyhow::Result<Moment>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(moment) = self.ready.pop_front() {
                return Some(Ok(moment));
            }
            if self.over {
                return None;
            }
            let taken = match self.unpacked.recv() {
                Ok(unpacked) => unpacked.and_then(|unpacked| self.take(unpacked)),
                Err(_) => {
                    self.over = true;
                    continue;
                }
            };
            if let Err(error) = taken {
                self.over = true;
                return Some(Err(error));
            }
        }
    }
}

/// Unpacks a tape's pictures and hands everything on in order, until nobody takes it.
fn unpack<R: Read>(
    tape: Reader<R>,
    filmed: &Filmed,
    mut unpackers: BTreeMap<Ident, Unpacker>,
    to: &SyncSender<anyhow::Result<Unpacked>>,
) -> anyhow::Result<()> {
    for message in tape {
        let message = message?;
        let at = message.at();
        if filmed.0.values().all(|time| at > *time.end()) && !finish(&mut unpackers, filmed, to) {
            return Ok(());
        }
        let unpacked = match Record::decode(&message)? {
            Record::Picture { camera, picture } => {
                let frames = match unpackers.get_mut(&camera) {
                    Some(unpacker) => unpacker.push(&picture).context("a picture cannot be unpacked")?,
                    None => Vec::new(),
                };
                Unpacked::Frames { camera, at, frames }
            }
            record => Unpacked::Record(at, record),
        };
        if to.send(Ok(unpacked)).is_err() {
            return Ok(());
        }
    }
    finish(&mut unpackers, filmed, to);
    Ok(())
}

/// Hands on what the decoders still hold; says whether anybody took it.
fn finish(
    unpackers: &mut BTreeMap<Ident, Unpacker>,
    filmed: &Filmed,
    to: &SyncSender<anyhow::Result<Unpacked>>,
) -> bool {
    std::mem::take(unpackers).into_iter().all(|(camera, unpacker)| {
        let Some(at) = filmed.0.get(&camera).map(|time| *time.end()) else { return true };
        to.send(Ok(Unpacked::Frames { camera, at, frames: unpacker.finish() })).is_ok()
    })
}
