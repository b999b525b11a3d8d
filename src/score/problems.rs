//! What a report shows: each missed fault and false flag with its round and the moment to look at.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::Context;
use simulator::score::{FalseFlag, Missed, Score};
use simulator::truth::Truth;
use table::tape::{Record, SeekReader};
use table::{Act, Round, RoundId, Utc};

/// A tape that is read here and there.
pub(super) type Tape = SeekReader<BufReader<File>>;

/// Opens a finished tape.
pub(super) fn open(file: &Path) -> anyhow::Result<Tape> {
    Ok(SeekReader::open(BufReader::new(File::open(file)?))?)
}

/// Something that went wrong with the audit.
#[derive(Clone, Copy)]
pub(super) enum Problem<'s> {
    Missed(&'s Missed),
    False(&'s FalseFlag),
}

/// The problems of a score, missed faults first.
pub(super) fn of(score: &Score) -> impl Iterator<Item = Problem<'_>> {
    score.missed.iter().map(Problem::Missed).chain(score.false_flags.iter().map(Problem::False))
}

impl Problem<'_> {
    pub(super) fn round(&self) -> &RoundId {
        match self {
            Self::Missed(missed) => &missed.label.round,
            Self::False(wrong) => &wrong.flag.round,
        }
    }

    /// When the camera should have been looking: when the flag was raised, or else when all cards lay on the table.
    pub(super) fn moment(&self, versions: &Versions) -> Option<Utc> {
        match self {
            Self::False(wrong) => Some(wrong.flag.at),
            Self::Missed(_) => versions.audited.as_ref().or(versions.played.as_ref()).and_then(last_look),
        }
    }
}

/// The moment before the first cards are cleared away, or the last one known.
fn last_look(round: &Round) -> Option<Utc> {
    let before = round.steps.iter().take_while(|step| !matches!(step.act, Act::Collect(_) | Act::End));
    let after = before.filter_map(|step| step.after).max().unwrap_or(0);
    round.at.shifted(i64::try_from(after).ok()?)
}

/// A round as it stands on the tape, and as it was played.
#[derive(Default)]
pub(super) struct Versions {
    pub(super) audited: Option<Round>,
    pub(super) played: Option<Round>,
}

/// Fetches the rounds with these problems.
pub(super) fn rounds(tape: &mut Tape, problems: &[Problem<'_>]) -> anyhow::Result<BTreeMap<RoundId, Versions>> {
    let mut wanted: BTreeMap<_, _> =
        problems.iter().map(|problem| (problem.round().clone(), Versions::default())).collect();
    for message in tape.messages(0..u64::MAX, |topic| topic == "/rounds" || topic == "/truth") {
        match Record::decode(&message?)? {
            Record::Round(round) => {
                if let Some(versions) = wanted.get_mut(&round.id) {
                    versions.audited = Some(*round);
                }
            }
            Record::Truth(label) if label.get("what").is_some_and(|what| what == "round") => {
                let truth = Truth::from_json(label).context("a label cannot be read")?;
                if let Truth::Round { round, .. } = truth
                    && let Some(versions) = wanted.get_mut(&round.id)
                {
                    versions.played = Some(*round);
                }
            }
            _ => {}
        }
    }
    Ok(wanted)
}
