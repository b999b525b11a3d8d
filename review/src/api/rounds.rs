//! Rounds, shoes, dealers and tables.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use table::{Card, Utc};
use utoipa::{IntoParams, ToSchema};

use super::flags::{NewNote, flag_json, notes, time};
use super::rules::entry_json;
use super::{Answer, Asked, Body, Named};
use crate::accounts::{Officer, Right};
use crate::pages::round::{Otherwise, entries, read_otherwise};
use crate::pages::shoe::sightings::Sightings;
use crate::pages::shoe::{decks_of, parsed};
use crate::server::{Failure, Routes, Site};
use crate::store::notes::Subject;
use crate::store::people::{Question, Stretch, Whose};
use crate::store::rounds::{RoundKey, StoredRound};

pub(super) fn routes() -> Routes {
    Routes::new()
        .get("/rounds/{round}", Right::Read, show)
        .post("/rounds/{round}/corrections", Right::Investigate, correct)
        .post("/rounds/{round}/notes", Right::Decide, note)
        .get("/rounds/{round}/ledger", Right::Read, ledger)
        .get("/shoes/{table}/{shoe}", Right::Read, shoe)
        .get("/tables/{name}/shoes", Right::Read, shoes)
        .get("/dealers", Right::Read, dealers)
        .get("/tables", Right::Read, tables)
}

/// A round as programs read it.
pub(crate) fn round_json(stored: &StoredRound) -> Result<Value, Failure> {
    Ok(json!({
        "name": stored.name(), "table": stored.table_name, "shoe": stored.shoe, "number": stored.round, "entry": stored.entry,
        "at": time(stored.at), "ended_at": time(stored.ended_at), "dealer": stored.dealer, "game": stored.game,
        "hands": stored.hands, "sha256": stored.digest, "round": stored.parsed()?,
        "coverage": serde_json::from_str::<Value>(&stored.coverage).unwrap_or_default(),
    }))
}

fn key_json(key: &RoundKey) -> Value {
    json!({ "name": key.name(), "at": time(key.at), "flags": key.flags })
}

/// One round with its flags, neighbours and corrections. Looking at it is recorded
#[utoipa::path(get, path = "/api/rounds/{round}", params(("round" = String, Path, description = "As BJ-04.17.212")), responses(
    (status = 200, description = "The round", body = Object), (status = 404, description = "No such round, or not at your tables")))]
pub(super) async fn show(State(site): State<Site>, officer: Officer, Named(name): Named<String>) -> Answer {
    let stored = site.store.round(&officer, &name).await?;
    site.store.viewed(&officer, format!("round {}", stored.name()), site.now()).await?;
    let flags = site.store.flags_of_round(&officer, &stored.table_name, stored.shoe, stored.round).await?;
    let (before, after) = site.store.neighbours(&stored, 3).await?;
    let corrections: Vec<Value> = site
        .store
        .corrections(&stored)
        .await?
        .iter()
        .map(|correction| {
            json!({ "id": correction.id, "step": correction.step, "was": correction.was, "becomes": correction.becomes,
                "reason": correction.reason, "at": time(correction.at), "user": correction.user })
        })
        .collect();
    let mut json = round_json(&stored)?;
    json["flags"] = flags.iter().map(flag_json).collect::<Result<_, _>>()?;
    json["before"] = before.iter().map(key_json).collect();
    json["after"] = after.iter().map(key_json).collect();
    json["corrections"] = corrections.into();
    json["notes"] = notes(&site, Subject::Round, &stored.name()).await?.into();
    json["evidence"] = json!(site.store.evidence_of(Subject::Round, &stored.name()).await?);
    json["readings"] = site.store.readings(&stored).await?.len().into();
    Ok(Json(json))
}

/// A card read otherwise.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewCorrection {
    /// The step, from 0
    step: usize,
    /// The card as it was, such as 7H
    #[schema(value_type = String, example = "7H")]
    becomes: Card,
    /// How you know, in 1 to 400 characters
    #[schema(min_length = 1, max_length = 400)]
    reason: String,
}

