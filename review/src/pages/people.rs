//! Dealers and tables: errors, money and pace, with how far each number can be trusted.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use table::{Money, Utc};

use super::frame::{Frame, page};
use super::round::several;
use super::words::{self, When};
use crate::accounts::Officer;
use crate::draw::{self, Point, Series};
use crate::interval::{self, Rate};
use crate::server::{Failure, Site};
use crate::store::people::{Question, Stretch, Whose};
use crate::store::queue::{Filter, State as Standing};

/// How far back the lists look, in days, and the pages of one, in weeks.
const DAYS: i64 = 90;
const WEEKS: i64 = 13;
const DAY: i64 = 86_400_000_000;
/// Flags that are sorted by what went wrong.
const LATEST: usize = 500;
/// Shoes a table's page leads to.
const SHOES: i64 = 24;

/// A row of a list.
struct Row {
    name: String,
    path: String,
    hands: u64,
    errors: u64,
    rate: Option<String>,
    bar: String,
    to_players: String,
    to_house: String,
    pace: String,
}

#[derive(Template)]
#[template(path = "people.html")]
struct People {
    frame: Frame,
    column: &'static str,
    days: i64,
    /// The last of them, where it is not today.
    until: Option<When>,
    rows: Vec<Row>,
    empty: &'static str,
}

pub(crate) async fn dealers(State(site): State<Site>, officer: Officer) -> Result<Response, Failure> {
    list(&site, &officer, Whose::Dealer).await
}

pub(crate) async fn tables(State(site): State<Site>, officer: Officer) -> Result<Response, Failure> {
    list(&site, &officer, Whose::Table).await
}

async fn list(site: &Site, officer: &Officer, whose: Whose) -> Result<Response, Failure> {
    let (here, title, column, empty) = match whose {
        Whose::Dealer => ("/dealers", "Dealers", "Dealer", "Dealers appear with the first round that names one."),
        Whose::Table => ("/tables", "Tables", "Table", "Tables appear with their first audited round."),
    };
    let frame = Frame::new(site, officer, here, title);
    let last = latest(site, officer).await?;
    let from = last.unwrap_or(frame.now);
    let question = Question { whose, name: None, from: ago(from, DAYS), until: later(from), weekly: false };
    let stretches = site.store.stretches(officer, &question).await?;
    let most = stretches.iter().filter_map(|stretch| known(stretch.rate())).map(|(_, _, high)| high).max().unwrap_or(1);
    let row = |stretch: &Stretch| Row {
        path: format!("{here}/{}", stretch.name),
        name: stretch.name.clone(),
        hands: stretch.hands,
        errors: stretch.errors,
        rate: known(stretch.rate()).map(rate_in_words),
        bar: known(stretch.rate()).map(|rate| bar(rate, most)).unwrap_or_default(),
        to_players: words::amount(Money::from_minor(stretch.to_players), frame.currency()),
        to_house: words::amount(Money::from_minor(stretch.to_house), frame.currency()),
        pace: pace(stretch),
    };
    let rows = stretches.iter().map(row).collect();
    let until = last.map(|last| frame.when(last));
    page(&People { column, days: DAYS, until, rows, empty, frame })
}

/// The time of the latest flag: what was recorded long ago is looked at from its own end.
async fn latest(site: &Site, officer: &Officer) -> Result<Option<Utc>, Failure> {
    let any = Filter {
        states: Vec::new(),
        doubts: crate::store::queue::Doubts::With,
        order: crate::store::queue::Order::Time,
        ..Filter::default()
    };
    let found = site.store.list(officer, &any, None, 1).await?;
    let now = site.now();
    let last = found.flags.first().map(|flag| flag.time());
    Ok(last.filter(|last| now.micros().saturating_sub(last.micros()) > DAYS * DAY))
}

fn ago(at: Utc, days: i64) -> Utc {
    at.shifted(-days * DAY).unwrap_or(Utc::EPOCH)
}

fn later(at: Utc) -> Utc {
    at.shifted(DAY).unwrap_or(at)
}

