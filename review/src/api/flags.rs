//! Flags, decisions, notes and filters.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use table::Utc;
use utoipa::ToSchema;

use super::{Answer, Asked, Body, Named};
use crate::accounts::{Officer, Right};
use crate::filter::{FlagQuery, MOST};
use crate::log::Deed;
use crate::server::{Failure, Live, Routes, Site};
use crate::store::StoreError;
use crate::store::decisions::{Action, Decision};
use crate::store::notes::{Note, Subject};
use crate::store::queue::Queued;

pub(super) fn routes() -> Routes {
    Routes::new()
        .get("/flags", Right::Read, list)
        .get("/flags.csv", Right::Export, csv)
        .post("/flags/decide", Right::Decide, decide)
        .get("/flags/{flag}", Right::Read, show)
        .post("/flags/{flag}/notes", Right::Decide, note)
        .post("/flags/{flag}/unread", Right::Decide, unread)
        .post("/decisions/{id}/undo", Right::Decide, undo)
        .get("/filters", Right::Read, filters)
        .post("/filters", Right::Decide, save_filter)
        .delete("/filters/{id}", Right::Decide, forget_filter)
}

/// A time as the contract writes it.
pub(super) fn time(micros: i64) -> Option<Utc> {
    Utc::from_micros(micros)
}

/// The contract's flag, and where it stands.
pub(crate) fn flag_json(queued: &Queued) -> Result<Value, StoreError> {
    let mut flag: Map<String, Value> = serde_json::from_str(&queued.document)
        .map_err(|source| StoreError::Damaged { what: format!("flag {}", queued.flag), source })?;
    let standing = json!({
        "dealer": queued.dealer, "state": queued.state, "assignee": queued.assignee, "read": queued.read,
        "decided_at": queued.decided_at.and_then(time), "decided_by": queued.decided_by,
    });
    if let Value::Object(standing) = standing {
        flag.extend(standing);
    }
    Ok(Value::Object(flag))
}

/// The queue: flags by severity, newest first
#[utoipa::path(get, path = "/api/flags", params(FlagQuery), responses(
    (status = 200, description = "`flags` and, if there are more, `next`", body = Object),
    (status = 400, description = "A filter that makes no sense")))]
pub(super) async fn list(State(site): State<Site>, officer: Officer, Asked(query): Asked<FlagQuery>) -> Answer {
    let asked = query.read()?;
    let page = site.store.queue(&officer, &asked.filter, asked.after, asked.limit).await?;
    let flags = page.flags.iter().map(flag_json).collect::<Result<Vec<_>, _>>()?;
    Ok(Json(json!({ "flags": flags, "next": page.next.map(|next| next.to_string()) })))
}

/// The flags of a filter as a table, all of them
#[utoipa::path(get, path = "/api/flags.csv", params(FlagQuery), responses(
    (status = 200, description = "One flag a line", content_type = "text/csv", body = String),
    (status = 400, description = "A filter that makes no sense")))]
pub(super) async fn csv(
    State(site): State<Site>,
    officer: Officer,
    Asked(query): Asked<FlagQuery>,
) -> Result<Response, Failure> {
    let asked = query.read()?;
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record([
        "id",
        "table",
        "shoe",
        "round",
        "at",
        "dealer",
        "check",
        "clause",
        "severity",
        "kind",
        "box",
        "amount",
        "favours",
        "confidence",
        "state",
        "assignee",
        "decided_at",
        "decided_by",
        "expected",
        "observed",
    ])
    .map_err(Failure::broken)?;
    let mut after = asked.after;
    let mut count = 0_u64;
    loop {
        let page = site.store.queue(&officer, &asked.filter, after, MOST).await?;
        for queued in &page.flags {
            let flag = queued.parsed()?;
            let text = |value: Option<String>| value.unwrap_or_default();
            out.write_record([
                plain(&queued.flag),
                plain(&queued.table_name),
                queued.shoe.to_string(),
                queued.round.to_string(),
                flag.at.to_string(),
                plain(&text(queued.dealer.clone())),
                plain(&flag.check),
                plain(&flag.clause),
                flag.severity.to_string(),
                flag.kind.to_string(),
                text(flag.box_no.map(|box_no| box_no.to_string())),
                queued.amount.to_string(),
                queued.favours.clone(),
                flag.confidence.to_string(),
                queued.state.clone(),
                text(queued.assignee.clone()),
                text(queued.decided_at.and_then(time).map(|at| at.to_string())),
                text(queued.decided_by.clone()),
                plain(&flag.expected),
                plain(&flag.observed),
            ])
            .map_err(Failure::broken)?;
            count += 1;
        }
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    let bytes = out.into_inner().map_err(|error| Failure::broken(error.into_error()))?;
    let detail = json!({ "flags": count, "filter": query.to_address(), "sha256": crate::log::sha256(&bytes) });
    let subject = "flags.csv".to_owned();
    site.store.record(Deed { at: site.now(), actor: &officer.name, action: "export", subject, detail }).await?;
    Ok((
        [
            (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
            (header::CONTENT_DISPOSITION, "attachment; filename=\"flags.csv\""),
        ],
        bytes,
    )
        .into_response())
}

/// A text that no spreadsheet takes for a formula.
fn plain(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.to_owned() }
}

/// One flag with its history. Looking at it is recorded
#[utoipa::path(get, path = "/api/flags/{flag}", params(("flag" = String, Path, description = "The flag's id")), responses(
    (status = 200, description = "The flag, its entries, decisions, notes, evidence and cases", body = Object),
    (status = 404, description = "No such flag, or not at your tables")))]
