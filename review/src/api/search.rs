//! Search.

use axum::Json;
use axum::extract::State;
use serde_json::json;

use super::{Answer, Asked};
use crate::accounts::{Officer, Right};
use crate::pages::search::{self, Sought};
use crate::server::{Routes, Site};

pub(super) fn routes() -> Routes {
    Routes::new().get("/search", Right::Read, find)
}

/// Flags, rounds, tables, dealers, clauses and checks by their names, twenty of a kind at most
#[utoipa::path(get, path = "/api/search", params(Sought), responses(
    (status = 200, description = "`found`: each with `kind`, `name` and the `path` of its page", body = Object)))]
pub(super) async fn find(State(site): State<Site>, officer: Officer, Asked(sought): Asked<Sought>) -> Answer {
    Ok(Json(json!({ "found": search::find(&site, &officer, &sought.q).await? })))
}
