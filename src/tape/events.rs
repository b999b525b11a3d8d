//! `fairdeal tape events`: what the devices of a table told, with their times.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::Context;
use ingest::feed::{self, Settings};
use serde::Serialize;
use table::Event;
use table::tape::Reader;

use crate::{Outcome, json};

/// Print what the devices on a tape told, in order of time
///
/// Decodes the shoe's bytes and the chip sensor's lines as a live table does, and
/// prints a line of JSON for every event: when it happened, when it reached us, what
/// the source's own clock said, and the offset in microseconds between the two.
///
/// Example: fairdeal tape events night.mcap | jq 'select(.fact.what == "health")'
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The tape
    file: PathBuf,
}

/// An event with what follows from it.
#[derive(Serialize)]
struct Told {
    #[serde(flatten)]
    event: Event,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<i64>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let naming = || args.file.display().to_string();
    let tape = Reader::open(super::open(&args.file)?).with_context(naming)?;
    let mut events = feed::on_tape(tape, Settings::default()).with_context(naming)?;
    let mut out = BufWriter::new(io::stdout().lock());
    for event in events.by_ref() {
        // What was told before the damage is printed before the damage is told.
        let event = match event {
            Ok(event) => event,
            Err(error) => {
                out.flush()?;
                return Err(error).with_context(naming);
            }
        };
        let offset = event.offset();
        json::lines(&mut out, [Told { event, offset }])?;
    }
    out.flush()?;
    let counts = events.feed().counts();
    if counts.late > 0 {
        tracing::warn!("{} events came so late that others which happened after them stand before them", counts.late);
    }
    if counts.not_understood > 0 {
        tracing::warn!("{} reads of a shoe whose dialect the tape does not say", counts.not_understood);
    }
    Ok(Outcome::Clean)
}
