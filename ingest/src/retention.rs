//! How long tapes are kept: by age and by the size of their folder, oldest first, and never what is on hold or open.
//!
//! A tape is on hold while a file `NAME.hold` lies beside it (`night.mcap.hold` for `night.mcap`), or while a line of the
//! file `holds` in the folder is its name. Holding and releasing a tape leaves the tape itself untouched.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The file in a folder of tapes that lists those on hold, one name a line.
pub const LIST: &str = "holds";

/// What is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Tapes last written to longer ago than this go.
    pub keep: Option<Duration>,
    /// While the tapes of a folder come to more bytes than this, the oldest goes.
    pub most_bytes: Option<u64>,
}

/// Why a tape goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is too old.
    Age,
    /// The folder is too large.
    Size,
}

/// A tape that goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gone {
    /// Which.
    pub path: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// Why.
    pub reason: Reason,
}

/// What came of tidying up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Tapes that went, or would go.
    pub gone: Vec<Gone>,
    /// Tapes that would go if they were not on hold.
    pub held: Vec<PathBuf>,
    /// Tapes that would go if they were not open.
    pub open: Vec<PathBuf>,
    /// Bytes above the limit that could not be freed.
    pub over: u64,
}

/// A folder that cannot be tidied up.
#[derive(Debug, thiserror::Error)]
#[error("{}: {what}", path.display())]
pub struct RetentionError {
    /// What was looked at.
    pub path: PathBuf,
    /// What was tried.
    pub what: &'static str,
    /// Why it failed.
    pub source: io::Error,
}

fn failed(path: &Path, what: &'static str) -> impl FnOnce(io::Error) -> RetentionError {
    move |source| RetentionError { path: path.to_owned(), what, source }
}

struct Tape {
    written: SystemTime,
    path: PathBuf,
    bytes: u64,
}

/// Says which tapes of a folder go by these rules, and unless it is only to be seen, deletes them. Every deletion is
/// logged before it is done.
pub fn sweep(folder: &Path, rules: &Rules, now: SystemTime, only_say: bool) -> Result<Swept, RetentionError> {
    let tapes = tapes(folder)?;
    let holds = listed(folder)?;
    let mut total: u64 = tapes.iter().map(|tape| tape.bytes).sum();
    let mut swept = Swept::default();
    for tape in tapes {
        let Some(reason) = reason(&tape, rules, now, total) else { continue };
        if is_held(&tape.path, &holds)? {
            swept.held.push(tape.path);
        } else if is_open(&tape.path)? {
            swept.open.push(tape.path);
        } else {
            if !only_say {
                let why = if reason == Reason::Age { "too old" } else { "the folder is too large" };
                tracing::warn!(tape = %tape.path.display(), bytes = tape.bytes, "deleting a tape: {why}");
                fs::remove_file(&tape.path).map_err(failed(&tape.path, "cannot delete the tape"))?;
            }
            total = total.saturating_sub(tape.bytes);
            swept.gone.push(Gone { path: tape.path, bytes: tape.bytes, reason });
        }
    }
    swept.over = rules.most_bytes.map_or(0, |most| total.saturating_sub(most));
    if swept.over > 0 {
        tracing::warn!(
            folder = %folder.display(), bytes = swept.over, held = swept.held.len(),
            "the folder is larger than it should be, and what is left is on hold or open"
        );
    }
    Ok(swept)
}

/// Puts a tape on hold: it is not deleted until it is released.
pub fn hold(tape: &Path) -> Result<(), RetentionError> {
    fs::metadata(tape).map_err(failed(tape, "cannot hold a tape that is not there"))?;
    let mark = mark(tape);
    let file = File::create(&mark).map_err(failed(&mark, "cannot put the tape on hold"))?;
    file.sync_all().map_err(failed(&mark, "cannot put the tape on hold"))
}

/// Releases a tape from hold; whether it was on hold by a mark of its own. One that the folder's list names stays on
/// hold.
pub fn release(tape: &Path) -> Result<bool, RetentionError> {
    let mark = mark(tape);
    match fs::remove_file(&mark) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(failed(&mark, "cannot release the tape")(error)),
    }
}

/// The tapes of a folder, oldest first.
fn tapes(folder: &Path) -> Result<Vec<Tape>, RetentionError> {
    let unreadable = || failed(folder, "cannot look into the folder");
    let mut tapes = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable())? {
        let entry = entry.map_err(unreadable())?;
        let path = entry.path();
        if path.extension() != Some(OsStr::new("mcap")) {
            continue;
        }
        // One that somebody else has just deleted needs no more care.
        let Ok(about) = entry.metadata() else { continue };
        if about.is_file() {
            let written = about.modified().map_err(failed(&path, "cannot tell how old the tape is"))?;
            tapes.push(Tape { written, path, bytes: about.len() });
        }
    }
    tapes.sort_by(|a, b| (a.written, &a.path).cmp(&(b.written, &b.path)));
    Ok(tapes)
}

fn reason(tape: &Tape, rules: &Rules, now: SystemTime, total: u64) -> Option<Reason> {
    // A tape from the future has no age; a clock that was wrong for an hour shall not cost it.
    let age = now.duration_since(tape.written).unwrap_or_default();
    if rules.keep.is_some_and(|keep| age > keep) {
        return Some(Reason::Age);
    }
    rules.most_bytes.is_some_and(|most| total > most).then_some(Reason::Size)
}

/// The names in the folder's list of holds.
fn listed(folder: &Path) -> Result<BTreeSet<String>, RetentionError> {
    let list = folder.join(LIST);
    match fs::read_to_string(&list) {
        Ok(text) => Ok(text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeSet::new()),
        // Without the list nobody knows what may go.
        Err(error) => Err(failed(&list, "cannot read the list of holds")(error)),
    }
}

fn is_held(tape: &Path, holds: &BTreeSet<String>) -> Result<bool, RetentionError> {
    let mark = mark(tape);
    let marked = mark.try_exists().map_err(failed(&mark, "cannot tell whether the tape is on hold"))?;
    let name = tape.file_name().unwrap_or_default().to_string_lossy();
    Ok(marked || holds.contains(&*name))
}

/// Whether a recorder is writing it, in this process or another: a recorder keeps its tape locked.
fn is_open(tape: &Path) -> Result<bool, RetentionError> {
    let file = File::open(tape).map_err(failed(tape, "cannot open the tape"))?;
    match file.try_lock() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(failed(tape, "cannot tell whether the tape is open")(error)),
    }
}

fn mark(tape: &Path) -> PathBuf {
    let mut name = tape.as_os_str().to_owned();
    name.push(".hold");
    PathBuf::from(name)
}
