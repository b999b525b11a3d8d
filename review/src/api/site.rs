//! Health, holds, settings, subscribers, the log and evidence files.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;
use table::{Ident, Severity, Utc};
use utoipa::{IntoParams, ToSchema};

use super::{Answer, Asked, Body, Named};
use crate::accounts::{Officer, Right, secret};
use crate::evidence::Locker;
use crate::log::Deed;
use crate::pages::health::{Standing, tables};
use crate::server::{Failure, Routes, Site};
use crate::settings;
use crate::store::cases::reach::of_tables;
use crate::store::site::Channel;

pub(super) fn routes() -> Routes {
    Routes::new()
        .get("/health", Right::Read, health)
        .get("/holds", Right::Read, holds)
        .post("/holds", Right::Manage, hold)
        .post("/holds/{id}/release", Right::Manage, release)
        .get("/settings", Right::Read, settings)
        .put("/settings/{name}", Right::Manage, set)
        .get("/subscribers", Right::Manage, subscribers)
        .post("/subscribers", Right::Manage, subscribe)
        .delete("/subscribers/{id}", Right::Manage, unsubscribe)
        .get("/log", Right::History, log)
        .get("/evidence/{digest}", Right::Read, evidence)
}

/// What cameras, shoes, sensors and clocks last said of themselves; which tables are watched, and how far their results are behind
#[utoipa::path(get, path = "/api/health", responses(
    (status = 200, description = "`health` of devices, and `tables`: `running` or not, `watch` as last told, `last_round_at` and `cameras`", body = Object)))]
pub(super) async fn health(State(site): State<Site>, officer: Officer) -> Answer {
    let now = site.now();
    let tables: Vec<_> = tables(&site, &officer)
        .await?
        .into_iter()
        .map(|Standing { table, watch, last_at, cameras }| {
            let running = watch.as_ref().is_some_and(|watch| watch.doing(now).is_some());
            json!({ "table": table, "running": running, "watch": watch, "last_round_at": last_at, "cameras": cameras })
        })
        .collect();
    Ok(Json(json!({ "health": site.store.health(&officer).await?, "tables": tables })))
}

/// What retention keeps away from
#[utoipa::path(get, path = "/api/holds", responses((status = 200, description = "`holds`", body = Object)))]
pub(super) async fn holds(State(site): State<Site>, _: Officer) -> Answer {
    Ok(Json(json!({ "holds": site.store.holds().await? })))
}

/// A hold to be placed.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewHold {
    /// The table
    #[schema(value_type = String, example = "BJ-04")]
    pub(crate) table: Ident,
    /// From this UTC time on
    #[schema(value_type = String, format = DateTime)]
    pub(crate) from: Utc,
    /// Until this one
    #[schema(value_type = String, format = DateTime)]
    pub(crate) until: Utc,
    /// Why
    pub(crate) reason: String,
}

/// Holds a table's rounds and evidence between two instants
#[utoipa::path(post, path = "/api/holds", request_body = NewHold, responses((status = 200, description = "`id`", body = Object),
    (status = 409, description = "It ends before it begins")))]
pub(super) async fn hold(State(site): State<Site>, officer: Officer, Body(new): Body<NewHold>) -> Answer {
    Ok(Json(json!({ "id": place_hold(&site, &officer, &new).await? })))
}

/// Places a hold, from wherever it is asked for.
pub(crate) async fn place_hold(site: &Site, officer: &Officer, new: &NewHold) -> Result<i64, Failure> {
    if new.reason.trim().is_empty() || new.reason.chars().count() > 1000 {
        return Err(Failure::Bad("a hold has a reason of 1 to 1,000 characters".to_owned()));
    }
    Ok(site.store.hold(officer, new.table.as_str(), new.from, new.until, &new.reason, site.now()).await?)
}

/// Releases a hold
#[utoipa::path(post, path = "/api/holds/{id}/release", params(("id" = i64, Path, description = "The hold")),
    responses((status = 200, description = "Done", body = Object), (status = 404, description = "No such hold")))]
