//! `fairdeal demo`: the main job on the tape that comes with the program.

use std::io::Write;

use table::tape::Reader;

use crate::show::Picture;
use crate::{Outcome, rounds, tape};

/// See it run on the bundled tape
///
/// Example: fairdeal demo
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Stop after printing the summary
    #[arg(long)]
    exit: bool,
}

const TAPE: &[u8] = include_bytes!("../fixtures/demo/demo.mcap");

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut out = anstream::stdout().lock();
    write!(out, "{}", tape::describe("the bundled tape", Reader::open(TAPE)?)?)?;
    if !args.exit {
        writeln!(out)?;
        for round in rounds::on_tape(Reader::open(TAPE)?) {
            writeln!(out, "{}", Picture(&round?))?;
        }
    }
    Ok(Outcome::Clean)
}
