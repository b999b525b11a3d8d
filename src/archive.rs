//! The pictures that pages show: a folder of tapes, or the bundled one, looked through by table and time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::{self, File};
use std::io::{BufReader, Cursor, Read, Seek};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use anyhow::Context;
use ingest::footage::Footage;
use review::footage::{FootageError, Still};
use table::config::{Camera, TableConfig};
use table::tape::Writer;
use table::{Ident, RoundId, Utc};

use crate::tape::Part;

/// Tapes come to the folder while the server runs; it is looked through again after this long.
const LOOK_AGAIN: Duration = Duration::from_secs(5);
/// Stills kept in memory: an officer steps back and forth over the same few. About 20 MB of 1080p.
const STILLS: usize = 64;
/// How far around an instant frames to step to are looked for, in microseconds.
const AROUND: i64 = 60_000_000;

/// Where a tape's bytes are.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Reel {
    File(PathBuf),
    Bundled(&'static [u8]),
}

/// Anything a tape can be read from.
trait Bytes: Read + Seek {}
impl<T: Read + Seek> Bytes for T {}

impl Reel {
    fn open(&self) -> Result<Footage<Box<dyn Bytes>>, FootageError> {
        let bytes: Box<dyn Bytes> = match self {
            Self::File(path) => {
                let file = File::open(path).map_err(|wrong| {
                    // Reports name the reason; where our tapes lie is nobody's business there.
                    tracing::warn!(tape = %path.display(), %wrong, "a tape cannot be opened");
                    FootageError(format!("a tape cannot be opened: {wrong}"))
                })?;
                Box::new(BufReader::new(file))
            }
            Self::Bundled(bytes) => Box::new(Cursor::new(*bytes)),
        };
        Footage::open(bytes).map_err(told)
    }
}

fn told(wrong: ingest::footage::FootageError) -> FootageError {
    FootageError(wrong.to_string())
}

/// What is on a tape, as far as pictures are concerned.
#[derive(Clone, Debug)]
struct Labelled {
    reel: Reel,
    table: Ident,
    span: Range<Utc>,
    cameras: BTreeSet<Ident>,
    /// The cameras as the tape's configuration has them.
    set_up: Vec<Camera>,
}

impl Labelled {
    fn read(reel: Reel) -> Result<Option<Self>, FootageError> {
        let footage = reel.open()?;
        let Some(span) = footage.span() else { return Ok(None) };
        let about = footage.about();
        // Without a configuration that we can read there are pictures all the same.
        let config = about.config.as_ref().and_then(|config| TableConfig::parse(&config.text).ok());
        let set_up = config.map(|config| config.cameras).unwrap_or_default();
        Ok(Some(Self { table: about.table.clone(), reel, span, cameras: footage.cameras(), set_up }))
    }

    fn shows(&self, table: &Ident, camera: &str) -> bool {
        self.table == *table && self.cameras.iter().any(|name| name.as_str() == camera)
    }
}

/// Tapes with pictures, and the stills last asked for.
pub(crate) struct Archive {
    folder: Option<PathBuf>,
    shelf: Mutex<Shelf>,
}

#[derive(Default)]
struct Shelf {
    looked: Option<Instant>,
    /// What is known of each file, with the time it was last written: a tape may grow until it is finished.
    files: BTreeMap<PathBuf, (SystemTime, Option<Labelled>)>,
    bundled: Option<Labelled>,
    stills: VecDeque<(Reel, Ident, Utc, Still)>,
}

impl Archive {
    /// The tapes in a folder, those that come to it later too.
    pub(crate) fn in_folder(folder: &Path) -> anyhow::Result<Self> {
        fs::read_dir(folder).with_context(|| format!("cannot look into {}", folder.display()))?;
        Ok(Self { folder: Some(folder.to_owned()), shelf: Mutex::default() })
    }

    /// One tape that is part of the program.
    pub(crate) fn bundled(bytes: &'static [u8]) -> anyhow::Result<Self> {
        let bundled = Labelled::read(Reel::Bundled(bytes))?;
        Ok(Self { folder: None, shelf: Mutex::new(Shelf { bundled, ..Shelf::default() }) })
    }

    /// The shelf as it is now.
    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(folder) = &self.folder
            && shelf.looked.is_none_or(|looked| looked.elapsed() > LOOK_AGAIN)
        {
            shelf.look_through(folder);
        }
        shelf
    }

    /// The tapes of a table with a picture by that camera at that time.
    fn of(&self, table: &Ident, camera: &str, time: &Range<Utc>) -> Vec<Labelled> {
        let shelf = self.shelf();
        let meets = |tape: &&Labelled| tape.span.start <= time.end && time.start <= tape.span.end;
        let mut tapes: Vec<_> = shelf.tapes().filter(|tape| tape.shows(table, camera)).filter(meets).cloned().collect();
        // The one with most of that time first: a round can begin as one tape ends.
        tapes.sort_by_key(|tape| (std::cmp::Reverse(shared(&tape.span, time)), tape.span.start));
        tapes
    }
}

impl Shelf {
    fn tapes(&self) -> impl Iterator<Item = &Labelled> {
        self.files.values().filter_map(|(_, tape)| tape.as_ref()).chain(&self.bundled)
    }