fn known(rate: Rate) -> Option<(u64, u64, u64)> {
    match rate {
        Rate::TooFew => None,
        Rate::Known { rate, low, high } => Some((rate, low, high)),
    }
}

/// Thousandths with one decimal.
fn tenth(thousandths: u64) -> String {
    let tenths = (thousandths + 50) / 100;
    format!("{}.{}", tenths / 10, tenths % 10)
}

fn rate_in_words((rate, low, high): (u64, u64, u64)) -> String {
    format!("{} ({} to {})", tenth(rate), tenth(low), tenth(high))
}

/// The interval as a bar on an axis that ends at `most`.
fn bar((rate, low, high): (u64, u64, u64), most: u64) -> String {
    let x = |value: u64| 2 + value.min(most) * 116 / most.max(1);
    format!(
        "<svg class=\"interval\" viewBox=\"0 0 120 12\" aria-hidden=\"true\"><path class=\"axis\" d=\"M2 6H118\"/>\
         <path class=\"range\" d=\"M{} 6H{}\"/><circle class=\"dot\" cx=\"{}\" cy=\"6\" r=\"3\"/></svg>",
        x(low),
        x(high).max(x(low) + 2),
        x(rate)
    )
}

fn pace(stretch: &Stretch) -> String {
    stretch.pace().map_or_else(|| "–".to_owned(), |pace| pace.to_string())
}

#[derive(Template)]
#[template(path = "person.html")]
struct Person {
    frame: Frame,
    weeks: i64,
    /// The last day of them, where it is not today.
    until: Option<When>,
    name: String,
    /// As the queue's address names it.
    filter: String,
    hands: u64,
    rate: Option<String>,
    interval: String,
    to_players: String,
    to_house: String,
    pace: String,
    /// None if every week has too few hands.
    errors_chart: Option<String>,
    money_chart: String,
    /// Likewise.
    pace_chart: Option<String>,
    kinds: Vec<(String, String, usize)>,
    shoes: Vec<(String, String)>,
}

pub(crate) async fn dealer(
    State(site): State<Site>,
    officer: Officer,
    Path(name): Path<String>,
) -> Result<Response, Failure> {
    one(&site, &officer, Whose::Dealer, &name).await
}

pub(crate) async fn table(
    State(site): State<Site>,
    officer: Officer,
    Path(name): Path<String>,
) -> Result<Response, Failure> {
    one(&site, &officer, Whose::Table, &name).await
}

async fn one(site: &Site, officer: &Officer, whose: Whose, name: &str) -> Result<Response, Failure> {
    let (here, title) = match whose {
        Whose::Dealer => ("/dealers", format!("Dealer {name}")),
        Whose::Table => ("/tables", format!("Table {name}")),
    };
    let frame = Frame::new(site, officer, here, title);
    site.store.viewed(officer, format!("{whose} {name}"), frame.now).await?;
    let last = latest(site, officer).await?;
    let until = last.unwrap_or(frame.now);
    let question =
        |weekly, named| Question { whose, name: named, from: ago(until, WEEKS * 7), until: later(until), weekly };
    let all = site.store.stretches(officer, &question(false, Some(name))).await?;
    let all = all.first().ok_or_else(|| Failure::Missing(format!("{whose} {name} with rounds in these weeks")))?;
    let weeks = site.store.stretches(officer, &question(true, Some(name))).await?;
    let house = site.store.stretches(officer, &question(false, None)).await?;
    let shoes = match whose {
        Whose::Table => site.store.shoes(name, SHOES).await?,
        Whose::Dealer => Vec::new(),
    };
    let filter = url::form_urlencoded::Serializer::new(String::new()).append_pair(whose.name(), name).finish();
    let rate = known(all.rate());
    page(&Person {
        weeks: WEEKS,
        until: last.map(|last| frame.when(last)),
        name: name.to_owned(),
        filter,
        hands: all.hands,
        rate: rate.map(|(rate, ..)| tenth(rate)),
        interval: rate.map_or_else(
            || format!("fewer than {} hands", interval::FEWEST_HANDS),
            |(_, low, high)| format!("{} to {}, nineteen times in twenty", tenth(low), tenth(high)),
        ),
        to_players: words::amount(Money::from_minor(all.to_players), frame.currency()),
        to_house: words::amount(Money::from_minor(all.to_house), frame.currency()),
        pace: pace(all),
        errors_chart: errors_chart(&frame, &weeks, &house),
        money_chart: money_chart(&frame, &weeks),
        pace_chart: pace_chart(&frame, &weeks),
        kinds: kinds(site, officer, whose, name).await?,
        shoes: shoes
            .iter()
            .map(|shoe| {
                (
                    format!("/shoes/{name}/{}", shoe.shoe),
                    format!("{} · {}", shoe.shoe, several(shoe.rounds as usize, "round")),
                )
            })
            .collect(),
        frame,
    })
}

