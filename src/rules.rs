//! `fairdeal rules`: the clause registry, and how two games differ.

use std::io::{self, Write};

use anstyle::Style;
use anyhow::bail;
use auditor::Rulebook;
use auditor::rulebook::{Auditable, CitedBy, Citers, Clause, Difference, Need, Part, differences};
use serde::Serialize;
use table::Severity;

use crate::books::{self, find_game, guess};
use crate::columns::{FAINT, STRONG, WIDTH, row};
use crate::{Outcome, json};

/// List the clauses of the rulebooks: what is audited by which check, and what cannot be, and why
///
/// Examples:
///   fairdeal rules --book nz
///   fairdeal rules --game act --json
///   fairdeal rules diff nz-base nz-freebet
///   fairdeal rules --house harbour.toml --game bclc-basic
#[derive(clap::Args)]
#[command(verbatim_doc_comment, args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// Only this book: nz, act, nh or bclc
    #[arg(long, value_name = "BOOK")]
    book: Option<String>,
    /// Only the clauses this game cites, such as nz-base
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    books: books::Source,
}

#[derive(clap::Subcommand)]
enum Command {
    Diff(Diff),
}

/// Show in what two games differ: parameters, side bets and their scales, clauses cited
///
/// Example: fairdeal rules diff nz-base nz-freebet
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
struct Diff {
    /// One game
    left: String,
    /// The other
    right: String,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    books: books::Source,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    match &args.command {
        Some(Command::Diff(diff)) => run_diff(diff),
        None => run_list(args),
    }
}

fn run_list(args: &Args) -> anyhow::Result<Outcome> {
    let books = args.books.read()?;
    let mut out = anstream::stdout().lock();
    for (book, cited) in select(args, &books)? {
        let entries: Vec<_> = entries(book, &cited).filter(|entry| args.game.is_none() || entry.is_cited()).collect();
        if args.json {
            json::lines(&mut out, entries.iter().map(Entry::to_json))?;
        } else {
            print(&mut out, book, &entries)?;
        }
    }
    Ok(Outcome::Clean)
}

/// The books asked for, each with who cites what: all its games, or the one game asked for.
fn select<'b>(args: &Args, books: &'b [Rulebook]) -> anyhow::Result<Vec<(&'b Rulebook, CitedBy<'b>)>> {
    if let Some(name) = &args.book
        && !books.iter().any(|book| book.id.as_str() == name)
    {
        let ids: Vec<_> = books.iter().map(|book| book.id.as_str()).collect();
        let guess = guess(name, &ids);
        bail!("there is no book {name}{guess}; there are {}", ids.join(", "));
    }
    let wanted = |book: &Rulebook| args.book.as_deref().is_none_or(|name| book.id.as_str() == name);
    let Some(name) = &args.game else {
        return Ok(books.iter().filter(|book| wanted(book)).map(|book| (book, book.cited_by())).collect());
    };
    let (book, game) = find_game(books, name)?;
    if !wanted(book) {
        bail!("{name} is a game of the book {}", book.id);
    }
    Ok(vec![(book, game.cited_by())])
}

/// A clause and who cites it.
struct Entry<'b> {
    book: &'b Rulebook,
    clause: &'b Clause,
    citers: Citers<'b>,
}

/// A clause as the command line's contract has it.
#[derive(Serialize)]
struct Line<'b> {
    id: &'b str,
    book: &'b str,
    section: &'b str,
    summary: &'b str,
    auditable: Auditable,
    why_not: &'b str,
    needs: &'b [Need],
    checks: Vec<&'b str>,
    severity: Severity,
}

impl<'b> Entry<'b> {
    fn is_cited(&self) -> bool {
        !self.citers.games.is_empty()
    }

    fn to_json(&self) -> Line<'_> {
        let Self { book, clause, citers } = self;
        Line {
            id: &clause.id,
            book: book.id.as_str(),
            section: &clause.section,
            summary: &clause.summary,
            auditable: clause.auditable,
            why_not: &clause.why_not,
            needs: &clause.needs,
            checks: citers.checks.iter().copied().collect(),
            severity: clause.severity,
        }
    }
}

