//! The devices of a table and what of theirs goes on the tape.

use std::path::Path;
use std::time::Duration;

use ingest::metrics::{self, Registry};
use ingest::transport::{Line, Settings, State, Told};
use table::chips::LONGEST;
use table::config::{TableConfig, Transport};
use table::event::Health;
use table::tape::Record;
use table::{Ident, SourceKind, Utc};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::desk::Desk;
use crate::shoe::judge::{Judge, Verdict};

/// How long a file waits for the disk.
const FILE_WAITS: Duration = Duration::from_millis(5);
/// How often a shoe's line is judged.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// A shoe or a chip sensor.
enum What {
    /// A shoe, and what is thought of its line.
    Shoe(Judge),
    /// A chip sensor, and what has come of its line.
    Chips(Vec<u8>),
}

impl What {
    const fn kind(&self) -> SourceKind {
        match self {
            Self::Shoe(_) => SourceKind::Shoe,
            Self::Chips(_) => SourceKind::Chips,
        }
    }
}

/// A device that is listened to.
pub(crate) struct Device {
    what: What,
    name: Ident,
    transport: Transport,
    settings: Settings,
    registry: Registry,
    table: Ident,
}

/// The devices of a table; paths are from the folder of the site's file.
pub(crate) fn of(table: &TableConfig, folder: &Path, registry: &Registry) -> Vec<Device> {
    let shoe = table.shoe.as_ref();
    let shoe = shoe.map(|shoe| (What::Shoe(Judge::new(Some(shoe.dialect))), &shoe.name, &shoe.transport));
    let chips = table.chips.as_ref().map(|chips| (What::Chips(Vec::new()), &chips.name, &chips.transport));
    let device = |(what, name, transport): (What, &Ident, &Transport)| Device {
        what,
        name: name.clone(),
        transport: transport.clone(),
        settings: Settings { folder: folder.to_owned(), seed: seed(&table.id, name), ..Settings::default() },
        registry: registry.clone(),
        table: table.id.clone(),
    };
    [shoe, chips].into_iter().flatten().map(device).collect()
}

impl Device {
    /// Hands what comes to the desk, until the line ends or somebody stops it.
    pub(crate) async fn listen(mut self, desk: Desk, mut stopped: watch::Receiver<bool>) {
        let mut line = Line::open(&self.transport, self.settings.clone());
        let (counters, table, name, kind) = (line.counters(), self.table.clone(), self.name.clone(), self.what.kind());
        self.registry.add(move |page| {
            metrics::line(page, table.as_str(), name.as_str(), kind.name(), &counters.now());
        });
        let mut look = Instant::now() + LOOK_EVERY;
        loop {
            // A device does not wait, so neither do we; a file can.
            while matches!(self.transport, Transport::File(_)) && !desk.roomy() {
                tokio::time::sleep(FILE_WAITS).await;
            }
            let told = tokio::select! {
                // What was read before the end was called is part of the recording.
                biased;
                told = line.next() => told,
                () = sleep_until(look) => {
                    look = Instant::now() + LOOK_EVERY;
                    self.judge(&desk);
                    continue;
                }
                _ = stopped.wait_for(|stopped| *stopped) => None,
            };
            match told {
                Some(Told::Read(read)) => self.read(read.at, read.bytes, &desk),
                Some(Told::State { at, state }) => self.changed(at, &state, &desk),
                None => break,
            }
        }
        self.judge(&desk);
        self.broken_off(ingest::transport::now(), &desk);
    }

    fn read(&mut self, at: Utc, bytes: Vec<u8>, desk: &Desk) {
        match &mut self.what {
            What::Shoe(judge) => {
                judge.hear(&bytes);
                desk.hear(at, Record::ShoeBytes { shoe: self.name.clone(), bytes });
            }
            What::Chips(begun) => {
                // What is longer than any line is recorded in pieces: a tape must not wait for an end that never comes.
                for part in bytes.split_inclusive(|byte| *byte == b'\n') {
                    begun.extend_from_slice(part);
                    if begun.pop_if(|last| *last == b'\n').is_some() || begun.len() >= LONGEST {
                        desk.hear(at, Record::ChipLine { sensor: self.name.clone(), line: std::mem::take(begun) });
                    }
                }
            }
        }
    }

    /// The rest of a line will not come; what there is of it is kept.
    fn broken_off(&mut self, at: Utc, desk: &Desk) {
        if let What::Chips(begun) = &mut self.what
            && !begun.is_empty()
        {
            desk.hear(at, Record::ChipLine { sensor: self.name.clone(), line: std::mem::take(begun) });
        }
    }

    fn changed(&mut self, at: Utc, state: &State, desk: &Desk) {
        let name = &self.name;
        match state {
            State::Lost(fault) => tracing::warn!(device = %name, "lost: {fault}"),
            state => tracing::info!(device = %name, "{state}"),
        }
        match state {
            State::Lost(_) => {
                if let What::Shoe(judge) = &mut self.what {
                    judge.ended();
                    judge.disconnected();
                }
                self.broken_off(at, desk);
                desk.health(self.what.kind(), &self.name, Health::Lost, at, at);
            }
            State::Connected => {
                if let What::Shoe(judge) = &mut self.what {
                    judge.connected();
                }
                desk.health(self.what.kind(), &self.name, Health::Ok, at, at);
            }
            State::Connecting | State::Retrying { .. } | State::Ended => {}
        }
    }

    /// Says what is wrong with a line on which bytes come and make no sense.
    fn judge(&mut self, desk: &Desk) {
        let What::Shoe(judge) = &mut self.what else { return };
        let now = ingest::transport::now();
        match judge.look() {
            Some(Verdict::Silent(words)) => tracing::warn!(device = %self.name, "{words}"),
            Some(Verdict::Wrong(words)) => {
                tracing::warn!(device = %self.name, "{words}");
                desk.health(SourceKind::Shoe, &self.name, Health::Error, now, now);
            }
            Some(Verdict::Well) => {
                tracing::info!(device = %self.name, "telegrams come again");
                desk.health(SourceKind::Shoe, &self.name, Health::Ok, now, now);
            }
            None => {}
        }
    }
}

/// Different for every line of a site, and the same whenever it is started.
pub(crate) fn seed(table: &Ident, device: &Ident) -> u64 {
    let letters = table.as_str().bytes().chain([b'/']).chain(device.as_str().bytes());
    letters.fold(0, |seed: u64, letter| seed.wrapping_mul(31).wrapping_add(u64::from(letter)))
}
