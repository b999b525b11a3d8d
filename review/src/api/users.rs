//! Users and API tokens.

use std::collections::BTreeSet;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};
use table::{Ident, Utc};
use utoipa::ToSchema;

use super::{Answer, Body, Named};
use crate::accounts::{Officer, Right, Role, Scope, Tables, password, secret};
use crate::server::{Failure, Routes, Site};
use crate::store::users::{self, NewUser};

pub(super) fn routes() -> Routes {
    Routes::new()
        .get("/users", Right::Admin, list)
        .post("/users", Right::Admin, add)
        .put("/users/{name}", Right::Admin, change)
        .post("/users/{name}/password", Right::Admin, password)
        .get("/tokens", Right::Admin, tokens)
        .post("/tokens", Right::Admin, add_token)
        .delete("/tokens/{id}", Right::Admin, revoke_token)
}

/// Every account
#[utoipa::path(get, path = "/api/users", responses((status = 200, description = "`users`", body = Object)))]
pub(super) async fn list(State(site): State<Site>, _: Officer) -> Answer {
    let mut users: Vec<Value> = Vec::new();
    for user in site.store.users().await? {
        let tables = site.store.tables_of(&user).await?;
        users.push(json!({ "name": user.name, "full_name": user.full_name, "title": user.title, "role": user.role.0,
                           "tables": tables.names(), "disabled": user.disabled_at.is_some(),
                           "locked_until": user.locked_until.and_then(Utc::from_micros) }));
    }
    Ok(Json(json!({ "users": users })))
}

fn tables(names: Option<BTreeSet<Ident>>) -> Tables {
    names.map_or(Tables::All, |names| Tables::Only(names.iter().map(ToString::to_string).collect()))
}

/// A new account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Account {
    /// To log in with
    #[schema(value_type = String, pattern = "^[A-Za-z0-9_-]{1,32}$")]
    pub(crate) name: Ident,
    /// As it stands under a report
    pub(crate) full_name: String,
    /// As it stands under a report
    #[serde(default)]
    pub(crate) title: String,
    /// officer, investigator, manager, auditor or admin
    #[schema(value_type = String, pattern = "^(officer|investigator|manager|auditor|admin)$")]
    pub(crate) role: Role,
    /// At least twelve characters
    #[schema(min_length = 12)]
    pub(crate) password: String,
    /// The tables they may see; all if left out
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>)]
    pub(crate) tables: Option<BTreeSet<Ident>>,
}

async fn hashed(given: String) -> Result<String, Failure> {
    let hash = tokio::task::spawn_blocking(move || password::hash(&given)).await.map_err(Failure::broken)?;
    hash.map_err(|error| Failure::Bad(error.to_string()))
}

/// Makes an account
#[utoipa::path(post, path = "/api/users", request_body = Account, responses((status = 200, description = "`id`", body = Object),
    (status = 400, description = "The password will not do"), (status = 409, description = "The name is taken")))]
pub(super) async fn add(State(site): State<Site>, officer: Officer, Body(new): Body<Account>) -> Answer {
    let id = make_account(&site, &officer, new).await?;
    Ok(Json(json!({ "id": id })))
}

/// Makes an account, from wherever it is asked for.
pub(crate) async fn make_account(site: &Site, officer: &Officer, new: Account) -> Result<i64, Failure> {
    let hash = hashed(new.password).await?;
    let user = NewUser {
        name: new.name.as_str(),
        full_name: &new.full_name,
        title: &new.title,
        role: new.role,
        password: Some(hash),
        tables: tables(new.tables),
    };
    let mut tx = site.store.begin().await?;
    let id = tx.add_user(&user, site.now(), &officer.name).await?;
    tx.commit().await?;
    Ok(id)
}

/// What somebody may do from now on.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Change {
    /// officer, investigator, manager, auditor or admin
    #[schema(value_type = String, pattern = "^(officer|investigator|manager|auditor|admin)$")]
    pub(crate) role: Role,
    /// The tables they may see; all if left out
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>)]
    pub(crate) tables: Option<BTreeSet<Ident>>,
    /// true closes the account
    #[serde(default)]
    pub(crate) disabled: bool,
}

/// Changes what somebody may do
#[utoipa::path(put, path = "/api/users/{name}", params(("name" = String, Path, description = "Who")), request_body = Change,
    responses((status = 200, description = "Done", body = Object), (status = 404, description = "No such user"),
              (status = 409, description = "Nobody closes or demotes themselves")))]