pub(super) async fn show(State(site): State<Site>, officer: Officer, Named(flag): Named<String>) -> Answer {
    let queued = site.store.flag(&officer, &flag).await?;
    site.store.mark_seen(&officer, &queued, site.now()).await?;
    let decisions: Vec<Value> = site.store.decisions(&flag).await?.iter().map(|decided| {
        json!({ "id": decided.id, "at": time(decided.at), "user": decided.user, "action": decided.action,
                "state": decided.state, "assignee": decided.assignee, "reason": decided.reason, "undoes": decided.undoes })
    }).collect();
    let entries: Vec<Value> = site
        .store
        .entries(&flag)
        .await?
        .iter()
        .map(|entry| {
            json!({ "entry": entry.entry, "written_at": time(entry.written_at), "withdrawn": entry.withdrawn,
                "flag": serde_json::from_str::<Value>(&entry.document).unwrap_or_default() })
        })
        .collect();
    let cases: Vec<i64> =
        site.store.cases_of(crate::store::cases::Member::Flag, &flag).await?.iter().map(|case| case.id).collect();
    Ok(Json(json!({
        "flag": flag_json(&queued)?, "decisions": decisions, "entries": entries, "cases": cases,
        "notes": notes(&site, Subject::Flag, &flag).await?,
        "evidence": site.store.evidence_of(Subject::Flag, &flag).await?,
    })))
}

/// The notes on something, as JSON.
pub(super) async fn notes(site: &Site, kind: Subject, subject: &str) -> Result<Vec<Value>, Failure> {
    Ok(site.store.notes(kind, subject).await?.iter().map(note_json).collect())
}

/// A note as JSON.
pub(super) fn note_json(note: &Note) -> Value {
    json!({ "id": note.id, "at": time(note.at), "user": note.user, "text": note.text })
}

/// What is decided, about which flags.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Decide {
    /// The flags' ids, at most 500.
    flags: Vec<String>,
    /// confirm, dismiss, escalate, assign or reopen
    #[schema(value_type = String, pattern = "^(confirm|dismiss|escalate|assign|reopen)$")]
    action: Action,
    /// Why, in a few words
    #[serde(default)]
    reason: String,
    /// With assign: a user's name, or nothing
    #[serde(default)]
    assignee: Option<String>,
}

/// Decides flags: all of them, or none if one cannot be
#[utoipa::path(post, path = "/api/flags/decide", request_body = Decide, responses(
    (status = 200, description = "`decisions`: their numbers, in the order of the flags", body = Object),
    (status = 404, description = "No such flag, or not at your tables"),
    (status = 409, description = "It cannot be decided as it stands")))]
pub(super) async fn decide(State(site): State<Site>, officer: Officer, Body(asked): Body<Decide>) -> Answer {
    if asked.flags.is_empty() || asked.flags.len() > MOST {
        return Err(Failure::Bad(format!("expected 1 to {MOST} flags")));
    }
    let flags: Vec<&str> = asked.flags.iter().map(String::as_str).collect();
    let decision = Decision { action: asked.action, reason: &asked.reason, assignee: asked.assignee.as_deref() };
    let decisions = site.store.decide(&officer, &flags, &decision, site.now()).await?;
    for flag in &asked.flags {
        moved(&site, &officer, flag).await?;
    }
    Ok(Json(json!({ "decisions": decisions })))
}

