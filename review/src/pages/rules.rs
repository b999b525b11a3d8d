//! The rules: books, clauses, checks, and what of all this is audited and what is not.

use askama::Template;
use auditor::Rulebook;
use auditor::check::Check;
use auditor::checks::{self, CHECKS};
use auditor::rulebook::{Auditable, Clause};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use serde::Deserialize;
use table::notation;

use super::frame::{Frame, page};
use super::words;
use crate::accounts::Officer;
use crate::server::{Failure, Site};

/// How much of a book is audited.
struct BookRow {
    id: String,
    title: String,
    games: Vec<(String, String)>,
    yes: usize,
    partly: usize,
    no: usize,
}

#[derive(Template)]
#[template(path = "rules.html")]
struct Rules {
    frame: Frame,
    books: Vec<BookRow>,
    checks: Vec<(&'static str, String, &'static str, &'static str)>,
}

pub(crate) async fn books(State(site): State<Site>, officer: Officer) -> Result<Response, Failure> {
    let row = |book: &Rulebook| {
        let count = |status| book.clauses.iter().filter(|clause| clause.auditable == status).count();
        BookRow {
            id: book.id.to_string(),
            title: book.title.to_string(),
            games: book.games.iter().map(|game| (game.name.to_string(), game.title.to_string())).collect(),
            yes: count(Auditable::Yes),
            partly: count(Auditable::Partly),
            no: count(Auditable::No),
        }
    };
    let checks = CHECKS.iter().map(|check| (check.name, words::finding(check.name), check.kind.name(), check.finds));
    page(&Rules {
        frame: Frame::new(&site, &officer, "/rules", "Rules"),
        books: site.books.iter().map(row).collect(),
        checks: checks.collect(),
    })
}

/// Which clauses of a book.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Wanted {
    #[serde(default)]
    q: String,
    #[serde(default)]
    auditable: String,
}

struct ClauseRow<'b> {
    clause: &'b Clause,
    checks: Vec<&'static str>,
}

#[derive(Template)]
#[template(path = "book.html")]
struct Book<'b> {
    frame: Frame,
    book: &'b Rulebook,
    wanted: Wanted,
    rows: Vec<ClauseRow<'b>>,
    shown: usize,
}

/// Most clauses on one page: it stays small enough for a telephone.
const MOST: usize = 150;

pub(crate) async fn book(
    State(site): State<Site>,
    officer: Officer,
    Path(id): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Failure> {
    let book = site.books.iter().find(|book| book.id.as_str() == id);
    let book = book.ok_or_else(|| Failure::Missing(format!("rulebook {id}")))?;
    let cited = book.cited_by();
    let words: Vec<String> = wanted.q.split_whitespace().map(str::to_lowercase).collect();
    let fits = |clause: &&Clause| {
        let text = format!("{} {} {}", clause.id, clause.section, clause.summary).to_lowercase();
        (wanted.auditable.is_empty() || clause.auditable.name() == wanted.auditable)
            && words.iter().all(|word| text.contains(word))
    };
    let found: Vec<_> = book.clauses.iter().filter(fits).collect();
    let rows = found.iter().take(MOST).map(|clause| {
        let citers = book.clauses.find(&clause.id).and_then(|number| cited.get(number));
        ClauseRow { clause, checks: citers.map(|citers| citers.checks.iter().copied().collect()).unwrap_or_default() }
    });
    let frame = Frame::new(&site, &officer, "/rules", book.title.to_string());
    let rows = rows.collect();
    page(&Book { frame, book, wanted, rows, shown: found.len() })
}

#[derive(Template)]
#[template(path = "clause.html")]
struct OneClause<'b> {
    frame: Frame,
    book: &'b Rulebook,
    clause: &'b Clause,
    checks: Vec<(&'static str, String, &'static str)>,
    games: Vec<String>,
}

pub(crate) async fn clause(
    State(site): State<Site>,
    officer: Officer,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    let found = site.books.iter().find_map(|book| Some((book, book.clauses.find(&id)?)));
    let missing = || Failure::Missing(format!("clause {id}"));
    let (book, number) = found.ok_or_else(missing)?;
    let clause = book.clauses.get(number).ok_or_else(missing)?;
    let cited = book.cited_by();
    let citers = cited.get(number).cloned().unwrap_or_default();
    let told = |name: &'static str| Some((name, words::finding(name), checks::find(name)?.finds));
    page(&OneClause {
        frame: Frame::new(&site, &officer, "/rules", &*clause.id),
        book,
        clause,
        checks: citers.checks.iter().filter_map(|name| told(name)).collect(),
        games: citers.games.iter().map(ToString::to_string).collect(),
    })
}

#[derive(Template)]
#[template(path = "check.html")]
struct OneCheck {
    frame: Frame,
    check: &'static Check,
    name: String,
    example: Option<(String, String)>,
    cites: Vec<(String, Vec<String>)>,
}

pub(crate) async fn check(
    State(site): State<Site>,
    officer: Officer,
    Path(name): Path<String>,
) -> Result<Response, Failure> {
    let check = checks::find(&name).ok_or_else(|| Failure::Missing(format!("check {name}")))?;
    let example = check.example(&site.books, check.tags);
    let example = example.map(|shown| (notation::print(&shown.clean), notation::print(&shown.violating)));
    let mut cites = Vec::new();
    for (book, game) in site.books.iter().flat_map(|book| book.games.iter().map(move |game| (book, game))) {
        let cited = game.cites.iter().filter(|cite| check.tags.contains(&&*cite.tag));
        let mut clauses: Vec<String> = cited
            .flat_map(|cite| cite.clauses.iter().filter_map(|number| book.clauses.get(*number)))
            .map(|clause| clause.id.to_string())
            .collect();
        clauses.sort();
        clauses.dedup();
        if !clauses.is_empty() {
            cites.push((game.name.to_string(), clauses));
        }
    }
    let frame = Frame::new(&site, &officer, "/rules", words::finding(check.name));
    page(&OneCheck { frame, check, name: words::finding(check.name), example, cites })
}
