//! One's own account, and the log.

use askama::Template;
use axum::Form;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use table::Card;
use table::card::Rank;
use utoipa::ToSchema;

use super::frame::{Frame, page};
use super::words::When;
use crate::accounts::{Officer, Tables, password};
use crate::server::{Failure, Site};

#[derive(Template)]
#[template(path = "account.html")]
struct Account {
    frame: Frame,
    tables: String,
    message: Option<String>,
    /// An ace of each suit, to see what was chosen.
    deck: Vec<String>,
}

fn account(site: &Site, officer: &Officer, message: Option<String>) -> Result<Response, Failure> {
    let tables = match &officer.tables {
        Tables::All => "All of them, also those that come.".to_owned(),
        Tables::Only(names) if names.is_empty() => "None yet. An administrator gives them.".to_owned(),
        Tables::Only(names) => names.iter().map(String::as_str).collect::<Vec<_>>().join(", "),
    };
    let aces = Card::faces().filter(|card| card.rank() == Some(Rank::Ace));
    let deck = aces.map(crate::draw::face).collect();
    page(&Account { frame: Frame::new(site, officer, "/account", "Account"), tables, message, deck })
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

/// Two colours or four.
#[derive(Deserialize)]
pub(crate) struct Suits {
    suits: i64,
}

pub(crate) async fn suits(
    State(site): State<Site>,
    officer: Officer,
    Form(Suits { suits }): Form<Suits>,
) -> Result<Response, Failure> {
    let mut tx = site.store.begin().await?;
    tx.set_suits(officer.id, suits).await?;
    tx.commit().await?;
    Ok(Redirect::to("/account").into_response())
}

/// A new password, and the old one.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Change {
    /// As it is now; nothing for an account that has none yet
    #[serde(default)]
    old: String,
    /// At least twelve characters
    #[schema(min_length = 12)]
    new: String,
}

pub(crate) async fn change(
    State(site): State<Site>,
    officer: Officer,
    Form(change): Form<Change>,
) -> Result<Response, Failure> {
    match change_password(&site, &officer, change).await? {
        Err(why) => account(&site, &officer, Some(why)),
        Ok(()) => Ok(Redirect::to("/login").into_response()),
    }
}

/// Changes one's own password, from wherever it is asked for; says why if it stays as it is.
pub(crate) async fn change_password(
    site: &Site,
    officer: &Officer,
    Change { old, new }: Change,
) -> Result<Result<(), String>, Failure> {
    let user = site.store.user(officer.id).await?.ok_or(Failure::LogIn)?;
    let hashed = tokio::task::spawn_blocking(move || {
        // Who came by a one-time link has no password yet.
        let right = user.password.is_none() || password::verify(&old, user.password.as_deref());
        right.then(|| password::hash(&new))
    });
    let hash = match hashed.await.map_err(Failure::broken)? {
        None => return Ok(Err("The password as it is now was not right.".to_owned())),
        Some(Err(why)) => return Ok(Err(why.to_string())),
        Some(Ok(hash)) => hash,
    };
    let mut tx = site.store.begin().await?;
    tx.set_password(&officer.name, &hash, site.now(), &officer.name).await?;
    tx.commit().await?;
    Ok(Ok(()))
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
