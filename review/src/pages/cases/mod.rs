//! Cases: reads like a report, because it is one. Evidence as a contact sheet; what is sealed is visibly sealed.

mod history;
mod member;

use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use chrono_tz::Tz;
use serde::Deserialize;
use table::{Money, Utc};

pub(crate) use history::{Told, told};
use member::MemberView;

use super::frame::{Frame, page};
use super::instant;
use super::round::NoteView;
use super::words::{self, When};
use crate::accounts::{Officer, Right};
use crate::api::exists;
use crate::server::{Failure, Site};
use crate::store::cases::{Case, CaseKind, Fields, Member};
use crate::store::notes::Subject;

/// Cases on a page.
const LIMIT: i64 = 200;

struct Row {
    path: String,
    number: i64,
    title: String,
    kind: String,
    state: String,
    locked: bool,
    when: When,
    assignee: String,
}

#[derive(Template)]
#[template(path = "cases.html")]
struct Cases {
    frame: Frame,
    rows: Vec<Row>,
}

pub(crate) async fn list(State(site): State<Site>, officer: Officer) -> Result<Response, Failure> {
    let frame = Frame::new(&site, &officer, "/cases", "Cases");
    let row = |case: Case| Row {
        path: path(case.id),
        number: case.number,
        title: case.fields.title,
        kind: case.kind,
        state: case.state,
        locked: case.locked_at.is_some(),
        when: frame.when(crate::store::utc(case.fields.incident_at)),
        assignee: case.assignee.unwrap_or_default(),
    };
    let rows = site.store.cases_for(&officer, None, LIMIT).await?.into_iter().map(row).collect();
    page(&Cases { frame, rows })
}

fn path(id: i64) -> String {
    format!("/cases/{id}")
}

/// What a new case begins with.
#[derive(Deserialize)]
pub(crate) struct From {
    #[serde(default)]
    flag: String,
    #[serde(default)]
    round: String,
}

#[derive(Template)]
#[template(path = "case_new.html")]
struct NewCase {
    frame: Frame,
    flag: String,
    round: String,
    /// What it begins with, in words.
    with: String,
    title: String,
    place: String,
    at: String,
}

pub(crate) async fn new(
    State(site): State<Site>,
    officer: Officer,
    Query(From { flag, round }): Query<From>,
) -> Result<Response, Failure> {
    let frame = Frame::new(&site, &officer, "/cases", "New case");
    let (title, place, at) = if !flag.is_empty() {
        let queued = site.store.flag(&officer, &flag).await?;
        (words::finding(&queued.check_name), format!("table {}", queued.table_name), queued.time())
    } else if !round.is_empty() {
        let stored = site.store.round(&officer, &round).await?;
        (String::new(), format!("table {}", stored.table_name), crate::store::utc(stored.at))
    } else {
        (String::new(), String::new(), frame.now)
    };
    let with = [&flag, &round].map(|name| words::called(name)).concat();
    page(&NewCase { flag, round, with, title, place, at: instant::typed(at, site.setup.zone), frame })
}

/// A case to be opened.
#[derive(Deserialize)]
pub(crate) struct Opened {
    title: String,
    kind: CaseKind,
    #[serde(default)]
    place: String,
    incident_at: String,
    #[serde(default)]
    flag: String,
    #[serde(default)]
    round: String,
}

pub(crate) async fn open(
    State(site): State<Site>,
    officer: Officer,
    Form(opened): Form<Opened>,
) -> Result<Response, Failure> {
    let at = instant::read("when it happened", &opened.incident_at, site.setup.zone, None)?;
    let at = at.ok_or_else(|| Failure::Bad("when it happened: expected a time".to_owned()))?;
    let fields = Fields { title: opened.title, place: opened.place, incident_at: at.micros(), ..Fields::default() };
    let now = site.now();
    for (member, subject) in [(Member::Flag, &opened.flag), (Member::Round, &opened.round)] {
        if !subject.is_empty() {
            exists(&site, &officer, member, subject).await?;
        }
    }
    let id = site.store.open_case(&officer, &site.setup.site, opened.kind, &fields, now).await?;
    for (member, subject) in [(Member::Flag, &opened.flag), (Member::Round, &opened.round)] {
        if !subject.is_empty() {
            site.store.add_to_case(&officer, id, member, subject, now).await?;
        }
    }
    Ok(Redirect::to(&path(id)).into_response())
}

