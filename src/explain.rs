//! `fairdeal explain`: what a clause says and who audits it, what a game's parameters mean, where a check is cited.

use std::io::{self, Write};

use anstyle::Style;
use anyhow::bail;
use auditor::check::Check;
use auditor::checks::{self, CHECKS, COUNTS};
use auditor::equipment::{self, Fault};
use auditor::rulebook::{Cite, Clause};
use auditor::{Game, Rulebook, Rules};
use table::{FlagKind, notation};

use crate::Outcome;
use crate::books::{self, guess};
use crate::columns::{FAINT, STRONG, WIDTH, row};

/// Explain a clause, a game or a check
///
/// Examples:
///   fairdeal explain nz-13.3
///   fairdeal explain bclc-freebet
///   fairdeal explain paid_a_push
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The id of a clause, the name of a game or of a check
    id: String,
    #[command(flatten)]
    books: books::Source,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let books = args.books.read()?;
    let Some(subject) = Subject::find(&books, &args.id) else {
        let guess = guess(&args.id, &names(&books));
        bail!("there is no clause, game or check {}{guess}; see fairdeal rules", args.id);
    };
    let mut out = anstream::stdout().lock();
    match subject {
        Subject::Clause(book, clause) => explain_clause(&mut out, book, clause)?,
        Subject::Game(book, game) => explain_game(&mut out, book, game)?,
        Subject::Check(check, tag) => explain_check(&mut out, &books, check, tag)?,
        Subject::Count(tag) => explain_count(&mut out, &books, tag)?,
        Subject::Fault(fault) => explain_fault(&mut out, fault)?,
    }
    Ok(Outcome::Clean)
}

/// What an id can stand for.
enum Subject<'b> {
    Clause(&'b Rulebook, &'b Clause),
    Game(&'b Rulebook, &'b Game),
    /// A check, and the one of its tags that was asked for.
    Check(&'static Check, Option<&'static str>),
    /// A tag on how cards are counted, which many checks raise beside their own.
    Count(&'static str),
    /// A failure of a device.
    Fault(&'static Fault),
}

impl<'b> Subject<'b> {
    fn find(books: &'b [Rulebook], id: &str) -> Option<Self> {
        let clause = |book: &'b Rulebook| Some(Self::Clause(book, book.clauses.get(book.clauses.find(id)?)?));
        let game = |book: &'b Rulebook| Some(Self::Game(book, book.game(id)?));
        let aspect = |check: &&'static Check| {
            let tag = check.tags.iter().copied().find(|tag| *tag == id)?;
            Some(Self::Check(check, Some(tag)))
        };
        (books.iter().find_map(clause))
            .or_else(|| books.iter().find_map(game))
            .or_else(|| checks::find(id).map(|check| Self::Check(check, None)))
            .or_else(|| CHECKS.iter().find_map(aspect))
            .or_else(|| COUNTS.into_iter().find(|tag| *tag == id).map(Self::Count))
            .or_else(|| equipment::find(id).map(Self::Fault))
    }
}

/// Everything that can be explained.
fn names(books: &[Rulebook]) -> Vec<&str> {
    let clauses = books.iter().flat_map(|book| book.clauses.iter()).map(|clause| &*clause.id);
    let games = books.iter().flat_map(|book| &book.games).map(|game| game.name.as_str());
    let checks = CHECKS.iter().flat_map(|check| check.tags.iter().copied().chain([check.name]));
    clauses.chain(games).chain(checks).chain(equipment::all().map(|fault| fault.check)).collect()
}

const PLAIN: Style = Style::new();

fn field(out: &mut impl Write, name: &str, value: &str) -> io::Result<()> {
    if value.is_empty() { Ok(()) } else { row(out, &[(name, 10, FAINT), (value, WIDTH - 14, PLAIN)]) }
}

fn list<T: ToString>(values: impl IntoIterator<Item = T>) -> String {
    values.into_iter().map(|value| value.to_string()).collect::<Vec<_>>().join(", ")
}

fn explain_clause(out: &mut impl Write, book: &Rulebook, clause: &Clause) -> io::Result<()> {
    let citers = book.clauses.find(&clause.id).and_then(|number| book.cited_by().get(number).cloned());
    let citers = citers.unwrap_or_default();
    writeln!(out, "{STRONG}{}{STRONG:#}  {}", clause.id, clause.summary)?;
    field(out, "book", &book.title)?;
    field(out, "section", &clause.section)?;
    field(out, "auditable", clause.auditable.name())?;
    field(out, "why", &clause.why_not)?;
    field(out, "needs", &list(&clause.needs))?;
    field(out, "severity", clause.severity.name())?;
    field(out, "checks", &list(&citers.checks))?;
    field(out, "games", &list(&citers.games))
}

