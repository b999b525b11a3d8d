//! One's own account, the house's accounts and settings, and the log.

use askama::Template;
use axum::Form;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

use super::frame::{Frame, page};
use super::words::When;
use crate::accounts::{Officer, Tables, password};
use crate::export::key::SiteKey;
use crate::server::{Failure, Site};

#[derive(Template)]
#[template(path = "account.html")]
struct Account {
    frame: Frame,
    tables: String,
    message: Option<String>,
}

fn account(site: &Site, officer: &Officer, message: Option<String>) -> Result<Response, Failure> {
    let tables = match &officer.tables {
        Tables::All => "All of them, also those that come.".to_owned(),
        Tables::Only(names) if names.is_empty() => "None yet. An administrator gives them.".to_owned(),
        Tables::Only(names) => names.iter().map(String::as_str).collect::<Vec<_>>().join(", "),
    };
    page(&Account { frame: Frame::new(site, officer, "/account", "Account"), tables, message })
}

pub(crate) async fn show(State(site): State<Site>, officer: Officer) -> Result<Response, Failure> {
    account(&site, &officer, None)
}

/// Light or dark.
#[derive(Deserialize)]
pub(crate) struct Theme {
    theme: String,
}

pub(crate) async fn theme(
    State(site): State<Site>,
    officer: Officer,
    Form(Theme { theme }): Form<Theme>,
) -> Result<Response, Failure> {
    let mut tx = site.store.begin().await?;
    tx.set_theme(officer.id, &theme).await?;
    tx.commit().await?;
    Ok(Redirect::to("/account").into_response())
}

/// A new password, and the old one.
#[derive(Deserialize)]
pub(crate) struct Change {
    #[serde(default)]
    old: String,
    new: String,
}

pub(crate) async fn change(
    State(site): State<Site>,
    officer: Officer,
    Form(Change { old, new }): Form<Change>,
) -> Result<Response, Failure> {
    let user = site.store.user(officer.id).await?.ok_or(Failure::LogIn)?;
    let hashed = tokio::task::spawn_blocking(move || {
        // Who came by a one-time link has no password yet.
        let right = user.password.is_none() || password::verify(&old, user.password.as_deref());
        right.then(|| password::hash(&new))
    });
    match hashed.await.map_err(Failure::broken)? {
        None => account(&site, &officer, Some("The password as it is now was not right.".to_owned())),
        Some(Err(why)) => account(&site, &officer, Some(why.to_string())),
        Some(Ok(hash)) => {
            let mut tx = site.store.begin().await?;
            tx.set_password(&officer.name, &hash, site.now(), &officer.name).await?;
            tx.commit().await?;
            Ok(Redirect::to("/login").into_response())
        }
    }
}

struct UserRow {
    name: String,
    full_name: String,
    title: String,
    role: &'static str,
    tables: String,
    state: String,
}

#[derive(Template)]
#[template(path = "users.html")]
struct Users {
    frame: Frame,
    rows: Vec<UserRow>,
}

pub(crate) async fn users(State(site): State<Site>, officer: Officer) -> Result<Response, Failure> {
    let frame = Frame::new(&site, &officer, "/account", "Users");
    let mut rows = Vec::new();
    for user in site.store.users().await? {
        let tables = match site.store.tables_of(&user).await? {
            Tables::All => "all".to_owned(),
            Tables::Only(names) => names.into_iter().collect::<Vec<_>>().join(", "),
        };
        let locked = user.locked_until.is_some_and(|until| until > frame.now.micros());
        let state = match user.disabled_at {
            Some(at) => format!("closed {}", frame.when(crate::store::utc(at)).day),
            None if locked => "locked after wrong passwords".to_owned(),
            None => "open".to_owned(),
        };
        let role = user.role.0.name();
        rows.push(UserRow { name: user.name, full_name: user.full_name, title: user.title, role, tables, state });
    }
    page(&Users { frame, rows })
}

#[derive(Template)]
#[template(path = "settings.html")]
struct Settings {
    frame: Frame,
    facts: Vec<(&'static str, String)>,
    settings: Vec<(String, String)>,
    holds: Vec<(String, When, When, String, String)>,
}

pub(crate) async fn settings(State(site): State<Site>, officer: Officer) -> Result<Response, Failure> {
    let frame = Frame::new(&site, &officer, "/account", "Settings");
    let holds = site.store.holds().await?.into_iter().filter(|hold| hold.released_at.is_none());
    let when = |at| frame.when(crate::store::utc(at));
    let holds = holds
        .map(|hold| (hold.table_name, when(hold.from_at), when(hold.until_at), hold.reason, hold.placed_by))
        .collect();
    let setup = &site.setup;
    let facts = vec![
        ("site", setup.site.clone()),
        ("zone", setup.zone.name().to_owned()),
        ("currency", setup.currency.clone()),
        ("sessions end", format!("after {} h, or {} min of rest", setup.session_hours, setup.idle_minutes)),
        ("cookies", if setup.secure { "only over TLS" } else { "also without TLS" }.to_owned()),
        ("exports are signed with", signed_with(&site)),
        ("evidence", setup.evidence.as_ref().map_or("not kept", |_| "kept in files of its own").to_owned()),
    ];
    let settings = site.store.settings().await?.into_iter().collect();
    page(&Settings { facts, settings, holds, frame })
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

/// Entries of the log on a page.
const ENTRIES: i64 = 100;

struct LogRow {
    seq: i64,
    when: When,
    actor: String,
    action: String,
    subject: String,
    short: String,
    hash: String,
}

#[derive(Template)]
#[template(path = "log.html")]
struct Log {
    frame: Frame,
    rows: Vec<LogRow>,
    before: Option<i64>,
}

/// Where in the log.
#[derive(Deserialize)]
pub(crate) struct Before {
    before: Option<i64>,
}

pub(crate) async fn log(
    State(site): State<Site>,
    officer: Officer,
    Query(Before { before }): Query<Before>,
) -> Result<Response, Failure> {
    let frame = Frame::new(&site, &officer, "/log", "Log");
    let entries = site.store.log_before(before.unwrap_or(i64::MAX), ENTRIES).await?;
    let before = entries.last().map(|entry| entry.seq).filter(|seq| *seq > 1);
    let rows = entries.into_iter().map(|entry| LogRow {
        seq: entry.seq,
        when: frame.when(crate::store::utc(entry.at)),
        actor: entry.actor,
        action: entry.action,
        subject: entry.subject,
        short: entry.hash.chars().take(12).collect(),
        hash: entry.hash,
    });
    let rows = rows.collect();
    page(&Log { frame, rows, before })
}
