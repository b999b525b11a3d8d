//! How many flags wait, counted once for all the filters of a page.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use sqlx::AssertSqlSafe;

use super::{Conditions, Doubts, Filter, State};
use crate::accounts::{Officer, Tables};
use crate::store::sql::bound;
use crate::store::{Store, StoreError, on};

/// The states that are counted ahead. The others grow without end, and nobody works through them.
const WAITING: [State; 2] = [State::New, State::Escalated];

/// Flags that are alike in what the usual filters ask for.
#[derive(Clone, Debug, sqlx::FromRow)]
struct Heap {
    state: String,
    doubt: bool,
    kind: String,
    severity: i64,
    flags: i64,
    /// Of those, the ones given to whoever asks.
    mine: i64,
}

/// The flags that wait, counted for an officer.
#[derive(Clone, Debug)]
pub struct Tally(Vec<Heap>);

impl Tally {
    /// How many of them answer a filter; `None` if it asks for more than was counted.
    pub fn count(&self, filter: &Filter) -> Option<i64> {
        let Filter {
            states,
            least,
            tables,
            dealer,
            kinds,
            check,
            clause,
            from,
            until,
            amount,
            assignee,
            doubts,
            unread,
            order: _,
        } = filter;
        let texts = [dealer, check, clause].iter().any(|text| text.is_some());
        let numbers = from.is_some() || until.is_some() || amount.is_some();
        let counted = !states.is_empty() && states.iter().all(|state| WAITING.contains(state));
        if texts || numbers || *unread || !tables.is_empty() || !counted {
            return None;
        }
        let mine = match assignee.as_deref() {
            None => false,
            Some("me") => true,
            Some(_) => return None,
        };
        let fits = |heap: &&Heap| {
            states.iter().any(|state| state.name() == heap.state)
                && least.is_none_or(|least| heap.severity >= least as i64)
                && (kinds.is_empty() || kinds.contains(&heap.kind))
                && match doubts {
                    Doubts::Without => !heap.doubt,
                    Doubts::Only => heap.doubt,
                    Doubts::With => true,
                }
        };
        Some(self.0.iter().filter(fits).map(|heap| if mine { heap.mine } else { heap.flags }).sum())
    }
}

/// What was counted, how far the queue had come then, and the tables whose flags were counted.
#[derive(Clone, Debug)]
struct Counted {
    tally: Tally,
    come: (i64, i64),
    tables: Tables,
}

/// Counts that were made, by officer. Counting reads every flag that waits, and between two looks at the page mostly nothing
/// has happened.
#[derive(Debug, Default)]
pub struct Tallies(Mutex<HashMap<i64, Counted>>);

impl Tallies {
    /// The flags that wait for an officer: as counted before if nothing was written or decided since, else counted anew.
    pub async fn of(&self, store: &Store, officer: &Officer) -> Result<Tally, StoreError> {
        // Asked before counting: what comes between is counted twice rather than never.
        let come = store.marks().await?;
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&officer.id).cloned();
        if let Some(known) = known
            && known.come == come
            && known.tables == officer.tables
        {
            return Ok(known.tally);
        }
        let tally = store.tally(officer).await?;
        let counted = Counted { tally: tally.clone(), come, tables: officer.tables.clone() };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(officer.id, counted);
        Ok(tally)
    }
}

impl Store {
    /// Counts the flags that wait, of the tables an officer may see.
    pub async fn tally(&self, officer: &Officer) -> Result<Tally, StoreError> {
        self.counted(officer.id, &officer.tables).await
    }

    /// Counts for nobody, so that what is counted is read from the disk before somebody waits for it.
    pub async fn warm(&self) -> Result<(), StoreError> {
        self.counted(0, &Tables::All).await.map(drop)
    }

    async fn counted(&self, asker: i64, tables: &Tables) -> Result<Tally, StoreError> {
        let mut conditions = Conditions { sql: String::new(), values: vec![asker.into()] };
        conditions.one_of("state", WAITING.map(State::name));
        if let Tables::Only(names) = tables {
            conditions.one_of("table_name", names.iter().map(String::as_str));
        }
        let Conditions { sql, values } = conditions;
        let sql = format!(
            "select state, doubt, kind, severity, count(*) as flags, \
             cast(sum(case when assignee = $1 then 1 else 0 end) as bigint) as mine \
             from queue{sql} group by state, doubt, kind, severity"
        );
        Ok(Tally(on!(Store self, db => bound!(sqlx::query_as(AssertSqlSafe(sql)), &values).fetch_all(db).await?)))
    }
}
