//! `fairdeal demo`: the main job on the tape that comes with the program.

use std::io::Write;

use table::tape::Reader;

use crate::audit::{Audit, write_flag};
use crate::show::Picture;
use crate::{Outcome, books, rounds, tape};

/// See it run on the bundled tape
///
/// Audits a simulated shift with two minutes of video, a shoe's bytes and a chip feed, and shows what was found, each round
/// with a flag drawn above it.
///
/// Example: fairdeal demo
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Print only the summary
    #[arg(long)]
    exit: bool,
}

/// The bundled tape.
pub(crate) const TAPE: &[u8] = include_bytes!("../fixtures/demo/demo.mcap");

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut out = anstream::stdout().lock();
    write!(out, "{}", tape::describe("the bundled tape", Reader::open(TAPE)?)?)?;
    writeln!(out)?;
    let mut audit = Audit::new(books::shipped()?.into());
    for round in rounds::on_tape(Reader::open(TAPE)?) {
        let round = round?;
        let audited = audit.round(&round)?;
        if args.exit || audited.flags.is_empty() {
            continue;
        }
        writeln!(out, "{}", Picture(&round))?;
        for flag in &audited.flags {
            write_flag(&mut out, audit.books(), flag)?;
        }
    }
    audit.tally.write(&mut out)?;
    Ok(Outcome::Clean)
}
