//! The devices of a table and what of theirs goes on the tape.

use std::path::Path;
use std::time::Duration;

use ingest::metrics::{Kind, Page, Registry};
use ingest::recorder::Intake;
use ingest::transport::{Counts, Line, Settings, State, Told};
use table::chips::LONGEST;
use table::config::{TableConfig, Transport};
use table::tape::Record;
use table::{Ident, Utc};
use tokio::sync::watch;

/// How long a file waits for the disk.
const FILE_WAITS: Duration = Duration::from_millis(5);

/// A shoe or a chip sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Shoe,
    Chips,
}

/// A device that is listened to.
pub(super) struct Device {
    what: What,
    name: Ident,
    transport: Transport,
    settings: Settings,
    registry: Registry,
    table: Ident,
    /// What has come of a chip sensor's line.
    begun: Vec<u8>,
}

/// The devices of a table; paths are from the folder of the site's file.
pub(super) fn of(table: &TableConfig, folder: &Path, registry: &Registry) -> Vec<Device> {
    let shoe = table.shoe.as_ref().map(|shoe| (What::Shoe, &shoe.name, &shoe.transport));
    let chips = table.chips.as_ref().map(|chips| (What::Chips, &chips.name, &chips.transport));
    let device = |(what, name, transport): (What, &Ident, &Transport)| Device {
        what,
        name: name.clone(),
        transport: transport.clone(),
        settings: Settings { folder: folder.to_owned(), seed: seed(&table.id, name), ..Settings::default() },
        registry: registry.clone(),
        table: table.id.clone(),
        begun: Vec::new(),
    };
    [shoe, chips].into_iter().flatten().map(device).collect()
}

impl Device {
    /// Hands what comes to the recorder, until the line ends or somebody stops it.
    pub(super) async fn listen(mut self, intake: Intake, mut stopped: watch::Receiver<bool>) {
        let mut line = Line::open(&self.transport, self.settings.clone());
        let (counters, table, name) = (line.counters(), self.table.clone(), self.name.clone());
        let what = self.what;
        self.registry.add(move |page| line_metrics(page, what, &table, &name, &counters.now()));
        loop {
            // A device does not wait, so neither do we; a file can.
            while matches!(self.transport, Transport::File(_)) && !intake.roomy() {
                tokio::time::sleep(FILE_WAITS).await;
            }
            let told = tokio::select! {
                // What was read before the end was called is part of the recording.
                biased;
                told = line.next() => told,
                _ = stopped.wait_for(|stopped| *stopped) => None,
            };
            match told {
                Some(Told::Read(read)) => self.read(read.at, read.bytes, &intake),
                Some(Told::State { at, state }) => self.changed(at, &state, &intake),
                None => break,
            }
        }
        self.broken_off(ingest::transport::now(), &intake);
    }

    fn read(&mut self, at: Utc, bytes: Vec<u8>, intake: &Intake) {
        match self.what {
            What::Shoe => {
                intake.offer(at, Record::ShoeBytes { shoe: self.name.clone(), bytes });
            }
            What::Chips => {
                // What is longer than any line is recorded in pieces: a tape must not wait for an end that never comes.
                for part in bytes.split_inclusive(|byte| *byte == b'\n') {
                    self.begun.extend_from_slice(part);
                    if self.begun.pop_if(|last| *last == b'\n').is_some() || self.begun.len() >= LONGEST {
                        self.line(at, intake);
                    }
                }
            }
        }
    }

    fn line(&mut self, at: Utc, intake: &Intake) {
        let line = std::mem::take(&mut self.begun);
        intake.offer(at, Record::ChipLine { sensor: self.name.clone(), line });
    }

    /// The rest of a line will not come; what there is of it is kept.
    fn broken_off(&mut self, at: Utc, intake: &Intake) {
        if !self.begun.is_empty() {
            self.line(at, intake);
        }
    }

    fn changed(&mut self, at: Utc, state: &State, intake: &Intake) {
        let name = &self.name;
        match state {
            State::Lost(fault) => {
                tracing::warn!(device = %name, "lost: {fault}");
                self.broken_off(at, intake);
            }
            state => tracing::info!(device = %name, "{state}"),
        }
    }
}

/// Different for every line of a site, and the same whenever it is started.
pub(super) fn seed(table: &Ident, device: &Ident) -> u64 {
    let letters = table.as_str().bytes().chain([b'/']).chain(device.as_str().bytes());
    letters.fold(0, |seed: u64, letter| seed.wrapping_mul(31).wrapping_add(u64::from(letter)))
}

fn line_metrics(page: &mut Page, what: What, table: &Ident, device: &Ident, counts: &Counts) {
    let kind = if what == What::Shoe { "shoe" } else { "chips" };
    let labels = [("table", table.as_str()), ("device", device.as_str()), ("kind", kind)];
    let rows = [
        ("fairdeal_line_bytes_total", "Bytes that came from a device.", counts.bytes),
        ("fairdeal_line_reads_total", "Reads from a device's line.", counts.reads),
        ("fairdeal_line_connections_total", "Times a device was reached.", counts.connections),
        ("fairdeal_line_losses_total", "Times a device was lost.", counts.losses),
        ("fairdeal_line_held_up_total", "Times that reading had to wait for us.", counts.held_up),
    ];
    for (name, help, value) in rows {
        page.put(Kind::Counter, name, help, &labels, value as f64);
    }
    if let Some(seen) = counts.last_seen {
        let (name, help) = ("fairdeal_line_last_seen_seconds", "When a device was last heard, since 1970.");
        page.put(Kind::Gauge, name, help, &labels, seen.micros() as f64 / 1e6);
    }
}