pub(super) async fn release(State(site): State<Site>, officer: Officer, Named(id): Named<i64>) -> Answer {
    site.store.release(&officer, id, site.now()).await?;
    Ok(Json(json!({})))
}

/// Every setting with its value and what it is for, and what was chosen when the server started
#[utoipa::path(get, path = "/api/settings", responses((status = 200, description = "`settings` and `site`", body = Object)))]
pub(super) async fn settings(State(site): State<Site>, _: Officer) -> Answer {
    let changed = site.store.settings().await?;
    let settings: Vec<_> = settings::ALL
        .iter()
        .map(|setting| {
            let value = changed.get(setting.name).map_or(setting.usual, String::as_str);
            json!({ "name": setting.name, "value": value, "usual": setting.usual, "what": setting.what })
        })
        .collect();
    let setup = &site.setup;
    let chosen = json!({ "site": setup.site, "zone": setup.zone.name(), "currency": setup.currency,
                         "session_hours": setup.session_hours, "idle_minutes": setup.idle_minutes });
    Ok(Json(json!({ "settings": settings, "site": chosen })))
}

/// A value.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewValue {
    /// The value
    value: String,
}

/// Changes a setting
#[utoipa::path(put, path = "/api/settings/{name}", params(("name" = String, Path, description = "Which")), request_body = NewValue,
    responses((status = 200, description = "Done", body = Object), (status = 400, description = "Not a value of this setting"),
              (status = 404, description = "No such setting")))]
pub(super) async fn set(
    State(site): State<Site>,
    officer: Officer,
    Named(name): Named<String>,
    Body(new): Body<NewValue>,
) -> Answer {
    Ok(Json(json!({ "value": change_setting(&site, &officer, &name, &new.value).await? })))
}

/// Changes a setting, from wherever it is asked for, and gives its value as it is kept.
pub(crate) async fn change_setting(site: &Site, officer: &Officer, name: &str, value: &str) -> Result<String, Failure> {
    let setting = settings::find(name).ok_or_else(|| Failure::Missing(format!("setting {name}")))?;
    let value = setting.read(value).map_err(Failure::Bad)?;
    let mut tx = site.store.begin().await?;
    tx.set(setting.name, &value, site.now(), &officer.name).await?;
    tx.commit().await?;
    Ok(value)
}

/// Who is told of severe flags
#[utoipa::path(get, path = "/api/subscribers", responses((status = 200, description = "`subscribers`", body = Object)))]
pub(super) async fn subscribers(State(site): State<Site>, _: Officer) -> Answer {
    let subscribers: Vec<_> = site
        .store
        .subscribers()
        .await?
        .iter()
        .map(|who| json!({ "id": who.id, "kind": who.kind, "target": who.target, "least": who.least() }))
        .collect();
    Ok(Json(json!({ "subscribers": subscribers })))
}

/// Somebody to be told.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewSubscriber {
    /// webhook or email
    #[schema(value_type = String, pattern = "^(webhook|email)$")]
    pub(crate) kind: Channel,
    /// An http(s) address, or a mailbox
    pub(crate) target: String,
    /// From this severity on: info, minor, major or critical
    #[schema(value_type = String, pattern = "^(info|minor|major|critical)$")]
    pub(crate) least: Severity,
}

/// Tells somebody of flags from a severity on. A webhook's secret is shown this once
#[utoipa::path(post, path = "/api/subscribers", request_body = NewSubscriber, responses((status = 200, description = "`id` and `secret`", body = Object),
    (status = 400, description = "Not an address")))]
pub(super) async fn subscribe(State(site): State<Site>, officer: Officer, Body(new): Body<NewSubscriber>) -> Answer {
    let (id, secret) = add_subscriber(&site, &officer, &new).await?;
    Ok(Json(json!({ "id": id, "secret": secret })))
}

