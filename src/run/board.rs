//! How every table is: kept by the tables, shown by `fairdeal status`.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, bail};
use review::store::ingest::Audited;
use serde::{Deserialize, Serialize};
use table::{Flag, FlagKind, Ident, Utc};

/// The file that whoever runs a site holds, and the one that says how its tables are.
const LOCK: &str = "run.lock";
const STATUS: &str = "status.json";
/// So many delays are remembered.
const DELAYS: usize = 512;

/// What a table is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Doing {
    /// Being made ready.
    #[default]
    Starting,
    /// Reading its journal again.
    Catching,
    /// Watched.
    Watching,
    /// Failed, and will be tried again.
    Failed,
    /// Its feeds have ended.
    Ended,
}

/// How a table is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Table {
    pub(crate) doing: Doing,
    /// Since when.
    pub(crate) since: Option<Utc>,
    /// Frames a second that were read, by camera.
    pub(crate) fps: BTreeMap<String, f64>,
    /// Milliseconds that reading a frame takes, by camera.
    pub(crate) frame_ms: BTreeMap<String, f64>,
    /// When something was last heard of its devices.
    pub(crate) heard: Option<Utc>,
    /// From what was heard last of a round to its flags in the database, in milliseconds: the latest, the middle one and
    /// the 99th of a hundred.
    pub(crate) lag_ms: Option<[f64; 3]>,
    /// The last round, and when its last step was.
    pub(crate) last_round: Option<String>,
    pub(crate) last_round_at: Option<Utc>,
    /// Rounds, flags and doubts since the program was started.
    pub(crate) rounds: u64,
    pub(crate) flags: u64,
    pub(crate) doubts: u64,
    /// Rounds that wait for the database.
    pub(crate) waiting: u64,
    /// Devices, and how they are.
    pub(crate) devices: BTreeMap<String, String>,
    /// Bytes on tapes, and what the disk did not take.
    pub(crate) recorded: u64,
    pub(crate) lost: u64,
    pub(crate) pictures_dropped: u64,
    pub(crate) disk_failing: bool,
    /// Rounds that could not be followed.
    pub(crate) broke_off: u64,
    /// Times it was started again, and why.
    pub(crate) restarts: u64,
    pub(crate) failure: Option<String>,
    #[serde(skip)]
    delays: Vec<f64>,
}

impl Table {
    /// It does something else now.
    pub(crate) fn turns(&mut self, doing: Doing, now: Utc) {
        if self.doing != doing {
            (self.doing, self.since) = (doing, Some(now));
        }
    }

    /// Rounds reached the database; new ones are counted.
    pub(crate) fn written(&mut self, audited: &[Audited], new_rounds: u64, delay_ms: Option<f64>) {
        self.rounds += new_rounds;
        if let Some(last) =
            audited.iter().map(|audited| &audited.round).max_by_key(|round| (round.id.shoe, round.id.round))
        {
            self.last_round = Some(format!("{}.{}", last.id.shoe, last.id.round));
            let after =
                last.steps.iter().filter_map(|step| step.after).max().and_then(|after| i64::try_from(after).ok());
            self.last_round_at = after.and_then(|after| last.at.shifted(after)).or(Some(last.at));
        }
        if let Some(delay) = delay_ms {
            if self.delays.len() >= DELAYS {
                self.delays.remove(0);
            }
            self.delays.push(delay);
            let mut sorted = self.delays.clone();
            sorted.sort_by(f64::total_cmp);
            let share = |percent: usize| sorted.get((sorted.len() - 1) * percent / 100).copied().unwrap_or(delay);
            self.lag_ms = Some([delay, share(50), share(99)].map(|ms| (ms * 10.0).round() / 10.0));
        }
    }

    /// Flags that were raised.
    pub(crate) fn raised<'f>(&mut self, flags: impl Iterator<Item = &'f Flag>) {
        for flag in flags {
            let count = if flag.kind == FlagKind::Doubt { &mut self.doubts } else { &mut self.flags };
            *count += 1;
        }
    }
}

