//! The queue's filter as it stands in an address, the same for pages, saved filters and the API.

use std::str::FromStr;

use serde::Deserialize;
use table::FlagKind;
use utoipa::IntoParams;

use crate::store::queue::{Cursor, Filter};

/// The most flags on a page.
pub const MOST: usize = 500;
/// As many as a page has unless asked otherwise.
pub const USUAL: usize = 50;

/// A filter as typed. Lists are separated by commas; what is left out or empty does not filter.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct FlagQuery {
    /// new, confirmed, dismissed, escalated, withdrawn, or all; new if left out
    pub state: Option<String>,
    /// At least this severe: info, minor, major or critical
    pub severity: Option<String>,
    /// Tables
    pub table: Option<String>,
    /// Dealer
    pub dealer: Option<String>,
    /// dealer-error, wrong-payout, irregularity, suspect-shuffle, equipment or doubt
    pub kind: Option<String>,
    /// The check that found it
    pub check: Option<String>,
    /// The clause it breaks
    pub clause: Option<String>,
    /// From this UTC time on
    pub from: Option<String>,
    /// Before this UTC time
    pub until: Option<String>,
    /// At least this much money, in minor units
    pub amount: Option<String>,
    /// A user's name, me, or nobody
    pub assignee: Option<String>,
    /// without (if left out), only, or with
    pub doubts: Option<String>,
    /// true: only what you have not had on the screen
    pub unread: Option<String>,
    /// weight (if left out), time or money
    pub order: Option<String>,
    /// The `next` of the page before
    pub after: Option<String>,
    /// How many, at most 500; 50 if left out
    pub limit: Option<String>,
}

/// A filter that makes no sense: which part, and what it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{part}: expected {expected}")]
pub struct BadFilter {
    part: &'static str,
    expected: String,
}

/// What was asked for: a filter and the page of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The filter.
    pub filter: Filter,
    /// Where the page begins.
    pub after: Option<Cursor>,
    /// How many flags.
    pub limit: usize,
}

fn given(text: &Option<String>) -> Option<&str> {
    text.as_deref().map(str::trim).filter(|text| !text.is_empty())
}

fn read<T: FromStr<Err: ToString>>(part: &'static str, text: &Option<String>) -> Result<Option<T>, BadFilter> {
    let bad = |error: T::Err| {
        let told = error.to_string();
        BadFilter { part, expected: told.strip_prefix("expected ").map_or(told.clone(), str::to_owned) }
    };
    given(text).map(|text| text.parse().map_err(bad)).transpose()
}

fn list<T: FromStr<Err: ToString>>(part: &'static str, text: &Option<String>) -> Result<Vec<T>, BadFilter> {
    let words = given(text).unwrap_or_default().split(',').map(str::trim).filter(|word| !word.is_empty());
    words
        .map(|word| read(part, &Some(word.to_owned())).map(|read| read.into_iter()))
        .collect::<Result<Vec<_>, _>>()
        .map(|read| read.into_iter().flatten().collect())
}

impl FlagQuery {
    /// What was asked for.
    pub fn read(&self) -> Result<Asked, BadFilter> {
        let usual = Filter::default();
        let states = match given(&self.state) {
            None => usual.states,
            Some("all") => Vec::new(),
            Some(_) => list("state", &self.state)?,
        };
        let number = |part, text: &Option<String>| {
            let bad = |_| BadFilter { part, expected: "a whole number".to_owned() };
            given(text).map(|text| text.parse::<i64>().map_err(bad)).transpose()
        };
        let unread = match given(&self.unread) {
            None | Some("false" | "0") => false,
            Some("true" | "1" | "on") => true,
            Some(_) => return Err(BadFilter { part: "unread", expected: "true or false".to_owned() }),
        };
        let kinds = list::<FlagKind>("kind", &self.kind)?;
        // Whoever asks for doubts by kind means them, whatever else is left out by default.
        let doubts = match read("doubts", &self.doubts)? {
            Some(doubts) => doubts,
            None if kinds.contains(&FlagKind::Doubt) => crate::store::queue::Doubts::With,
            None => usual.doubts,
        };
        let limit = number("limit", &self.limit)?.map_or(USUAL, |limit| usize::try_from(limit).unwrap_or(0));
        Ok(Asked {
            filter: Filter {
                states,
                least: read("severity", &self.severity)?,
                tables: list("table", &self.table)?,
                dealer: given(&self.dealer).map(str::to_owned),
                kinds: kinds.into_iter().map(|kind| kind.name().to_owned()).collect(),
                check: given(&self.check).map(str::to_owned),
                clause: given(&self.clause).map(str::to_owned),
                from: read("from", &self.from)?,
                until: read("until", &self.until)?,
                amount: number("amount", &self.amount)?,
                assignee: given(&self.assignee).map(str::to_owned),
                doubts,
                unread,
                order: read("order", &self.order)?.unwrap_or(usual.order),
            },
            after: read("after", &self.after)?,
            limit: limit.clamp(1, MOST),
        })
    }