pub(super) async fn change(
    State(site): State<Site>,
    officer: Officer,
    Named(name): Named<String>,
    Body(change): Body<Change>,
) -> Answer {
    change_account(&site, &officer, &name, change).await?;
    Ok(Json(json!({})))
}

/// Changes an account, from wherever it is asked for.
pub(crate) async fn change_account(site: &Site, officer: &Officer, name: &str, change: Change) -> Result<(), Failure> {
    if name == officer.name && (change.disabled || change.role != officer.role) {
        return Err(Failure::Refused("another administrator must do that".to_owned()));
    }
    let user = site.store.user_named(name).await?.ok_or_else(|| Failure::Missing(format!("user {name}")))?;
    let mut tx = site.store.begin().await?;
    tx.set_rights(name, change.role, &tables(change.tables), site.now(), &officer.name).await?;
    if change.disabled != user.disabled_at.is_some() {
        tx.disable_user(name, change.disabled, site.now(), &officer.name).await?;
    }
    Ok(tx.commit().await?)
}

/// A password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewPassword {
    /// At least twelve characters
    #[schema(min_length = 12)]
    password: String,
}

/// Gives somebody another password and ends their sessions
#[utoipa::path(post, path = "/api/users/{name}/password", params(("name" = String, Path, description = "Who")), request_body = NewPassword,
    responses((status = 200, description = "Done", body = Object), (status = 400, description = "It will not do"), (status = 404, description = "No such user")))]
pub(super) async fn password(
    State(site): State<Site>,
    officer: Officer,
    Named(name): Named<String>,
    Body(new): Body<NewPassword>,
) -> Answer {
    reset_password(&site, &officer, &name, new.password).await?;
    Ok(Json(json!({})))
}

/// Gives somebody another password, from wherever it is asked for.
pub(crate) async fn reset_password(
    site: &Site,
    officer: &Officer,
    name: &str,
    password: String,
) -> Result<(), Failure> {
    let hash = hashed(password).await?;
    let mut tx = site.store.begin().await?;
    tx.set_password(name, &hash, site.now(), &officer.name).await?;
    Ok(tx.commit().await?)
}

/// Every API token
#[utoipa::path(get, path = "/api/tokens", responses((status = 200, description = "`tokens`", body = Object)))]
pub(super) async fn tokens(State(site): State<Site>, _: Officer) -> Answer {
    Ok(Json(json!({ "tokens": site.store.api_tokens().await? })))
}

/// A token to be made.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewToken {
    /// Whose rights it has at most
    user: String,
    /// What it is for
    name: String,
    /// Some of read, decide, export, admin
    #[schema(value_type = Vec<String>)]
    scopes: BTreeSet<Scope>,
    /// Until this UTC time; for ever if left out
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    expires: Option<Utc>,
}

/// Makes an API token, which is shown this once
#[utoipa::path(post, path = "/api/tokens", request_body = NewToken, responses((status = 200, description = "`id` and `token`", body = Object),
    (status = 404, description = "No such user"), (status = 409, description = "The name is taken, or there is no scope")))]
pub(super) async fn add_token(State(site): State<Site>, officer: Officer, Body(new): Body<NewToken>) -> Answer {
    let token = secret::fresh().map_err(Failure::broken)?;
    let scopes: Vec<Scope> = new.scopes.into_iter().collect();
    let hash = secret::hashed(&token);
    let made = users::NewToken { name: &new.name, hash: &hash, scopes: &scopes, expires: new.expires };
    let mut tx = site.store.begin().await?;
    let id = tx.add_token(&new.user, &made, site.now(), &officer.name).await?;
    tx.commit().await?;
    Ok(Json(json!({ "id": id, "token": token })))
}

/// Makes an API token useless
#[utoipa::path(delete, path = "/api/tokens/{id}", params(("id" = i64, Path, description = "Which")),
    responses((status = 200, description = "Done", body = Object), (status = 404, description = "No such token")))]
pub(super) async fn revoke_token(State(site): State<Site>, officer: Officer, Named(id): Named<i64>) -> Answer {
    let mut tx = site.store.begin().await?;
    tx.revoke_token(id, site.now(), &officer.name).await?;
    tx.commit().await?;
    Ok(Json(json!({})))
}
