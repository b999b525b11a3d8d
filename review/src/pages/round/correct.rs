//! A card that was misread: what should have been paid is worked out again, and the correction recorded.

use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use table::Card;

use super::{as_corrected, kept, scene};
use crate::accounts::Officer;
use crate::pages::calculator::Row;
use crate::pages::frame::page;
use crate::server::{Failure, Site};
use crate::store::rounds::Reread;

/// A step, counted from one, and the card it really showed.
#[derive(Deserialize)]
pub(crate) struct Otherwise {
    step: usize,
    card: Card,
    #[serde(default)]
    reason: String,
}

#[derive(Template)]
#[template(path = "ledger.html")]
struct Ledger {
    rows: Vec<Row>,
}

/// The ledger as it would be with one card read otherwise, for the script. Records nothing.
pub(crate) async fn ledger(
    State(site): State<Site>,
    officer: Officer,
    Path(name): Path<String>,
    Query(Otherwise { step, card, .. }): Query<Otherwise>,
) -> Result<Response, Failure> {
    let stored = site.store.round(&officer, &name).await?;
    let round = as_corrected(&kept(&stored)?, &site.store.corrections(&stored).await?);
    let round = scene::corrected(&round, step, card).ok_or_else(|| no_card(step))?;
    let rows = scene::ledger(&site.books, &round, &site.setup.currency).map_err(Failure::Refused)?;
    page(&Ledger { rows })
}

pub(crate) async fn correct(
    State(site): State<Site>,
    officer: Officer,
    Path(name): Path<String>,
    Form(Otherwise { step, card, reason }): Form<Otherwise>,
) -> Result<Response, Failure> {
    let stored = site.store.round(&officer, &name).await?;
    let round = kept(&stored)?;
    let at = step.checked_sub(1).ok_or_else(|| no_card(step))?;
    let was = round.steps.get(at).and_then(|step| scene::card_of(&step.act)).ok_or_else(|| no_card(step))?;
    if reason.trim().is_empty() || reason.chars().count() > 400 {
        return Err(Failure::Bad("say in 1 to 400 characters how you know".to_owned()));
    }
    let read = Reread { step: at, was, becomes: card, reason: reason.trim() };
    site.store.correct(&officer, &stored, &read, site.now()).await?;
    Ok(Redirect::to(&format!("/rounds/{name}?step={step}")).into_response())
}

fn no_card(step: usize) -> Failure {
    Failure::Bad(format!("step {step} shows no card"))
}
