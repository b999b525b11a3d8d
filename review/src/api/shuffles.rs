//! Shuffles: one shoe's report, and the evidence along a dealer, a table or a shuffling machine.

use auditor::shuffle::{PIT_YEAR, rounded};
use axum::Json;
use axum::extract::State;
use serde_json::json;

use super::flags::time;
use super::{Answer, Named};
use crate::accounts::{Officer, Right};
use crate::pages::shoe;
use crate::pages::shuffles::{self, Along, Shoe};
use crate::server::{Failure, Routes, Site};

pub(super) fn routes() -> Routes {
    Routes::new()
        .get("/shoes/{table}/{shoe}/shuffle", Right::Read, report)
        .get("/dealers/{name}/shuffles", Right::Read, of_dealer)
        .get("/tables/{name}/shuffles", Right::Read, of_table)
        .get("/shufflers/{name}/shuffles", Right::Read, of_shuffler)
}

/// Whether a shoe is a fair shuffle of what went in, as fairdeal shuffle says it. Looking at it is recorded
#[utoipa::path(get, path = "/api/shoes/{table}/{shoe}/shuffle", params(("table" = String, Path, description = "The table"),
    ("shoe" = i64, Path, description = "The shoe's number")), responses(
    (status = 200, description = "The report, with `table`, `shoe`, `machine` and `doubted`: cards whose unsure sightings were not counted", body = Object),
    (status = 404, description = "No such shoe, or not at your tables"), (status = 409, description = "It cannot be judged: why")))]
pub(super) async fn report(
    State(site): State<Site>,
    officer: Officer,
    Named((table, number)): Named<(String, i64)>,
) -> Answer {
    let rounds = shoe::parsed(&site.store.shoe_rounds(&officer, &table, number).await?)?;
    site.store.viewed(&officer, format!("shoe {table}.{number}"), site.now()).await?;
    let judged = shoe::judge_shuffle(&site, &officer, &table, number, rounds).await?.map_err(Failure::Refused)?;
    let mut json = judged.report.to_json(judged.dealt.orders.decks);
    json["table"] = table.into();
    json["shoe"] = number.into();
    json["machine"] = judged.dealt.machine.into();
    json["doubted"] = json!(judged.doubted);
    Ok(Json(json))
}

/// The latest shuffles of a dealer and the evidence along them. Looking at them is recorded
#[utoipa::path(get, path = "/api/dealers/{name}/shuffles", params(("name" = String, Path, description = "The dealer")), responses(
    (status = 200, description = "`shuffles`, `evidence`, whether it is `drifting`, and `said`", body = Object),
    (status = 404, description = "No shoe of theirs, or none at your tables")))]
pub(super) async fn of_dealer(State(site): State<Site>, officer: Officer, Named(name): Named<String>) -> Answer {
    series(&site, &officer, Along::Dealer, &name).await
}

/// The latest shuffles at a table and the evidence along them. Looking at them is recorded
#[utoipa::path(get, path = "/api/tables/{name}/shuffles", params(("name" = String, Path, description = "The table")), responses(
    (status = 200, description = "`shuffles`, `evidence`, whether it is `drifting`, and `said`", body = Object),
    (status = 404, description = "No shoe there, or not at your tables")))]
pub(super) async fn of_table(State(site): State<Site>, officer: Officer, Named(name): Named<String>) -> Answer {
    series(&site, &officer, Along::Table, &name).await
}

/// The latest shuffles by a machine and the evidence along them. Looking at them is recorded
#[utoipa::path(get, path = "/api/shufflers/{name}/shuffles", params(("name" = String, Path, description = "The shuffling machine")), responses(
    (status = 200, description = "`shuffles`, `evidence`, whether it is `drifting`, and `said`", body = Object),
    (status = 404, description = "No shoe of it, or none at your tables")))]
pub(super) async fn of_shuffler(State(site): State<Site>, officer: Officer, Named(name): Named<String>) -> Answer {
    series(&site, &officer, Along::Shuffler, &name).await
}

async fn series(site: &Site, officer: &Officer, along: Along, name: &str) -> Answer {
    let series = shuffles::series(site, officer, along, name).await?;
    let shuffle = |shoe: &Shoe| {
        let judged = shoe.judged.map(|judged| {
            json!({ "p": rounded(judged.p), "e": rounded(judged.e), "verdict": judged.verdict.name(),
                    "machine": judged.machine })
        });
        json!({ "table": shoe.table, "shoe": shoe.shoe, "at": time(shoe.began_at), "judged": judged,
                "evidence": rounded(shoe.evidence) })
    };
    let ledger = &series.ledger;
    Ok(Json(json!({ "series": series.whose, "shoes": ledger.shoes, "evidence": rounded(ledger.evidence),
                    "drifting": ledger.is_beyond(PIT_YEAR), "power_note": ledger.power_note(PIT_YEAR),
                    "said": series.said(), "shuffles": series.shoes.iter().map(shuffle).collect::<Vec<_>>() })))
}
