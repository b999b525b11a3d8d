//! Pictures of a round.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use serde_json::json;

use super::{Answer, Asked, Named};
use crate::accounts::{Officer, Right};
use crate::pages::footage::{self, Instant};
use crate::server::{Failure, Routes, Site};

pub(super) fn routes() -> Routes {
    Routes::new().get("/rounds/{round}/still", Right::Read, still).get("/rounds/{round}/frames", Right::Read, frames)
}

/// What a camera saw of a round's table at an instant
#[utoipa::path(get, path = "/api/rounds/{round}/still", params(("round" = String, Path, description = "As BJ-04.17.212"), Instant), responses(
    (status = 200, description = "The frame", content_type = "image/jpeg", body = Vec<u8>),
    (status = 400, description = "No such time"), (status = 404, description = "No such round, or no picture of this moment")))]
pub(super) async fn still(
    State(site): State<Site>,
    officer: Officer,
    Named(name): Named<String>,
    Asked(instant): Asked<Instant>,
) -> Result<Response, Failure> {
    footage::picture(&site, &officer, &name, instant).await
}

/// The instants of the frames around one, to step through them
#[utoipa::path(get, path = "/api/rounds/{round}/frames", params(("round" = String, Path, description = "As BJ-04.17.212"), Instant), responses(
    (status = 200, description = "`frames`: up to 25 before and as many after, in microseconds of UTC", body = Object),
    (status = 400, description = "No such time"), (status = 404, description = "No such round, or not at your tables")))]
pub(super) async fn frames(
    State(site): State<Site>,
    officer: Officer,
    Named(name): Named<String>,
    Asked(instant): Asked<Instant>,
) -> Answer {
    Ok(Json(json!({ "frames": footage::around(&site, &officer, &name, instant).await? })))
}
