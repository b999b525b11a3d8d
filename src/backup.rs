//! `fairdeal backup` and `fairdeal restore`: a whole database in one file, and back.

use std::io::Write;
use std::path::PathBuf;

use review::backup::{Manifest, backup, restore};
use review::evidence::Locker;

use crate::audit::several;
use crate::{Outcome, database, verify};

/// Put a database, and its evidence, into one file
///
/// The file is a ZIP of JSON Lines with a manifest of hashes, the same from SQLite
/// and PostgreSQL. Officers may go on working meanwhile; they wait to write.
///
/// Example: fairdeal backup --db sqlite:night.db --evidence evidence/ night.zip
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    db: database::Address,
    /// The folder of evidence files
    #[arg(long, value_name = "DIR")]
    evidence: Option<PathBuf>,
    /// The file to make; nothing is overwritten
    file: PathBuf,
}

/// Put a backup into an empty database
///
/// Every hash of the backup is checked before anything is kept, and the restored
/// database is verified as `fairdeal verify` would. A backup of SQLite can be
/// restored into PostgreSQL, and the other way round. Nobody is logged in after it.
///
/// Example: fairdeal restore --db postgres://fairdeal@db/fairdeal --evidence evidence/ night.zip
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct RestoreArgs {
    #[command(flatten)]
    db: database::Address,
    /// The folder for evidence files
    #[arg(long, value_name = "DIR")]
    evidence: Option<PathBuf>,
    /// The backup
    file: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let locker = args.evidence.as_deref().map(Locker::open).transpose()?;
    let manifest = database::block_on(async {
        let store = args.db.open().await?;
        Ok(backup(&store, locker.as_ref(), &args.file, database::now()).await?)
    })?;
    writeln!(anstream::stdout(), "{}: {}", args.file.display(), told(&manifest))?;
    Ok(Outcome::Clean)
}

pub(crate) fn run_restore(args: &RestoreArgs) -> anyhow::Result<Outcome> {
    let locker = args.evidence.as_deref().map(Locker::open).transpose()?;
    let (manifest, found) = database::block_on(async {
        let store = args.db.open().await?;
        let manifest = restore(&store, locker.as_ref(), &args.file, database::now()).await?;
        Ok((manifest, review::verify::verify(&store, locker.as_ref(), &[]).await?))
    })?;
    let mut out = anstream::stdout().lock();
    writeln!(out, "restored {}", told(&manifest))?;
    verify::write(&mut out, &found)?;
    Ok(if found.faults.is_empty() { Outcome::Clean } else { Outcome::Found })
}

fn told(manifest: &Manifest) -> String {
    let rows = |table: &str| manifest.tables.iter().find(|part| part.table == table).map_or(0, |part| part.rows);
    format!(
        "{}, {}, {}, {}",
        several(rows("rounds"), "round"),
        several(rows("queue"), "flag"),
        several(rows("cases"), "case"),
        several(manifest.evidence.len() as u64, "evidence file"),
    )
}