/// A field of the report.
struct Field {
    name: &'static str,
    label: &'static str,
    value: String,
    long: bool,
}

#[derive(Template)]
#[template(path = "case.html")]
struct CasePage {
    frame: Frame,
    path: String,
    report: &'static str,
    number: i64,
    title: String,
    kind: String,
    state: String,
    opened: When,
    opened_by: String,
    sealed: Option<(When, String)>,
    editable: bool,
    /// Whether all of it is of tables the officer may see.
    whole: bool,
    fields: Vec<Field>,
    users: Vec<String>,
    assignee: String,
    second: String,
    members: Vec<MemberView>,
    notes: Vec<NoteView>,
    history: Vec<Told>,
}

pub(crate) async fn show(State(site): State<Site>, officer: Officer, Path(id): Path<i64>) -> Result<Response, Failure> {
    let (case, whole) = site.store.case_for(&officer, id).await?;
    let title = format!("Case {}", case.number);
    let frame = Frame::new(&site, &officer, "/cases", title);
    site.store.viewed(&officer, format!("case {id}"), frame.now).await?;
    let mut members = Vec::new();
    for member in site.store.case_members(id).await? {
        members.push(MemberView::new(&site, &officer, &frame, member, whole).await?);
    }
    let notes = site.store.case_notes(&officer, id).await?;
    let done = site.store.log_of(&format!("case {id}")).await?;
    let users = site.store.users().await?;
    let users = users.into_iter().filter(|user| user.disabled_at.is_none()).map(|user| user.name);
    let sealed =
        case.locked_at.map(|at| (frame.when(crate::store::utc(at)), case.locked_by.clone().unwrap_or_default()));
    page(&CasePage {
        path: path(id),
        report: if case.kind == "incident" { "Incident" } else { "Dispute" },
        number: case.number,
        opened: frame.when(crate::store::utc(case.opened_at)),
        opened_by: name_and_title(&case),
        editable: whole && sealed.is_none() && officer.may(Right::Investigate),
        whole,
        sealed,
        fields: fields(&case.fields, site.setup.zone),
        users: users.collect(),
        assignee: case.assignee.unwrap_or_default(),
        second: case.fields.second_auditor.unwrap_or_default(),
        title: case.fields.title,
        kind: case.kind,
        state: case.state,
        members,
        notes: notes.into_iter().map(|note| NoteView::new(&frame, note)).collect(),
        history: done.iter().map(|entry| told(&frame, entry)).collect(),
        frame,
    })
}

fn name_and_title(case: &Case) -> String {
    match &*case.opened_by_title {
        "" => case.opened_by.clone(),
        title => format!("{}, {title}", case.opened_by),
    }
}

/// What an incident report must have, in the order it is read.
fn fields(fields: &Fields, zone: Tz) -> Vec<Field> {
    let time = |micros: i64| instant::typed(crate::store::utc(micros), zone);
    let money = |minor: i64| Money::from_minor(minor).to_string();
    let short = |name, label, value: &str| Field { name, label, value: value.to_owned(), long: false };
    let long = |name, label, value: &str| Field { name, label, value: value.to_owned(), long: true };
    vec![
        short("title", "Title", &fields.title),
        short("incident_at", "Happened at", &time(fields.incident_at)),
        short("incident_until", "Until", &fields.incident_until.map(time).unwrap_or_default()),
        short("place", "Place", &fields.place),
        short("requester", "Asked for by", &fields.requester),
        long("nature", "Nature of the matter", &fields.nature),
        long("persons", "Persons concerned", &fields.persons),
        long("witnesses", "Witnesses", &fields.witnesses),
        long("staff", "Staff present", &fields.staff),
        long("recordings", "Recordings", &fields.recordings),
        long("action", "Action taken", &fields.action),
        long("disposition", "Disposition", &fields.disposition),
        long("remarks", "Remarks", &fields.remarks),
        short("savings", "Savings", &money(fields.savings)),
        short("losses", "Losses", &money(fields.losses)),
    ]
}

/// The report as the form sends it.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Written {
    title: String,
    incident_at: String,
    incident_until: String,
    place: String,
    nature: String,
    requester: String,
    persons: String,
    witnesses: String,
    staff: String,
    recordings: String,
    action: String,
    disposition: String,
    remarks: String,
    savings: String,
    losses: String,
    second_auditor: String,
    assignee: String,
}

