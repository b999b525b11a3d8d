//! `fairdeal tape recover`: a finished tape of what is left of a damaged or unfinished one.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use table::tape::{Loss, Recovery};

use super::output::Target;
use crate::Outcome;

/// Make a finished tape of what is left of a damaged or unfinished one
///
/// Keeps every chunk whose checksum holds, and says what was lost.
///
/// Example: fairdeal tape recover crashed.mcap --out night.mcap
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The damaged tape
    file: PathBuf,
    #[command(flatten)]
    out: Target,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let naming = || args.file.display().to_string();
    let from = super::open(&args.file)?;
    let name = args.file.file_name().unwrap_or_default().to_string_lossy();
    let origin = format!("recovered from {name} by {}", super::product());
    let (draft, recovery) = table::tape::recover(from, args.out.begin()?, &origin).with_context(naming)?;
    args.out.keep(draft)?;
    let report = format!("{}: {}", args.out.path().display(), report(&recovery));
    io::stdout().write_all(report.as_bytes())?;
    Ok(Outcome::Clean)
}

/// What was kept and what was lost.
fn report(recovery: &Recovery) -> String {
    let Recovery { messages, chunks, losses, missing, finished, nameless } = recovery;
    let mut lines = vec![format!("{messages} messages from {chunks} chunks")];
    lines.extend(losses.iter().map(loss));
    if *missing > 0 {
        lines.push(format!("lost {missing} messages"));
    }
    if !finished {
        lines.push("the tape was never finished: what came after its last whole chunk is not known".into());
    }
    if *nameless {
        lines.push("the name of the table is lost".into());
    }
    if recovery.complete() {
        lines.push("nothing was lost".into());
    }
    lines.join("\n") + "\n"
}

fn loss(Loss { offset, bytes, after_chunks, damage }: &Loss) -> String {
    let why = damage.as_ref().map_or("the file stops within a record".into(), ToString::to_string);
    format!("lost {bytes} bytes at byte {offset}, after {after_chunks} chunks: {why}")
}
