//! The queue: flags by every question an officer asks, a page at a time.

mod tally;

pub use tally::Tally;

use serde::{Deserialize, Serialize};
use sqlx::AssertSqlSafe;
use table::{Flag, Severity, Utc, named};

use super::sql::{Conditions, Value, bound};
use super::{Store, StoreError, on};
use crate::accounts::{Officer, Tables};

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

/// A flag as it stands in the queue.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Queued {
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
    /// The flag itself, as JSON.
    pub document: String,
    /// Whether the asker has had it on the screen.
    pub read: bool,
}

impl Queued {
    /// The flag itself.
    pub fn parsed(&self) -> Result<Flag, StoreError> {
        serde_json::from_str(&self.document)
            .map_err(|source| StoreError::Damaged { what: format!("flag {}", self.flag), source })
    }

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

/// A page of the queue.
#[derive(Clone, Debug)]
pub struct Page {
    /// The flags.
    pub flags: Vec<Queued>,
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

const SELECT: &str = "select q.id, q.flag, q.flag_entry, q.round_id, q.table_name, q.shoe, q.round, q.at, q.dealer, \
                      q.check_name, q.clause, q.severity, q.kind, q.doubt, q.amount, q.favours, q.confidence, q.state, \
                      a.name as assignee, q.decided_at, d.name as decided_by, f.document, s.at is not null as read";
const BESIDE: &str = "join flags f on f.id = q.flag_entry \
                      left join users a on a.id = q.assignee left join users d on d.id = q.decided_by \
                      left join seen s on s.flag = q.flag and s.user_id = $1";

impl Filter {
    /// The conditions, with the asker's number as `$1`.
    fn conditions(&self, officer: &Officer) -> Conditions {
        let mut all = Conditions { sql: String::new(), values: vec![officer.id.into()] };
        if !self.states.is_empty() {
            all.one_of("q.state", self.states.iter().map(|state| state.name()));
        }
        match self.doubts {
            Doubts::Without => all.and("q.doubt = ?", [false.into()]),
            Doubts::Only => all.and("q.doubt = ?", [true.into()]),
            Doubts::With => {}
        }
        if let Some(least) = self.least {
            all.and("q.severity >= ?", [(least as i64).into()]);
        }
        if let Tables::Only(names) = &officer.tables {
            all.one_of("q.table_name", names.iter().map(String::as_str));
        }
        if !self.tables.is_empty() {
            all.one_of("q.table_name", self.tables.iter().map(String::as_str));
        }
        if !self.kinds.is_empty() {
            all.one_of("q.kind", self.kinds.iter().map(String::as_str));
        }
        let texts = [("q.dealer = ?", &self.dealer), ("q.check_name = ?", &self.check), ("q.clause = ?", &self.clause)];
        for (condition, text) in texts {
            if let Some(text) = text {
                all.and(condition, [text.as_str().into()]);
            }
        }
        if let Some(from) = self.from {
            all.and("q.at >= ?", [from.micros().into()]);
        }
        if let Some(until) = self.until {
            all.and("q.at < ?", [until.micros().into()]);
        }
        if let Some(amount) = self.amount {
            // As a number that was computed: SQLite would take the index by money for it, and sort all it finds.
            let by_money = self.order == Order::Money;
            all.and(if by_money { "q.amount >= ?" } else { "q.amount + 0 >= ?" }, [amount.into()]);
        }
        match self.assignee.as_deref() {
            None => {}
            Some("me") => all.and("q.assignee = ?", [officer.id.into()]),
            Some("nobody") => all.and("q.assignee is null", []),
            Some(name) => all.and("q.assignee = (select id from users where name = ?)", [name.into()]),
        }
        if self.unread {
            all.and("not exists (select 1 from seen u where u.flag = q.flag and u.user_id = $1)", []);
        }
        all
    }
}

impl Store {
    /// A page of the queue as an officer may see it.
    pub async fn queue(
        &self,
        officer: &Officer,
        filter: &Filter,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<Page, StoreError> {
        let mut conditions = filter.conditions(officer);
        let key = match filter.order {
            Order::Weight => Some("q.severity"),
            Order::Time => None,
            Order::Money => Some("q.amount"),
        };
        let order = match key {
            Some(key) => format!("{key} desc, q.at desc, q.id desc"),
            None => "q.at desc, q.id desc".to_owned(),
        };
        if let Some(Cursor { first, at, id }) = after {
            match key {
                Some(key) => {
                    let condition = format!("({key}, q.at, q.id) < (?, ?, ?)");
                    conditions.and(&condition, [first, at, id].map(Value::Int));
                }
                None => conditions.and("(q.at, q.id) < (?, ?)", [at, id].map(Value::Int)),
            }
        }
        let Conditions { sql, mut values } = conditions;
        values.push(Value::Int(limit as i64 + 1));
        // First which flags, from the indices alone; then the rest of these few.
        let which = format!("select q.id from queue q{sql} order by {order} limit ${}", values.len());
        let sql = format!("{SELECT} from ({which}) which join queue q on q.id = which.id {BESIDE} order by {order}");
        let mut flags: Vec<Queued> =
            on!(Store self, db => bound!(sqlx::query_as(AssertSqlSafe(sql)), &values).fetch_all(db).await?);
        let more = flags.len() > limit;
        flags.truncate(limit);
        let next = flags.last().filter(|_| more).map(|last| Cursor {
            first: match filter.order {
                Order::Weight => last.severity,
                Order::Time => 0,
                Order::Money => last.amount,
            },
            at: last.at,
            id: last.id,
        });
        Ok(Page { flags, next })
    }

    /// How many flags answer a filter.
    pub async fn count(&self, officer: &Officer, filter: &Filter) -> Result<i64, StoreError> {
        let mut conditions = filter.conditions(officer);
        // The asker's number must be used, or a server does not know its type.
        conditions.and("cast($1 as bigint) is not null", []);
        let Conditions { sql, values } = conditions;
        let sql = format!("select count(*) from queue q{sql}");
        Ok(on!(Store self, db => bound!(sqlx::query_scalar(AssertSqlSafe(sql)), &values).fetch_one(db).await?))
    }

    /// One flag as it stands, if the officer may see its table.
    pub async fn flag(&self, officer: &Officer, flag: &str) -> Result<Queued, StoreError> {
        let sql = format!("{SELECT} from queue q {BESIDE} where q.flag = $2");
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
            "{SELECT} from queue q {BESIDE} where q.table_name = $2 and q.shoe = $3 and q.round = $4 \
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
