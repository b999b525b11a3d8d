//! `fairdeal score`: an audit of simulated tapes against what really happened on them.

mod html;
mod line;
mod picture;
mod problems;
mod prompt;
mod text;

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use auditor::Rulebook;
use auditor::check::{Law, may_miss};
use ingest::feed;
use recognizer::round::exact::{self, Pairs};
use simulator::score::{Ledger, Score};
use simulator::truth::Truth;
use table::tape::{Reader, Record};
use table::{Act, Chance, Flag, Round, RoundId};

use prompt::Prompt;

use crate::audit::Audit;
use crate::rebuild::{self, Origin};
use crate::{Outcome, books, json, tape};

/// Score an audit of simulated tapes against their labels: what was found, missed, made up
///
/// Examples:
///   fairdeal score night.mcap
///   fairdeal score *.mcap --html score.html --fail-below 0.999
///   fairdeal score night.mcap --rounds feeds --without camera
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Tapes with labels, as `fairdeal simulate` makes them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// One JSON object for every tape
    #[arg(long)]
    json: bool,
    /// Write a report with the rounds and pictures of what went wrong
    #[arg(long, value_name = "OUT.html")]
    html: Option<PathBuf>,
    /// Exit with 1 if less than this share of all faults is found, from 0 to 1
    #[arg(long, value_name = "RECALL")]
    fail_below: Option<Chance>,
    #[command(flatten)]
    rounds: rebuild::Rebuilding,
    #[command(flatten)]
    books: books::Source,
}

/// Faults that are lived under a name of their own, and the tag of their check which they are.
const LIVED: [(&str, &str); 1] = [("double_for_nothing", "double_stake_wrong.missing")];

/// Faults that the simulated devices do not show, although others would: its camera sees the cards of a round leave with the last
/// step of it, however soon the next begins.
const NOT_STAGED: [&str; 1] = ["next_round_too_soon"];

/// What is found of a wrong number of decks. How many were opened is counted by nobody; that the game has too few for a side bet
/// shows by the chips on it.
const BY_DECKS: &str = "wrong_deck_count";

/// A tape and its score.
struct Scored {
    file: PathBuf,
    score: Score,
    prompt: Prompt,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let books = args.books.read()?;
    let mut tapes = Vec::new();
    let mut total = Score::default();
    for file in &args.files {
        let score = match args.rounds.rounds {
            Origin::Recorded => tape::open(file).and_then(|tape| Ok((of_tape(&books, tape)?, Prompt::default()))),
            Origin::Feeds => of_feeds(&books, file, &args.rounds),
        };
        let (score, prompt) = score.with_context(|| file.display().to_string())?;
        total.add(&score);
        tapes.push(Scored { file: file.clone(), score, prompt });
    }
    let mut out = anstream::stdout().lock();
    if args.json {
        json::lines(&mut out, tapes.iter().map(line::Line::of))?;
    } else {
        text::write(&mut out, &tapes, &total)?;
    }
    if let Some(file) = &args.html {
        let page = html::page(&tapes, &total)?;
        fs::write(file, page).with_context(|| format!("cannot write {}", file.display()))?;
    }
    match args.fail_below {
        Some(_) if total.faults == 0 => bail!("no fault on these tapes has a check, so there is no recall to ask for"),
        Some(least) if falls_short(&total, least) => Ok(Outcome::Found),
        _ => Ok(Outcome::Clean),
    }
}

fn falls_short(score: &Score, least: Chance) -> bool {
    u128::from(score.found) * 1_000_000 < u128::from(score.faults) * u128::from(least.millionths())
}

