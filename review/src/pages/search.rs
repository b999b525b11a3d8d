//! Search: a flag, a round, a shoe, a dealer, a table, a clause or a check by its name.

use askama::Template;
use auditor::checks::CHECKS;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use super::frame::{Frame, page};
use super::words;
use crate::accounts::Officer;
use crate::server::{Failure, Site};
use crate::store::ingest::round_name;

/// Most things of a kind that are listed.
const MOST: usize = 20;

/// What to look for.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Sought {
    /// The whole name of a round or a flag, or a part of any other name, or of a clause's text
    #[serde(default)]
    #[param(required = false)]
    pub(crate) q: String,
}

/// Something that answers, and its page.
#[derive(Serialize)]
pub(crate) struct Found {
    kind: &'static str,
    name: String,
    path: String,
}

#[derive(Template)]
#[template(path = "search.html")]
struct Search {
    frame: Frame,
    q: String,
    found: Vec<Found>,
}

pub(crate) async fn search(
    State(site): State<Site>,
    officer: Officer,
    Query(Sought { q }): Query<Sought>,
) -> Result<Response, Failure> {
    let q = q.trim().to_owned();
    let found = match whole(&site, &officer, &q).await {
        // A whole name leads there at once.
        Some(found) => return Ok(Redirect::to(&found.path).into_response()),
        None => parts(&site, &officer, &q).await?,
    };
    page(&Search { frame: Frame::new(&site, &officer, "/search", "Search"), q, found })
}

/// Everything that answers.
pub(crate) async fn find(site: &Site, officer: &Officer, q: &str) -> Result<Vec<Found>, Failure> {
    let q = q.trim();
    Ok(match whole(site, officer, q).await {
        Some(found) => vec![found],
        None => parts(site, officer, q).await?,
    })
}

/// The round, or the round of the flag, that has this very name.
async fn whole(site: &Site, officer: &Officer, name: &str) -> Option<Found> {
    let found = |kind, round: String| Found { kind, name: name.to_owned(), path: format!("/rounds/{round}") };
    if let Ok(stored) = site.store.round(officer, name).await {
        return Some(found("round", stored.name()));
    }
    let flag = site.store.flag(officer, name).await.ok()?;
    Some(found("flag", round_name(&flag.table_name, flag.shoe, flag.round)))
}

/// What has the text in its name.
async fn parts(site: &Site, officer: &Officer, q: &str) -> Result<Vec<Found>, Failure> {
    let wanted = q.to_lowercase();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let fits = |text: &str| text.to_lowercase().contains(&wanted);
    let people = [("table", site.store.tables(officer).await?), ("dealer", site.store.dealers(officer).await?)];
    let mut found = Vec::new();
    for (kind, names) in people {
        let named = names.into_iter().filter(|name| fits(name)).take(MOST);
        found.extend(named.map(|name| Found { kind, path: format!("/{kind}s/{name}"), name }));
    }
    let checks = CHECKS.iter().filter(|check| fits(check.name) || fits(&words::finding(check.name))).take(MOST);
    found.extend(checks.map(|check| Found {
        kind: "check",
        name: words::finding(check.name),
        path: format!("/rules/checks/{}", check.name),
    }));
    let clauses = site.books.iter().flat_map(|book| book.clauses.iter());
    let clauses = clauses.filter(|clause| fits(&clause.id) || fits(&clause.summary)).take(MOST);
    found.extend(clauses.map(|clause| Found {
        kind: "clause",
        name: format!("{} {}", clause.id, clause.summary),
        path: format!("/rules/clauses/{}", clause.id),
    }));
    Ok(found)
}
