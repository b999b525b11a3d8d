//! Rounds, shoes, dealers and tables.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};
use table::{Act, Card, Utc};
use utoipa::{IntoParams, ToSchema};

use super::flags::{NewNote, flag_json, notes, time};
use super::{Answer, Asked, Body, Named};
use crate::accounts::{Officer, Right};
use crate::server::{Failure, Routes, Site};
use crate::store::notes::Subject;
use crate::store::people::{Question, Stretch, Whose};
use crate::store::rounds::{Reread, RoundKey, StoredRound};

pub(super) fn routes() -> Routes {
    Routes::new()
        .get("/rounds/{round}", Right::Read, show)
        .post("/rounds/{round}/corrections", Right::Investigate, correct)
        .post("/rounds/{round}/notes", Right::Decide, note)
        .get("/shoes/{table}/{shoe}", Right::Read, shoe)
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
    /// Why
    #[serde(default)]
    reason: String,
}

/// The card a step is about.
pub(crate) fn card_of(act: &Act) -> Option<Card> {
    match act {
        Act::Card { card, .. }
        | Act::Burn(card)
        | Act::TurnUp(_, card)
        | Act::Drawn(card)
        | Act::Exposed(card)
        | Act::Dropped(card)
        | Act::Boxed(card)
        | Act::Damaged(card)
        | Act::Replaced(card)
        | Act::Discard(card)
        | Act::Move { card, .. } => Some(*card),
        _ => None,
    }
}

/// Records that a card was misread
#[utoipa::path(post, path = "/api/rounds/{round}/corrections", params(("round" = String, Path, description = "As BJ-04.17.212")),
    request_body = NewCorrection, responses((status = 200, description = "`id`: its number", body = Object),
    (status = 400, description = "The step has no card"), (status = 404, description = "No such round"),
    (status = 409, description = "The round is no longer kept")))]
pub(super) async fn correct(
    State(site): State<Site>,
    officer: Officer,
    Named(name): Named<String>,
    Body(new): Body<NewCorrection>,
) -> Answer {
    let stored = site.store.round(&officer, &name).await?;
    let round = stored.parsed()?.ok_or_else(|| Failure::Refused("the round is no longer kept".to_owned()))?;
    let was = round.steps.get(new.step).and_then(|step| card_of(&step.act));
    let was = was.ok_or_else(|| Failure::Bad(format!("step {} has no card", new.step)))?;
    if new.reason.chars().count() > 1000 {
        return Err(Failure::Bad("a reason has at most 1,000 characters".to_owned()));
    }
    let read = Reread { step: new.step, was, becomes: new.becomes, reason: &new.reason };
    let id = site.store.correct(&officer, &stored, &read, site.now()).await?;
    Ok(Json(json!({ "id": id })))
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

/// The rounds of a shoe in order
#[utoipa::path(get, path = "/api/shoes/{table}/{shoe}", params(("table" = String, Path, description = "The table"),
    ("shoe" = i64, Path, description = "The shoe's number")), responses((status = 200, description = "`rounds`", body = Object),
    (status = 404, description = "No such shoe, or not at your tables")))]
pub(super) async fn shoe(
    State(site): State<Site>,
    officer: Officer,
    Named((table, shoe)): Named<(String, i64)>,
) -> Answer {
    let rounds = site.store.shoe_rounds(&officer, &table, shoe).await?;
    let rounds = rounds.iter().map(round_json).collect::<Result<Vec<_>, _>>()?;
    Ok(Json(json!({ "table": table, "shoe": shoe, "rounds": rounds })))
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