    fn look_through(&mut self, folder: &Path) {
        self.looked = Some(Instant::now());
        let mut found = BTreeMap::new();
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let written = entry.metadata().and_then(|about| about.modified());
            let (Ok(written), true) = (written, path.extension().is_some_and(|end| end == "mcap")) else { continue };
            let known = self.files.remove(&path).filter(|(then, _)| *then == written);
            let known = known.unwrap_or_else(|| (written, label(&path)));
            found.insert(path, known);
        }
        self.files = found;
    }

    fn remember(&mut self, reel: &Reel, camera: &Ident, asked: Utc, still: &Still) {
        self.stills.truncate(STILLS - 1);
        self.stills.push_front((reel.clone(), camera.clone(), asked, still.clone()));
    }

    fn remembered(&self, wanted: &Reel, by: &Ident, at: Utc) -> Option<Still> {
        let kept = self.stills.iter().find(|(reel, camera, asked, _)| *asked == at && camera == by && reel == wanted);
        kept.map(|(.., still)| still.clone())
    }
}

/// What is on a tape of the folder; nothing if it cannot be read, such as while it is being recorded.
fn label(path: &Path) -> Option<Labelled> {
    match Labelled::read(Reel::File(path.to_owned())) {
        Ok(tape) => tape,
        Err(wrong) => {
            tracing::debug!(tape = %path.display(), %wrong, "no pictures from this tape");
            None
        }
    }
}

impl review::footage::Footage for Archive {
    fn cameras(&self, table: &Ident) -> Vec<String> {
        let shelf = self.shelf();
        let cameras = shelf.tapes().filter(|tape| tape.table == *table).flat_map(|tape| &tape.cameras);
        cameras.collect::<BTreeSet<_>>().into_iter().map(ToString::to_string).collect()
    }

    fn set_up(&self, table: &Ident, camera: &str) -> Option<Camera> {
        let shelf = self.shelf();
        let latest = shelf.tapes().filter(|tape| tape.shows(table, camera)).max_by_key(|tape| tape.span.start)?;
        latest.set_up.iter().find(|known| known.name.as_str() == camera).cloned()
    }

    fn still(&self, table: &Ident, camera: &str, at: Utc) -> Result<Option<Still>, FootageError> {
        let Ok(camera) = camera.parse::<Ident>() else { return Ok(None) };
        for tape in self.of(table, camera.as_str(), &(at..at)) {
            if let Some(still) = self.shelf().remembered(&tape.reel, &camera, at) {
                return Ok(Some(still));
            }
            match tape.reel.open()?.still(&camera, at) {
                Ok(still) => {
                    let still = Still { at: still.at, jpeg: still.jpeg };
                    self.shelf().remember(&tape.reel, &camera, at, &still);
                    return Ok(Some(still));
                }
                Err(ingest::footage::FootageError::NotRecorded) => {}
                Err(wrong) => return Err(told(wrong)),
            }
        }
        Ok(None)
    }

    fn frames(&self, table: &Ident, camera: &str, at: Utc, count: usize) -> Result<Vec<Utc>, FootageError> {
        let Ok(camera) = camera.parse::<Ident>() else { return Ok(Vec::new()) };
        let around = at.shifted(-AROUND).unwrap_or(at)..at.shifted(AROUND).unwrap_or(at);
        let mut instants = Vec::new();
        for tape in self.of(table, camera.as_str(), &around) {
            instants.extend(tape.reel.open()?.instants(&camera, around.clone()).map_err(told)?);
        }
        instants.sort_unstable();
        instants.dedup();
        let here = instants.partition_point(|instant| *instant <= at);
        let (from, to) = (here.saturating_sub(count), here.saturating_add(count).min(instants.len()));
        Ok(instants.get(from..to).unwrap_or_default().to_vec())
    }

    fn clip(&self, table: &Ident, camera: &str, from: Utc, until: Utc) -> Result<Option<Vec<u8>>, FootageError> {
        let Ok(camera) = camera.parse::<Ident>() else { return Ok(None) };
        for tape in self.of(table, camera.as_str(), &(from..until)) {
            match tape.reel.open()?.clip(&camera, from..until) {
                Ok(clip) => return Ok(Some(clip.mp4)),
                Err(ingest::footage::FootageError::NotRecorded) => {}
                Err(wrong) => return Err(told(wrong)),
            }
        }
        Ok(None)
    }

    fn tape(&self, round: &RoundId, from: Utc, until: Utc) -> Result<Option<Vec<u8>>, FootageError> {
        let time = from..until;
        let of_table = |tape: &&Labelled| tape.table == round.table && shared(&tape.span, &time) >= 0;
        let tape = self.shelf().tapes().filter(of_table).max_by_key(|tape| shared(&tape.span, &time)).cloned();
        let Some(tape) = tape else { return Ok(None) };
        let nanos = |at: Utc| u64::try_from(at.micros()).unwrap_or(0).saturating_mul(1000);
        let mut footage = tape.reel.open()?;
        let mut about = footage.about().clone();
        about.origin = Some(format!("part of a tape, cut by {}", crate::tape::product()));
        let wrong = |wrong: table::tape::TapeError| FootageError(wrong.to_string());
        let mut copy = Writer::create(Vec::new(), &about).map_err(wrong)?;
        let part = Part { time: nanos(from)..nanos(until), rounds: Some([round.clone()].into()) };
        let copied = part.copy(footage.tape(), &mut copy).map_err(|wrong| FootageError(format!("{wrong:#}")))?;
        let bytes = copy.finish().map_err(wrong)?;
        Ok((copied > 0).then_some(bytes))
    }
}

/// How long two stretches of time have in common, in microseconds; negative if they lie apart.
fn shared(one: &Range<Utc>, other: &Range<Utc>) -> i64 {
    one.end.min(other.end).micros() - one.start.max(other.start).micros()
}