/// A step as pages count them, from one.
fn numbered(step: usize) -> Result<usize, Failure> {
    step.checked_add(1).ok_or_else(|| Failure::Bad(format!("there is no step {step}")))
}

/// Records that a card was misread
#[utoipa::path(post, path = "/api/rounds/{round}/corrections", params(("round" = String, Path, description = "As BJ-04.17.212")),
    request_body = NewCorrection, responses((status = 200, description = "`id`: its number", body = Object),
    (status = 400, description = "The step shows no card, or there is no reason"),
    (status = 404, description = "No such round, or it is no longer kept")))]
pub(super) async fn correct(
    State(site): State<Site>,
    officer: Officer,
    Named(name): Named<String>,
    Body(new): Body<NewCorrection>,
) -> Answer {
    let otherwise = Otherwise { step: numbered(new.step)?, card: new.becomes, reason: new.reason };
    Ok(Json(json!({ "id": read_otherwise(&site, &officer, &name, &otherwise).await? })))
}

/// A card read otherwise, for once.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Supposed {
    /// The step, from 0; together with card
    step: Option<usize>,
    /// The card it would have shown, such as 7H
    #[param(value_type = Option<String>)]
    card: Option<Card>,
}

/// What every wager of a round is due and what became of it, as officers read its cards; also if one were another. Keeps nothing
#[utoipa::path(get, path = "/api/rounds/{round}/ledger", params(("round" = String, Path, description = "As BJ-04.17.212"), Supposed),
    responses((status = 200, description = "`wagers`; money in minor units", body = Object),
    (status = 400, description = "The step shows no card"), (status = 404, description = "No such round, or it is no longer kept"),
    (status = 409, description = "Its game is in no rulebook")))]
pub(super) async fn ledger(
    State(site): State<Site>,
    officer: Officer,
    Named(name): Named<String>,
    Asked(Supposed { step, card }): Asked<Supposed>,
) -> Answer {
    let otherwise = match (step, card) {
        (Some(step), Some(card)) => Some((numbered(step)?, card)),
        (None, None) => None,
        _ => return Err(Failure::Bad("expected both step and card, or neither".to_owned())),
    };
    let entries = entries(&site, &officer, &name, otherwise).await?;
    Ok(Json(json!({ "wagers": entries.iter().map(entry_json).collect::<Vec<_>>() })))
}

/// Adds a note to a round
#[utoipa::path(post, path = "/api/rounds/{round}/notes", params(("round" = String, Path, description = "As BJ-04.17.212")), request_body = NewNote,
    responses((status = 200, description = "`id`: the note's number", body = Object), (status = 404, description = "No such round"),
              (status = 409, description = "No note, or too long a one")))]
pub(super) async fn note(
    State(site): State<Site>,
    officer: Officer,
    Named(name): Named<String>,
    Body(note): Body<NewNote>,
) -> Answer {
    let stored = site.store.round(&officer, &name).await?;
    let id = site.store.add_note(&officer, Subject::Round, &stored.name(), &note.text, site.now()).await?;
    Ok(Json(json!({ "id": id })))
}

/// The rounds of a shoe in order, how often each card was seen, and cards that were seen too often. Looking at it is recorded
#[utoipa::path(get, path = "/api/shoes/{table}/{shoe}", params(("table" = String, Path, description = "The table"),
    ("shoe" = i64, Path, description = "The shoe's number")), responses((status = 200, description = "`rounds`, `decks`, `cards` and `surplus`", body = Object),
    (status = 404, description = "No such shoe, or not at your tables")))]
