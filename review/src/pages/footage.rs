//! Pictures for the pages, asked for where waiting does no harm.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use table::config::Camera;
use table::{Ident, Utc};
use utoipa::IntoParams;

use crate::Footage;
use crate::accounts::Officer;
use crate::footage::FootageError;
use crate::server::{Failure, Site};

/// Frames to either side that the script is told of at once.
const AROUND: usize = 25;

/// An instant, in microseconds of UTC, as seen by a camera.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Instant {
    /// Microseconds of UTC
    at: i64,
    /// The camera; the table's first if left out
    #[serde(default)]
    #[param(required = false)]
    camera: String,
}

/// Asks for pictures on a thread of its own.
async fn ask<T: Send + 'static>(
    site: &Site,
    question: impl FnOnce(&dyn Footage) -> Result<T, FootageError> + Send + 'static,
) -> Result<T, Failure> {
    let footage = Arc::clone(&site.footage);
    let answer = tokio::task::spawn_blocking(move || question(&*footage)).await.map_err(Failure::broken)?;
    answer.map_err(Failure::broken)
}

/// The camera asked for if it looks at the table, else the first that does.
fn camera(footage: &dyn Footage, table: &Ident, wanted: &str) -> Option<String> {
    let cameras = footage.cameras(table);
    cameras.iter().find(|name| *name == wanted).or(cameras.first()).cloned()
}

/// The cameras of a table.
pub(crate) async fn cameras(site: &Site, table: &Ident) -> Result<Vec<String>, Failure> {
    let table = table.clone();
    ask(site, move |footage| Ok(footage.cameras(&table))).await
}

/// A camera of a table as its recordings say it was set up.
pub(crate) async fn set_up(site: &Site, table: &Ident, camera: &str) -> Result<Option<Camera>, Failure> {
    let (table, camera) = (table.clone(), camera.to_owned());
    ask(site, move |footage| Ok(footage.set_up(&table, &camera))).await
}

/// Whether anything was recorded of a table around an instant.
pub(crate) async fn has_picture(site: &Site, table: &Ident, at: Utc) -> Result<bool, Failure> {
    let table = table.clone();
    let found = ask(site, move |footage| match camera(footage, &table, "") {
        Some(camera) => footage.frames(&table, &camera, at, 1),
        None => Ok(Vec::new()),
    });
    // A recording that cannot be read is the health page's matter; the flag can be decided without it.
    Ok(found.await.is_ok_and(|frames| !frames.is_empty()))
}

/// The table and instant a request is about, if the officer may see them.
async fn asked(site: &Site, officer: &Officer, name: &str, at: i64) -> Result<(Ident, Utc), Failure> {
    let round = site.store.round(officer, name).await?;
    let table = round.table_name.parse().map_err(|error| Failure::Bad(format!("table: {error}")))?;
    let at = Utc::from_micros(at).ok_or_else(|| Failure::Bad("at: no such time".to_owned()))?;
    Ok((table, at))
}

pub(crate) async fn still(
    State(site): State<Site>,
    officer: Officer,
    Path(name): Path<String>,
    Query(instant): Query<Instant>,
) -> Result<Response, Failure> {
    picture(&site, &officer, &name, instant).await
}

/// The picture at an instant, for whoever asks.
pub(crate) async fn picture(
    site: &Site,
    officer: &Officer,
    name: &str,
    Instant { at, camera: wanted }: Instant,
) -> Result<Response, Failure> {
    let (table, at) = asked(site, officer, name, at).await?;
    let still = ask(site, move |footage| match camera(footage, &table, &wanted) {
        Some(camera) => footage.still(&table, &camera, at),
        None => Ok(None),
    });
    let still = still.await?.ok_or_else(|| Failure::Missing("picture of this moment".to_owned()))?;
    // Frames never change, but they are not for shared caches.
    let headers = [(header::CONTENT_TYPE, "image/jpeg"), (header::CACHE_CONTROL, "private, max-age=3600")];
    Ok((headers, still.jpeg).into_response())
}

pub(crate) async fn frames(
    State(site): State<Site>,
    officer: Officer,
    Path(name): Path<String>,
    Query(instant): Query<Instant>,
) -> Result<Json<Vec<i64>>, Failure> {
    around(&site, &officer, &name, instant).await.map(Json)
}

/// The instants of the frames around one, for whoever asks.
pub(crate) async fn around(
    site: &Site,
    officer: &Officer,
    name: &str,
    Instant { at, camera: wanted }: Instant,
) -> Result<Vec<i64>, Failure> {
    let (table, at) = asked(site, officer, name, at).await?;
    let frames = ask(site, move |footage| match camera(footage, &table, &wanted) {
        Some(camera) => footage.frames(&table, &camera, at, AROUND),
        None => Ok(Vec::new()),
    });
    Ok(frames.await?.into_iter().map(Utc::micros).collect())
}
