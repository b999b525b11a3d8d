//! A card that was misread: what should have been paid is worked out again, and the correction recorded.

use askama::Template;
use auditor::check::Entry;
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
    pub(crate) step: usize,
    pub(crate) card: Card,
    #[serde(default)]
    pub(crate) reason: String,
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
    let entries = entries(&site, &officer, &name, Some((step, card))).await?;
    page(&Ledger { rows: entries.iter().map(|entry| Row::new(entry, &site.setup.currency)).collect() })
}

/// What every wager of a round should have come to, as officers read its cards, and with one of them read otherwise if asked.
pub(crate) async fn entries(
    site: &Site,
    officer: &Officer,
    name: &str,
    otherwise: Option<(usize, Card)>,
) -> Result<Vec<Entry>, Failure> {
    let stored = site.store.round(officer, name).await?;
    let mut round = as_corrected(&kept(&stored)?, &site.store.corrections(&stored).await?);
    if let Some((step, card)) = otherwise {
        round = scene::corrected(&round, step, card).ok_or_else(|| no_card(step))?;
    }
    scene::entries(&site.books, &round).map_err(Failure::Refused)
}

pub(crate) async fn correct(
    State(site): State<Site>,
    officer: Officer,
    Path(name): Path<String>,
    Form(Otherwise { step, card, reason }): Form<Otherwise>,
) -> Result<Response, Failure> {
    read_otherwise(&site, &officer, &name, &Otherwise { step, card, reason }).await?;
    Ok(Redirect::to(&format!("/rounds/{name}?step={step}")).into_response())
}

/// Records that a card was misread, from wherever that is said; gives the correction's number.
pub(crate) async fn read_otherwise(
    site: &Site,
    officer: &Officer,
    name: &str,
    Otherwise { step, card, reason }: &Otherwise,
) -> Result<i64, Failure> {
    let (step, reason) = (*step, reason.trim());
    let stored = site.store.round(officer, name).await?;
    let round = kept(&stored)?;
    let at = step.checked_sub(1).ok_or_else(|| no_card(step))?;
    let was = round.steps.get(at).and_then(|step| scene::card_of(&step.act)).ok_or_else(|| no_card(step))?;
    if reason.is_empty() || reason.chars().count() > 400 {
        return Err(Failure::Bad("say in 1 to 400 characters how you know".to_owned()));
    }
    let read = Reread { step: at, was, becomes: *card, reason };
    Ok(site.store.correct(officer, &stored, &read, site.now()).await?)
}

fn no_card(step: usize) -> Failure {
    Failure::Bad(format!("step {step} shows no card"))
}