/// Tells the screens where a flag stands now.
pub(crate) async fn moved(site: &Site, officer: &Officer, flag: &str) -> Result<(), Failure> {
    let stands = site.store.flag(officer, flag).await?.listed;
    // Nobody listening is no failure.
    let _ = site.live.send(Live::Flag { flag: stands.flag, table: stands.table_name, state: stands.state });
    Ok(())
}

/// Takes your own decision back, for ten seconds
#[utoipa::path(post, path = "/api/decisions/{id}/undo", params(("id" = i64, Path, description = "The decision's number")), responses(
    (status = 200, description = "`flag`: whose decision it was", body = Object),
    (status = 404, description = "No such decision"), (status = 409, description = "Too late, or not yours")))]
pub(super) async fn undo(State(site): State<Site>, officer: Officer, Named(id): Named<i64>) -> Answer {
    let flag = site.store.undo(&officer, id, site.now()).await?;
    moved(&site, &officer, &flag).await?;
    Ok(Json(json!({ "flag": flag })))
}

/// A note.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewNote {
    /// 1 to 4,000 characters
    pub(super) text: String,
}

/// Adds a note to a flag
#[utoipa::path(post, path = "/api/flags/{flag}/notes", params(("flag" = String, Path, description = "The flag's id")), request_body = NewNote,
    responses((status = 200, description = "`id`: the note's number", body = Object), (status = 404, description = "No such flag"),
              (status = 409, description = "No note, or too long a one")))]
pub(super) async fn note(
    State(site): State<Site>,
    officer: Officer,
    Named(flag): Named<String>,
    Body(note): Body<NewNote>,
) -> Answer {
    site.store.flag(&officer, &flag).await?;
    let id = site.store.add_note(&officer, Subject::Flag, &flag, &note.text, site.now()).await?;
    Ok(Json(json!({ "id": id })))
}

/// Marks a flag as not yet read by you
#[utoipa::path(post, path = "/api/flags/{flag}/unread", params(("flag" = String, Path, description = "The flag's id")),
    responses((status = 200, description = "Done", body = Object), (status = 404, description = "No such flag")))]
pub(super) async fn unread(State(site): State<Site>, officer: Officer, Named(flag): Named<String>) -> Answer {
    site.store.flag(&officer, &flag).await?;
    site.store.mark_unseen(&officer, &flag).await?;
    Ok(Json(json!({})))
}

/// Your filters and everybody's, with how many flags answer each
#[utoipa::path(get, path = "/api/filters", responses((status = 200, description = "`filters`", body = Object)))]
pub(super) async fn filters(State(site): State<Site>, officer: Officer) -> Answer {
    let mut filters = Vec::new();
    for saved in site.store.saved_filters(&officer).await? {
        let count = match FlagQuery::from_address(&saved.query).read() {
            Ok(asked) => Some(site.store.count(&officer, &asked.filter).await?),
            Err(_) => None,
        };
        filters.push(
            json!({ "id": saved.id, "name": saved.name, "query": saved.query, "everybody": saved.user_id.is_none(),
                             "count": count }),
        );
    }
    Ok(Json(json!({ "filters": filters })))
}

/// A filter to be kept.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewFilter {
    /// Its name
    name: String,
    /// As in the address of /api/flags, after the question mark
    query: String,
    /// For everybody; needs the right to manage
    #[serde(default)]
    everybody: bool,
}

/// Keeps a filter
#[utoipa::path(post, path = "/api/filters", request_body = NewFilter, responses(
    (status = 200, description = "`id`: its number", body = Object), (status = 400, description = "A filter that makes no sense"),
    (status = 409, description = "No name, or not yours to keep")))]
pub(super) async fn save_filter(State(site): State<Site>, officer: Officer, Body(new): Body<NewFilter>) -> Answer {
    let query = FlagQuery::from_address(&new.query);
    query.read()?;
    let id = site.store.save_filter(&officer, &new.name, &query.to_address(), new.everybody, site.now()).await?;
    Ok(Json(json!({ "id": id })))
}

/// Forgets a filter
#[utoipa::path(delete, path = "/api/filters/{id}", params(("id" = i64, Path, description = "Its number")),
    responses((status = 200, description = "Done", body = Object), (status = 404, description = "No such filter of yours")))]
pub(super) async fn forget_filter(State(site): State<Site>, officer: Officer, Named(id): Named<i64>) -> Answer {
    site.store.forget_filter(&officer, id, site.now()).await?;
    Ok(Json(json!({})))
}
