//! `fairdeal verify`: the log and the evidence recomputed from outside.

use std::io::Write;
use std::path::PathBuf;

use review::evidence::Locker;
use review::verify::{Anchor, Verified, verify};

use crate::audit::several;
use crate::{Outcome, database, json};

/// Recompute the log's chain, what it sealed, and all evidence
///
/// Exits with 1 if anything was altered, is missing or was added behind the log's
/// back. The last line is the log's end: write it down elsewhere, and give it as
/// --expect next time, to prove that nothing was cut off in between.
///
/// Example: fairdeal verify --db sqlite:night.db --evidence evidence/
/// Example: fairdeal verify --db sqlite:night.db --expect 1042:9f86d081…
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    db: database::Address,
    /// The folder of evidence files
    #[arg(long, value_name = "DIR")]
    evidence: Option<PathBuf>,
    /// An end of the log that an earlier verification printed
    #[arg(long, value_name = "NUMBER:HASH")]
    expect: Vec<Anchor>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let locker = args.evidence.as_deref().map(Locker::open).transpose()?;
    let found = database::block_on(async {
        let store = args.db.open().await?;
        Ok(verify(&store, locker.as_ref(), &args.expect).await?)
    })?;
    let mut out = anstream::stdout().lock();
    if args.json {
        json::lines(&mut out, [&found])?;
    } else {
        write(&mut out, &found)?;
    }
    Ok(if found.faults.is_empty() { Outcome::Clean } else { Outcome::Found })
}

pub(crate) fn write(out: &mut impl Write, found: &Verified) -> std::io::Result<()> {
    for fault in &found.faults {
        writeln!(out, "{fault}")?;
    }
    let counts = [
        (found.entries, "log entr"),
        (found.rounds, "round"),
        (found.flags, "flag entr"),
        (found.decisions, "decision"),
        (found.files, "evidence file"),
    ];
    let counts: Vec<_> = counts
        .iter()
        .map(|(count, what)| match what.strip_suffix("entr") {
            Some(of) => format!("{count} {of}{}", if *count == 1 { "entry" } else { "entries" }),
            None => several(*count, what),
        })
        .collect();
    let verdict = match found.faults.len() {
        0 => "all is as it was written".to_owned(),
        faults => several(faults as u64, "fault"),
    };
    writeln!(out, "{}: {verdict}", counts.join(", "))?;
    writeln!(out, "{}:{}", found.entries, found.last)
}
