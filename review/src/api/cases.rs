//! Cases.

use axum::Json;
use axum::body::{Body as Stream, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Deserialize;
use serde_json::json;
use tokio::io::AsyncReadExt;
use utoipa::{IntoParams, ToSchema};

use super::flags::{NewNote, note_json};
use super::{Answer, Asked, Body, Named};
use crate::accounts::{Officer, Right};
use crate::export::Exported;
use crate::server::{Failure, Routes, Site};
use crate::store::cases::reach::of_tables;
use crate::store::cases::{CaseChange, CaseKind, Fields, Member};
use crate::store::notes::Subject;

pub(super) fn routes() -> Routes {
    Routes::new()
        .get("/cases", Right::Read, list)
        .post("/cases", Right::Investigate, open)
        .get("/cases/{id}", Right::Read, show)
        .put("/cases/{id}", Right::Investigate, edit)
        .post("/cases/{id}/members", Right::Investigate, add)
        .delete("/cases/{id}/members/{kind}/{subject}", Right::Investigate, take)
        .post("/cases/{id}/close", Right::Investigate, close)
        .post("/cases/{id}/lock", Right::Investigate, lock)
        .post("/cases/{id}/assign", Right::Investigate, assign)
        .post("/cases/{id}/notes", Right::Decide, note)
        .post("/cases/{id}/export", Right::Export, export)
}

/// Which cases.
#[derive(Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(super) struct Which {
    /// open or closed; all if left out
    state: Option<String>,
}

/// Cases, newest first
#[utoipa::path(get, path = "/api/cases", params(Which), responses((status = 200, description = "`cases`", body = Object)))]
pub(super) async fn list(State(site): State<Site>, officer: Officer, Asked(which): Asked<Which>) -> Answer {
    Ok(Json(json!({ "cases": site.store.cases_for(&officer, which.state.as_deref(), 1000).await? })))
}

/// A case to be opened.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewCase {
    /// dispute or incident
    #[schema(value_type = String, pattern = "^(dispute|incident)$")]
    kind: CaseKind,
    /// What is known so far; `title` at least. Without `incident_at` it happened when the case is opened
    fields: Fields,
}

/// Opens a case with the next number
#[utoipa::path(post, path = "/api/cases", request_body = NewCase, responses((status = 200, description = "`id`", body = Object),
    (status = 409, description = "A field is missing or too long")))]
pub(super) async fn open(State(site): State<Site>, officer: Officer, Body(new): Body<NewCase>) -> Answer {
    let (now, mut fields) = (site.now(), new.fields);
    if fields.incident_at == Fields::default().incident_at {
        fields.incident_at = now.micros();
    }
    let id = site.store.open_case(&officer, &site.setup.site, new.kind, &fields, now).await?;
    Ok(Json(json!({ "id": id })))
}

/// One case with its members and history. Looking at it is recorded
#[utoipa::path(get, path = "/api/cases/{id}", params(("id" = i64, Path, description = "Its number in the database")), responses(
    (status = 200, description = "The case", body = Object), (status = 404, description = "No such case")))]
pub(super) async fn show(State(site): State<Site>, officer: Officer, Named(id): Named<i64>) -> Answer {
    let (case, whole) = site.store.case_for(&officer, id).await?;
    site.store.viewed(&officer, format!("case {id}"), site.now()).await?;
    let mut members = site.store.case_members(id).await?;
    let mut changes = site.store.case_changes(id).await?;
    let mut evidence = site.store.evidence_of(Subject::Case, &id.to_string()).await?;
    if !whole {
        members.retain(|member| member.kind != Member::Evidence.name() && of_tables(&officer, &member.subject));
        changes.retain(|change| told_to(&officer, change));
        evidence.clear();
    }
    let notes: Vec<_> = site.store.case_notes(&officer, id).await?.iter().map(note_json).collect();
    Ok(Json(json!({
        "case": case, "whole": whole, "members": members, "changes": changes, "notes": notes, "evidence": evidence,
    })))
}

