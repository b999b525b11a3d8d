//! What the queue's address asks for, and the filters every officer has.
//!
//! The address is the API's, so that a filter kept on a page can be asked for by a program. Forms add three habits of
//! people: days of the site instead of instants, money in units instead of cents, and checks by what they find.

use chrono::{NaiveDate, TimeZone};
use chrono_tz::Tz;
use table::{Money, Utc};

use crate::filter::FlagQuery;
use crate::server::Failure;

/// The queue's address after the question mark.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    /// The filter.
    pub(crate) query: FlagQuery,
    /// The flag in the preview.
    pub(crate) flag: Option<String>,
}

/// A filter every officer has: its name and its query.
pub(crate) const BUILT_IN: &[(&str, &str)] = &[
    ("New", ""),
    ("Critical", "severity=critical"),
    ("Mine", "assignee=me&doubts=with"),
    ("Payouts", "kind=wrong-payout"),
    ("Dealing", "kind=dealer-error"),
    ("Irregularities", "kind=irregularity"),
    ("Shuffles", "kind=suspect-shuffle"),
    ("Equipment", "kind=equipment"),
    ("Doubts", "doubts=only"),
    ("Escalated", "state=escalated&doubts=with"),
    (DECIDED, "state=confirmed,dismissed,escalated&doubts=with&order=time"),
];

/// The filter that is not counted: it grows without end, and nobody works through it.
pub(crate) const DECIDED: &str = "Decided";

/// The states to choose from, and the words for them.
pub(crate) const STATES: &[(&str, &str)] = &[
    ("", "new"),
    ("escalated", "escalated"),
    ("confirmed", "confirmed"),
    ("dismissed", "dismissed"),
    ("confirmed,dismissed,escalated", "decided"),
    ("all", "any"),
];

impl Asked {
    pub(crate) fn read(address: &str, zone: Tz) -> Result<Self, Failure> {
        let mut query = FlagQuery::from_address(address);
        let pairs = || url::form_urlencoded::parse(address.as_bytes());
        let field =
            |name: &str| pairs().find(|(key, value)| key == name && !value.is_empty()).map(|(_, v)| v.into_owned());
        if let Some(least) = field("least") {
            let money: Money = least.parse().map_err(|error| Failure::Bad(format!("money: {error}, found {least}")))?;
            query.amount = Some(money.minor().to_string());
        }
        // A check's name as the pages say it, "Paid a push", is a name too.
        query.check = query.check.map(|said| said.trim().to_lowercase().replace(' ', "_"));
        for (instant, days) in [(&mut query.from, 0), (&mut query.until, 1)] {
            if let Some(day) = instant.as_deref().and_then(|text| text.trim().parse::<NaiveDate>().ok()) {
                *instant = Some(midnight(day, zone, days)?.to_string());
            }
        }
        Ok(Self { query, flag: field("flag") })
    }

    /// The address again, always in the same order; neither flag nor page.
    pub(crate) fn address(&self) -> String {
        self.query.to_address()
    }
}

/// Midnight at the site before a day, or so many days later.
fn midnight(day: NaiveDate, zone: Tz, later: u64) -> Result<Utc, Failure> {
    let bad = || Failure::Bad(format!("there is no day {day}"));
    let start =
        day.checked_add_days(chrono::Days::new(later)).and_then(|day| day.and_hms_opt(0, 0, 0)).ok_or_else(bad)?;
    // Where clocks skip midnight, the day begins when they go on.
    let moved = start.checked_add_signed(chrono::TimeDelta::hours(1)).ok_or_else(bad)?;
    let at = zone.from_local_datetime(&start).earliest().or_else(|| zone.from_local_datetime(&moved).earliest());
    at.and_then(|at| Utc::from_micros(at.timestamp_micros())).ok_or_else(bad)
}

/// The filter as the form shows it.
#[derive(Default)]
pub(crate) struct Typed {
    pub(crate) state: String,
    pub(crate) severity: String,
    pub(crate) kind: String,
    pub(crate) table: String,
    pub(crate) dealer: String,
    pub(crate) check: String,
    pub(crate) clause: String,
    pub(crate) from: String,
    pub(crate) until: String,
    pub(crate) least: String,
    pub(crate) order: String,
}

impl Typed {
    pub(crate) fn new(query: &FlagQuery, zone: Tz) -> Self {
        let text = |field: &Option<String>| field.clone().unwrap_or_default();
        let day = |field: &Option<String>, earlier: i64| {
            let at: Option<Utc> = field.as_deref().and_then(|text| text.parse().ok());
            let at = at.and_then(|at| chrono::DateTime::from_timestamp_micros(at.micros() - earlier));
            at.map(|at| at.with_timezone(&zone).date_naive().to_string()).unwrap_or_default()
        };
        let minor: Option<i64> = query.amount.as_deref().and_then(|minor| minor.parse().ok());
        Self {
            state: text(&query.state),
            severity: text(&query.severity),
            kind: text(&query.kind),
            table: text(&query.table),
            dealer: text(&query.dealer),
            check: text(&query.check),
            clause: text(&query.clause),
            from: day(&query.from, 0),
            // The end is the first instant that no longer counts; people name the last day that does.
            until: day(&query.until, 1),
            least: minor.map(|minor| Money::from_minor(minor).to_string()).unwrap_or_default(),
            order: text(&query.order),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_filter_is_a_question_the_store_understands() {
        for (name, query) in BUILT_IN {
            let asked = Asked::read(query, Tz::UTC).unwrap();
            assert!(asked.query.read().is_ok(), "{name}");
            assert_eq!(Asked::read(&asked.address(), Tz::UTC).unwrap().address(), asked.address(), "{name}");
        }
    }

    #[test]
    fn a_day_is_the_sites_day_and_money_is_in_units() {
        let zone = chrono_tz::Pacific::Auckland;
        let asked = Asked::read("from=2026-11-16&until=2026-11-16&least=12.50&flag=x&table=", zone).unwrap();
        let filter = asked.query.read().unwrap().filter;
        assert_eq!(filter.from.unwrap().to_string(), "2026-11-15T11:00:00.000000Z");
        assert_eq!(filter.until.unwrap().to_string(), "2026-11-16T11:00:00.000000Z");
        assert_eq!((filter.amount, asked.flag.as_deref()), (Some(1250), Some("x")));
        assert_eq!(Asked::read("check=Paid+a+push", zone).unwrap().query.check.as_deref(), Some("paid_a_push"));
        let typed = Typed::new(&asked.query, zone);
        assert_eq!((&*typed.from, &*typed.until, &*typed.least), ("2026-11-16", "2026-11-16", "12.50"));
        assert!(!asked.address().contains("table"), "{}", asked.address());
    }

    #[test]
    fn nonsense_is_refused_in_words() {
        for query in ["severity=dire", "from=soon", "state=odd", "order=x"] {
            let asked = Asked::read(query, Tz::UTC).unwrap();
            assert!(asked.query.read().unwrap_err().to_string().contains("expected"), "{query}");
        }
        assert!(Asked::read("least=much", Tz::UTC).is_err());
    }
}