    /// From the part of an address after the question mark. Keys we do not know are left out.
    pub fn from_address(query: &str) -> Self {
        let mut read = Self::default();
        for (key, value) in url::form_urlencoded::parse(query.as_bytes()) {
            let Some(place) = read.fields().into_iter().find(|(name, _)| *name == key).map(|(_, place)| place) else {
                continue;
            };
            // A form with several boxes ticked says a key several times.
            match place {
                Some(before) => before.push_str(&format!(",{value}")),
                None => *place = Some(value.into_owned()),
            }
        }
        read
    }

    /// As it stands in an address, without the page.
    pub fn to_address(&self) -> String {
        let mut copy = Self { after: None, limit: None, ..self.clone() };
        let mut out = url::form_urlencoded::Serializer::new(String::new());
        for (name, value) in copy.fields() {
            if let Some(value) = value.as_deref().filter(|value| !value.is_empty()) {
                out.append_pair(name, value);
            }
        }
        out.finish()
    }

    fn fields(&mut self) -> [(&'static str, &mut Option<String>); 16] {
        [
            ("state", &mut self.state),
            ("severity", &mut self.severity),
            ("table", &mut self.table),
            ("dealer", &mut self.dealer),
            ("kind", &mut self.kind),
            ("check", &mut self.check),
            ("clause", &mut self.clause),
            ("from", &mut self.from),
            ("until", &mut self.until),
            ("amount", &mut self.amount),
            ("assignee", &mut self.assignee),
            ("doubts", &mut self.doubts),
            ("unread", &mut self.unread),
            ("order", &mut self.order),
            ("after", &mut self.after),
            ("limit", &mut self.limit),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::queue::{Doubts, Order, State};

    #[test]
    fn nothing_asked_is_the_new_flags_by_weight() {
        let asked = FlagQuery::default().read().unwrap();
        assert_eq!(asked, Asked { filter: Filter::default(), after: None, limit: 50 });
    }

    #[test]
    fn an_address_reads_and_prints_back() {
        let query = FlagQuery::from_address("state=new&state=escalated&table=BJ-04,BJ-05&order=money&after=3.5.7&x=y");
        let asked = query.read().unwrap();
        assert_eq!(asked.filter.states, [State::New, State::Escalated]);
        assert_eq!(asked.filter.tables, ["BJ-04", "BJ-05"]);
        assert_eq!(asked.filter.order, Order::Money);
        assert_eq!(asked.after, Some(Cursor { first: 3, at: 5, id: 7 }));
        assert_eq!(query.to_address(), "state=new%2Cescalated&table=BJ-04%2CBJ-05&order=money");
    }

    #[test]
    fn doubts_asked_for_by_kind_are_shown() {
        assert_eq!(FlagQuery::from_address("kind=doubt").read().unwrap().filter.doubts, Doubts::With);
    }

    #[test]
    fn nonsense_is_named() {
        for (query, told) in [
            ("severity=awful", "severity: expected info, minor, major or critical"),
            ("after=1.2", "after: expected the `next` of an earlier page"),
            ("amount=12.5", "amount: expected a whole number"),
            ("unread=perhaps", "unread: expected true or false"),
        ] {
            assert_eq!(FlagQuery::from_address(query).read().unwrap_err().to_string(), told);
        }
    }
}
