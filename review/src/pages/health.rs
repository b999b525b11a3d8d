//! Health: which tables are watched and how far their results are behind, and what cameras, shoes, sensors and clocks said last.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use table::Ident;

use super::footage;
use super::frame::{Frame, page};
use super::round::several;
use super::words::{self, When};
use crate::accounts::Officer;
use crate::server::{Failure, Site};
use crate::store::watches::{Doing, Watch};

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
    /// Whether it is watched, in words, and whether that needs nobody's attention.
    watched: String,
    good: bool,
    /// How far its results are behind what its devices say; nothing where that is not known.
    lag: Option<String>,
    last: Option<When>,
    cameras: Vec<String>,
}

#[derive(Template)]
#[template(path = "health.html")]
struct Health {
    frame: Frame,
    now: When,
    notices: Vec<String>,
    rows: Vec<Row>,
    tables: Vec<TableRow>,
}

/// States that need nobody's attention.
const GOOD: &[&str] = &["ok", "unlocked"];

/// A table, whether somebody watches it, and what it last sent.
pub(crate) struct Standing {
    pub(crate) table: String,
    /// As whoever watches it said last; nothing if nobody ever did.
    pub(crate) watch: Option<Watch>,
    /// When its last round began.
    pub(crate) last_at: Option<i64>,
    pub(crate) cameras: Vec<String>,
}

/// Every table an officer may see that sent a round or is watched, by name.
pub(crate) async fn tables(site: &Site, officer: &Officer) -> Result<Vec<Standing>, Failure> {
    let mut watches = site.store.watches(officer).await?;
    let mut names = site.store.tables(officer).await?;
    names.extend(watches.iter().map(|watch| watch.table_name.clone()));
    names.sort();
    names.dedup();
    let mut tables = Vec::with_capacity(names.len());
    for table in names {
        let watch = watches.iter().position(|watch| watch.table_name == table).map(|at| watches.swap_remove(at));
        let last_at = site.store.last_round(&table).await?.map(|(.., at)| at);
        let cameras = match table.parse::<Ident>() {
            Ok(table) => footage::cameras(site, &table).await?,
            Err(_) => Vec::new(),
        };
        tables.push(Standing { table, watch, last_at, cameras });
    }
    Ok(tables)
}

pub(crate) async fn show(State(site): State<Site>, officer: Officer) -> Result<Response, Failure> {
    let frame = Frame::new(&site, &officer, "/health", "Health");
    let rows: Vec<_> = site
        .store
        .health(&officer)
        .await?
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
    let tables = tables(&site, &officer).await?;
    let troubles = tables.iter().filter_map(|table| trouble(&frame, table));
    let notices = troubles.chain(rows.iter().filter(|row| !row.good).map(notice)).collect();
    let tables = tables.into_iter().map(|table| row(&frame, table)).collect();
    page(&Health { now: frame.when(frame.now), frame, notices, rows, tables })
}

fn notice(row: &Row) -> String {
    match &*row.state {
        "clock-jump" => {
            format!("The clock of {} at {} jumped: times around then are not exact.", row.source, row.table)
        }
        state if row.detail.is_empty() => format!("{}, {}: {state}.", row.table, row.source),
        state => format!("{}, {}: {state}, {}.", row.table, row.source, row.detail),
    }
}

/// What is wrong with the watch over a table.
fn trouble(frame: &Frame, Standing { table, watch, .. }: &Standing) -> Option<String> {
    let watch = watch.as_ref()?;
    let doing = watch.doing(frame.now);
    if doing.is_some() && !watch.failure.is_empty() {
        return Some(format!("{table} is not watched: {}.", watch.failure));
    }
    // Whoever stopped on purpose is no trouble; whoever fell silent is.
    let silent = doing.is_none() && watch.doing != Doing::Stopped.name();
    silent.then(|| {
        let when = frame.when(crate::store::utc(watch.at));
        format!(
            "Nobody has watched {table} since {}, {}, and nobody stopped it: look at fairdeal run.",
            when.clock, when.day
        )
    })
}

fn row(frame: &Frame, Standing { table, watch, last_at, cameras }: Standing) -> TableRow {
    let doing = watch.as_ref().and_then(|watch| watch.doing(frame.now));
    let when = |at: i64| frame.when(crate::store::utc(at));
    let watched = match (&watch, doing) {
        (None, _) => "never".to_owned(),
        (Some(watch), None) => {
            let when = when(watch.at);
            format!("not running since {}, {}", when.clock, when.day)
        }
        (_, Some(Doing::Watching)) => "yes".to_owned(),
        (_, Some(Doing::Starting)) => "starting".to_owned(),
        (_, Some(Doing::Catching)) => "catching up with what was recorded".to_owned(),
        (_, Some(Doing::Ended)) => "its feeds have ended".to_owned(),
        (_, Some(Doing::Failed | Doing::Stopped)) => "failed, tried again soon".to_owned(),
    };
    TableRow {
        good: matches!(doing, Some(Doing::Watching | Doing::Starting | Doing::Catching | Doing::Ended)),
        lag: watch.as_ref().filter(|_| doing.is_some()).and_then(lag),
        name: table,
        watched,
        last: last_at.map(when),
        cameras,
    }
}

/// How far a table's results are behind, in words.
fn lag(watch: &Watch) -> Option<String> {
    let mut told = watch.lag.map(|lag| format!("{} behind", words::length(lag)));
    if let (Some(told), Some(most)) = (&mut told, watch.lag_most) {
        told.push_str(&format!(", 99 % within {}", words::length(most)));
    }
    if watch.waiting > 0 {
        let waits = several(usize::try_from(watch.waiting).unwrap_or(usize::MAX), "round");
        told = Some(
            [told, Some(format!("{waits} not yet in the database"))]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join("; "),
        );
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(lag: Option<i64>, waiting: i64) -> Watch {
        Watch {
            table_name: "BJ-04".to_owned(),
            at: 0,
            doing: Doing::Watching.name().to_owned(),
            since_at: None,
            heard_at: None,
            lag,
            lag_half: lag,
            lag_most: lag.map(|lag| lag * 3),
            waiting,
            failure: String::new(),
        }
    }

    #[test]
    fn lag_is_told_with_its_unit_and_nothing_is_made_up() {
        assert_eq!(lag(&watch(None, 0)), None);
        assert_eq!(lag(&watch(Some(38_000), 0)).unwrap(), "38 ms behind, 99 % within 114 ms");
        assert_eq!(
            lag(&watch(Some(4_250_000), 1)).unwrap(),
            "4.3 s behind, 99 % within 13 s; 1 round not yet in the database"
        );
        assert_eq!(lag(&watch(None, 12)).unwrap(), "12 rounds not yet in the database");
    }
}
