//! The queue: flags by every question an officer asks, a page at a time.

mod ask;
mod tally;

pub use tally::Tally;

use serde::{Deserialize, Serialize};
use sqlx::AssertSqlSafe;
use table::{Flag, Severity, Utc, named};

use ask::{BESIDE, DOCUMENT, LISTED, Which};

use super::sql::{Conditions, bound};
use super::{Store, StoreError, on};
use crate::accounts::Officer;

named! {
    /// Where a flag stands.
    pub enum State, "new, confirmed, dismissed, escalated or withdrawn" {
        /// Nobody has decided.
        New = "new",
        /// It happened, and it was wrong.
        Confirmed = "confirmed",
        /// It did not happen, or does not matter.
        Dismissed = "dismissed",
        /// Somebody with more rights should look.
        Escalated = "escalated",
        /// A later audit did not find it again.
        Withdrawn = "withdrawn",
    }
}

named! {
    /// What comes first.
    pub enum Order, "weight, time or money" {
        /// The severest, of equals the newest.
        Weight = "weight",
        /// The newest.
        Time = "time",
        /// The dearest.
        Money = "money",
    }
}

named! {
    /// What to do with doubts, which accuse nobody.
    pub enum Doubts, "without, only or with" {
        /// Leave them out.
        Without = "without",
        /// Nothing else.
        Only = "only",
        /// Among the others.
        With = "with",
    }
}

/// A question to the queue. Everything is optional; lists are separated by commas in an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// In one of these states; empty: any.
    pub states: Vec<State>,
    /// At least this severe.
    pub least: Option<Severity>,
    /// At one of these tables; empty: any.
    pub tables: Vec<String>,
    /// By this dealer.
    pub dealer: Option<String>,
    /// Of one of these kinds; empty: any.
    pub kinds: Vec<String>,
    /// Found by this check.
    pub check: Option<String>,
    /// Breaking this clause.
    pub clause: Option<String>,
    /// From this instant on.
    pub from: Option<Utc>,
    /// Before this instant.
    pub until: Option<Utc>,
    /// At least this much money, in minor units.
    pub amount: Option<i64>,
    /// Given to this user, by name; `me` and `nobody` are understood.
    pub assignee: Option<String>,
    /// Doubts among them.
    pub doubts: Doubts,
    /// Only what the asker has not had on the screen.
    pub unread: bool,
    /// What comes first.
    pub order: Order,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            states: vec![State::New],
            least: None,
            tables: Vec::new(),
            dealer: None,
            kinds: Vec::new(),
            check: None,
            clause: None,
            from: None,
            until: None,
            amount: None,
            assignee: None,
            doubts: Doubts::Without,
            unread: false,
            order: Order::Weight,
        }
    }
}

/// Where a flag stands in the queue: what a list of flags says about each, all of it in one small table.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Listed {
    /// Its place in the order of arrival.
    pub id: i64,
    /// Its id.
    pub flag: String,
    /// The number of its current entry.
    pub flag_entry: i64,
    /// The round's entry.
    pub round_id: i64,
    /// Its table.
    pub table_name: String,
    /// Its shoe.
    pub shoe: i64,
    /// Its round.
    pub round: i64,
    /// When it happened.
    pub at: i64,
    /// Who dealt.
    pub dealer: Option<String>,
    /// The check that found it.
    pub check_name: String,
    /// The clause.
    pub clause: String,
    /// 0 info to 3 critical.
    pub severity: i64,
    /// What sort.
    pub kind: String,
    /// Whether it is a doubt.
    pub doubt: bool,
    /// Its box; none if it concerns the whole table.
    #[sqlx(rename = "box")]
    pub box_no: Option<i64>,
    /// Its hand within the box.
    pub hand: Option<String>,
    /// The money, in minor units.
    pub amount: i64,
    /// Who gained: `player`, `house` or `none`.
    pub favours: String,
    /// How sure, in millionths.
    pub confidence: i64,
    /// Where it stands.
    pub state: String,
    /// Who has it, by name.
    pub assignee: Option<String>,
    /// When it was decided.
    pub decided_at: Option<i64>,
    /// By whom, by name.
    pub decided_by: Option<String>,
    /// Whether the asker has had it on the screen.
    pub read: bool,
}

impl Listed {
    /// How severe.
    pub fn severity(&self) -> Severity {
        usize::try_from(self.severity)
            .ok()
            .and_then(|index| Severity::ALL.get(index))
            .copied()
            .unwrap_or(Severity::Info)
    }

    /// Its time.
    pub fn time(&self) -> Utc {
        super::utc(self.at)
    }
}

/// A flag and where it stands in the queue.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Queued {
    /// Where it stands.
    #[sqlx(flatten)]
    pub listed: Listed,
    /// The flag itself, as JSON.
    pub document: String,
}