pub(super) async fn shoe(
    State(site): State<Site>,
    officer: Officer,
    Named((table, shoe)): Named<(String, i64)>,
) -> Answer {
    let stored = site.store.shoe_rounds(&officer, &table, shoe).await?;
    site.store.viewed(&officer, format!("shoe {table}.{shoe}"), site.now()).await?;
    let rounds = parsed(&stored)?;
    let (sightings, decks) = (Sightings::of(&rounds), decks_of(&site, &rounds));
    let cards: Map<String, Value> =
        Card::faces().zip(sightings.counts()).map(|(card, times)| (card.to_string(), times.into())).collect();
    let stored = stored.iter().map(round_json).collect::<Result<Vec<_>, _>>()?;
    Ok(Json(json!({ "table": table, "shoe": shoe, "rounds": stored, "decks": decks, "cards": cards,
                    "surplus": sightings.surplus(decks) })))
}

/// The latest shoes of a table, newest first
#[utoipa::path(get, path = "/api/tables/{name}/shoes", params(("name" = String, Path, description = "The table")), responses(
    (status = 200, description = "`shoes`: each with its number, when it began and how many rounds there are, at most 100", body = Object),
    (status = 404, description = "Not at your tables")))]
pub(super) async fn shoes(State(site): State<Site>, officer: Officer, Named(name): Named<String>) -> Answer {
    const MOST: i64 = 100;
    if !officer.tables.include(&name) {
        return Err(Failure::Missing(format!("table {name}")));
    }
    let shoes = site.store.shoes(&name, MOST).await?;
    let shoes = shoes.iter().map(|shoe| json!({ "shoe": shoe.shoe, "at": time(shoe.began_at), "rounds": shoe.rounds }));
    Ok(Json(json!({ "table": name, "shoes": shoes.collect::<Vec<_>>() })))
}

/// Over which time, and whose.
#[derive(Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(super) struct Span {
    /// One dealer or table; all if left out
    name: Option<String>,
    /// From this UTC time on; twelve weeks ago if left out
    #[param(value_type = Option<String>)]
    from: Option<Utc>,
    /// Before this UTC time; now if left out
    #[param(value_type = Option<String>)]
    until: Option<Utc>,
    /// Week by week instead of all in one
    weekly: bool,
}

/// How dealers did: hands, errors per thousand with interval, money, pace
#[utoipa::path(get, path = "/api/dealers", params(Span), responses((status = 200, description = "`dealers`", body = Object),
    (status = 400, description = "A time that is none")))]
pub(super) async fn dealers(State(site): State<Site>, officer: Officer, Asked(span): Asked<Span>) -> Answer {
    Ok(Json(json!({ "dealers": stretches(&site, &officer, Whose::Dealer, &span).await? })))
}

/// How tables did: hands, errors per thousand with interval, money, pace
#[utoipa::path(get, path = "/api/tables", params(Span), responses((status = 200, description = "`tables`", body = Object),
    (status = 400, description = "A time that is none")))]
pub(super) async fn tables(State(site): State<Site>, officer: Officer, Asked(span): Asked<Span>) -> Answer {
    Ok(Json(json!({ "tables": stretches(&site, &officer, Whose::Table, &span).await? })))
}

async fn stretches(site: &Site, officer: &Officer, whose: Whose, span: &Span) -> Result<Vec<Value>, Failure> {
    const TWELVE_WEEKS: i64 = 12 * 7 * 86_400_000_000;
    let until = span.until.unwrap_or_else(|| site.now());
    let from = span.from.or_else(|| until.shifted(-TWELVE_WEEKS)).unwrap_or(Utc::EPOCH);
    let question = Question { whose, name: span.name.as_deref(), from, until, weekly: span.weekly };
    let stretches = site.store.stretches(officer, &question).await?;
    Ok(stretches.iter().map(stretch_json).collect())
}

fn stretch_json(stretch: &Stretch) -> Value {
    json!({ "name": stretch.name, "from": time(stretch.from), "rounds": stretch.rounds, "hands": stretch.hands,
            "errors": stretch.errors, "confirmed": stretch.confirmed, "to_players": stretch.to_players,
            "to_house": stretch.to_house, "hands_per_hour": stretch.pace(), "errors_per_million_hands": stretch.rate() })
}