/// Tells somebody from now on, wherever that is asked for; gives their number and a webhook's secret.
pub(crate) async fn add_subscriber(
    site: &Site,
    officer: &Officer,
    new: &NewSubscriber,
) -> Result<(i64, Option<String>), Failure> {
    let fits = match new.kind {
        Channel::Webhook => {
            url::Url::parse(&new.target).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
        }
        Channel::Email => new.target.parse::<lettre::Address>().is_ok(),
    };
    if !fits {
        return Err(Failure::Bad(format!("{:?} is not where a {} can go", new.target, new.kind)));
    }
    let key = secret::fresh().map_err(Failure::broken)?;
    let id = site.store.subscribe(officer, new.kind, &new.target, &key, new.least, site.now()).await?;
    Ok((id, (new.kind == Channel::Webhook).then_some(key)))
}

/// Tells somebody no longer
#[utoipa::path(delete, path = "/api/subscribers/{id}", params(("id" = i64, Path, description = "Who")),
    responses((status = 200, description = "Done", body = Object), (status = 404, description = "No such subscriber")))]
pub(super) async fn unsubscribe(State(site): State<Site>, officer: Officer, Named(id): Named<i64>) -> Answer {
    site.store.unsubscribe(&officer, id, site.now()).await?;
    Ok(Json(json!({})))
}

/// Which part of the log.
#[derive(Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(super) struct Part {
    /// Entries before this number; the newest if left out
    before: Option<i64>,
    /// How many, at most 1,000; 100 if left out
    limit: Option<i64>,
}

/// Who did what, newest first
#[utoipa::path(get, path = "/api/log", params(Part), responses((status = 200, description = "`entries`", body = Object)))]
pub(super) async fn log(State(site): State<Site>, officer: Officer, Asked(part): Asked<Part>) -> Answer {
    let entries =
        site.store.log_before(part.before.unwrap_or(i64::MAX), part.limit.unwrap_or(100).clamp(1, 1000)).await?;
    let entries: Vec<_> = entries
        .iter()
        .map(|entry| {
            json!({ "seq": entry.seq, "at": Utc::from_micros(entry.at), "actor": entry.actor, "action": entry.action,
                    "subject": entry.subject, "detail": entry.detail, "hash": entry.hash })
        })
        .collect();
    site.store.viewed(&officer, "log".to_owned(), site.now()).await?;
    Ok(Json(json!({ "entries": entries })))
}

/// An evidence file, if it still is what it was. Fetching it is recorded
#[utoipa::path(get, path = "/api/evidence/{digest}", params(("digest" = String, Path, description = "Its SHA-256")), responses(
    (status = 200, description = "The file", content_type = "application/octet-stream", body = Vec<u8>),
    (status = 404, description = "No such file, or of none of your tables"), (status = 409, description = "No longer kept")))]
pub(super) async fn evidence(
    State(site): State<Site>,
    officer: Officer,
    Named(digest): Named<String>,
) -> Result<Response, Failure> {
    let file = site.store.evidence(&digest).await?;
    let subjects = site.store.evidence_subjects(&digest).await?;
    let mut visible = subjects.is_empty();
    for (kind, subject) in &subjects {
        visible |= match (&**kind, subject.parse()) {
            ("case", Ok(case)) => site.store.sees_whole_case(&officer, case).await?,
            _ => of_tables(&officer, subject),
        };
    }
    let folder = site.setup.evidence.clone().filter(|_| visible);
    let folder = folder.ok_or_else(|| Failure::Missing(format!("evidence {digest}")))?;
    if file.removed_at.is_some() {
        return Err(Failure::Refused("retention has let this file go".to_owned()));
    }
    let name = digest.clone();
    let bytes = tokio::task::spawn_blocking(move || Locker::open(&folder)?.fetch(&name))
        .await
        .map_err(Failure::broken)?
        .map_err(Failure::broken)?;
    let deed = Deed {
        at: site.now(),
        actor: &officer.name,
        action: "fetch",
        subject: format!("evidence {digest}"),
        detail: json!({}),
    };
    site.store.record(deed).await?;
    Ok(([(header::CONTENT_TYPE, file.media_type)], bytes).into_response())
}
