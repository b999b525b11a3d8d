//! One's own account. Only whoever is logged in changes it: no token's scope covers that.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::{Answer, Body};
use crate::accounts::{Officer, Right};
use crate::pages::account::{self, Change};
use crate::server::{Failure, Routes, Site};

pub(super) fn routes() -> Routes {
    Routes::new().get("/me", Right::Known, me).put("/me/looks", Right::Own, looks).post(
        "/me/password",
        Right::Own,
        password,
    )
}

/// Who you are and what you may do
#[utoipa::path(get, path = "/api/me", responses((status = 200, description = "Your account", body = Object)))]
pub(super) async fn me(officer: Officer) -> Json<Value> {
    let rights: Vec<_> = Right::ALL.iter().filter(|right| officer.may(**right)).collect();
    Json(json!({ "name": officer.name, "full_name": officer.full_name, "title": officer.title, "role": officer.role,
                 "tables": officer.tables.names(), "rights": rights,
                 "looks": { "theme": officer.looks.theme, "suits": officer.looks.suits } }))
}

/// How the pages should look to you.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewLooks {
    /// auto, dark or light; as it is if left out
    #[schema(pattern = "^(auto|dark|light)$")]
    theme: Option<String>,
    /// How many colours the suits have, 2 or 4; as it is if left out
    suits: Option<i64>,
}

/// Chooses light or dark, and two or four colours of the suits
#[utoipa::path(put, path = "/api/me/looks", request_body = NewLooks, responses((status = 200, description = "Done", body = Object),
    (status = 403, description = "Not with a token"), (status = 409, description = "No such theme, or so many colours")))]
pub(super) async fn looks(State(site): State<Site>, officer: Officer, Body(new): Body<NewLooks>) -> Answer {
    let mut tx = site.store.begin().await?;
    if let Some(theme) = &new.theme {
        tx.set_theme(officer.id, theme).await?;
    }
    if let Some(suits) = new.suits {
        tx.set_suits(officer.id, suits).await?;
    }
    tx.commit().await?;
    Ok(Json(json!({})))
}

/// Changes your password and ends your sessions, this one included
#[utoipa::path(post, path = "/api/me/password", request_body = Change, responses((status = 200, description = "Done", body = Object),
    (status = 400, description = "The old one was not right, or the new one will not do"), (status = 403, description = "Not with a token")))]
pub(super) async fn password(State(site): State<Site>, officer: Officer, Body(change): Body<Change>) -> Answer {
    account::change_password(&site, &officer, change).await?.map_err(Failure::Bad)?;
    Ok(Json(json!({})))
}