fn entries<'b>(book: &'b Rulebook, cited: &CitedBy<'b>) -> impl Iterator<Item = Entry<'b>> {
    book.clauses.iter().map(|clause| {
        let citers = book.clauses.find(&clause.id).and_then(|number| cited.get(number)).cloned().unwrap_or_default();
        Entry { book, clause, citers }
    })
}

/// The clauses as a table, one heading for each section.
fn print(out: &mut impl Write, book: &Rulebook, entries: &[Entry<'_>]) -> io::Result<()> {
    let count = |status| entries.iter().filter(|entry| entry.clause.auditable == status).count();
    let [yes, partly, no] = [Auditable::Yes, Auditable::Partly, Auditable::No].map(count);
    writeln!(out, "{STRONG}{}{STRONG:#}", book.title)?;
    writeln!(out, "{} clauses: {yes} can be audited, {partly} partly, {no} not", entries.len())?;
    let widest = entries.iter().map(|entry| entry.clause.id.chars().count()).max().unwrap_or(0).min(30);
    let mut section = "";
    for entry in entries {
        if section != &*entry.clause.section {
            section = &entry.clause.section;
            writeln!(out, "\n{STRONG}{section}{STRONG:#}")?;
        }
        print_entry(out, entry, widest)?;
    }
    writeln!(out)
}

fn print_entry(out: &mut impl Write, entry: &Entry<'_>, id_width: usize) -> io::Result<()> {
    const PLAIN: Style = Style::new();
    let Entry { clause, citers, .. } = entry;
    let rest = WIDTH - id_width - 2 - 2 - 6 - 2 - 8 - 2;
    row(
        out,
        &[
            (&clause.id, id_width, PLAIN),
            (clause.auditable.name(), 6, PLAIN),
            (clause.severity.name(), 8, PLAIN),
            (&clause.summary, rest, PLAIN),
        ],
    )?;
    let mut note = |text: &str| row(out, &[("", id_width, PLAIN), ("", 6, PLAIN), ("", 8, PLAIN), (text, rest, FAINT)]);
    if !citers.checks.is_empty() {
        let checks: Vec<_> = citers.checks.iter().copied().collect();
        note(&checks.join(", "))?;
    }
    if !clause.why_not.is_empty() {
        note(&clause.why_not)?;
    }
    Ok(())
}

fn run_diff(args: &Diff) -> anyhow::Result<Outcome> {
    let books = args.books.read()?;
    let found = differences(find_game(&books, &args.left)?, find_game(&books, &args.right)?);
    let mut out = anstream::stdout().lock();
    if args.json {
        json::lines(&mut out, &found)?;
    } else {
        print_diff(&mut out, args, &found)?;
    }
    Ok(Outcome::Clean)
}

fn print_diff(out: &mut impl Write, args: &Diff, found: &[Difference]) -> io::Result<()> {
    const WIDTHS: [usize; 3] = [40, 27, 27];
    const PLAIN: Style = Style::new();
    if found.is_empty() {
        return writeln!(out, "{} and {} do not differ", args.left, args.right);
    }
    for part in Part::ALL {
        let rows: Vec<_> = found.iter().filter(|difference| difference.part == *part).collect();
        if rows.is_empty() {
            continue;
        }
        let heading = match part {
            Part::Parameter => "Parameters",
            Part::Open => "Left to the house",
            Part::Reading => "Ambiguities settled",
            Part::SideBet => "Side bets",
            Part::Citation => "Clauses cited",
        };
        let heads = [heading, &args.left, &args.right];
        let cells =
            |texts: [&str; 3], style| std::array::from_fn::<_, 3, _>(|n| (texts[n].to_owned(), WIDTHS[n], style));
        let mut show = |texts, style| {
            let cells = cells(texts, style);
            row(out, &cells.each_ref().map(|(text, width, style)| (text.as_str(), *width, *style)))
        };
        show(heads, STRONG)?;
        for Difference { name, left, right, .. } in rows {
            show([name, left.as_deref().unwrap_or("-"), right.as_deref().unwrap_or("-")], PLAIN)?;
        }
        writeln!(out)?;
    }
    Ok(())
}
