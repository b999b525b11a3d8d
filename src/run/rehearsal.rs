//! A rehearsal: a tape played in place of a table's devices.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use table::Utc;
use table::tape::{Reader, Record};
use tokio::sync::watch;

use super::journal::is_fact;
use crate::record::desk::Desk;

/// How long the recorder is given to make room.
const MAKES_ROOM: Duration = Duration::from_millis(5);
/// How often is looked whether somebody has stopped us.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// After the last record so much time passes, for the last round to be over, in microseconds.
const AFTERWARDS: i64 = 9_000_000;

/// Which tape a table plays, and how fast.
#[derive(Clone, Debug)]
pub(super) struct Rehearsal {
    pub(super) tape: PathBuf,
    /// How many times as fast as it was; 0 for as fast as it goes.
    pub(super) speed: f64,
}

/// How far a journal has come.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reached {
    /// When its last record arrived.
    pub(super) at: Option<Utc>,
    /// How many came at that time.
    pub(super) count: usize,
}

impl Reached {
    pub(super) fn record(&mut self, at: Utc) {
        *self =
            if self.at == Some(at) { Self { count: self.count + 1, ..*self } } else { Self { at: Some(at), count: 1 } };
    }
}

impl Rehearsal {
    /// Plays the tape from where the journal ends, until it is over or somebody stops it.
    pub(super) fn play(&self, reached: Reached, desk: &Desk, stopped: &watch::Receiver<bool>) -> anyhow::Result<()> {
        let naming = || self.tape.display().to_string();
        let tape = Reader::open(BufReader::new(open(&self.tape)?)).with_context(naming)?;
        let mut same = 0;
        let mut last: Option<Utc> = None;
        let mut begun: Option<(Instant, Utc)> = None;
        for message in tape {
            let message = message.with_context(naming)?;
            let at = message.at();
            let record = Record::decode(&message).with_context(naming)?;
            let picture = matches!(record, Record::Picture { .. });
            if !is_fact(&record) && !picture {
                continue;
            }
            last = Some(at);
            // What was safe before the journal ended is not played again.
            if reached.at.is_some_and(|reached| at < reached) {
                continue;
            }
            if reached.at == Some(at) && !picture {
                same += 1;
                if same <= reached.count {
                    continue;
                }
            }
            let (started, from) = *begun.get_or_insert((Instant::now(), at));
            if self.speed > 0.0 {
                let micros = at.micros().saturating_sub(from.micros()).max(0) as f64 / self.speed;
                wait_until(started + Duration::from_micros(micros as u64), stopped);
            }
            while !desk.roomy() {
                std::thread::sleep(MAKES_ROOM);
            }
            if *stopped.borrow() {
                return Ok(());
            }
            desk.pass(at);
            desk.renew();
            desk.hear(at, record);
        }
        if let Some(end) = last.and_then(|last| last.shifted(AFTERWARDS)) {
            desk.pass(end);
        }
        Ok(())
    }
}

/// Waits for a time, unless somebody stops us.
fn wait_until(time: Instant, stopped: &watch::Receiver<bool>) {
    while let Some(left) = time.checked_duration_since(Instant::now()).filter(|_| !*stopped.borrow()) {
        std::thread::sleep(left.min(LOOK_EVERY));
    }
}

fn open(path: &Path) -> anyhow::Result<File> {
    File::open(path).with_context(|| path.display().to_string())
}
