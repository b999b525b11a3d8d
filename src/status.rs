//! `fairdeal status`: how the tables of a running site are.

use std::io::{self, Write};

use anyhow::Context;
use indicatif::BinaryBytes;
use serde_json::json;
use table::Utc;

use crate::audit::several;
use crate::columns::{FAINT, STRONG};
use crate::run::Place;
use crate::run::board::{self, Doing, Found, Status, Table};
use crate::{Outcome, database};

/// A program that has written nothing for longer than this hangs, in microseconds.
const HANGS: i64 = 10_000_000;

/// Say how the tables of a running site are
///
/// For each table: what it is doing, frames read a second, how long after a round its
/// flags are in the database, the last round, flags, and every device that is not well.
/// Exit code 0 if all tables are watched, 1 if one is not or nothing runs.
///
/// Example: fairdeal status --config site.toml
/// Example: fairdeal status --config site.toml --json
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    site: Place,
    /// One JSON object for the program, then one for each table
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let (_, _, tapes) = args.site.find()?;
    let found = board::look(&tapes)?;
    let mut out = anstream::stdout().lock();
    let now = database::now();
    if args.json {
        write_json(&mut out, &found, now)?;
    } else {
        write_text(&mut out, &found, now)?;
    }
    let well = matches!(&found, Found::Running(status) if !hangs(status, now) && status.tables.values().all(is_well));
    Ok(if well { Outcome::Clean } else { Outcome::Found })
}

fn hangs(status: &Status, now: Utc) -> bool {
    now.micros().saturating_sub(status.updated.micros()) > HANGS
}

fn is_well(table: &Table) -> bool {
    matches!(table.doing, Doing::Watching | Doing::Catching | Doing::Ended)
        && !table.disk_failing
        && table.failure.is_none()
}

fn write_json(out: &mut impl Write, found: &Found, now: Utc) -> anyhow::Result<()> {
    let (running, status) = match found {
        Found::Never => return Ok(writeln!(out, "{}", json!({ "running": false }))?),
        Found::Stopped(status) => (false, status),
        Found::Running(status) => (true, status),
    };
    let Status { site, pid, started, updated, memory, pages, tables } = &**status;
    let hangs = running && hangs(status, now);
    let top = json!({
        "running": running, "hangs": hangs, "site": site, "pid": pid, "started": started, "updated": updated, "memory": memory,
        "pages": pages,
    });
    writeln!(out, "{top}")?;
    for (id, table) in tables {
        let mut line = serde_json::to_value(table).context("a state cannot be written")?;
        if let Some(fields) = line.as_object_mut() {
            fields.insert("table".to_owned(), json!(id));
            fields.insert("well".to_owned(), json!(running && is_well(table)));
        }
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn write_text(out: &mut impl Write, found: &Found, now: Utc) -> io::Result<()> {
    let status = match found {
        Found::Never => return writeln!(out, "nothing runs, and nothing ever ran here (fairdeal run --config …)"),
        Found::Stopped(status) => {
            writeln!(
                out,
                "{STRONG}nothing runs{STRONG:#}: {} was last watched at {}; then",
                status.site, status.updated
            )?;
            status
        }
        Found::Running(status) if hangs(status, now) => {
            let (pid, updated) = (status.pid, status.updated);
            writeln!(out, "{STRONG}process {pid} hangs{STRONG:#}: it has said nothing since {updated}; then")?;
            status
        }
        Found::Running(status) => {
            let memory = status.memory.map(|bytes| format!(", {} of memory", BinaryBytes(bytes))).unwrap_or_default();
            let pages = status.pages.as_ref().map(|pages| format!(", pages at {pages}")).unwrap_or_default();
            writeln!(
                out,
                "{} is watched by process {} for {}{memory}{pages}",
                status.site,
                status.pid,
                ago(status.started, now)
            )?;
            status
        }
    };
    status.tables.iter().try_for_each(|(id, table)| write_table(out, id.as_str(), table, now))
}

fn write_table(out: &mut impl Write, id: &str, table: &Table, now: Utc) -> io::Result<()> {
    let doing = match table.doing {
        Doing::Starting => "starting",
        Doing::Catching => "catching up with its journal",
        Doing::Watching => "watched",
        Doing::Failed => "FAILED, tried again soon",
        Doing::Ended => "its feeds have ended",
    };
    let since = table.since.map(|since| format!(" for {}", ago(since, now))).unwrap_or_default();
    writeln!(out, "{STRONG}{id}{STRONG:#}  {doing}{since}")?;
    let counted = [(table.rounds, "round"), (table.flags, "flag"), (table.doubts, "doubt")];
    let counted = counted.map(|(count, what)| several(count, what)).join(", ");
    let last = match (&table.last_round, table.last_round_at) {
        (Some(last), Some(at)) => format!("; last round {last} over {} ago", ago(at, now)),
        _ => String::new(),
    };
    writeln!(out, "  rounds    {counted}{last}")?;
    if let Some([latest, middle, slow]) = table.lag_ms {
        writeln!(
            out,
            "  lag       {latest} ms from the end of a round to the database (half within {middle}, 99 % within {slow})"
        )?;
    }
    for (camera, fps) in &table.fps {
        let each = table.frame_ms.get(camera).copied().unwrap_or_default();
        writeln!(out, "  camera    {camera}: {fps} frames a second read, {each:.1} ms each")?;
    }
    if let Some(heard) = table.heard {
        writeln!(out, "  {FAINT}heard     {} ago; {} on tape{FAINT:#}", ago(heard, now), BinaryBytes(table.recorded))?;
    }
    for (device, state) in &table.devices {
        writeln!(out, "  device    {device}: {state}")?;
    }
    let troubles = [
        (table.waiting, "rounds wait for the database"),
        (table.lost, "records lost"),
        (table.pictures_dropped, "pictures dropped"),
        (table.broke_off, "rounds could not be followed"),
        (table.restarts, "restarts"),
    ];
    for (count, what) in troubles.iter().filter(|(count, _)| *count > 0) {
        writeln!(out, "  {STRONG}trouble{STRONG:#}   {count} {what}")?;
    }
    if table.disk_failing {
        writeln!(out, "  {STRONG}trouble{STRONG:#}   THE DISK FAILS, NOTHING IS RECORDED")?;
    }
    if let Some(failure) = &table.failure {
        writeln!(out, "  {STRONG}failure{STRONG:#}   {failure}")?;
    }
    Ok(())
}

/// A length of time up to now, in the largest unit that fits.
fn ago(then: Utc, now: Utc) -> String {
    let seconds = now.micros().saturating_sub(then.micros()).max(0) / 1_000_000;
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", seconds / 60),
        7200..172_800 => format!("{} h", seconds / 3600),
        _ => format!("{} days", seconds / 86_400),
    }
}