fn optional<T: std::str::FromStr>(what: &str, text: &str) -> Result<Option<T>, Failure>
where
    T::Err: std::fmt::Display,
{
    match text.trim() {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(|error| Failure::Bad(format!("{what}: {error}, found {text}"))),
    }
}

pub(crate) async fn write(
    State(site): State<Site>,
    officer: Officer,
    Path(id): Path<i64>,
    Form(written): Form<Written>,
) -> Result<Response, Failure> {
    let case = site.store.case(id).await?;
    let some = |name: String| Some(name).filter(|name| !name.is_empty());
    let money = |what, text: &str| optional::<Money>(what, text).map(|money| money.unwrap_or_default().minor());
    let (zone, before) = (site.setup.zone, |micros| crate::store::utc(micros));
    let at = instant::read("happened at", &written.incident_at, zone, Some(before(case.fields.incident_at)))?;
    let until = instant::read("until", &written.incident_until, zone, case.fields.incident_until.map(before))?;
    let fields = Fields {
        incident_at: at.map_or(case.fields.incident_at, Utc::micros),
        incident_until: until.map(Utc::micros),
        savings: money("savings", &written.savings)?,
        losses: money("losses", &written.losses)?,
        second_auditor: some(written.second_auditor),
        title: written.title,
        place: written.place,
        nature: written.nature,
        requester: written.requester,
        persons: written.persons,
        witnesses: written.witnesses,
        staff: written.staff,
        recordings: written.recordings,
        action: written.action,
        disposition: written.disposition,
        remarks: written.remarks,
    };
    let now = site.now();
    if fields != case.fields {
        site.store.edit_case(&officer, id, &fields, now).await?;
    }
    let assignee = some(written.assignee);
    if assignee != case.assignee {
        site.store.assign_case(&officer, id, assignee.as_deref(), now).await?;
    }
    Ok(Redirect::to(&path(id)).into_response())
}

/// Something to put in or take out.
#[derive(Deserialize)]
pub(crate) struct Added {
    kind: Member,
    subject: String,
}

pub(crate) async fn add(
    State(site): State<Site>,
    officer: Officer,
    Path(id): Path<i64>,
    Form(Added { kind, subject }): Form<Added>,
) -> Result<Response, Failure> {
    exists(&site, &officer, kind, &subject).await?;
    site.store.add_to_case(&officer, id, kind, &subject, site.now()).await?;
    Ok(Redirect::to(&path(id)).into_response())
}

/// Takes something out that does not belong there; the history keeps that it was in.
pub(crate) async fn take(
    State(site): State<Site>,
    officer: Officer,
    Path(id): Path<i64>,
    Form(Added { kind, subject }): Form<Added>,
) -> Result<Response, Failure> {
    site.store.take_from_case(&officer, id, kind, &subject, site.now()).await?;
    Ok(Redirect::to(&path(id)).into_response())
}

/// A case's state.
#[derive(Deserialize)]
pub(crate) struct Becomes {
    state: String,
}

pub(crate) async fn close(
    State(site): State<Site>,
    officer: Officer,
    Path(id): Path<i64>,
    Form(Becomes { state }): Form<Becomes>,
) -> Result<Response, Failure> {
    let closed = match &*state {
        "closed" => true,
        "open" => false,
        other => return Err(Failure::Bad(format!("state: expected open or closed, found {other}"))),
    };
    site.store.close_case(&officer, id, closed, site.now()).await?;
    Ok(Redirect::to(&path(id)).into_response())
}

pub(crate) async fn lock(State(site): State<Site>, officer: Officer, Path(id): Path<i64>) -> Result<Response, Failure> {
    site.store.lock_case(&officer, id, site.now()).await?;
    Ok(Redirect::to(&path(id)).into_response())
}

/// The case as one ZIP; seals it if this officer may.
pub(crate) async fn export(
    State(site): State<Site>,
    officer: Officer,
    Path(id): Path<i64>,
) -> Result<Response, Failure> {
    crate::api::download(&site, &officer, id).await
}

/// A note.
#[derive(Deserialize)]
pub(crate) struct Text {
    text: String,
}

pub(crate) async fn note(
    State(site): State<Site>,
    officer: Officer,
    Path(id): Path<i64>,
    Form(Text { text }): Form<Text>,
) -> Result<Response, Failure> {
    site.store.case(id).await?;
    site.store.add_note(&officer, Subject::Case, &id.to_string(), &text, site.now()).await?;
    Ok(Redirect::to(&path(id)).into_response())
}