/// Rebuilds the rounds of a tape from what its devices sent, audits them, and holds the flags against its labels.
///
/// A rebuilt round is the one that was being played then, whatever number it got. A fault that hangs on what no device of
/// the table shows need not be found.
fn of_feeds(books: &[Rulebook], file: &Path, args: &rebuild::Rebuilding) -> anyhow::Result<(Score, Prompt)> {
    let mut ledger = Ledger::of_devices();
    let mut pairs = Pairs::default();
    let mut labels = Vec::new();
    let mut opened = BTreeSet::new();
    for message in Reader::open(tape::open(file)?)? {
        let message = message?;
        let Record::Truth(label) = Record::decode(&message)? else { continue };
        if label.get("what").is_some_and(|what| what == "frame") {
            continue;
        }
        let place = || format!("a label in the chunk at byte {} cannot be read", message.offset);
        match Truth::from_json(label).with_context(place)? {
            Truth::Round { round, drawn } => {
                pairs.played(&round);
                if is_opened_wrongly(books, &round)? {
                    opened.insert(round.id.clone());
                }
                ledger.truth(Truth::Round { round, drawn });
            }
            Truth::Fault(label) => labels.push(label),
            other => ledger.truth(other),
        }
    }
    if pairs.is_empty() {
        bail!("the tape has no truth channel to score against; `fairdeal simulate` makes tapes that have one");
    }
    let mut audit = Audit::new(books.into());
    let mut unseen = Vec::new();
    let open = || Ok(Reader::open(tape::open(file)?)?);
    let mut prompt = Prompt::default();
    let args = rebuild::Rebuilding { ahead: true, ..args.clone() };
    for rebuilt in rebuild::on_tape(open, books, &args)? {
        let rebuilt = rebuilt?;
        let flags = audit.rebuilt(&rebuilt)?.flags;
        prompt.told(&rebuilt, &flags, feed::Settings::default().hold);
        if !rebuilt.over {
            tracing::trace!("told ahead, with {} flags:\n{}", flags.len(), timed(&rebuilt.round));
            continue;
        }
        unseen.clone_from(&rebuilt.round.unseen);
        match pairs.of(&rebuilt.round) {
            Some(played) => {
                let named = |flag: Flag| Flag { round: played.id.clone(), ..flag };
                let difference = exact::difference(&played, &rebuilt.round);
                if let Some(difference) = &difference {
                    let RoundId { shoe, round, .. } = &played.id;
                    tracing::info!(file = %file.display(), shoe, round, "not rebuilt exactly: {difference}");
                    tracing::debug!("played:\n{}\nrebuilt:\n{}", timed(&played), timed(&rebuilt.round));
                } else {
                    let RoundId { shoe, round, .. } = &played.id;
                    tracing::trace!(file = %file.display(), shoe, round, "rebuilt exactly:\n{}", timed(&rebuilt.round));
                }
                ledger.rebuilt(&played.id, difference.is_none(), flags.into_iter().map(named).collect());
            }
            None => ledger.audited(&rebuilt.round, flags),
        }
    }
    for mut label in labels {
        let tag = LIVED.iter().find(|(fault, _)| *fault == label.fault).map(|(_, tag)| *tag);
        let names: Vec<&str> = label.check.as_deref().into_iter().chain([label.fault.as_str()]).chain(tag).collect();
        let counted = names.contains(&BY_DECKS) && opened.contains(&label.round);
        let blind = counted || names.iter().any(|name| may_miss(name, &unseen) || NOT_STAGED.contains(name));
        label.sure &= !blind;
        ledger.truth(Truth::Fault(label));
    }
    Ok((ledger.score(), prompt))
}

/// Whether other decks were opened in a round than its game is played with.
fn is_opened_wrongly(books: &[Rulebook], round: &Round) -> anyhow::Result<bool> {
    let mut opened = round.steps.iter().filter_map(|step| match step.act {
        Act::Cards { decks, .. } => Some(decks),
        _ => None,
    });
    let Some(first) = opened.next() else { return Ok(false) };
    let law = Law::of(books, &round.game)?;
    Ok(opened.chain([first]).any(|decks| decks != law.rules.decks))
}

/// The steps of a round with the second of the hour in which they happened, for whoever looks into a difference.
fn timed(round: &Round) -> String {
    let steps = round.steps.iter().map(|step| {
        let at = round.at.micros().saturating_add(step.after.and_then(|after| i64::try_from(after).ok()).unwrap_or(0));
        format!("{:9.3}  {}", at.rem_euclid(3_600_000_000) as f64 / 1e6, step.act)
    });
    steps.collect::<Vec<_>>().join("\n")
}

/// Audits the rounds of a tape and holds the flags against its labels.
fn of_tape(books: &[Rulebook], file: impl Read) -> anyhow::Result<Score> {
    let mut audit = Audit::new(books.into());
    let mut ledger = Ledger::default();
    let mut labelled = false;
    for message in Reader::open(file)? {
        let message = message?;
        match Record::decode(&message)? {
            Record::Round(round) => ledger.audited(&round, audit.round(&round)?.flags),
            Record::Truth(label) => {
                labelled = true;
                // Pictures have the most labels by far, and no part in the score.
                if label.get("what").is_none_or(|what| what != "frame") {
                    let place = || format!("a label in the chunk at byte {} cannot be read", message.offset);
                    ledger.truth(Truth::from_json(label).with_context(place)?);
                }
            }
            _ => {}
        }
    }
    if !labelled {
        bail!("the tape has no truth channel to score against; `fairdeal simulate` makes tapes that have one");
    }
    Ok(ledger.score())
}