/// How a site is, as the status file holds it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Status {
    pub(crate) site: String,
    pub(crate) pid: u32,
    pub(crate) started: Utc,
    pub(crate) updated: Utc,
    /// Bytes of memory that the program holds; nothing where the system does not say.
    pub(crate) memory: Option<u64>,
    /// Where the pages are served.
    pub(crate) pages: Option<String>,
    pub(crate) tables: BTreeMap<Ident, Table>,
}

/// The state of one table, shared by those who know a part of it.
#[derive(Clone, Default)]
pub(crate) struct Slate(Arc<Mutex<Table>>);

impl Slate {
    pub(crate) fn write(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The states of all tables, and the right to run this site's folder, which nobody else has meanwhile.
pub(super) struct Board {
    folder: PathBuf,
    // Held until the process ends, however it ends.
    _lock: File,
    status: Status,
    slates: BTreeMap<Ident, Slate>,
}

impl Board {
    /// Takes the folder. Two programs that write one table's tapes would spoil both.
    pub(super) fn take(
        folder: &Path,
        site: &str,
        tables: impl Iterator<Item = Ident>,
        now: Utc,
    ) -> anyhow::Result<Self> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let path = folder.join(LOCK);
        let lock = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("{}: another fairdeal runs this site", folder.display()),
            Err(TryLockError::Error(error)) => return Err(error).with_context(|| path.display().to_string()),
        }
        let (pid, slates) = (std::process::id(), tables.map(|table| (table, Slate::default())).collect());
        let status = Status {
            site: site.to_owned(),
            pid,
            started: now,
            updated: now,
            memory: None,
            pages: None,
            tables: BTreeMap::new(),
        };
        Ok(Self { folder: folder.to_owned(), _lock: lock, status, slates })
    }

    /// The pages are served here.
    pub(super) fn serves(&mut self, pages: String) {
        self.status.pages = Some(pages);
    }

    /// The state of a table.
    pub(super) fn slate(&self, table: &Ident) -> Slate {
        self.slates.get(table).cloned().unwrap_or_default()
    }

    /// The states of all tables.
    pub(super) fn slates(&self) -> Vec<(Ident, Slate)> {
        self.slates.iter().map(|(table, slate)| (table.clone(), slate.clone())).collect()
    }

    /// Writes down how everything is.
    pub(super) fn show(&mut self, now: Utc) -> io::Result<()> {
        (self.status.updated, self.status.memory) = (now, memory());
        let tables = self.slates.iter().map(|(id, slate)| (id.clone(), slate.write().clone()));
        self.status.tables = tables.collect();
        let draft = self.folder.join(format!("{STATUS}.part"));
        let mut file = File::create(&draft)?;
        file.write_all(&serde_json::to_vec(&self.status)?)?;
        drop(file);
        fs::rename(draft, self.folder.join(STATUS))
    }
}

/// The memory that this process holds, as Linux tells it.
fn memory() -> Option<u64> {
    let told = fs::read_to_string("/proc/self/status").ok()?;
    let line = told.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

/// What is known of whoever runs a site.
pub(crate) enum Found {
    /// Nobody ever did.
    Never,
    /// Nobody does now; how it was when it was last written down.
    Stopped(Box<Status>),
    /// Somebody does.
    Running(Box<Status>),
}

/// Looks how a site is.
pub(crate) fn look(folder: &Path) -> anyhow::Result<Found> {
    let lock = match File::open(folder.join(LOCK)) {
        Ok(lock) => lock,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Never),
        Err(error) => return Err(error).with_context(|| folder.join(LOCK).display().to_string()),
    };
    let running = matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock));
    let path = folder.join(STATUS);
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Never),
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    };
    let status = Box::new(serde_json::from_slice(&text).with_context(|| path.display().to_string())?);
    Ok(if running { Found::Running(status) } else { Found::Stopped(status) })
}
