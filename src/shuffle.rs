//! `fairdeal shuffle`: whether shoes are fair shuffles of what went in.

mod pictures;
mod power;
mod tape;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use auditor::shuffle::{MOST_DECKS, Null, Orders, PIT_YEAR, Procedure, Report, Terms, Verdict, judge};
use pictures::Pictures;
use serde::Deserialize;
use serde_json::{Number, Value, json};
use table::Card;

use crate::{Outcome, books, json};

/// Judge shuffles: is this shoe a fair shuffle of what went in, and are all cards there?
///
/// Shoe orders are lines of JSON: the cards in the order they went into the shuffle and
/// in the order they came out, ?? for a card that was not read. The answer is a line of
/// JSON with one p for the shoe, an e-value that may be multiplied along a dealer's or
/// machine's shoes, every test, slugs, and what is wrong with the cards.
/// Of a tape every shoe is judged, and the evidence is added up by dealer, shuffler and table.
///
/// Examples:
///   fairdeal shuffle orders.jsonl
///   fairdeal shuffle night.mcap --svg pictures
///   fairdeal shuffle power --decks 6 --seen 0.75
#[derive(clap::Args)]
#[command(verbatim_doc_comment, args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// Shoe orders as JSON Lines, or tapes (.mcap); standard input if absent or -
    files: Vec<PathBuf>,
    /// How the house shuffles: a proper shuffle of this kind is what a shoe is held against. Without it, every order
    /// is equally likely; on a tape, what the house file or the game asks for
    #[arg(long, value_name = "SHUFFLE")]
    procedure: Option<Procedure>,
    /// Call a proper shuffle suspect once in so many shoes; by default about once a pit and year
    #[arg(long, value_name = "SHOES", default_value_t = PIT_YEAR, value_parser = shoes)]
    alarm_every: f64,
    /// Write pictures of every shoe to this folder
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// One JSON object for every shoe, also of tapes
    #[arg(long)]
    json: bool,
    /// Exit with 1 if a shoe is judged so
    #[arg(long, value_enum, default_value_t = FailOn::Never)]
    fail_on: FailOn,
    #[command(flatten)]
    books: books::Source,
}

#[derive(clap::Subcommand)]
enum Command {
    Power(power::Args),
}

/// The verdict from which on a shoe makes the command fail.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum FailOn {
    Never,
    Inconclusive,
    Suspect,
}

impl FailOn {
    fn fails(self, verdict: Verdict) -> bool {
        match self {
            Self::Never => false,
            Self::Inconclusive => verdict != Verdict::Ok,
            Self::Suspect => verdict == Verdict::Suspect,
        }
    }
}

fn shoes(text: &str) -> Result<f64, String> {
    let shoes = text.parse().ok().filter(|shoes: &f64| *shoes >= 2.0 && shoes.is_finite());
    shoes.ok_or_else(|| "expected a number of shoes, 2 or more".to_owned())
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    if let Some(Command::Power(args)) = &args.command {
        return power::run(args);
    }
    let standard = [PathBuf::from("-")];
    let files = if args.files.is_empty() { &standard[..] } else { &args.files };
    let mut pictures = Pictures::new(args.svg.as_deref())?;
    let is_tape = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "mcap");
    let (tapes, orders): (Vec<_>, Vec<_>) = files.iter().partition(|file| is_tape(file));
    let mut found = Outcome::Clean;
    let mut out = anstream::stdout().lock();
    for file in orders {
        let name = if file == Path::new("-") { "standard input".to_owned() } else { file.display().to_string() };
        let lines: Box<dyn BufRead> = match file == Path::new("-") {
            true => Box::new(io::stdin().lock()),
            false => Box::new(BufReader::new(File::open(file).with_context(|| format!("cannot read {name}"))?)),
        };
        if judge_lines(args, lines, &name, &mut pictures, &mut out)? == Outcome::Found {
            found = Outcome::Found;
        }
    }
    if !tapes.is_empty() && tape::judge_tapes(args, &tapes, &mut pictures, &mut out)? == Outcome::Found {
        found = Outcome::Found;
    }
    Ok(found)
}

/// Bytes of a line at most. Both orders of twelve decks take some ten thousand.
const LONGEST_LINE: u64 = 1 << 20;

/// A line of shoe orders.
#[derive(Deserialize)]
#[serde(expecting = "an object with id, decks, before and after")]
struct Line {
    id: Value,
    decks: Number,
    before: Vec<Card>,
    after: Vec<Card>,
    /// How this shoe was shuffled, where that differs.
    #[serde(default)]
    procedure: Option<String>,
}

/// Judges line by line as they come. A line that cannot be judged is answered with what is wrong and the rest go on; the
/// command then ends with the first of them.
fn judge_lines(
    args: &Args,
    mut lines: impl BufRead,
    name: &str,
    pictures: &mut Pictures,
    out: &mut impl Write,
) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::Clean;
    let mut failed = None;
    let mut line = Vec::new();
    for number in 1.. {
        if !read_line(&mut lines, &mut line).with_context(|| format!("cannot read {name} line {number}"))? {
            break;
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        match judge_line(args, &line) {
            Ok((orders, report)) => {
                if args.fail_on.fails(report.verdict) {
                    outcome = Outcome::Found;
                }
                pictures.shoe(&orders, &report)?;
                json::lines(out, [report.to_json(orders.decks)])?;
            }
            Err(error) => {
                let id = serde_json::from_slice::<Value>(&line).ok().and_then(|line| line.get("id").cloned());
                json::lines(out, [json!({ "id": id, "error": format!("{error:#}") })])?;
                failed.get_or_insert_with(|| format!("{name} line {number}: {error:#}"));
            }
        }
        out.flush()?;
    }
    match failed {
        Some(failed) => bail!("{failed}"),
        None => Ok(outcome),
    }
}

/// Reads the next line, as far as a line may be long; false at the end.
fn read_line(lines: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let read = lines.by_ref().take(LONGEST_LINE + 1).read_until(b'\n', line)?;
    if read as u64 > LONGEST_LINE && line.last() != Some(&b'\n') {
        lines.skip_until(b'\n')?;
    }
    Ok(read > 0)
}

fn judge_line(args: &Args, line: &[u8]) -> anyhow::Result<(Orders, Report)> {
    if line.len() as u64 > LONGEST_LINE {
        bail!("the line is longer than {LONGEST_LINE} bytes, which is more than any shoe");
    }
    let line: Line = serde_json::from_slice(line)?;
    let id = match line.id {
        Value::String(id) => id,
        Value::Number(id) => id.to_string(),
        other => bail!("id is {other}, expected a text or a number"),
    };
    let decks = line.decks.as_u64().and_then(|decks| u8::try_from(decks).ok());
    let decks = decks.with_context(|| format!("decks is {}, expected 1 to {MOST_DECKS}", line.decks))?;
    let procedure = match line.procedure {
        Some(text) => Some(text.parse()?),
        None => args.procedure.clone(),
    };
    let null = procedure.map_or(Null::Uniform, Null::Procedure);
    let orders = Orders { id, decks, before: line.before, after: line.after };
    let report = judge(&orders, &Terms { null, rate: 1.0 / args.alarm_every })?;
    Ok((orders, report))
}
