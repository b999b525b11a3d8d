//! What is needed to go on after a stop of any kind: all that a table's devices said lately, without the pictures.
//!
//! A journal is a folder of tapes. Rounds are made of its records and of nothing else, so whoever reads it again comes to
//! the same rounds with the same numbers. The rounds stand in it too, at the time at which they were known to be over. A
//! table begins a new one from time to time; the one before it is kept until then, for its last rounds may not have
//! reached the database.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use ingest::recorder::{Recorder, Settings, Shelf};
use table::config::{Secrets, TableConfig};
use table::tape::{Config, ConfigFormat, Reader, Record, TapeError};
use table::{Ident, Utc};

use crate::tape;

/// What stands in a journal's name between its time and the number of shoes before it.
const AFTER: &str = "-after-";
/// Journals that are kept: the one being written and the one before it.
const KEPT: usize = 2;

/// The journals of a table.
pub(super) struct Journals {
    folder: PathBuf,
    table: Ident,
}

/// One journal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Journal {
    path: PathBuf,
    /// Shoes told of before it.
    pub(super) shoes: u32,
}

impl Journals {
    /// Those of a table, beside its tapes.
    pub(super) fn of(tapes: &Path, table: &Ident) -> Self {
        Self { folder: tapes.join("journal").join(table.as_str()), table: table.clone() }
    }

    /// All there are, the oldest first.
    pub(super) fn all(&self) -> anyhow::Result<Vec<Journal>> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error).with_context(|| self.folder.display().to_string()),
        };
        let named = entries.flatten().filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let shoes = name.split_once(AFTER)?.1.parse().ok()?;
            Some(Journal { path: entry.path(), shoes })
        });
        let mut journals: Vec<_> = named.collect();
        journals.sort();
        Ok(journals)
    }

    /// Begins a journal after so many shoes. The one before it stays, older ones go.
    pub(super) fn begin(&self, now: Utc, shoes: u32) -> anyhow::Result<Journal> {
        let mut old = self.all()?;
        old.truncate(old.len().saturating_sub(KEPT - 1));
        for journal in old {
            fs::remove_dir_all(&journal.path).with_context(|| journal.path.display().to_string())?;
        }
        let time: String = now.to_string().chars().filter(|c| c.is_ascii_digit() || *c == 'T').collect();
        let path = self.folder.join(format!("{time}{AFTER}{shoes}"));
        fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(Journal { path, shoes })
    }

    /// Goes on writing a journal, in a tape of its own.
    pub(super) fn record(&self, journal: &Journal, table: &TableConfig, now: Utc) -> anyhow::Result<Recorder> {
        let shelf = Shelf::file(&journal.path.join("facts.mcap"), self.table.clone(), now);
        let config = Config { format: ConfigFormat::Toml, text: table.to_toml(Secrets::Masked) };
        let settings =
            Settings { segment_age: Duration::from_secs(30 * 86_400), least_free: 1 << 20, ..Settings::default() };
        Ok(Recorder::start(shelf, &tape::product(), Some(config), settings)?)
    }
}

impl Journal {
    /// Everything in it, in the order in which it came. What a crash cut off is not there; neither is what follows damage
    /// within one of its tapes, which is said.
    pub(super) fn read(&self, mut take: impl FnMut(Utc, &Record)) -> anyhow::Result<()> {
        for path in self.tapes()? {
            let naming = || path.display().to_string();
            let file = BufReader::new(File::open(&path).with_context(naming)?);
            let tape = match Reader::open(file) {
                Ok(tape) => tape,
                // Killed before anything was safe in it.
                Err(TapeError::Unfinished { .. }) => continue,
                Err(error) => {
                    tracing::error!(tape = %path.display(), "a journal cannot be read: {error}");
                    continue;
                }
            };
            for message in tape {
                match message {
                    Ok(message) => take(message.at(), &Record::decode(&message).with_context(naming)?),
                    Err(TapeError::Unfinished { .. }) => {}
                    Err(error) => tracing::error!(tape = %path.display(), "part of a journal is lost: {error}"),
                }
            }
        }
        Ok(())
    }

    /// Its tapes in the order in which they were written: `facts.mcap`, `facts-0002.mcap`, and so on.
    fn tapes(&self) -> anyhow::Result<Vec<PathBuf>> {
        let naming = || self.path.display().to_string();
        let mut tapes = Vec::new();
        for entry in fs::read_dir(&self.path).with_context(naming)? {
            let path = entry.with_context(naming)?.path();
            let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
            let number = stem.rsplit_once('-').map_or(Some(1), |(_, number)| number.parse::<u32>().ok());
            if let (Some(number), true) = (number, path.extension().is_some_and(|end| end == "mcap")) {
                tapes.push((number, path));
            }
        }
        tapes.sort();
        Ok(tapes.into_iter().map(|(_, path)| path).collect())
    }
}

/// Whether a record belongs into a journal: what devices said, but no pictures and nothing that was made of it.
pub(super) const fn is_fact(record: &Record) -> bool {
    matches!(record, Record::ShoeBytes { .. } | Record::ChipLine { .. } | Record::Event(_))
}
