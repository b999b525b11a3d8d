//! How the house is set up: its accounts, settings and holds, and changing them.

use std::collections::BTreeSet;

use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use table::{Ident, Severity};

use super::frame::{Frame, page};
use super::instant;
use super::words::When;
use crate::accounts::{Officer, Role, Tables};
use crate::api::{self, Account, Change, NewHold, NewSubscriber};
use crate::export::key::SiteKey;
use crate::server::{Failure, Site};
use crate::settings;
use crate::store::site::{Channel, Subscriber};

struct UserRow {
    name: String,
    full_name: String,
    title: String,
    role: &'static str,
    /// The tables as the form takes them; nothing for all.
    tables: String,
    state: String,
    closed: bool,
    /// Whether it is one's own, whose role another administrator must change.
    own: bool,
}

#[derive(Template)]
#[template(path = "users.html")]
struct Users {
    frame: Frame,
    rows: Vec<UserRow>,
    roles: Vec<&'static str>,
}

pub(crate) async fn users(State(site): State<Site>, officer: Officer) -> Result<Response, Failure> {
    let frame = Frame::new(&site, &officer, "/account", "Users");
    let mut rows = Vec::new();
    for user in site.store.users().await? {
        let tables = match site.store.tables_of(&user).await? {
            Tables::All => String::new(),
            Tables::Only(names) if names.is_empty() => "none".to_owned(),
            Tables::Only(names) => names.into_iter().collect::<Vec<_>>().join(", "),
        };
        let locked = user.locked_until.is_some_and(|until| until > frame.now.micros());
        let state = match user.disabled_at {
            Some(at) => format!("closed {}", frame.when(crate::store::utc(at)).day),
            None if locked => "locked after wrong passwords".to_owned(),
            None => "open".to_owned(),
        };
        rows.push(UserRow {
            own: user.name == officer.name,
            name: user.name,
            full_name: user.full_name,
            title: user.title,
            role: user.role.0.name(),
            tables,
            state,
            closed: user.disabled_at.is_some(),
        });
    }
    page(&Users { frame, rows, roles: Role::ALL.iter().map(|role| role.name()).collect() })
}

/// Tables as somebody types them: names between commas, nothing for all, `none` for none.
fn tables(typed: &str) -> Result<Option<BTreeSet<Ident>>, Failure> {
    match typed.trim() {
        "" => Ok(None),
        "none" => Ok(Some(BTreeSet::new())),
        names => {
            let name = |name: &str| {
                name.trim().parse().map_err(|error| Failure::Bad(format!("tables: {error}, found {name}")))
            };
            names.split(',').map(name).collect::<Result<_, _>>().map(Some)
        }
    }
}

/// An account as the form sends it.
#[derive(Deserialize)]
pub(crate) struct NewUser {
    name: Ident,
    full_name: String,
    #[serde(default)]
    title: String,
    role: Role,
    password: String,
    #[serde(default)]
    tables: String,
}

pub(crate) async fn add_user(
    State(site): State<Site>,
    officer: Officer,
    Form(new): Form<NewUser>,
) -> Result<Response, Failure> {
    let NewUser { name, full_name, title, role, password, tables: typed } = new;
    let account = Account { name, full_name, title, role, password, tables: tables(&typed)? };
    api::make_account(&site, &officer, account).await?;
    Ok(Redirect::to("/users").into_response())
}

/// What somebody may do, as the form sends it.
#[derive(Deserialize)]
pub(crate) struct Rights {
    role: Role,
    #[serde(default)]
    tables: String,
    /// There if the box is ticked.
    closed: Option<String>,
}

pub(crate) async fn change_user(
    State(site): State<Site>,
    officer: Officer,
    Path(name): Path<String>,
    Form(rights): Form<Rights>,
) -> Result<Response, Failure> {
    let change = Change { role: rights.role, tables: tables(&rights.tables)?, disabled: rights.closed.is_some() };
    api::change_account(&site, &officer, &name, change).await?;
    Ok(Redirect::to("/users").into_response())
}

/// A password.
#[derive(Deserialize)]
pub(crate) struct Password {
    password: String,
}

pub(crate) async fn reset_password(
    State(site): State<Site>,
    officer: Officer,
    Path(name): Path<String>,
    Form(Password { password }): Form<Password>,
) -> Result<Response, Failure> {
    api::reset_password(&site, &officer, &name, password).await?;
    Ok(Redirect::to("/users").into_response())
}

struct SettingRow {
    name: &'static str,
    what: &'static str,
    usual: &'static str,
    value: String,
}

struct HoldRow {
    id: i64,
    table: String,
    from: When,
    until: When,
    reason: String,
    who: String,
}

