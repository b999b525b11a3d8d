//! `fairdeal settle`: what every wager of a case should win or lose.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use auditor::settle::Docket;

use crate::{Outcome, books, json};

/// Settle cases: what every wager should win or lose, and by which clauses
///
/// A case is one box of one round as a line of JSON: game, options, cards, stakes and
/// what was asked for. The answer is a line of JSON in the unit of the case. A case that
/// breaks the game's rules is answered with what it breaks.
///
/// Example: a natural against a six at a 6:5 table
///   echo '{"id":"box 3","game":"nz-base","options":{"bj_pays":"6:5"},"dealer_cards":["6D"],
///     "initial_cards":["AH","KC"],"hands":[{"cards":["AH","KC"],"wager":25,"actions":["stand"]}]}' \
///     | tr -d '\n' | fairdeal settle
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Cases as JSON Lines; standard input if absent or -
    file: Option<PathBuf>,
    #[command(flatten)]
    books: books::Source,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let books = args.books.read()?;
    let docket = Docket::new(&books);
    let out = io::stdout().lock();
    match args.file.as_deref().filter(|file| *file != Path::new("-")) {
        None => answer(&docket, io::stdin().lock(), "standard input", out),
        Some(file) => {
            let name = file.display().to_string();
            let cases = File::open(file).with_context(|| format!("cannot read {name}"))?;
            answer(&docket, BufReader::new(cases), &name, out)
        }
    }
}

/// Answers line by line as they come, so that a program may ask, read and ask again.
fn answer(docket: &Docket<'_>, mut cases: impl BufRead, name: &str, mut out: impl Write) -> anyhow::Result<Outcome> {
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let read = cases.read_until(b'\n', &mut line).with_context(|| format!("cannot read {name} line {number}"))?;
        if read == 0 {
            break;
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        json::lines(&mut out, [docket.answer(number, &line)])?;
        out.flush()?;
    }
    Ok(Outcome::Clean)
}
