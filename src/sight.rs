//! What is on a tape as its devices sent it, and if wanted with its video read anew.

use std::collections::BTreeMap;
use std::collections::VecDeque;
use std::io::Read;
use std::ops::RangeInclusive;

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

    fn of(&self, camera: &Ident, at: Utc) -> bool {
        self.0.get(camera).is_some_and(|time| time.contains(&at))
    }
}

/// The records of a tape with its video read anew. What the tape itself says the camera saw counts only where there is no
/// video.
pub(crate) struct Reread<R> {
    tape: Reader<R>,
    filmed: Filmed,
    table: TableConfig,
    cameras: BTreeMap<Ident, Sight>,
    ready: VecDeque<Moment>,
    sightings: u64,
    over: bool,
}

struct Sight {
    unpacker: Option<Unpacker>,
    watcher: Watcher,
    eyes: Eyes,
}

impl<R: Read> Reread<R> {
    /// Reads the cameras that the table's configuration has calibrated.
    pub(crate) fn new(tape: Reader<R>, filmed: Filmed, table: TableConfig) -> anyhow::Result<Self> {
        let mut cameras = BTreeMap::new();
        for camera in table.cameras.iter().filter(|camera| filmed.0.contains_key(&camera.name)) {
            let layout = Layout::of(camera);
            if layout.is_empty() {
                tracing::warn!(camera = %camera.name, "not calibrated, so its video is not read");
                continue;
            }
            let (unpacker, watcher) = (Some(Unpacker::new()), Watcher::new(layout));
            cameras.insert(camera.name.clone(), Sight { unpacker, watcher, eyes: recognize::eyes(None)? });
        }
        Ok(Self { tape, filmed, table, cameras, ready: VecDeque::new(), sightings: 0, over: false })
    }

    fn take(&mut self, at: Utc, record: Record) -> anyhow::Result<()> {
        match record {
            Record::Picture { camera, picture } => {
                let frames = match self.cameras.get_mut(&camera).and_then(|sight| sight.unpacker.as_mut()) {
                    Some(unpacker) => unpacker.push(&picture).context("a picture cannot be unpacked")?,
                    None => Vec::new(),
                };
                self.see(&camera, at, frames)?;
                self.ready.push_back((at, None));
            }
            Record::Event(event)
                if event.source.kind == SourceKind::Camera
                    && matches!(event.fact, Fact::Settled { .. } | Fact::Left { .. })
                    && self.cameras.contains_key(&event.source.name)
                    && self.filmed.of(&event.source.name, event.at) => {}
            record => self.ready.push_back((at, Some(record))),
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

    /// Pictures that the decoder still holds.
    fn rest(&mut self) -> anyhow::Result<()> {
        let names: Vec<Ident> = self.table.cameras.iter().map(|camera| camera.name.clone()).collect();
        for name in names {
            let unpacker = self.cameras.get_mut(&name).and_then(|sight| sight.unpacker.take());
            if let (Some(unpacker), Some(end)) = (unpacker, self.filmed.0.get(&name).map(|time| *time.end())) {
                self.see(&name, end, unpacker.finish())?;
            }
        }
        Ok(())
    }
}

impl<R: Read> Iterator for Reread<R> {
    type Item = anyhow::Result<Moment>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(moment) = self.ready.pop_front() {
                return Some(Ok(moment));
            }
            if self.over {
                return None;
            }
            let taken = match self.tape.next() {
                Some(message) => message.map_err(anyhow::Error::from).and_then(|message| {
                    let record = Record::decode(&message)?;
                    let last = self.filmed.0.values().all(|time| message.at() > *time.end());
                    if last && self.cameras.values().any(|sight| sight.unpacker.is_some()) {
                        self.rest()?;
                    }
                    self.take(message.at(), record)
                }),
                None => {
                    self.over = true;
                    self.rest()
                }
            };
            if let Err(error) = taken {
                self.over = true;
                return Some(Err(error));
            }
        }
    }
}
