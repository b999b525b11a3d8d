//! Shoes and chip sensors, listened to on their own lines.

use std::time::Duration;

use ingest::chips::{Sensor, Told as Heard};
use ingest::transport::{Fault, Line, Settings, State, Told};
use table::config::{Chips, Shoe, Transport};
use tokio::time::{Instant, timeout_at};

use super::Trial;
use crate::doctor::Finding;
use crate::shoe::judge::{Judge, Verdict};

/// So many telegrams of a shoe are no accident.
const ENOUGH: u64 = 3;
/// A sound sensor sends a line at least every ten seconds.
const SENSOR_SPEAKS: Duration = Duration::from_secs(12);

/// What listening to a line came to.
enum Listened {
    /// It was connected and heard until the time was up, it ended, or enough was heard.
    Heard,
    /// It could not be reached, or broke.
    Lost(Fault),
}

/// Listens to a line; `hear` says whether it has heard enough.
fn listen(
    transport: &Transport,
    trial: Trial<'_>,
    patience: Duration,
    mut hear: impl FnMut(Told) -> bool,
) -> Result<Listened, std::io::Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(async {
        let settings = Settings { folder: trial.folder.to_owned(), ..Settings::default() };
        let answer_within = settings.answer_within;
        let mut line = Line::open(transport, settings);
        // The time to listen begins when there is something to listen to.
        let mut until = Instant::now() + answer_within + Duration::from_secs(1);
        let mut listened = Listened::Heard;
        while let Ok(Some(told)) = timeout_at(until, line.next()).await {
            match &told {
                Told::State { state: State::Lost(fault), .. } => {
                    listened = Listened::Lost(fault.clone());
                    break;
                }
                Told::State { state: State::Connected, .. } => until = Instant::now() + patience,
                _ => {}
            }
            if hear(told) {
                break;
            }
        }
        line.close().await;
        listened
    }))
}

/// What a line that is not there means, and what to do.
fn lost(name: &str, transport: &Transport, fault: &Fault) -> Finding {
    let finding = format!("{transport}: {fault}");
    match fault {
        // Most often it is our own recording, and then all is well.
        Fault::PortBusy { .. } => Finding::note(
            name,
            format!("{finding}; it was not tried"),
            "nothing, if a recording of this table runs; else end the other program",
        ),
        Fault::Refused { .. } | Fault::Closed { .. } => Finding::missing(
            name,
            finding,
            "if a recording of this table runs, it is the one client and all is well (--no-devices leaves lines alone); \
             else check port and mode on the device server's page",
        ),
        Fault::Silent { .. } | Fault::UnknownHost { .. } => {
            Finding::missing(name, finding, "check power, cable and address of the device server, and the firewall")
        }
        Fault::PortDenied { .. } => Finding::missing(name, finding, "join the group that owns the port, log in again"),
        Fault::NoPort { .. } | Fault::PortGone { .. } | Fault::PortRefuses { .. } => {
            Finding::missing(name, finding, "plug the adapter in, or correct the address in site.toml")
        }
        Fault::NoFile { .. } | Fault::Other { .. } => {
            Finding::missing(name, finding, "correct its address in site.toml")
        }
    }
}

fn no_runtime(name: &str, error: &std::io::Error) -> Finding {
    Finding::missing(name, format!("cannot listen: {error}"), "end other programs: the system has no room for more")
}

/// Listens to a shoe: does it speak, the dialect it should, at the speed it should?
pub(super) fn shoe(name: &str, shoe: &Shoe, trial: Trial<'_>) -> Finding {
    let mut judge = Judge::new(Some(shoe.dialect));
    let mut enough = false;
    let listened = listen(&shoe.transport, trial, trial.patience(), |told| {
        match told {
            Told::Read(read) => _ = judge.hear(&read.bytes),
            Told::State { state: State::Connected, .. } => judge.connected(),
            Told::State { state: State::Ended, .. } => _ = judge.ended(),
            Told::State { .. } => {}
        }
        enough = !matches!(shoe.transport, Transport::File(_)) && judge.stats().frames >= ENOUGH;
        enough
    });
    match listened {
        Err(error) => return no_runtime(name, &error),
        Ok(Listened::Lost(fault)) => return lost(name, &shoe.transport, &fault),
        Ok(Listened::Heard) => {}
    }
    let (stats, url, dialect) = (judge.stats(), &shoe.transport, shoe.dialect);
    match judge.look() {
        Some(Verdict::Silent(_)) => Finding::note(
            name,
            format!("{url}: connected, but no byte came in {} s", trial.seconds),
            "draw a card and run this again; if nothing comes still, look at the shoe's power and its transmit wire",
        ),
        Some(Verdict::Wrong(words)) => Finding::missing(
            name,
            format!("{url}: {words}"),
            format!("find out what is on the line: fairdeal shoe probe {url}"),
        ),
        Some(Verdict::Well) | None if stats.frames == 0 => Finding::note(
            name,
            format!("{url}: {} bytes, too few to judge by", stats.bytes),
            "run this again with --seconds 20 and draw cards meanwhile",
        ),
        Some(Verdict::Well) | None => {
            let (frames, events, noise) = (stats.frames, stats.events, stats.noise_bytes);
            Finding::ok(name, format!("{url}: {dialect}, {frames} telegrams, {events} events, {noise} bytes of noise"))
        }
    }
}

/// Listens to a chip sensor: do its lines come, and can they be read?
pub(super) fn chips(name: &str, chips: &Chips, trial: Trial<'_>) -> Finding {
    let mut sensor = Sensor::default();
    let mut wrong = None;
    let mut bytes = 0;
    let patience = trial.patience().max(SENSOR_SPEAKS);
    let listened = listen(&chips.transport, trial, patience, |told| {
        if let Told::Read(read) = told {
            bytes += read.bytes.len();
            let mut heard = Vec::new();
            sensor.push(read.at, &read.bytes, &mut heard);
            wrong = heard.into_iter().find_map(|heard| match heard {
                Heard::Trouble(trouble) => Some(trouble),
                Heard::Change(_) => None,
            });
        }
        sensor.counts().lines > 0
    });
    match listened {
        Err(error) => return no_runtime(name, &error),
        Ok(Listened::Lost(fault)) => return lost(name, &chips.transport, &fault),
        Ok(Listened::Heard) => {}
    }
    let (url, counts) = (&chips.transport, sensor.counts());
    match wrong {
        _ if counts.lines > 0 => {
            let tray = sensor.felt().tray.map_or_else(String::new, |tray| format!(", the tray holds {tray}"));
            let spots = sensor.felt().piles.len();
            Finding::ok(name, format!("{url}: lines can be read, chips stand on {spots} spots{tray}"))
        }
        Some(trouble) => Finding::missing(
            name,
            format!("{url}: lines come and cannot be read: {trouble}"),
            "set the line's speed as the sensor has it (?baud= of a serial port, or the device server's page)",
        ),
        None if bytes > 0 => Finding::missing(
            name,
            format!("{url}: {bytes} bytes and no end of a line in {} s", patience.as_secs()),
            "set the line's speed as the sensor has it; is this the sensor's line?",
        ),
        None => Finding::missing(
            name,
            format!("{url}: connected, but no line came in {} s, and one is due every ten", patience.as_secs()),
            "look at the sensor's power and its transmit wire",
        ),
    }
}
