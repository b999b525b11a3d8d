//! `fairdeal tape`: look into tapes, cut them, make whole what is left of damaged ones.

mod cat;
mod cut;
mod events;
mod hold;
mod info;
mod output;
mod pack;
mod part;
mod recover;

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressBarIter, ProgressFinish, ProgressStyle};

use table::tape::Reader;

use crate::Outcome;
pub(crate) use part::Part;

/// Look into tapes, cut them, recover damaged ones
///
/// Example: fairdeal tape info night.mcap
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Info(info::Args),
    Cat(cat::Args),
    Events(events::Args),
    Cut(cut::Args),
    Recover(recover::Args),
    Pack(pack::Args),
    Hold(hold::Hold),
    Release(hold::Release),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    match &args.command {
        Command::Info(args) => info::run(args),
        Command::Cat(args) => cat::run(args),
        Command::Events(args) => events::run(args),
        Command::Cut(args) => cut::run(args),
        Command::Recover(args) => recover::run(args),
        Command::Pack(args) => pack::run(args),
        Command::Hold(args) => args.run(),
        Command::Release(args) => args.run(),
    }
}

/// What is on a tape, for people.
pub(crate) fn describe<R: Read>(name: &str, tape: Reader<R>) -> anyhow::Result<String> {
    match info::read_whole(name.to_owned(), tape) {
        (info, None) => Ok(info.text()),
        (_, Some(damage)) => Err(damage).context(name.to_owned()),
    }
}

/// What made the tapes this command writes.
pub(crate) fn product() -> String {
    format!("fairdeal {}", env!("CARGO_PKG_VERSION"))
}

/// Opens a file for reading, with a progress bar on stderr if that is a terminal.
pub(crate) fn open(path: &Path) -> anyhow::Result<ProgressBarIter<BufReader<File>>> {
    open_under(path, ProgressBar::new(0))
}

/// Opens a file for reading under a bar of the caller's.
fn open_under(path: &Path, bar: ProgressBar) -> anyhow::Result<ProgressBarIter<BufReader<File>>> {
    let naming = || path.display().to_string();
    let file = File::open(path).with_context(naming)?;
    // indicatif draws nothing where stderr is no terminal.
    bar.set_length(file.metadata().with_context(naming)?.len());
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes} {eta}") {
        bar.set_style(style);
    }
    Ok(bar.with_finish(ProgressFinish::AndClear).wrap_read(BufReader::new(file)))
}
