//! Decisions and notes as plain forms send them. The script sends its own to the API.

use axum::Form;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

use crate::accounts::Officer;
use crate::api::moved;
use crate::server::door::within;
use crate::server::{Failure, Site};
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

pub(crate) async fn decide(
    State(site): State<Site>,
    officer: Officer,
    Path(flag): Path<String>,
    Form(made): Form<Made>,
) -> Result<Response, Failure> {
    record(&site, &officer, &[&flag], made.action, &made.reason).await?;
    Ok(Redirect::to(within(&made.back)).into_response())
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

async fn record(site: &Site, officer: &Officer, flags: &[&str], action: Action, reason: &str) -> Result<(), Failure> {
    // By a form a flag is taken on by whoever sends it; giving it to others is for programs and cases.
    let assignee = (action == Action::Assign).then_some(officer.name.as_str());
    site.store.decide(officer, flags, &Decision { action, reason, assignee }, site.now()).await?;
    for flag in flags {
        moved(site, officer, flag).await?;
    }
    Ok(())
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
