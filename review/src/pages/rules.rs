//! The rules: books, clauses, checks, and what of all this is audited and what is not.

use askama::Template;
use auditor::Rulebook;
use auditor::check::Check;
use auditor::checks::{self, CHECKS};
use auditor::rulebook::{Auditable, Citers, Clause};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use serde::Deserialize;
use table::notation;
use utoipa::IntoParams;

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

/// How many clauses of a book are audited, or so far, or not.
pub(crate) fn clauses(book: &Rulebook, auditable: Auditable) -> usize {
    book.clauses.iter().filter(|clause| clause.auditable == auditable).count()
}

pub(crate) async fn books(State(site): State<Site>, officer: Officer) -> Result<Response, Failure> {
    let row = |book: &Rulebook| {
        let [yes, partly, no] = [Auditable::Yes, Auditable::Partly, Auditable::No].map(|how| clauses(book, how));
        BookRow {
            id: book.id.to_string(),
            title: book.title.to_string(),
            games: book.games.iter().map(|game| (game.name.to_string(), game.title.to_string())).collect(),
            yes,
            partly,
            no,
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
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(crate) struct Wanted {
    /// Words that stand in number, section or summary, all of them
    q: String,
    /// How far it is audited: yes, partly or no; any if left out
    auditable: String,
}

/// A clause and the checks that look for it.
pub(crate) struct ClauseRow<'b> {
    pub(crate) clause: &'b Clause,
    pub(crate) checks: Vec<&'static str>,
}

/// Checks named beside a clause in a book's list; its own page has them all.
const FEW: usize = 4;

impl ClauseRow<'_> {
    /// The first of its checks: each its name, and the same in words.
    fn few(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.checks.iter().take(FEW).map(|name| (*name, words::finding(name)))
    }
}

/// A book by its name.
pub(crate) fn named<'b>(books: &'b [Rulebook], id: &str) -> Result<&'b Rulebook, Failure> {
    let book = books.iter().find(|book| book.id.as_str() == id);
    book.ok_or_else(|| Failure::Missing(format!("rulebook {id}")))
}

/// The clauses of a book that are wanted, as the document orders them.
pub(crate) fn wanted<'b>(book: &'b Rulebook, wanted: &Wanted) -> Vec<ClauseRow<'b>> {
    let cited = book.cited_by();
    let words: Vec<String> = wanted.q.split_whitespace().map(str::to_lowercase).collect();
    let fits = |clause: &&Clause| {
        let text = format!("{} {} {}", clause.id, clause.section, clause.summary).to_lowercase();
        (wanted.auditable.is_empty() || clause.auditable.name() == wanted.auditable)
            && words.iter().all(|word| text.contains(word))
    };
    let row = |clause: &'b Clause| {
        let citers = book.clauses.find(&clause.id).and_then(|number| cited.get(number));
        ClauseRow { clause, checks: citers.map(|citers| citers.checks.iter().copied().collect()).unwrap_or_default() }
    };
    book.clauses.iter().filter(fits).map(row).collect()
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
    let book = named(&site.books, &id)?;
    let mut rows = self::wanted(book, &wanted);
    let shown = rows.len();
    rows.truncate(MOST);
    let frame = Frame::new(&site, &officer, "/rules", book.title.to_string());
    page(&Book { frame, book, wanted, rows, shown })
}

/// A clause, its book, and who cites it.
pub(crate) struct Cited<'b> {
    pub(crate) book: &'b Rulebook,
    pub(crate) clause: &'b Clause,
    pub(crate) citers: Citers<'b>,
}

/// A clause by its number.
pub(crate) fn cited<'b>(books: &'b [Rulebook], id: &str) -> Result<Cited<'b>, Failure> {
    let found = books.iter().find_map(|book| {
        let number = book.clauses.find(id)?;
        let citers = book.cited_by().get(number).cloned().unwrap_or_default();
        Some(Cited { book, clause: book.clauses.get(number)?, citers })
    });
    found.ok_or_else(|| Failure::Missing(format!("clause {id}")))
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
    let Cited { book, clause, citers } = cited(&site.books, &id)?;
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
    let check = known(&name)?;
    let (example, cites) = (example(&site.books, check), cites(&site.books, check));
    let frame = Frame::new(&site, &officer, "/rules", words::finding(check.name));
    page(&OneCheck { frame, check, name: words::finding(check.name), example, cites })
}

/// A check by its name.
pub(crate) fn known(name: &str) -> Result<&'static Check, Failure> {
    checks::find(name).ok_or_else(|| Failure::Missing(format!("check {name}")))
}

/// A round in which all is well, and one that sets the check off.
pub(crate) fn example(books: &[Rulebook], check: &Check) -> Option<(String, String)> {
    let shown = check.example(books, check.tags)?;
    Some((notation::print(&shown.clean), notation::print(&shown.violating)))
}

/// The games that cite clauses for a check, and which.
pub(crate) fn cites(books: &[Rulebook], check: &Check) -> Vec<(String, Vec<String>)> {
    let mut cites = Vec::new();
    for (book, game) in books.iter().flat_map(|book| book.games.iter().map(move |game| (book, game))) {
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
    cites
}
