//! The rules: books, clauses, checks, and how far all this is audited; and what they say to a round or a case somebody tells.

use auditor::check::Entry;
use auditor::checks::CHECKS;
use auditor::rulebook::{Auditable, Rulebook};
use auditor::settle::Docket;
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::{Answer, Asked, Body, Named, answer};
use crate::accounts::Right;
use crate::pages::calculator;
use crate::pages::rules::{self, Cited, ClauseRow, Wanted};
use crate::pages::words;
use crate::server::{Failure, Routes, Site};

pub(super) fn routes() -> Routes {
    Routes::new()
        .get("/rules", Right::Read, books)
        .get("/rules/{book}", Right::Read, book)
        .get("/rules/clauses/{id}", Right::Read, clause)
        .get("/rules/checks/{name}", Right::Read, check)
        .post("/calculator", Right::Read, calculate)
        .post("/settle", Right::Read, settle)
}

/// A book without its clauses.
fn book_json(book: &Rulebook) -> Value {
    let games: Vec<_> = book.games.iter().map(|game| json!({ "name": game.name, "title": &*game.title })).collect();
    let count = |how| rules::clauses(book, how);
    json!({ "id": book.id.as_str(), "title": &*book.title, "games": games,
            "clauses": { "yes": count(Auditable::Yes), "partly": count(Auditable::Partly), "no": count(Auditable::No) } })
}

/// A clause and the checks that look for it.
fn clause_json(ClauseRow { clause, checks }: &ClauseRow<'_>) -> Value {
    json!({ "id": &*clause.id, "section": &*clause.section, "summary": &*clause.summary, "auditable": clause.auditable,
            "why_not": &*clause.why_not, "needs": clause.needs, "severity": clause.severity, "checks": checks })
}

/// The rulebooks with their games and how many of their clauses are audited, and every check
#[utoipa::path(get, path = "/api/rules", responses((status = 200, description = "`books` and `checks`", body = Object)))]
pub(super) async fn books(State(site): State<Site>) -> Answer {
    let checks: Vec<_> = CHECKS
        .iter()
        .map(|check| {
            let title = words::finding(check.name);
            json!({ "name": check.name, "title": title, "kind": check.kind, "finds": check.finds })
        })
        .collect();
    Ok(Json(json!({ "books": site.books.iter().map(book_json).collect::<Vec<_>>(), "checks": checks })))
}

/// A rulebook's clauses in our words: whether each is audited, by which checks, or why not
#[utoipa::path(get, path = "/api/rules/{book}", params(("book" = String, Path, description = "nz, act, nh or bclc"), Wanted),
    responses((status = 200, description = "`book` and its `clauses`", body = Object), (status = 404, description = "No such book")))]
pub(super) async fn book(State(site): State<Site>, Named(id): Named<String>, Asked(wanted): Asked<Wanted>) -> Answer {
    let book = rules::named(&site.books, &id)?;
    let clauses: Vec<_> = rules::wanted(book, &wanted).iter().map(clause_json).collect();
    Ok(Json(json!({ "book": book_json(book), "clauses": clauses })))
}

/// One clause, the games that cite it and the checks that look for it
#[utoipa::path(get, path = "/api/rules/clauses/{id}", params(("id" = String, Path, description = "As nz-13.3")),
    responses((status = 200, description = "The clause", body = Object), (status = 404, description = "No such clause")))]
pub(super) async fn clause(State(site): State<Site>, Named(id): Named<String>) -> Answer {
    let Cited { book, clause, citers } = rules::cited(&site.books, &id)?;
    let mut json = clause_json(&ClauseRow { clause, checks: citers.checks.iter().copied().collect() });
    json["book"] = book.id.as_str().into();
    json["games"] = citers.games.iter().map(ToString::to_string).collect();
    Ok(Json(json))
}

/// One check: what it finds, why that matters, an example, and the clauses that each game cites for it
#[utoipa::path(get, path = "/api/rules/checks/{name}", params(("name" = String, Path, description = "As paid_a_push")),
    responses((status = 200, description = "The check", body = Object), (status = 404, description = "No such check")))]
pub(super) async fn check(State(site): State<Site>, Named(name): Named<String>) -> Answer {
    let check = rules::known(&name)?;
    let cites: Vec<_> = rules::cites(&site.books, check)
        .into_iter()
        .map(|(game, clauses)| json!({ "game": game, "clauses": clauses }))
        .collect();
    let example =
        rules::example(&site.books, check).map(|(clean, violating)| json!({ "clean": clean, "violating": violating }));
    let title = words::finding(check.name);
    Ok(Json(json!({ "name": check.name, "title": title, "kind": check.kind, "finds": check.finds,
                    "matters": check.matters, "cites": cites, "example": example })))
}

/// A round as somebody tells it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Told {
    /// The game, unless the round names its own
    #[schema(example = "nz-base")]
    game: String,
    /// Choices of the house, such as bj_pays=3:2
    #[serde(default)]
    options: String,
    /// The round in notation, a step to a line; rounds before the last are its history
    #[schema(
        example = "bet 3 25\\ncard 3 TH\\ncard dealer 7S\\ncard 3 7C\\nstand 3\\ncard dealer TD\\npay 3 25\\nend"
    )]
    round: String,
}

/// Settles a round in notation: what every wager is due, by which clauses, and what an audit says. Nothing is kept
#[utoipa::path(post, path = "/api/calculator", request_body = Told, responses(
    (status = 200, description = "`wagers`, `net` and `flags`; money in minor units", body = Object),
    (status = 400, description = "The round cannot be read: where, and why")))]
pub(super) async fn calculate(State(site): State<Site>, Body(told): Body<Told>) -> Answer {
    let settled = calculator::settle(&site.books, &told.game, &told.options, &told.round).map_err(Failure::Bad)?;
    let wagers: Vec<_> = settled.entries.iter().map(entry_json).collect();
    Ok(Json(json!({ "game": settled.round.game, "wagers": wagers, "net": settled.net, "flags": settled.flags })))
}

/// What a wager is due and what became of it.
pub(super) fn entry_json(entry: &Entry) -> Value {
    let clauses: Vec<_> = entry.clauses.iter().map(|clause| &*clause.id).collect();
    json!({ "wager": entry.wager.to_string(), "box": entry.wager.box_no, "hand": entry.wager.hand,
            "kind": entry.wager.kind.name(), "stake": entry.stake, "free": entry.free,
            "due": entry.due.and_then(|due| due.net()), "expected": entry.expected, "observed": entry.observed,
            "gain": entry.gain, "clauses": clauses })
}

/// Settles one box of a round as fairdeal settle does: cards, stakes and what was asked for. Nothing is kept
#[utoipa::path(post, path = "/api/settle", request_body = Object, responses(
    (status = 200, description = "What every wager wins or loses, or `error` and the `clause` that the case breaks", body = Object)))]
pub(super) async fn settle(State(site): State<Site>, Body(case): Body<Value>) -> Answer {
    answer(&Docket::new(&site.books).answer_json(&case))
}
