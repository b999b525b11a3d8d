//! `fairdeal shoe`: for the engineer under the table. What comes from a shoe, and what is wrong if nothing does.

mod ear;
pub(crate) mod judge;
mod probe;
mod watch;

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use ingest::transport::Settings;
use table::config::{Dialect, Transport};
use tokio::sync::Notify;

use crate::Outcome;

/// Watch a shoe's line, or find out what is on it
///
/// Nothing is ever written to the shoe.
///
/// Example: fairdeal shoe probe serial:///dev/ttyUSB0
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Watch(watch::Args),
    Probe(probe::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start listening")?;
    match &args.command {
        Command::Watch(args) => runtime.block_on(watch::run(args)),
        Command::Probe(args) => runtime.block_on(probe::run(args)),
    }
}

/// Reads the address of a line; `usual` is the speed of a serial port that does not say its own.
fn address(url: &str, usual: Option<u32>) -> anyhow::Result<Transport> {
    Transport::read(url, usual).with_context(|| format!("{url:?} is not the address of a shoe"))
}

/// A line from the command line: files are meant from where we are.
fn settings() -> Settings {
    Settings { folder: PathBuf::from("."), seed: u64::from(std::process::id()), ..Settings::default() }
}

/// Told when somebody presses Ctrl-C or ends the process.
fn farewell() -> anyhow::Result<Arc<Notify>> {
    let farewell = Arc::new(Notify::new());
    let said = Arc::clone(&farewell);
    ctrlc::set_handler(move || said.notify_one()).context("cannot listen for Ctrl-C")?;
    Ok(farewell)
}

/// The dialects to listen for.
fn dialects(chosen: Option<Dialect>) -> Vec<Dialect> {
    chosen.map_or_else(|| Dialect::ALL.to_vec(), |dialect| vec![dialect])
}