fn points(frame: &Frame, weeks: &[Stretch], of: impl Fn(&Stretch) -> (Option<f64>, Option<(f64, f64)>)) -> Vec<Point> {
    let point = |week: &Stretch| {
        let (value, band) = of(week);
        Point { name: words::week(crate::store::utc(week.from), frame.site.setup.zone), value, band }
    };
    weeks.iter().map(point).collect()
}

fn errors_chart(frame: &Frame, weeks: &[Stretch], house: &[Stretch]) -> Option<String> {
    weeks.iter().find_map(|week| known(week.rate()))?;
    let thousandths = |value: u64| value as f64 / 1000.0;
    let (errors, hands) = house.iter().fold((0, 0), |(e, h), stretch| (e + stretch.errors, h + stretch.hands));
    let points = points(frame, weeks, |week| match known(week.rate()) {
        Some((rate, low, high)) => (Some(thousandths(rate)), Some((thousandths(low), thousandths(high)))),
        None => (None, None),
    });
    let reference = known(interval::per_thousand(errors, hands)).map(|(rate, ..)| thousandths(rate));
    Some(draw::multiple(&Series { name: "Errors per thousand hands, by week".into(), reference, points }))
}

fn money_chart(frame: &Frame, weeks: &[Stretch]) -> String {
    let units = |minor: i64| minor as f64 / 100.0;
    let points = points(frame, weeks, |week| {
        (Some(units(week.to_players - week.to_house)), Some((-units(week.to_house), units(week.to_players))))
    });
    draw::multiple(&Series { name: "Money the wrong way, by week".into(), reference: None, points })
}

fn pace_chart(frame: &Frame, weeks: &[Stretch]) -> Option<String> {
    weeks.iter().find_map(Stretch::pace)?;
    let points = points(frame, weeks, |week| (week.pace().map(|pace| pace as f64), None));
    Some(draw::multiple(&Series { name: "Hands an hour, by week".into(), reference: None, points }))
}

/// What went wrong how often, the most frequent first.
async fn kinds(
    site: &Site,
    officer: &Officer,
    whose: Whose,
    name: &str,
) -> Result<Vec<(String, String, usize)>, Failure> {
    let standing = vec![Standing::New, Standing::Confirmed, Standing::Escalated];
    let mut filter = Filter { states: standing, ..Filter::default() };
    match whose {
        Whose::Dealer => filter.dealer = Some(name.to_owned()),
        Whose::Table => filter.tables = vec![name.to_owned()],
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for flag in site.store.list(officer, &filter, None, LATEST).await?.flags {
        *counts.entry(flag.check_name).or_default() += 1;
    }
    let mut kinds: Vec<_> = counts.into_iter().map(|(check, n)| (words::finding(&check), check, n)).collect();
    kinds.sort_by(|a, b| b.2.cmp(&a.2).then_with(|| a.0.cmp(&b.0)));
    Ok(kinds.into_iter().map(|(what, check, n)| (check, what, n)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_told_with_their_intervals() {
        assert_eq!(rate_in_words((1_000, 25, 5_572)), "1.0 (0.0 to 5.6)");
        assert!(bar((1_000, 25, 5_572), 5_572).contains("M2 6H118"));
        assert!(bar((0, 0, 0), 0).contains("svg"));
    }
}
