//! `fairdeal verify`: the log and the evidence, or an export, recomputed from outside.

use std::fs::{self, File};
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use review::evidence::Locker;
use review::export::Manifest;
use review::export::check::{Checked, check};
use review::export::key::PublicKey;
use review::verify::{Anchor, Verified, verify};

use crate::audit::several;
use crate::{Outcome, database, json};

/// Recompute the log's chain, what it sealed, and all evidence; or check an export
///
/// Exits with 1 if anything was altered, is missing or was added behind the log's
/// back. The last line is the log's end: write it down elsewhere, and give it as
/// --expect next time, to prove that nothing was cut off in between.
///
/// With a FILE, an export is checked instead: the signature over its manifest and
/// every file. --key is the site's public key as the site told it; without, only the
/// fingerprint printed says whose signature it is. With --db, the log must know of it.
///
/// Example: fairdeal verify --db sqlite:night.db --evidence evidence/
/// Example: fairdeal verify --db sqlite:night.db --expect 1042:9f86d081…
/// Example: fairdeal verify case-12.zip --key harbour.pem
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// An export of a case
    #[arg(conflicts_with_all = ["evidence", "expect"], required_unless_present = "db")]
    file: Option<PathBuf>,
    /// The database: sqlite:FILE or postgres://USER@HOST/NAME
    #[arg(long, value_name = "URL")]
    db: Option<String>,
    /// The folder of evidence files
    #[arg(long, value_name = "DIR")]
    evidence: Option<PathBuf>,
    /// An end of the log that an earlier verification printed
    #[arg(long, value_name = "NUMBER:HASH")]
    expect: Vec<Anchor>,
    /// The public key an export must be signed with, as fairdeal export --key prints it
    #[arg(long, value_name = "PEM", requires = "file")]
    key: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    if let Some(file) = &args.file {
        return run_export(args, file);
    }
    let locker = args.evidence.as_deref().map(Locker::open).transpose()?;
    let db = args.db.as_ref().context("name a database with --db, or an export")?;
    let found = database::block_on(async {
        let store = database::open(db).await?;
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

fn run_export(args: &Args, path: &Path) -> anyhow::Result<Outcome> {
    let naming = || path.display().to_string();
    let key = match &args.key {
        Some(path) => {
            let pem = fs::read_to_string(path).with_context(|| path.display().to_string())?;
            Some(PublicKey::from_pem(&pem).with_context(|| path.display().to_string())?)
        }
        None => None,
    };
    let file = BufReader::new(File::open(path).with_context(naming)?);
    let mut checked = check(file, key.as_ref()).with_context(naming)?;
    if let (Some(db), Some(manifest)) = (&args.db, &checked.manifest) {
        let known = database::block_on(async {
            let entries = database::open(db).await?.log_of(&format!("case {}", manifest.id)).await?;
            Ok(entries.iter().any(|entry| entry.action == "export" && entry.detail.contains(&checked.sha256)))
        })?;
        if !known {
            checked.faults.push("the log of this database knows of no such export".to_owned());
        }
    }
    let mut out = anstream::stdout().lock();
    if args.json {
        json::lines(&mut out, [&checked])?;
    } else {
        write_export(&mut out, &checked, key.is_some())?;
    }
    Ok(if checked.faults.is_empty() { Outcome::Clean } else { Outcome::Found })
}

fn write_export(out: &mut impl Write, checked: &Checked, key_known: bool) -> std::io::Result<()> {
    for fault in &checked.faults {
        writeln!(out, "{fault}")?;
    }
    let verdict = match checked.faults.len() {
        0 => "all is as it was signed".to_owned(),
        faults => several(faults as u64, "fault"),
    };
    let good = several(checked.good, "good file");
    if let Some(manifest) = &checked.manifest {
        let Manifest { site, case, made, by, missing, sealed, key, .. } = manifest;
        writeln!(out, "case {case} of {site}, exported {made} by {by}: {good}, {verdict}")?;
        for absent in missing {
            writeln!(out, "was missing then: {}: {}", absent.name, absent.why)?;
        }
        if sealed.is_none() {
            writeln!(out, "the case was not sealed then")?;
        }
        let compare = if key_known { "" } else { "; compare it with what the site tells you" };
        writeln!(out, "signed with the key {}{compare}", key.fingerprint)?;
    } else {
        writeln!(out, "{good}, {verdict}")?;
    }
    writeln!(out, "SHA-256 {}", checked.sha256)
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
