//! `fairdeal explain`: what a clause says and who audits it, what a game's parameters mean, where a check is cited.

use std::io::{self, Write};

use anstyle::Style;
use anyhow::bail;
use auditor::check::{Check, Template};
use auditor::rulebook::{Cite, Clause, check};
use auditor::{Game, Rulebook, Rules};
use table::{Round, notation};

use crate::Outcome;
use crate::books;
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
        bail!("there is no clause, game or check {}; see fairdeal rules", args.id);
    };
    let mut out = anstream::stdout().lock();
    match subject {
        Subject::Clause(book, clause) => explain_clause(&mut out, book, clause)?,
        Subject::Game(book, game) => explain_game(&mut out, book, game)?,
        Subject::Check(name) => explain_check(&mut out, &books, name)?,
    }
    Ok(Outcome::Clean)
}

/// What an id can stand for.
enum Subject<'b> {
    Clause(&'b Rulebook, &'b Clause),
    Game(&'b Rulebook, &'b Game),
    /// A check, or one aspect of it.
    Check(&'b str),
}

impl<'b> Subject<'b> {
    fn find(books: &'b [Rulebook], id: &'b str) -> Option<Self> {
        let clause = |book: &'b Rulebook| Some(Self::Clause(book, book.clauses.get(book.clauses.find(id)?)?));
        let game = |book: &'b Rulebook| Some(Self::Game(book, book.game(id)?));
        let is_cited = || books.iter().flat_map(|book| &book.games).any(|game| cites(game, id).next().is_some());
        (books.iter().find_map(clause))
            .or_else(|| books.iter().find_map(game))
            .or_else(|| is_cited().then_some(Self::Check(id)))
    }
}

/// The citations of a game under a tag: the tag itself, or any aspect of the check it names.
fn cites<'b>(game: &'b Game, id: &'b str) -> impl Iterator<Item = &'b Cite> {
    game.cites.iter().filter(move |cite| &*cite.tag == id || check(&cite.tag) == id)
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
fn explain_check(out: &mut impl Write, books: &[Rulebook], name: &str) -> anyhow::Result<()> {
    writeln!(out, "{STRONG}{name}{STRONG:#}")?;
    if let Some(found) = auditor::checks::find(check(name)) {
        field(out, "finds", found.finds)?;
        field(out, "matters", found.matters)?;
        field(out, "kind", found.kind.name())?;
        if let Some((clean, spoiled)) = example(books, found, name) {
            writeln!(out, "\n{STRONG}Clean{STRONG:#}\n{}", notation::print(&clean))?;
            writeln!(out, "{STRONG}Violating{STRONG:#}\n{}", notation::print(&spoiled))?;
        }
    }
    writeln!(out, "{STRONG}Cited in{STRONG:#}")?;
    for (book, game) in books.iter().flat_map(|book| book.games.iter().map(move |game| (book, game))) {
        for cite in cites(game, name) {
            let clauses = cite.clauses.iter().filter_map(|number| book.clauses.get(*number)).map(|clause| &*clause.id);
            let clauses = list(clauses);
            row(out, &[(game.name.as_str(), 12, PLAIN), (&cite.tag, 38, PLAIN), (&clauses, WIDTH - 56, PLAIN)])?;
        }
    }
    Ok(())
}

/// The first template of a check that a game can show, limits left out: they are beside the point.
fn example(books: &[Rulebook], check: &Check, name: &str) -> Option<(Vec<Round>, Vec<Round>)> {
    let games = || books.iter().flat_map(|book| &book.games);
    let wanted = |template: &&Template| template.tag == name || check.name == name;
    check.templates.iter().filter(wanted).find_map(|template| {
        let game = games().find(|game| (template.fits)(&game.rules) && cites(game, template.tag).next().is_some())?;
        let rules = game.with_options(&template.options().ok()?).ok()?.rules;
        let mut clean = template.clean(&game.name, &rules).ok()?;
        let mut spoiled = template.spoiled(&game.name, &rules).ok()?;
        clean.iter_mut().chain(&mut spoiled).for_each(|round| round.limits.clear());
        Some((clean, spoiled))
    })
}
