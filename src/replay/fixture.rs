//! Fixtures on disk: where they are, what they expect, and how that is written down.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use table::tape::{Reader, Record};

use super::expectation::Expectation;
use crate::rebuild::Origin;

/// Endings of what can be replayed.
const ENDINGS: [&str; 2] = ["round", "mcap"];

/// A file to be replayed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fixture {
    pub(super) path: PathBuf,
    /// A tape whose rounds are rebuilt from its feeds.
    feeds: bool,
}

/// Every fixture under the folders, in the order of their names.
pub(super) fn under(folders: &[PathBuf], origin: Origin) -> anyhow::Result<Vec<Fixture>> {
    let fixture = |path: &Path| {
        let feeds = origin == Origin::Feeds && path.extension().is_some_and(|ending| ending == "mcap");
        Fixture { path: path.to_owned(), feeds }
    };
    let mut fixtures = Vec::new();
    for folder in folders {
        let before = fixtures.len();
        if folder.is_dir() {
            gather(folder, &fixture, &mut fixtures)?;
            if fixtures.len() == before {
                bail!("{}: no .round or .mcap file in this folder", folder.display());
            }
        } else if is_fixture(folder) {
            fixtures.push(fixture(folder));
        } else {
            bail!("{}: expected a folder, or a file ending in .round or .mcap", folder.display());
        }
    }
    fixtures.sort();
    fixtures.dedup();
    Ok(fixtures)
}

fn gather(folder: &Path, fixture: &impl Fn(&Path) -> Fixture, fixtures: &mut Vec<Fixture>) -> anyhow::Result<()> {
    let naming = || format!("cannot read {}", folder.display());
    for entry in fs::read_dir(folder).with_context(naming)? {
        let entry = entry.with_context(naming)?;
        // A linked folder is not entered: it may lead back here.
        if entry.file_type().with_context(naming)?.is_dir() {
            gather(&entry.path(), fixture, fixtures)?;
        } else if is_fixture(&entry.path()) {
            fixtures.push(fixture(&entry.path()));
        }
    }
    Ok(())
}

fn is_fixture(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known))
}

impl Fixture {
    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// The file beside it that says what it expects.
    fn beside(&self) -> PathBuf {
        self.path.with_extension(if self.feeds { "feeds.expected.jsonl" } else { "expected.jsonl" })
    }

    /// What it expects: as the file beside it says, else as the tape itself does; `None` if neither says anything.
    pub(super) fn expects(&self) -> anyhow::Result<Option<Vec<Expectation>>> {
        let beside = self.beside();
        if beside.exists() {
            let text = fs::read_to_string(&beside).with_context(|| beside.display().to_string())?;
            return parse(&text, &beside).map(Some);
        }
        if !self.feeds && self.path.extension().is_some_and(|ending| ending == "mcap") {
            return self.on_tape().with_context(|| self.name());
        }
        Ok(None)
    }

    fn on_tape(&self) -> anyhow::Result<Option<Vec<Expectation>>> {
        let mut expected = Vec::new();
        for message in Reader::open(BufReader::new(File::open(&self.path)?))? {
            if let Record::Expected(flag) = Record::decode(&message?)? {
                expected.push(Expectation::from(&*flag));
            }
        }
        Ok((!expected.is_empty()).then_some(expected))
    }
}

fn parse(text: &str, file: &Path) -> anyhow::Result<Vec<Expectation>> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| serde_json::from_str(line).with_context(|| format!("{} line {number}", file.display())))
        .collect()
}

/// Writes expectations down, and knows whose they are: two fixtures with one name share the file beside them.
#[derive(Default)]
pub(super) struct Pen {
    settled: BTreeMap<PathBuf, String>,
}

impl Pen {
    /// Leaves what a fixture expects as it is.
    pub(super) fn leave(&mut self, fixture: &Fixture) {
        self.settled.insert(fixture.beside(), fixture.name());
    }

    /// Writes down what was found, and says where.
    pub(super) fn write(&mut self, fixture: &Fixture, found: &[Expectation]) -> anyhow::Result<PathBuf> {
        let beside = fixture.beside();
        if let Some(other) = self.settled.get(&beside) {
            bail!(
                "{} and {other} share {} and are flagged differently: rename one of them",
                fixture.name(),
                beside.display()
            );
        }
        let mut text = Vec::new();
        crate::json::lines(&mut text, found)?;
        fs::write(&beside, text).with_context(|| format!("cannot write {}", beside.display()))?;
        self.leave(fixture);
        Ok(beside)
    }
}
