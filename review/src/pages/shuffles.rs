//! The shuffles of a dealer, a table or a shuffling machine one after another: each one's p, and the evidence that adds up
//! along them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use askama::Template;
use auditor::shuffle::{Ledger, PIT_YEAR, Verdict, short};
use axum::extract::{Path, State};
use axum::response::Response;

use super::frame::{Frame, page};
use super::round::several;
use super::shoe::parsed;
use super::shuffle::{self, rough};
use super::words::When;
use crate::accounts::Officer;
use crate::draw::{self, Odds};
use crate::server::{Failure, Site};
use crate::store::StoreError;
use crate::store::rounds::StoredRound;

/// The latest shoes that are looked at.
const SHOES: i64 = 24;
/// So much evidence proper shuffles give once in as many shoes: less than an alarm, and more than nothing.
const ODD: f64 = 1000.0;
/// With fewer shoes judged, nothing found says nothing.
const FEWEST: u32 = 5;

/// Whose shuffles are followed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Along {
    /// Whoever dealt the first round of a shoe, and so shuffled it.
    Dealer,
    /// A table.
    Table,
    /// A shuffling machine, wherever it stood.
    Shuffler,
}

impl Along {
    const fn name(self) -> &'static str {
        match self {
            Self::Dealer => "dealer",
            Self::Table => "table",
            Self::Shuffler => "shuffling machine",
        }
    }
}

/// What is kept of a shuffle once it was judged: p, e, whether it is suspect or too little was seen, and whether a machine
/// made it.
#[derive(Clone, Copy)]
pub(crate) struct Judged {
    pub(crate) p: f64,
    pub(crate) e: f64,
    pub(crate) verdict: Verdict,
    pub(crate) machine: bool,
}

/// Shuffles that were judged since the server began, by the last rounds of the two shoes: judging one takes a moment.
#[derive(Default)]
pub(crate) struct Shuffles {
    judged: Mutex<HashMap<(i64, i64), Option<Judged>>>,
}