/// Whether a change to a case that is not all theirs says nothing of a table that the officer may not see.
fn told_to(officer: &Officer, change: &CaseChange) -> bool {
    let change: serde_json::Value = serde_json::from_str(&change.change).unwrap_or_default();
    let moved = ["added", "taken"].iter().any(|key| matches!(change[*key].as_str(), Some("flag" | "round")));
    let text = change.get("fields").is_some() || ["added", "taken"].iter().any(|key| change[*key] == "evidence");
    !text && (!moved || of_tables(officer, change["subject"].as_str().unwrap_or_default()))
}

/// Writes a case's fields
#[utoipa::path(put, path = "/api/cases/{id}", params(("id" = i64, Path, description = "Its number in the database")), request_body = Fields,
    responses((status = 200, description = "Done", body = Object), (status = 404, description = "No such case"),
              (status = 409, description = "Locked, or a field is missing or too long")))]
pub(super) async fn edit(
    State(site): State<Site>,
    officer: Officer,
    Named(id): Named<i64>,
    Body(fields): Body<Fields>,
) -> Answer {
    site.store.edit_case(&officer, id, &fields, site.now()).await?;
    Ok(Json(json!({})))
}

/// Something for a case.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewMember {
    /// flag, round or evidence
    #[schema(value_type = String, pattern = "^(flag|round|evidence)$")]
    kind: Member,
    /// Which
    subject: String,
}

/// Adds a flag, a round or a file to a case
#[utoipa::path(post, path = "/api/cases/{id}/members", params(("id" = i64, Path, description = "The case")), request_body = NewMember,
    responses((status = 200, description = "Done", body = Object), (status = 404, description = "No such case, or no such thing"),
              (status = 409, description = "Locked")))]
pub(super) async fn add(
    State(site): State<Site>,
    officer: Officer,
    Named(id): Named<i64>,
    Body(new): Body<NewMember>,
) -> Answer {
    exists(&site, &officer, new.kind, &new.subject).await?;
    site.store.add_to_case(&officer, id, new.kind, &new.subject, site.now()).await?;
    Ok(Json(json!({})))
}

/// Whether there is such a thing, and the officer may see it.
pub(crate) async fn exists(site: &Site, officer: &Officer, kind: Member, subject: &str) -> Result<(), Failure> {
    match kind {
        Member::Flag => drop(site.store.flag(officer, subject).await?),
        Member::Round => drop(site.store.round(officer, subject).await?),
        Member::Evidence => drop(site.store.evidence(subject).await?),
    }
    Ok(())
}

/// Takes something out of a case
#[utoipa::path(delete, path = "/api/cases/{id}/members/{kind}/{subject}", params(("id" = i64, Path, description = "The case"),
    ("kind" = String, Path, description = "flag, round or evidence"), ("subject" = String, Path, description = "Which")),
    responses((status = 200, description = "Done", body = Object), (status = 404, description = "Not in it"), (status = 409, description = "Locked")))]
pub(super) async fn take(
    State(site): State<Site>,
    officer: Officer,
    Named((id, kind, subject)): Named<(i64, Member, String)>,
) -> Answer {
    site.store.take_from_case(&officer, id, kind, &subject, site.now()).await?;
    Ok(Json(json!({})))
}

/// Closed or not.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Close {
    /// false opens it again
    closed: bool,
}

/// Closes a case, or opens it again
#[utoipa::path(post, path = "/api/cases/{id}/close", params(("id" = i64, Path, description = "The case")), request_body = Close,
    responses((status = 200, description = "Done", body = Object), (status = 404, description = "No such case"), (status = 409, description = "Locked")))]
