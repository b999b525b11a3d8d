//! Search: a flag, a round, a shoe, a dealer, a table, a clause or a check by its name.

use askama::Template;
use auditor::checks::CHECKS;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use table::Utc;

use super::frame::{Frame, page};
use super::words;
use crate::accounts::Officer;
use crate::server::{Failure, Site};
use crate::store::people::{Question, Whose};

/// Most things of a kind that are listed.
const MOST: usize = 20;

/// What to look for.
#[derive(Deserialize)]
pub(crate) struct Sought {
    #[serde(default)]
    q: String,
}

#[derive(Template)]
#[template(path = "search.html")]
struct Search {
    frame: Frame,
    q: String,
    found: Vec<(&'static str, String, String)>,
}

pub(crate) async fn search(
    State(site): State<Site>,
    officer: Officer,
    Query(Sought { q }): Query<Sought>,
) -> Result<Response, Failure> {
    let q = q.trim().to_owned();
    // A whole name leads there at once.
    if site.store.round(&officer, &q).await.is_ok() {
        return Ok(Redirect::to(&format!("/rounds/{q}")).into_response());
    }
    if let Ok(flag) = site.store.flag(&officer, &q).await {
        let round = crate::store::ingest::round_name(&flag.table_name, flag.shoe, flag.round);
        return Ok(Redirect::to(&format!("/rounds/{round}")).into_response());
    }
    let frame = Frame::new(&site, &officer, "/search", "Search");
    let mut found = Vec::new();
    let wanted = q.to_lowercase();
    if !wanted.is_empty() {
        for whose in [Whose::Table, Whose::Dealer] {
            let ever = Question { whose, name: None, from: Utc::EPOCH, until: frame.now, weekly: false };
            let stretches = site.store.stretches(&officer, &ever).await?;
            let named = stretches.into_iter().filter(|stretch| stretch.name.to_lowercase().contains(&wanted));
            found.extend(named.take(MOST).map(|s| (whose.name(), format!("/{whose}s/{}", s.name), s.name)));
        }
        let clauses = site.books.iter().flat_map(|book| book.clauses.iter());
        let fits = |text: &str| text.to_lowercase().contains(&wanted);
        let clauses = clauses.filter(|clause| fits(&clause.id) || fits(&clause.summary)).take(MOST);
        found.extend(clauses.map(|clause| {
            ("clause", format!("/rules/clauses/{}", clause.id), format!("{} {}", clause.id, clause.summary))
        }));
        let checks = CHECKS.iter().filter(|check| fits(check.name) || fits(&words::finding(check.name))).take(MOST);
        found
            .extend(checks.map(|check| ("check", format!("/rules/checks/{}", check.name), words::finding(check.name))));
    }
    page(&Search { frame, q, found })
}