#[derive(Template)]
#[template(path = "settings.html")]
struct Settings {
    frame: Frame,
    facts: Vec<(&'static str, String)>,
    settings: Vec<SettingRow>,
    holds: Vec<HoldRow>,
    subscribers: Vec<Subscriber>,
    channels: &'static [Channel],
    severities: &'static [Severity],
    /// The key of a webhook that was made just now.
    secret: Option<String>,
}

pub(crate) async fn settings(State(site): State<Site>, officer: Officer) -> Result<Response, Failure> {
    settings_page(&site, &officer, None).await
}

async fn settings_page(site: &Site, officer: &Officer, secret: Option<String>) -> Result<Response, Failure> {
    let frame = Frame::new(site, officer, "/account", "Settings");
    let when = |at| frame.when(crate::store::utc(at));
    let holds = site.store.holds().await?.into_iter().filter(|hold| hold.released_at.is_none());
    let holds = holds.map(|hold| HoldRow {
        id: hold.id,
        table: hold.table_name,
        from: when(hold.from_at),
        until: when(hold.until_at),
        reason: hold.reason,
        who: hold.placed_by,
    });
    let holds = holds.collect();
    let setup = &site.setup;
    let facts = vec![
        ("site", setup.site.clone()),
        ("zone", setup.zone.name().to_owned()),
        ("currency", setup.currency.clone()),
        ("sessions end", format!("after {} h, or {} min of rest", setup.session_hours, setup.idle_minutes)),
        ("cookies", if setup.secure { "only over TLS" } else { "also without TLS" }.to_owned()),
        ("exports are signed with", signed_with(site)),
        ("evidence", setup.evidence.as_ref().map_or("not kept", |_| "kept in files of its own").to_owned()),
    ];
    let changed = site.store.settings().await?;
    let settings = settings::ALL.iter().map(|setting| SettingRow {
        name: setting.name,
        what: setting.what,
        usual: setting.usual,
        value: setting.among(&changed).to_string(),
    });
    page(&Settings {
        facts,
        settings: settings.collect(),
        holds,
        subscribers: site.store.subscribers().await?,
        channels: Channel::ALL,
        severities: Severity::ALL,
        secret,
        frame,
    })
}

/// The fingerprint of the key that exports are signed with, which the site tells those who receive them.
fn signed_with(site: &Site) -> String {
    match site.setup.signing_key.as_deref().map(SiteKey::open_or_make) {
        None => "nothing: no key was chosen".to_owned(),
        Some(Ok(key)) => format!("an Ed25519 key; SHA-256 {}", key.public()),
        Some(Err(error)) => {
            tracing::warn!(%error, "the key of the site cannot be used");
            "a key that cannot be used; the server's own log says why".to_owned()
        }
    }
}

/// A value.
#[derive(Deserialize)]
pub(crate) struct Value {
    value: String,
}

pub(crate) async fn set(
    State(site): State<Site>,
    officer: Officer,
    Path(name): Path<String>,
    Form(Value { value }): Form<Value>,
) -> Result<Response, Failure> {
    api::change_setting(&site, &officer, &name, &value).await?;
    Ok(Redirect::to("/settings").into_response())
}

/// A hold as the form sends it.
#[derive(Deserialize)]
pub(crate) struct Held {
    table: Ident,
    from: String,
    until: String,
    reason: String,
}

pub(crate) async fn hold(
    State(site): State<Site>,
    officer: Officer,
    Form(Held { table, from, until, reason }): Form<Held>,
) -> Result<Response, Failure> {
    let time = |what: &str, text: &str| {
        let read = instant::read(what, text, site.setup.zone, None)?;
        read.ok_or_else(|| Failure::Bad(format!("{what}: expected a time")))
    };
    let (from, until) = (time("from", &from)?, time("until", &until)?);
    api::place_hold(&site, &officer, &NewHold { table, from, until, reason }).await?;
    Ok(Redirect::to("/settings").into_response())
}

pub(crate) async fn release(
    State(site): State<Site>,
    officer: Officer,
    Path(id): Path<i64>,
) -> Result<Response, Failure> {
    site.store.release(&officer, id, site.now()).await?;
    Ok(Redirect::to("/settings").into_response())
}

/// Somebody to be told, as the form sends it.
#[derive(Deserialize)]
pub(crate) struct ToTell {
    kind: Channel,
    target: String,
    least: Severity,
}

/// Shows the page at once, and no other: a webhook's secret is shown this once.
pub(crate) async fn subscribe(
    State(site): State<Site>,
    officer: Officer,
    Form(ToTell { kind, target, least }): Form<ToTell>,
) -> Result<Response, Failure> {
    let (_, secret) = api::add_subscriber(&site, &officer, &NewSubscriber { kind, target, least }).await?;
    match secret {
        Some(secret) => settings_page(&site, &officer, Some(secret)).await,
        None => Ok(Redirect::to("/settings").into_response()),
    }
}

pub(crate) async fn unsubscribe(
    State(site): State<Site>,
    officer: Officer,
    Path(id): Path<i64>,
) -> Result<Response, Failure> {
    site.store.unsubscribe(&officer, id, site.now()).await?;
    Ok(Redirect::to("/settings").into_response())
}
