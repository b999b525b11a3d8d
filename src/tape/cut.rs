//! `fairdeal tape cut`: a part of a tape as a tape of its own.

use std::io::{Read, Seek};
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, bail};
use table::tape::{Record, SeekReader, TapeError, Writer};
use table::{Round, RoundId, Utc};

use super::output::Target;
use super::part::Part;
use crate::Outcome;

/// Copy a part of a finished tape to a tape of its own
///
/// Times are RFC 3339 or seconds from the start of the tape; the part ends before --to.
/// Rounds are named by shoe and round, as in flags. The part then begins with the first
/// round named and ends where the round after the last begins.
///
/// Examples: fairdeal tape cut night.mcap --from +60 --to +120 --out minute.mcap
///           fairdeal tape cut night.mcap --from 2026-11-15T21:04:00Z --to +600 --out part.mcap
///           fairdeal tape cut night.mcap --rounds 17.212..17.214 --out dispute.mcap
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The tape
    file: PathBuf,
    /// The first moment
    #[arg(long, value_name = "TIME", required_unless_present = "rounds")]
    from: Option<Moment>,
    /// The moment after the last
    #[arg(long, value_name = "TIME", required_unless_present = "rounds")]
    to: Option<Moment>,
    /// From round A to round B, both included
    #[arg(long, value_name = "A..B", conflicts_with_all = ["from", "to"])]
    rounds: Option<Rounds>,
    #[command(flatten)]
    out: Target,
}

/// A point in time, or seconds from the start.
#[derive(Clone, Copy)]
enum Moment {
    At(Utc),
    After(u64),
}

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "expected a time such as 2026-11-15T21:04:05Z or +90.5 seconds from the start".to_owned();
        match text.strip_prefix('+') {
            Some(seconds) => nanos(seconds).map(Self::After).ok_or_else(wrong),
            None => text.parse().map(Self::At).map_err(|_| wrong()),
        }
    }
}

/// Decimal seconds as nanoseconds.
fn nanos(seconds: &str) -> Option<u64> {
    let (whole, part) = seconds.split_once('.').unwrap_or((seconds, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(part) || part.len() > 9 {
        return None;
    }
    let part: u64 = format!("{part:0<9}").parse().ok()?;
    whole.parse::<u64>().ok()?.checked_mul(1_000_000_000)?.checked_add(part)
}

impl Moment {
    fn nanos(self, start: u64) -> u64 {
        match self {
            // What lies before 1970 lies before every tape.
            Self::At(at) => u64::try_from(at.micros()).unwrap_or(0).saturating_mul(1000),
            Self::After(nanos) => start.saturating_add(nanos),
        }
    }
}

/// Two rounds, each with its shoe if given.
#[derive(Clone, Copy)]
struct Rounds {
    first: (Option<u32>, u32),
    last: (Option<u32>, u32),
}

impl FromStr for Rounds {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let one = |text: &str| match text.split_once('.') {
            Some((shoe, round)) => Some((Some(shoe.parse().ok()?), round.parse().ok()?)),
            None => Some((None, text.parse().ok()?)),
        };
        let both = text.split_once("..").and_then(|(a, b)| Some(Self { first: one(a)?, last: one(b)? }));
        both.ok_or("expected two rounds such as 212..214 or, with their shoe, 17.212..17.214")
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let naming = || args.file.display().to_string();
    let mut tape = SeekReader::open(super::open(&args.file)?).map_err(advice).with_context(naming)?;
    let (start, _) = tape.span().with_context(|| format!("{}: the tape is empty", args.file.display()))?;
    let part = match (args.rounds, args.from, args.to) {
        (Some(rounds), ..) => part_of_rounds(&mut tape, rounds).with_context(naming)?,
        (None, Some(from), Some(to)) => Part { time: from.nanos(start)..to.nanos(start), rounds: None },
        _ => bail!("--from and --to, or --rounds, say which part"),
    };
    if part.time.is_empty() {
        bail!("{}: the part ends before it begins", args.file.display());
    }
    let mut about = tape.about().clone();
    let name = args.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    about.origin = Some(format!("cut from {name} by {}", super::product()));
    let mut copy = Writer::create(args.out.begin()?, &about)?;
    if part.copy(&mut tape, &mut copy).with_context(naming)? == 0 {
        bail!("{}: nothing was recorded in that part", args.file.display());
    }
    args.out.keep(copy.finish()?)?;
    Ok(Outcome::Clean)
}

/// An unfinished tape has no index to cut by; say what helps.
fn advice(error: TapeError) -> anyhow::Error {
    let unfinished = matches!(error, TapeError::Unfinished { .. });
    let error = anyhow::Error::new(error);
    if unfinished { error.context("run `fairdeal tape recover` on it first") } else { error }
}

/// Finds the rounds from the first named to the last, and the time from one's beginning to the next one's.
fn part_of_rounds<R: Read + Seek>(tape: &mut SeekReader<R>, wanted: Rounds) -> anyhow::Result<Part> {
    let mut rounds: Vec<(RoundId, Utc)> = Vec::new();
    for message in tape.messages(0..u64::MAX, |topic| topic == "/rounds") {
        if let Record::Round(round) = Record::decode(&message?)? {
            let Round { id, at, .. } = *round;
            rounds.push((id, at));
        }
    }
    let find = |(shoe, number): (Option<u32>, u32)| {
        let found = rounds.iter().position(|(id, _)| id.round == number && shoe.is_none_or(|shoe| id.shoe == shoe));
        found.with_context(|| format!("the tape has no round {number}"))
    };
    let (first, last) = (find(wanted.first)?, find(wanted.last)?);
    if last < first {
        bail!("the last round named comes before the first");
    }
    let begin = |index: usize| rounds.get(index).map(|(_, at)| Moment::At(*at).nanos(0));
    let time = begin(first).unwrap_or(0)..begin(last + 1).unwrap_or(u64::MAX);
    let chosen = rounds.iter().take(last + 1).skip(first).map(|(id, _)| id.clone()).collect();
    Ok(Part { time, rounds: Some(chosen) })
}
