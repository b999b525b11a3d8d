//! `fairdeal replay`: fixtures against what they expect, for the build server.

mod expectation;
mod fixture;
mod junit;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use auditor::Rulebook;

use crate::audit::{Audit, several};
use crate::columns::{FAINT, STRONG};
use crate::{Outcome, books, rebuild, rounds};
use expectation::{Difference, Expectation, differences};
use fixture::{Fixture, Pen};

/// Replay fixtures and compare the flags with what is expected
///
/// A fixture is a file in round notation (.round) or a tape (.mcap). What it expects
/// stands beside it in NAME.expected.jsonl, one flag a line; a tape may carry it itself.
/// What is expected of a tape's feeds stands in NAME.feeds.expected.jsonl.
/// Exit code 1 if a fixture's flags differ, 2 if one could not be replayed.
///
/// Examples:
///   fairdeal replay fixtures --junit report.xml
///   fairdeal replay fixtures/disputes --update
///   fairdeal replay fixtures/tapes --rounds feeds
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Folders of fixtures, or single fixtures
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Write a JUnit report, one test case for each fixture
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Expect from now on what is found: write the files beside the fixtures
    #[arg(long)]
    update: bool,
    #[command(flatten)]
    rounds: rebuild::Rebuilding,
    #[command(flatten)]
    books: books::Source,
}

/// One fixture and what came of it.
struct Case {
    fixture: Fixture,
    verdict: Verdict,
    took: Duration,
}

enum Verdict {
    AsExpected {
        rounds: u64,
        flags: usize,
    },
    Differs(Vec<Difference>),
    /// What it expects from now on, and how that differs from before.
    Written(PathBuf, Vec<Difference>),
    Unreadable(anyhow::Error),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let books = args.books.read()?;
    let mut pen = args.update.then(Pen::default);
    let mut out = anstream::stdout().lock();
    let mut cases = Vec::new();
    for fixture in fixture::under(&args.folders, args.rounds.rounds)? {
        let begun = Instant::now();
        let verdict = replay(&books, &fixture, &args.rounds, pen.as_mut()).unwrap_or_else(Verdict::Unreadable);
        let case = Case { fixture, verdict, took: begun.elapsed() };
        case.write(&mut out)?;
        cases.push(case);
    }
    write_sum(&mut out, &cases)?;
    if let Some(file) = &args.junit {
        junit::write(file, &cases)?;
    }
    outcome(cases)
}

/// Audits a fixture and compares; with a pen, what is found becomes what is expected.
fn replay(
    books: &[Rulebook],
    fixture: &Fixture,
    args: &rebuild::Rebuilding,
    pen: Option<&mut Pen>,
) -> anyhow::Result<Verdict> {
    let mut audit = Audit::new(books.into());
    let mut found: Vec<Expectation> = Vec::new();
    let mut rounds = 0;
    for rebuilt in rounds::from(&fixture.path, books, args)? {
        let audited = audit.rebuilt(&rebuilt?).map_err(|error| error.context(fixture.name()))?;
        found.extend(audited.flags.iter().map(Expectation::from));
        rounds += 1;
    }
    let as_expected = Verdict::AsExpected { rounds, flags: found.len() };
    let Some(expected) = fixture.expects()? else {
        return match pen {
            Some(pen) => Ok(Verdict::Written(pen.write(fixture, &found)?, Vec::new())),
            None => Err(anyhow!("{}: nothing says what to expect; --update writes it down", fixture.name())),
        };
    };
    let differences = differences(&expected, &found);
    Ok(match (differences.is_empty(), pen) {
        (true, None) => as_expected,
        (true, Some(pen)) => {
            pen.leave(fixture);
            as_expected
        }
        (false, None) => Verdict::Differs(differences),
        (false, Some(pen)) => Verdict::Written(pen.write(fixture, &found)?, differences),
    })
}

impl Case {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let name = self.fixture.name();
        match &self.verdict {
            Verdict::AsExpected { rounds, flags } => {
                let counts = format!("{}, {}", several(*rounds, "round"), several(*flags as u64, "flag"));
                writeln!(out, "ok       {name}  {FAINT}{counts}{FAINT:#}")
            }
            Verdict::Unreadable(_) => writeln!(out, "{STRONG}error{STRONG:#}    {name}"),
            Verdict::Written(file, differences) => {
                writeln!(out, "written  {name}  {FAINT}{}{FAINT:#}", file.display())?;
                write_differences(out, differences)
            }
            Verdict::Differs(differences) => {
                writeln!(out, "{STRONG}differs{STRONG:#}  {name}")?;
                write_differences(out, differences)
            }
        }
    }
}

fn write_differences(out: &mut impl Write, differences: &[Difference]) -> io::Result<()> {
    differences.iter().try_for_each(|difference| writeln!(out, "    {difference}"))
}

/// How many of each, those that never happened left out.
fn write_sum(out: &mut impl Write, cases: &[Case]) -> io::Result<()> {
    type Is = fn(&Verdict) -> bool;
    let kinds: [(&str, Is); 4] = [
        ("as expected", |verdict| matches!(verdict, Verdict::AsExpected { .. })),
        ("written anew", |verdict| matches!(verdict, Verdict::Written(..))),
        ("with differences", |verdict| matches!(verdict, Verdict::Differs(_))),
        ("not replayed", |verdict| matches!(verdict, Verdict::Unreadable(_))),
    ];
    let counted = kinds.iter().filter_map(|(what, is)| {
        let count = cases.iter().filter(|case| is(&case.verdict)).count();
        (count > 0).then(|| format!("{count} {what}"))
    });
    writeln!(out, "{}: {}", several(cases.len() as u64, "fixture"), counted.collect::<Vec<_>>().join(", "))
}

/// The exit code; what could not be replayed outweighs what differs, and every such file is named.
fn outcome(cases: Vec<Case>) -> anyhow::Result<Outcome> {
    let differs = cases.iter().any(|case| matches!(case.verdict, Verdict::Differs(_)));
    let errors = cases.into_iter().filter_map(|case| match case.verdict {
        Verdict::Unreadable(error) => Some(format!("{error:#}")),
        _ => None,
    });
    let errors: Vec<_> = errors.collect();
    match (errors.is_empty(), differs) {
        (false, _) => Err(anyhow!("{}", errors.join("\n"))),
        (true, true) => Ok(Outcome::Found),
        (true, false) => Ok(Outcome::Clean),
    }
}