/// A shoe of the page's table.
struct Row {
    path: String,
    name: String,
    began: When,
    /// p, evidence so far and verdict; none where the shuffle cannot be judged.
    judged: Option<(String, String, &'static str)>,
    suspect: bool,
}

#[derive(Template)]
#[template(path = "shuffles.html")]
struct ShufflesPage {
    frame: Frame,
    /// The page of the dealer or the table; a machine has none but this.
    back: Option<String>,
    whose: String,
    /// The machine that stands at the table, if it is a table's page.
    shuffler: Option<String>,
    bad: bool,
    said: String,
    surprises: String,
    evidence: String,
    rows: Vec<Row>,
}

pub(crate) async fn of_dealer(
    State(site): State<Site>,
    officer: Officer,
    Path(name): Path<String>,
) -> Result<Response, Failure> {
    show(&site, &officer, Along::Dealer, &name).await
}

pub(crate) async fn of_table(
    State(site): State<Site>,
    officer: Officer,
    Path(name): Path<String>,
) -> Result<Response, Failure> {
    show(&site, &officer, Along::Table, &name).await
}

pub(crate) async fn of_shuffler(
    State(site): State<Site>,
    officer: Officer,
    Path(name): Path<String>,
) -> Result<Response, Failure> {
    show(&site, &officer, Along::Shuffler, &name).await
}

/// A shoe of a series: what was made of its shuffle, unless it cannot be judged, and the evidence up to it.
pub(crate) struct Shoe {
    pub(crate) table: String,
    pub(crate) shoe: i64,
    pub(crate) began_at: i64,
    pub(crate) judged: Option<Judged>,
    pub(crate) evidence: f64,
}

/// Shuffles one after another, the oldest first.
pub(crate) struct Series {
    pub(crate) whose: String,
    pub(crate) shoes: Vec<Shoe>,
    pub(crate) ledger: Ledger,
    suspects: usize,
}

impl Series {
    /// What there is to say of them all.
    pub(crate) fn said(&self) -> String {
        said(&self.ledger, self.suspects)
    }
}

/// The latest shuffles of somebody, at the tables an officer may see. Looking at them is recorded.
pub(crate) async fn series(site: &Site, officer: &Officer, along: Along, name: &str) -> Result<Series, Failure> {
    let mut shoes = match along {
        Along::Dealer => site.store.shoes_of(name, SHOES).await?,
        Along::Table => site.store.shoes(name, SHOES).await?,
        Along::Shuffler => site.store.shoes_shuffled_by(name, SHOES).await?,
    };
    let whose = format!("{} {name}", along.name());
    shoes.retain(|shoe| officer.tables.include(&shoe.table_name));
    if shoes.is_empty() {
        return Err(Failure::Missing(format!("{whose} with a shoe")));
    }
    site.store.viewed(officer, format!("shuffles of {whose}"), site.now()).await?;
    let mut series = Series { whose, shoes: Vec::new(), ledger: Ledger::default(), suspects: 0 };
    for shoe in shoes.into_iter().rev() {
        let judged = judge(site, officer, &shoe.table_name, shoe.shoe).await?;
        // What was shuffled by hand beside a machine says nothing about it.
        let judged = judged.filter(|judged| along != Along::Shuffler || judged.machine);
        if let Some(judged) = judged {
            series.ledger.enter(judged.e);
            series.suspects += usize::from(judged.verdict == Verdict::Suspect);
        }
        let evidence = series.ledger.evidence;
        let (table, number) = (shoe.table_name, shoe.shoe);
        series.shoes.push(Shoe { table, shoe: number, began_at: shoe.began_at, judged, evidence });
    }
    Ok(series)
}

async fn show(site: &Site, officer: &Officer, along: Along, name: &str) -> Result<Response, Failure> {
    let (here, back) = match along {
        Along::Dealer => ("/dealers", Some(format!("/dealers/{name}"))),
        Along::Table => ("/tables", Some(format!("/tables/{name}"))),
        Along::Shuffler => ("/tables", None),
    };
    let series = series(site, officer, along, name).await?;
    let shuffler = if along == Along::Table { site.store.shuffler_at(name).await? } else { None };
    let frame = Frame::new(site, officer, here, format!("Shuffles of {}", series.whose));
    let (mut rows, mut surprises, mut evidence) = (Vec::new(), Vec::new(), Vec::new());
    for shoe in &series.shoes {
        let name = || format!("shoe {}", shoe.shoe);
        let p = shoe.judged.map_or(1.0, |judged| judged.p);
        let power = |times: f64| shoe.judged.map(|_| times.max(1.0).log10());
        let told = format!("one in {}", short((1.0 / p).round()));
        surprises.push(Odds { name: name(), power: power(1.0 / p), told });
        let so_far = gathered(shoe.evidence);
        evidence.push(Odds { name: name(), power: power(shoe.evidence), told: format!("{so_far} to 1") });
        rows.push(Row {
            path: format!("/shoes/{}/{}", shoe.table, shoe.shoe),
            name: format!("{} shoe {}", shoe.table, shoe.shoe),
            began: frame.when(crate::store::utc(shoe.began_at)),
            judged: shoe.judged.map(|judged| (rough(judged.p), so_far, judged.verdict.name())),
            suspect: shoe.judged.is_some_and(|judged| judged.verdict == Verdict::Suspect),
        });
    }
    rows.reverse();
    let alarm = PIT_YEAR.log10();
    page(&ShufflesPage {
        back,
        shuffler,
        bad: series.suspects > 0 || series.ledger.is_beyond(PIT_YEAR),
        said: series.said(),
        whose: series.whose,
        surprises: draw::odds("How unlikely each shuffle is: one in so many", alarm, &surprises),
        evidence: draw::odds("Evidence along the shoes: so many to one", alarm, &evidence),
        rows,
        frame,
    })
}

/// Evidence in figures; beyond a thousand million nobody reads them.
fn gathered(evidence: f64) -> String {
    if evidence < 1e9 { rough(evidence) } else { "over 1,000,000,000".to_owned() }
}

fn said(ledger: &Ledger, suspects: usize) -> String {
    let shoes = several(ledger.shoes as usize, "shuffle");
    let evidence = format!("{} to 1; an alarm is raised at {} to 1", gathered(ledger.evidence), rough(PIT_YEAR));
    let power = ledger.power_note(PIT_YEAR);
    match (ledger.shoes, suspects) {
        (0, _) => "No shuffle was seen both before and after, so nothing can be told.".to_owned(),
        (_, 1..) => format!("{suspects} of {shoes} suspect. Evidence along them: {evidence}."),
        _ if ledger.is_beyond(PIT_YEAR) => {
            format!("Drifting: no single one of {shoes} is suspect, but together they are ({evidence}).")
        }
        _ if ledger.is_beyond(ODD) => {
            format!(
                "Odd: no alarm yet along {shoes}, but they are not what proper shuffles leave as a rule ({evidence})."
            )
        }
        (1..FEWEST, _) => format!("Too few to tell: {shoes} judged. Nothing found in them; {power}."),
        _ => format!("Nothing found in {shoes}; {power}. Evidence along them: {evidence}."),
    }
}

/// The judgement of one shuffle, from memory or away from the server's threads; none where it cannot be judged.
async fn judge(site: &Site, officer: &Officer, table: &str, shoe: i64) -> Result<Option<Judged>, Failure> {
    let stored = async |shoe: i64| match site.store.shoe_rounds(officer, table, shoe).await {
        Ok(stored) => Ok(stored),
        Err(StoreError::Missing(_)) => Ok(Vec::new()),
        Err(error) => Err(Failure::from(error)),
    };
    let (before, rounds) = (stored(shoe - 1).await?, stored(shoe).await?);
    let last = |stored: &[StoredRound]| stored.last().map_or(0, |round| round.id);
    let key = (last(&before), last(&rounds));
    if let Some(known) = site.shuffles.judged.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return Ok(*known);
    }
    let (before, rounds) = (parsed(&before)?, parsed(&rounds)?);
    let books = Arc::clone(&site.books);
    let judged = tokio::task::spawn_blocking(move || {
        let shuffle::Judged { dealt, report, .. } = shuffle::report(&books, &before, &rounds).ok()?;
        Some(Judged { p: report.p, e: report.e, verdict: report.verdict, machine: dealt.machine })
    });
    let judged = judged.await.unwrap_or_default();
    site.shuffles.judged.lock().unwrap_or_else(PoisonError::into_inner).insert(key, judged);
    Ok(judged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_shuffles_with_nothing_found_clear_nobody() {
        let mut ledger = Ledger::default();
        assert!(said(&ledger, 0).contains("nothing can be told"));
        ledger.enter(0.5);
        assert!(said(&ledger, 0).starts_with("Too few to tell: 1 shuffle judged"));
        for _ in 0..6 {
            ledger.enter(0.5);
        }
        assert!(said(&ledger, 0).starts_with("Nothing found in 7 shuffles; shuffles each as odd as one in "));
        assert!(said(&ledger, 2).starts_with("2 of 7 shuffles suspect"));
        ledger.enter(5e3);
        assert!(said(&ledger, 0).starts_with("Odd: no alarm yet along 8 shuffles"));
        ledger.enter(1e9);
        assert!(said(&ledger, 0).starts_with("Drifting"));
    }
}
