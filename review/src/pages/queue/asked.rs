//! What the queue's address asks for, and the filters every officer has.

use chrono::{NaiveDate, TimeZone};
use chrono_tz::Tz;
use serde::Deserialize;
use table::{FlagKind, Money, Severity, Utc};

use crate::server::Failure;
use crate::store::queue::{Doubts, Filter, Order, State};

/// The queue's address after the question mark. What is empty asks for nothing.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Asked {
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
    pub(crate) assignee: String,
    pub(crate) doubts: String,
    pub(crate) unread: String,
    pub(crate) sort: String,
    /// The flag in the preview.
    pub(crate) flag: String,
    /// Where an earlier page ended.
    pub(crate) after: String,
}

/// A filter every officer has: its name, its query, and whether its flags are counted.
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
    ("Decided", "state=decided&doubts=with&sort=time"),
];

/// The states to choose from, and the words for them.
pub(crate) const STATES: &[(&str, &str)] = &[
    ("", "new"),
    ("escalated", "escalated"),
    ("confirmed", "confirmed"),
    ("dismissed", "dismissed"),
    ("decided", "decided"),
    ("any", "any"),
];

impl Asked {
    /// From an address; what it does not know it leaves out.
    pub(crate) fn from_query(query: &str) -> Self {
        let mut asked = Self::default();
        for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
            if let Some((_, field)) = asked.fields_mut().into_iter().find(|(known, _)| *known == name) {
                *field = value.into_owned();
            }
        }
        asked
    }

    fn fields_mut(&mut self) -> [(&'static str, &mut String); 14] {
        [
            ("state", &mut self.state),
            ("severity", &mut self.severity),
            ("kind", &mut self.kind),
            ("table", &mut self.table),
            ("dealer", &mut self.dealer),
            ("check", &mut self.check),
            ("clause", &mut self.clause),
            ("from", &mut self.from),
            ("until", &mut self.until),
            ("least", &mut self.least),
            ("assignee", &mut self.assignee),
            ("doubts", &mut self.doubts),
            ("unread", &mut self.unread),
            ("sort", &mut self.sort),
        ]
    }

    /// The address again, always in the same order; neither flag nor page.
    pub(crate) fn query(&self) -> String {
        let mut asked = self.clone();
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        for (name, value) in asked.fields_mut() {
            if !value.is_empty() {
                query.append_pair(name, value);
            }
        }
        query.finish()
    }

    /// The question to the store.
    pub(crate) fn filter(&self, zone: Tz) -> Result<Filter, Failure> {
        let text = |text: &str| Some(text.trim()).filter(|text| !text.is_empty()).map(str::to_owned);
        let kinds = text(&self.kind).map(|kind| named::<FlagKind>(&kind).map(|kind| kind.name().to_owned())).transpose()?;
        Ok(Filter {
            states: states(&self.state)?,
            least: text(&self.severity).map(|severity| named::<Severity>(&severity)).transpose()?,
            tables: text(&self.table).into_iter().collect(),
            dealer: text(&self.dealer),
            kinds: kinds.into_iter().collect(),
            check: text(&self.check),
            clause: text(&self.clause),
            from: text(&self.from).map(|day| midnight(&day, zone, 0)).transpose()?,
            until: text(&self.until).map(|day| midnight(&day, zone, 1)).transpose()?,
            amount: text(&self.least).map(|least| amount(&least)).transpose()?,
            assignee: text(&self.assignee),
            doubts: match &*self.doubts {
                "" if self.kind == FlagKind::Doubt.name() => Doubts::Only,
                "" => Doubts::Without,
                named => self::named(named)?,
            },
            unread: !self.unread.is_empty(),
            order: match &*self.sort {
                "" => Order::Weight,
                named => self::named(named)?,
            },
        })
    }
}

fn named<T: std::str::FromStr<Err = table::text::UnknownName>>(name: &str) -> Result<T, Failure> {
    name.parse().map_err(|error: table::text::UnknownName| Failure::Bad(format!("{error}, found {name}")))
}

fn states(state: &str) -> Result<Vec<State>, Failure> {
    match state {
        "" => Ok(vec![State::New]),
        "any" => Ok(Vec::new()),
        "decided" => Ok(vec![State::Confirmed, State::Dismissed, State::Escalated]),
        one => Ok(vec![named(one)?]),
    }
}

fn amount(text: &str) -> Result<i64, Failure> {
    let money: Money = text.parse().map_err(|error| Failure::Bad(format!("{error}, found {text}")))?;
    Ok(money.minor())
}

/// Midnight at the site before a day, or so many days later.
fn midnight(day: &str, zone: Tz, later: u64) -> Result<Utc, Failure> {
    let bad = || Failure::Bad(format!("expected a day such as 2026-11-15, found {day}"));
    let date: NaiveDate = day.parse().map_err(|_| bad())?;
    let start = date.checked_add_days(chrono::Days::new(later)).and_then(|date| date.and_hms_opt(0, 0, 0)).ok_or_else(bad)?;
    // Where clocks skip midnight, the day begins when they go on.
    let at = zone.from_local_datetime(&start).earliest().or_else(|| {
        zone.from_local_datetime(&(start + chrono::TimeDelta::hours(1))).earliest()
    });
    at.and_then(|at| Utc::from_micros(at.timestamp_micros())).ok_or_else(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_filter_is_a_question_the_store_understands() {
        for (name, query) in BUILT_IN {
            let asked = Asked::from_query(query);
            assert!(asked.filter(Tz::UTC).is_ok(), "{name}");
            assert_eq!(Asked::from_query(&asked.query()).query(), asked.query(), "{name}");
        }
    }

    #[test]
    fn a_day_is_the_sites_day() {
        let asked = Asked { from: "2026-11-16".into(), until: "2026-11-16".into(), ..Asked::default() };
        let filter = asked.filter(chrono_tz::Pacific::Auckland).unwrap();
        assert_eq!(filter.from.unwrap().to_string(), "2026-11-15T11:00:00.000000Z");
        assert_eq!(filter.until.unwrap().to_string(), "2026-11-16T11:00:00.000000Z");
    }

    #[test]
    fn nonsense_is_refused_in_words() {
        for (field, value) in [("severity", "dire"), ("from", "soon"), ("least", "much"), ("state", "odd"), ("sort", "x")] {
            let asked = Asked::from_query(&format!("{field}={value}"));
            let told = asked.filter(Tz::UTC).unwrap_err().to_string();
            assert!(told.contains(value), "{told}");
        }
    }
}
