//! `fairdeal shoe probe`: which speed and dialect fit a line, and by what evidence.

use std::io::{self, Write};
use std::time::Duration;

use anyhow::{anyhow, bail};
use ingest::shoe::Stats;
use ingest::transport::{Line, State, Told};
use serde::Serialize;
use table::config::{Dialect, Transport};
use tokio::time::{Instant, timeout_at};

use super::ear::{Ear, best};
use crate::{Outcome, json};

/// Find out what a shoe speaks, and at which speed
///
/// Listens for a few seconds at each speed a serial port may have, in every
/// dialect, until one fits. A device server has its own speed, and a file none:
/// they are listened to once. Draw cards meanwhile: a shoe at rest says nothing.
///
/// Example: fairdeal shoe probe serial:///dev/ttyUSB0
/// Example: fairdeal shoe probe tcp://10.0.4.21:4001 --seconds 20
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The line: serial:///dev/ttyUSB0, tcp://host:4001 or file:capture.bin. A speed in it is tried first
    url: String,
    /// How long to listen at each speed
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
    /// Print one JSON object for each speed and dialect tried
    #[arg(long)]
    json: bool,
}

/// The speeds of serial devices, likeliest first.
const BAUDS: [u32; 9] = [4800, 9600, 19_200, 38_400, 57_600, 115_200, 2400, 1200, 14_400];
/// So many whole telegrams are no accident.
const ENOUGH: u64 = 3;

/// What one dialect made of the line at one speed.
#[derive(Serialize)]
struct Tried {
    url: String,
    dialect: Dialect,
    fits: bool,
    stats: Stats,
}

impl Tried {
    fn of(transport: &Transport, ear: &Ear) -> Self {
        let stats = ear.stats();
        Self { url: transport.to_string(), dialect: ear.dialect, fits: fits(&stats), stats }
    }

    fn words(&self) -> String {
        let Stats { bytes, frames, bad_checksum, noise_bytes, events, .. } = self.stats;
        let verdict = if self.fits { "fits" } else { "does not fit" };
        format!(
            "{} {:<9} {verdict}: {frames} telegrams in {bytes} bytes, {bad_checksum} bad checksums, {events} events, \
             {noise_bytes} bytes of noise",
            self.url,
            self.dialect.name(),
        )
    }
}

/// Telegrams that are right, and more of them than of anything else. The first bytes may be half a telegram.
fn fits(stats: &Stats) -> bool {
    stats.events + stats.duplicates > 0
        && stats.frames > stats.bad_checksum.saturating_mul(2)
        && stats.noise_bytes.saturating_mul(2) < stats.bytes
}

pub(super) async fn run(args: &Args) -> anyhow::Result<Outcome> {
    let lines = candidates(super::address(&args.url, Some(BAUDS[0]))?);
    if !matches!(lines.first(), Some(Transport::File(_))) {
        writeln!(io::stderr(), "listening {} s at a time; draw cards meanwhile", args.seconds)?;
    }
    let mut nearest = None;
    for transport in lines {
        let ears = listen(&transport, Duration::from_secs(args.seconds)).await?;
        let tried: Vec<Tried> = ears.iter().map(|ear| Tried::of(&transport, ear)).collect();
        let mut out = io::stdout().lock();
        if args.json {
            json::lines(&mut out, &tried)?;
        } else {
            tried.iter().try_for_each(|tried| writeln!(out, "{}", tried.words()))?;
        }
        if let Some(found) = tried.iter().find(|tried| tried.fits) {
            if !args.json {
                writeln!(out, "\nfor site.toml:\nurl = \"{}\"\ndialect = \"{}\"", found.url, found.dialect.name())?;
            }
            return Ok(Outcome::Clean);
        }
        let wrong = best(&ears).and_then(|ear| Some((ear.stats().bytes, ear.diagnose()?)));
        nearest = nearest.into_iter().chain(wrong).max_by_key(|(bytes, _)| *bytes);
    }
    Err(match nearest {
        Some((_, wrong)) => anyhow!("nothing fits {}: {wrong}", args.url),
        None => anyhow!("nothing fits {}: too few bytes to judge by; listen longer with --seconds", args.url),
    })
}

/// The line at each speed it may have.
fn candidates(transport: Transport) -> Vec<Transport> {
    let Transport::Serial { port, baud } = transport else { return vec![transport] };
    let others = BAUDS.into_iter().filter(|other| *other != baud);
    let speeds = [baud].into_iter().chain(others);
    speeds.map(|baud| Transport::Serial { port: port.clone(), baud }).collect()
}

/// Listens in every dialect until one fits or time is up.
async fn listen(transport: &Transport, patience: Duration) -> anyhow::Result<Vec<Ear>> {
    let mut ears: Vec<Ear> = super::dialects(None).into_iter().map(Ear::new).collect();
    let mut line = Line::open(transport, super::settings());
    let until = Instant::now() + patience;
    while let Ok(Some(told)) = timeout_at(until, line.next()).await {
        match told {
            Told::Read(read) => ears.iter_mut().for_each(|ear| _ = ear.push(&read.bytes)),
            Told::State { state: State::Lost(fault), .. } => bail!("cannot listen to {transport}: {fault}"),
            Told::State { .. } => {}
        }
        let live = !matches!(transport, Transport::File(_));
        if live && ears.iter().any(|ear| ear.stats().frames >= ENOUGH && fits(&ear.stats())) {
            break;
        }
    }
    // The next speed needs the port.
    line.close().await;
    ears.iter_mut().for_each(|ear| _ = ear.line_ended());
    Ok(ears)
}
