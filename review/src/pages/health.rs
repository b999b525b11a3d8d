//! Health: what cameras, shoes, sensors and clocks said last, and when each table last sent a round.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use table::{Ident, Utc};

use super::footage;
use super::frame::{Frame, page};
use super::words::When;
use crate::accounts::Officer;
use crate::server::{Failure, Site};
use crate::store::people::{Question, Whose};

struct Row {
    table: String,
    source: String,
    state: String,
    good: bool,
    detail: String,
    when: When,
}

struct TableRow {
    name: String,
    last: Option<When>,
    cameras: Vec<String>,
}

#[derive(Template)]
#[template(path = "health.html")]
struct Health {
    frame: Frame,
    notices: Vec<String>,
    rows: Vec<Row>,
    tables: Vec<TableRow>,
}

/// States that need nobody's attention.
const GOOD: &[&str] = &["ok", "unlocked"];

pub(crate) async fn show(State(site): State<Site>, officer: Officer) -> Result<Response, Failure> {
    let frame = Frame::new(&site, &officer, "/health", "Health");
    let reported = site.store.health(&officer).await?;
    let rows: Vec<_> = reported
        .into_iter()
        .map(|health| Row {
            good: GOOD.contains(&&*health.state),
            when: frame.when(crate::store::utc(health.at)),
            table: health.table_name,
            source: health.source,
            state: health.state,
            detail: health.detail,
        })
        .collect();
    let notice = |row: &Row| match &*row.state {
        "clock-jump" => {
            format!("The clock of {} at {} jumped: times around then are not exact.", row.source, row.table)
        }
        state if row.detail.is_empty() => format!("{}, {}: {state}.", row.table, row.source),
        state => format!("{}, {}: {state}, {}.", row.table, row.source, row.detail),
    };
    let notices = rows.iter().filter(|row| !row.good).map(notice).collect();
    let ever = Question { whose: Whose::Table, name: None, from: Utc::EPOCH, until: frame.now, weekly: false };
    let mut tables = Vec::new();
    for stretch in site.store.stretches(&officer, &ever).await? {
        let latest = site.store.shoes(&stretch.name, 1).await?;
        let last = match latest.first() {
            Some(shoe) => site.store.shoe_rounds(&officer, &stretch.name, shoe.shoe).await?.last().map(|last| last.at),
            None => None,
        };
        let cameras = match stretch.name.parse::<Ident>() {
            Ok(table) => footage::cameras(&site, &table).await?,
            Err(_) => Vec::new(),
        };
        tables.push(TableRow { name: stretch.name, last: last.map(|at| frame.when(crate::store::utc(at))), cameras });
    }
    page(&Health { frame, notices, rows, tables })
}
