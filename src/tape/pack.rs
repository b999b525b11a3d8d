//! `fairdeal tape pack`: a tape of rounds that somebody wrote down.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, bail};
use table::config::Secrets;
use table::tape::{About, Config, ConfigFormat, Record, Writer};
use table::{Ident, Round};

use super::output::Target;
use crate::Outcome;

/// Make a tape of files in round notation
///
/// Examples: fairdeal tape pack monday.round tuesday.round --table BJ-04 --out week.mcap
///           fairdeal tape pack monday.round --table BJ-04 --config site.toml --out monday.mcap
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Files in round notation
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The table, as the tape will name it
    #[arg(long)]
    table: Ident,
    /// The site file with the table's configuration, to be kept on the tape without its passwords
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    out: Target,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut rounds: Vec<Round> = Vec::new();
    for file in &args.files {
        let naming = || file.display().to_string();
        let text = fs::read_to_string(file).with_context(naming)?;
        rounds.extend(table::notation::parse(&text).with_context(naming)?);
    }
    // A tape of written rounds begins with its first round: the same files always give the same tape.
    let Some(created) = rounds.iter().map(|round| round.at).min() else {
        bail!(
            "no rounds in {}",
            args.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ")
        );
    };
    let mut about = About::new(args.table.clone(), created, &super::product());
    if let Some(file) = &args.config {
        let site = crate::config::load(file)?;
        let Some(table) = site.tables.iter().find(|table| table.id == args.table) else {
            bail!("{} has no table {}", file.display(), args.table);
        };
        about.config = Some(Config { format: ConfigFormat::Toml, text: table.to_toml(Secrets::Masked) });
    }
    let mut tape = Writer::create(args.out.begin()?, &about)?;
    for round in rounds {
        tape.record(round.at, &Record::Round(Box::new(round)))?;
    }
    args.out.keep(tape.finish()?)?;
    Ok(Outcome::Clean)
}