fn explain_game(out: &mut impl Write, book: &Rulebook, game: &Game) -> io::Result<()> {
    const WIDTHS: [usize; 3] = [29, 21, 42];
    writeln!(out, "{STRONG}{}{STRONG:#}  {}", game.name, game.title)?;
    writeln!(out, "{}\n\n{STRONG}Parameters{STRONG:#}", book.title)?;
    for (key, meaning) in Rules::PARAMETERS {
        let value = game.rules.get(key).unwrap_or_default();
        let mut meaning = meaning.trim().to_owned();
        if let Some(reading) = game.reading(key) {
            meaning.push_str(&format!(" Settles ambiguity {}.", reading.ambiguity));
        }
        if game.open.contains(key) {
            meaning.push_str(" Left to the house.");
        }
        row(out, &[(key, WIDTHS[0], PLAIN), (&value, WIDTHS[1], STRONG), (&meaning, WIDTHS[2], FAINT)])?;
    }
    for side in &game.sides {
        writeln!(out, "\n{STRONG}Side bet {}{STRONG:#}", side.bet)?;
        for (name, value) in side.terms() {
            row(out, &[(&name, WIDTHS[0], PLAIN), (&value, WIDTHS[1] + 2 + WIDTHS[2], PLAIN)])?;
        }
    }
    let clauses = book.clauses.iter().filter_map(|clause| book.clauses.find(&clause.id));
    let cited = game.cited_by();
    let count = clauses.filter(|number| cited.get(*number).is_some()).count();
    writeln!(out, "\nCites {count} clauses of the book: fairdeal rules --game {}", game.name)
}

/// What a check finds and why it matters, a clean and a violating round, and where it is cited.
fn explain_check(
    out: &mut impl Write,
    books: &[Rulebook],
    check: &Check,
    tag: Option<&'static str>,
) -> anyhow::Result<()> {
    let tags = tag.as_ref().map_or(check.tags, std::slice::from_ref);
    writeln!(out, "{STRONG}{}{STRONG:#}", tag.unwrap_or(check.name))?;
    field(out, "finds", check.finds)?;
    field(out, "matters", check.matters)?;
    field(out, "kind", check.kind.name())?;
    if let Some(example) = check.example(books, tags) {
        writeln!(out, "\n{STRONG}Clean{STRONG:#}\n{}", notation::print(&example.clean))?;
        writeln!(out, "{STRONG}Violating{STRONG:#}\n{}", notation::print(&example.violating))?;
    }
    Ok(print_cites(out, books, tags)?)
}

/// What a device did not do, and what to do about it.
fn explain_fault(out: &mut impl Write, fault: &Fault) -> io::Result<()> {
    writeln!(out, "{STRONG}{}{STRONG:#}", fault.check)?;
    field(out, "finds", &format!("Of a device ({}): {}.", fault.source, fault.seen))?;
    field(out, "matters", fault.matters)?;
    field(out, "kind", FlagKind::Equipment.name())?;
    field(out, "severity", fault.severity.name())?;
    field(out, "clause", &format!("{}: {}", fault.clause, fault.asked))
}

/// Where the clauses on counting are cited, and beside the findings of which checks.
fn explain_count(out: &mut impl Write, books: &[Rulebook], tag: &'static str) -> io::Result<()> {
    writeln!(out, "{STRONG}{tag}{STRONG:#}")?;
    field(
        out,
        "finds",
        "Nothing by itself: it names the clause on how cards count where a hand may have been miscounted.",
    )?;
    field(out, "raised by", &list(checks::raising(tag).map(|check| check.name)))?;
    writeln!(out)?;
    print_cites(out, books, &[tag])
}

/// The clauses each game cites for these tags.
fn print_cites(out: &mut impl Write, books: &[Rulebook], tags: &[&str]) -> io::Result<()> {
    writeln!(out, "{STRONG}Cited in{STRONG:#}")?;
    for (book, game) in books.iter().flat_map(|book| book.games.iter().map(move |game| (book, game))) {
        for cite in cites(game, tags) {
            let clauses = cite.clauses.iter().filter_map(|number| book.clauses.get(*number)).map(|clause| &*clause.id);
            let clauses = list(clauses);
            row(out, &[(game.name.as_str(), 12, PLAIN), (&cite.tag, 38, PLAIN), (&clauses, WIDTH - 56, PLAIN)])?;
        }
    }
    Ok(())
}

/// The citations of a game under any of these tags.
fn cites<'b>(game: &'b Game, tags: &'b [&str]) -> impl Iterator<Item = &'b Cite> {
    game.cites.iter().filter(|cite| tags.contains(&&*cite.tag))
}
