//! How many flags wait, asked once for all the filters of a page.

use sqlx::AssertSqlSafe;

use super::{Conditions, Doubts, Filter, State};
use crate::accounts::{Officer, Tables};
use crate::store::sql::bound;
use crate::store::{Store, StoreError, on};

/// The states whose flags are counted. The others grow without end, and nobody works through them.
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

impl Store {
    /// The flags that wait, of the tables an officer may see. The database keeps their numbers: asking costs the same however
    /// many there are.
    pub async fn tally(&self, officer: &Officer) -> Result<Tally, StoreError> {
        let mut conditions = Conditions { sql: String::new(), values: vec![officer.id.into()] };
        if let Tables::Only(names) = &officer.tables {
            conditions.one_of("table_name", names.iter().map(String::as_str));
        }
        let Conditions { sql, values } = conditions;
        let sql = format!(
            "select state, doubt, kind, severity, cast(sum(flags) as bigint) as flags, \
             cast(sum(case when assignee = $1 then flags else 0 end) as bigint) as mine \
             from waiting{sql} group by state, doubt, kind, severity"
        );
        Ok(Tally(on!(Store self, db => bound!(sqlx::query_as(AssertSqlSafe(sql)), values).fetch_all(db).await?)))
    }
}
