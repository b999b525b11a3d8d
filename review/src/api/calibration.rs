//! Where the boxes lie in a camera's picture.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::json;
use table::Ident;
use utoipa::IntoParams;

use super::{Answer, Asked, Body, Named};
use crate::accounts::{Officer, Right};
use crate::pages::calibration::{self, Outlines};
use crate::server::{Failure, Routes, Site};

pub(super) fn routes() -> Routes {
    Routes::new().get("/calibration/{table}", Right::Manage, show).put("/calibration/{table}", Right::Manage, keep)
}

/// Which camera.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Which {
    /// One of the table's cameras; the first if left out
    #[serde(default)]
    #[param(required = false)]
    camera: String,
}

/// The outlines of a camera's picture
#[utoipa::path(get, path = "/api/calibration/{table}", params(("table" = String, Path, description = "The table"), Which), responses(
    (status = 200, description = "`cameras`, the `camera` meant, its `outlines`, and `by_hand`: false if nobody drew them yet", body = Object),
    (status = 400, description = "Not the name of a table"), (status = 404, description = "Not at your tables")))]
pub(super) async fn show(
    State(site): State<Site>,
    officer: Officer,
    Named(table): Named<Ident>,
    Asked(Which { camera }): Asked<Which>,
) -> Answer {
    let drawn = calibration::drawn(&site, &officer, &table, &camera).await?;
    Ok(Json(json!({ "table": table, "cameras": drawn.cameras, "camera": drawn.camera, "outlines": drawn.outlines,
                    "by_hand": drawn.by_hand })))
}

/// Keeps the outlines of a camera's picture; those before it stay in the log
#[utoipa::path(put, path = "/api/calibration/{table}", params(("table" = String, Path, description = "The table"), Which),
    request_body = Outlines, responses((status = 200, description = "`outlines` as they are kept", body = Object),
    (status = 400, description = "An outline that is none: which, and why"),
    (status = 404, description = "No such camera, or not at your tables")))]
pub(super) async fn keep(
    State(site): State<Site>,
    officer: Officer,
    Named(table): Named<Ident>,
    Asked(Which { camera }): Asked<Which>,
    Body(outlines): Body<Outlines>,
) -> Answer {
    let outlines = outlines.checked().map_err(Failure::Bad)?;
    calibration::keep(&site, &officer, &table, &camera, &outlines).await?;
    Ok(Json(json!({ "outlines": outlines })))
}