impl std::ops::Deref for Queued {
    type Target = Listed;

    fn deref(&self) -> &Listed {
        &self.listed
    }
}

impl Queued {
    /// The flag itself.
    pub fn parsed(&self) -> Result<Flag, StoreError> {
        serde_json::from_str(&self.document)
            .map_err(|source| StoreError::Damaged { what: format!("flag {}", self.flag), source })
    }
}

/// A page of the queue.
#[derive(Clone, Debug)]
pub struct Page<F = Queued> {
    /// The flags.
    pub flags: Vec<F>,
    /// Where the next page begins, if there is one.
    pub next: Option<Cursor>,
}

/// The place in an order after a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    /// Severity or amount, by which it is sorted first; 0 in the order of time.
    pub first: i64,
    /// Its time.
    pub at: i64,
    /// Its place in the order of arrival.
    pub id: i64,
}

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.first, self.at, self.id)
    }
}

impl std::str::FromStr for Cursor {
    type Err = NotACursor;

    fn from_str(text: &str) -> Result<Self, NotACursor> {
        let numbers: Vec<i64> = text.split('.').map(str::parse).collect::<Result<_, _>>().map_err(|_| NotACursor)?;
        let [first, at, id] = numbers[..] else { return Err(NotACursor) };
        Ok(Self { first, at, id })
    }
}

/// Text that names no place in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the `next` of an earlier page")]
pub struct NotACursor;

impl Store {
    /// A page of the queue as an officer may see it.
    pub async fn queue(
        &self,
        officer: &Officer,
        filter: &Filter,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<Page, StoreError> {
        let which = Which::of(filter, officer, after, limit);
        let sql = which.with(&format!("{LISTED}, f.document"), &format!("{DOCUMENT} {BESIDE}"));
        let flags: Vec<Queued> = on!(Store self, db => bound!(sqlx::query_as(AssertSqlSafe(sql)), which.values.clone()).fetch_all(db).await?);
        Ok(which.page(flags, |queued| &queued.listed))
    }

    /// The same page without the flags' documents, which lie far apart in a large database: a list has no use for them.
    pub async fn list(
        &self,
        officer: &Officer,
        filter: &Filter,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<Page<Listed>, StoreError> {
        let which = Which::of(filter, officer, after, limit);
        let sql = which.with(LISTED, BESIDE);
        let flags: Vec<Listed> = on!(Store self, db => bound!(sqlx::query_as(AssertSqlSafe(sql)), which.values.clone()).fetch_all(db).await?);
        Ok(which.page(flags, |listed| listed))
    }

    /// How many flags answer a filter.
    pub async fn count(&self, officer: &Officer, filter: &Filter) -> Result<i64, StoreError> {
        self.count_up_to(officer, filter, i64::MAX).await
    }

    /// How many flags answer a filter, counted no further than `most`: what is unread is looked up flag by flag.
    pub async fn count_up_to(&self, officer: &Officer, filter: &Filter, most: i64) -> Result<i64, StoreError> {
        let Conditions { sql, values } = ask::conditions(filter, officer, vec![officer.id.into(), most.into()]);
        let sql = format!("select count(*) from (select 1 from queue q{sql} limit $2) as counted");
        Ok(on!(Store self, db => bound!(sqlx::query_scalar(AssertSqlSafe(sql)), values).fetch_one(db).await?))
    }

    /// One flag as it stands, if the officer may see its table.
    pub async fn flag(&self, officer: &Officer, flag: &str) -> Result<Queued, StoreError> {
        let sql = format!("{LISTED}, f.document from queue q {DOCUMENT} {BESIDE} where q.flag = $2");
        let found: Option<Queued> = on!(Store self, db => sqlx::query_as(AssertSqlSafe(sql))
            .bind(officer.id)
            .bind(flag)
            .fetch_optional(db)
            .await?);
        found
            .filter(|found| officer.tables.include(&found.table_name))
            .ok_or_else(|| StoreError::Missing(format!("flag {flag}")))
    }

    /// The flags of a round.
    pub async fn flags_of_round(
        &self,
        officer: &Officer,
        table: &str,
        shoe: i64,
        round: i64,
    ) -> Result<Vec<Queued>, StoreError> {
        let sql = format!(
            "{LISTED}, f.document from queue q {DOCUMENT} {BESIDE} where q.table_name = $2 and q.shoe = $3 and q.round = $4 \
             order by q.severity desc, q.id"
        );
        Ok(on!(Store self, db => sqlx::query_as(AssertSqlSafe(sql))
            .bind(officer.id)
            .bind(table)
            .bind(shoe)
            .bind(round)
            .fetch_all(db)
            .await?))
    }
}
