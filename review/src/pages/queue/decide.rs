//! Decisions from the queue and the round page: as plain forms, or as the script sends them.

use axum::Form;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::Json;
use serde::Deserialize;

use crate::accounts::Officer;
use crate::server::door::within;
use crate::server::{Failure, Live, Site};
use crate::store::decisions::{Action, Decision};
use crate::store::notes::Subject;

/// One decision.
#[derive(Deserialize)]
pub(crate) struct Made {
    action: Action,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    back: String,
}

/// Whether the script asked, which wants data, or a form, which wants to be sent on.
fn by_script(headers: &HeaderMap) -> bool {
    headers.get(header::ACCEPT).is_some_and(|accept| accept.as_bytes() == b"application/json")
}

pub(crate) async fn decide(
    State(site): State<Site>,
    officer: Officer,
    headers: HeaderMap,
    Path(flag): Path<String>,
    Form(made): Form<Made>,
) -> Result<Response, Failure> {
    let decisions = record(&site, &officer, &[&flag], made.action, &made.reason).await?;
    Ok(match by_script(&headers) {
        true => Json(serde_json::json!({ "decisions": decisions })).into_response(),
        false => Redirect::to(within(&made.back)).into_response(),
    })
}

/// Several flags at once. The form repeats `flag`, which a struct cannot hold.
pub(crate) async fn decide_many(
    State(site): State<Site>,
    officer: Officer,
    Form(fields): Form<Vec<(String, String)>>,
) -> Result<Response, Failure> {
    let field = |name: &str| fields.iter().find(|(field, _)| field == name).map_or("", |(_, value)| value);
    let action: Action = field("action").parse().map_err(|error| Failure::Bad(format!("action: {error}")))?;
    let flags: Vec<&str> = fields.iter().filter(|(name, _)| name == "flag").map(|(_, value)| &**value).collect();
    record(&site, &officer, &flags, action, field("reason")).await?;
    Ok(Redirect::to(within(field("back"))).into_response())
}

async fn record(
    site: &Site,
    officer: &Officer,
    flags: &[&str],
    action: Action,
    reason: &str,
) -> Result<Vec<i64>, Failure> {
    // On these pages a flag is taken on by whoever presses the key; giving it to others is for the case.
    let assignee = (action == Action::Assign).then_some(officer.name.as_str());
    let decision = Decision { action, reason, assignee };
    let decisions = site.store.decide(officer, flags, &decision, site.now()).await?;
    for flag in flags {
        announce(site, officer, flag).await?;
    }
    Ok(decisions)
}

pub(crate) async fn undo(
    State(site): State<Site>,
    officer: Officer,
    Path(decision): Path<i64>,
) -> Result<Response, Failure> {
    let flag = site.store.undo(&officer, decision, site.now()).await?;
    announce(&site, &officer, &flag).await?;
    Ok(Json(serde_json::json!({ "flag": flag })).into_response())
}

/// Tells the other screens where a flag stands now.
async fn announce(site: &Site, officer: &Officer, flag: &str) -> Result<(), Failure> {
    let stands = site.store.flag(officer, flag).await?;
    // Nobody listening is no failure.
    let _ = site.live.send(Live::Flag { flag: stands.flag, table: stands.table_name, state: stands.state });
    Ok(())
}

/// Notes that the script has had a flag on the screen.
pub(crate) async fn seen(
    State(site): State<Site>,
    officer: Officer,
    Path(flag): Path<String>,
) -> Result<StatusCode, Failure> {
    let queued = site.store.flag(&officer, &flag).await?;
    site.store.mark_seen(&officer, &queued, site.now()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A note on a flag.
#[derive(Deserialize)]
pub(crate) struct Text {
    text: String,
    #[serde(default)]
    back: String,
}

pub(crate) async fn note(
    State(site): State<Site>,
    officer: Officer,
    Path(flag): Path<String>,
    Form(Text { text, back }): Form<Text>,
) -> Result<Response, Failure> {
    site.store.flag(&officer, &flag).await?;
    site.store.add_note(&officer, Subject::Flag, &flag, &text, site.now()).await?;
    Ok(Redirect::to(within(&back)).into_response())
}
