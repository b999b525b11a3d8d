//! The pictures of shuffles, each in a file named after what it shows.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use auditor::shuffle::{Orders, Report, picture};

/// Letters of a file's name that are kept; file systems take no more than 255.
const LONGEST: usize = 120;

/// Where pictures are written to, if they were asked for.
pub(super) struct Pictures {
    folder: Option<PathBuf>,
    /// Names that are taken, and how often each was asked for again: two shoes of one name both get their pictures.
    taken: HashMap<String, u64>,
}

impl Pictures {
    /// Makes the folder.
    pub(super) fn new(folder: Option<&Path>) -> anyhow::Result<Self> {
        if let Some(folder) = folder {
            fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        Ok(Self { folder: folder.map(Path::to_owned), taken: HashMap::new() })
    }

    /// Draws a shoe: the permutation and the distances.
    pub(super) fn shoe(&mut self, orders: &Orders, report: &Report) -> anyhow::Result<()> {
        let name = |ending: &str| format!("{}{ending}", plain(&orders.id));
        self.write(name(""), || picture::scatter(&orders.before, &orders.after, &report.slugs))?;
        self.write(name("-distances"), || picture::distances(&orders.before, &orders.after))
    }

    /// Draws the p of a dealer's, machine's or table's shoes.
    pub(super) fn series(&mut self, name: &str, values: &[f64], rate: f64) -> anyhow::Result<()> {
        let file = format!("{}-p", plain(&name.replace(' ', "-")));
        self.write(file, || picture::p_over_time(name, values, rate))
    }

    fn write(&mut self, name: String, svg: impl FnOnce() -> String) -> anyhow::Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let file = folder.join(format!("{}.svg", free(&mut self.taken, name)));
        fs::write(&file, svg()).with_context(|| format!("cannot write {}", file.display()))
    }
}

/// The name, or the same with a number where it is taken.
fn free(taken: &mut HashMap<String, u64>, name: String) -> String {
    let mut again = taken.get(&name).copied().unwrap_or_default();
    let mut free = name.clone();
    while taken.contains_key(&free) {
        again += 1;
        free = format!("{name}-{}", again + 1);
    }
    taken.entry(free.clone()).or_default();
    taken.insert(name, again);
    free
}

/// A name that may be a file's anywhere.
fn plain(name: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || "-._".contains(letter) { letter } else { '_' };
    let name: String = name.chars().map(plain).take(LONGEST).collect();
    let name = name.trim_start_matches('.');
    if name.is_empty() { "shoe".to_owned() } else { name.to_owned() }
}
