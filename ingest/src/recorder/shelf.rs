//! Where segments go and what they are called.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use table::{Ident, Utc};

/// What a finished tape ends with.
const MAGIC: &[u8; 8] = b"\x89MCAP0\r\n";

/// A folder, and the names that the segments of one recording have in it: `stem.mcap`, `stem-0002.mcap`, and so on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shelf {
    folder: PathBuf,
    stem: String,
    table: Ident,
    created: Utc,
}

impl Shelf {
    /// Segments in a folder, named for the table and the time at which the recording began.
    pub fn folder(folder: &Path, table: Ident, created: Utc) -> Self {
        let digits: String = created.to_string().chars().filter(|c| c.is_ascii_digit() || *c == 'T').take(15).collect();
        Self { folder: folder.to_owned(), stem: format!("{table}-{digits}Z"), table, created }
    }

    /// Segments named after a file.
    pub fn file(path: &Path, table: Ident, created: Utc) -> Self {
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Self { folder, stem, table, created }
    }

    /// The folder.
    pub fn folder_path(&self) -> &Path {
        &self.folder
    }

    /// The table.
    pub(super) const fn table(&self) -> &Ident {
        &self.table
    }

    /// When the recording began.
    pub(super) const fn created(&self) -> Utc {
        self.created
    }

    /// The path of a segment, counted from 1.
    pub(super) fn segment(&self, number: u32) -> PathBuf {
        let name = if number <= 1 { format!("{}.mcap", self.stem) } else { format!("{}-{number:04}.mcap", self.stem) };
        self.folder.join(name)
    }

    /// The newest tape that an earlier recording of this table left without an end, by its name.
    pub(super) fn left_over(&self) -> Option<String> {
        let ours = |name: &str| {
            let of_stem = name.strip_prefix(self.stem.as_str());
            // A table may be called what another's name begins with; the time must follow.
            let of_table = name.strip_prefix(self.table.as_str()).and_then(|rest| rest.strip_prefix('-'));
            let dated = of_table.is_some_and(|rest| rest.find('T') == Some(8));
            name.ends_with(".mcap") && (of_stem.is_some() || dated)
        };
        let entries = std::fs::read_dir(&self.folder).ok()?;
        let named = entries.flatten().filter_map(|entry| {
            let name = entry.file_name().into_string().ok().filter(|name| ours(name))?;
            Some((entry.metadata().ok()?.modified().ok()?, name))
        });
        let (_, newest) = named.max()?;
        let finished = is_finished(&self.folder.join(&newest)).unwrap_or(true);
        (!finished).then_some(newest)
    }
}

fn is_finished(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    if file.metadata()?.len() < 2 * MAGIC.len() as u64 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-(MAGIC.len() as i64)))?;
    let mut end = [0; 8];
    file.read_exact(&mut end)?;
    Ok(&end == MAGIC)
}