pub(super) async fn close(
    State(site): State<Site>,
    officer: Officer,
    Named(id): Named<i64>,
    Body(close): Body<Close>,
) -> Answer {
    site.store.close_case(&officer, id, close.closed, site.now()).await?;
    Ok(Json(json!({})))
}

/// Locks a case for good: its fields, members and evidence stay as they are
#[utoipa::path(post, path = "/api/cases/{id}/lock", params(("id" = i64, Path, description = "The case")),
    responses((status = 200, description = "Done", body = Object), (status = 404, description = "No such case"), (status = 409, description = "Locked already")))]
pub(super) async fn lock(State(site): State<Site>, officer: Officer, Named(id): Named<i64>) -> Answer {
    site.store.lock_case(&officer, id, site.now()).await?;
    Ok(Json(json!({})))
}

/// To whom.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Assign {
    /// A user's name, or nothing
    assignee: Option<String>,
}

/// Gives a case to somebody
#[utoipa::path(post, path = "/api/cases/{id}/assign", params(("id" = i64, Path, description = "The case")), request_body = Assign,
    responses((status = 200, description = "Done", body = Object), (status = 404, description = "No such case or user")))]
pub(super) async fn assign(
    State(site): State<Site>,
    officer: Officer,
    Named(id): Named<i64>,
    Body(assign): Body<Assign>,
) -> Answer {
    site.store.assign_case(&officer, id, assign.assignee.as_deref(), site.now()).await?;
    Ok(Json(json!({})))
}

/// Adds a note to a case
#[utoipa::path(post, path = "/api/cases/{id}/notes", params(("id" = i64, Path, description = "The case")), request_body = NewNote,
    responses((status = 200, description = "`id`: the note's number", body = Object), (status = 404, description = "No such case"),
              (status = 409, description = "No note, or too long a one")))]
pub(super) async fn note(
    State(site): State<Site>,
    officer: Officer,
    Named(id): Named<i64>,
    Body(note): Body<NewNote>,
) -> Answer {
    site.store.case(id).await?;
    let note = site.store.add_note(&officer, Subject::Case, &id.to_string(), &note.text, site.now()).await?;
    Ok(Json(json!({ "id": note })))
}

/// The case as one ZIP with report, recordings, manifest and signature. Seals the case if you may write cases
#[utoipa::path(post, path = "/api/cases/{id}/export", params(("id" = i64, Path, description = "The case")), responses(
    (status = 200, description = "The ZIP; `x-sha256` is its hash", content_type = "application/zip", body = Vec<u8>),
    (status = 404, description = "No such case"),
    (status = 409, description = "It holds tables your account does not include, or there is no key to sign with")))]
pub(super) async fn export(
    State(site): State<Site>,
    officer: Officer,
    Named(id): Named<i64>,
) -> Result<Response, Failure> {
    download(&site, &officer, id).await
}

/// Bytes of a download at a time.
const PIECE: usize = 1 << 16;

/// An export on its way out, read from a file without a name as fast as it is taken.
pub(crate) async fn download(site: &Site, officer: &Officer, id: i64) -> Result<Response, Failure> {
    let file = tempfile::tempfile().map_err(Failure::broken)?;
    let Exported { name, file, bytes, sha256, .. } = crate::export::export(site, officer, id, file).await?;
    let pieces = stream::try_unfold(tokio::fs::File::from_std(file), |mut file| async move {
        let mut piece = vec![0; PIECE];
        let read = file.read(&mut piece).await?;
        piece.truncate(read);
        Ok::<_, std::io::Error>((read > 0).then(|| (Bytes::from(piece), file)))
    });
    let headers = [
        (header::CONTENT_TYPE.as_str(), "application/zip".to_owned()),
        (header::CONTENT_LENGTH.as_str(), bytes.to_string()),
        (header::CONTENT_DISPOSITION.as_str(), format!("attachment; filename=\"{name}\"")),
        ("x-sha256", sha256),
    ];
    Ok((headers, Stream::from_stream(pieces)).into_response())
}
