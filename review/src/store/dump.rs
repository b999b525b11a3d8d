//! Every table as lines of JSON, the same from both databases, and back.

use sqlx::AssertSqlSafe;

use super::sql::all;
use super::{Store, StoreError, Tx, on};

/// The tables in an order in which each refers only to those before it, and the order of their rows. A round names the one
/// that superseded it, so the last comes first. Sessions and the like are not kept: nobody is logged in after a restore.
pub(crate) const TABLES: &[(&str, &str)] = &[
    ("sites", "name"),
    ("log", "seq"),
    ("tables", "name"),
    ("dealers", "name"),
    ("shoes", "table_name, shoe"),
    ("shufflers", "table_name, since_at"),
    ("rounds", "id desc"),
    ("flags", "id"),
    ("users", "id"),
    ("user_tables", "user_id, table_name"),
    ("queue", "id"),
    ("decisions", "id"),
    ("notes", "id"),
    ("seen", "user_id, flag"),
    ("saved_filters", "id"),
    ("corrections", "id"),
    ("cases", "id"),
    ("case_members", "case_id, kind, subject"),
    ("case_changes", "id"),
    ("api_tokens", "id"),
    ("settings", "name"),
    ("evidence", "digest"),
    ("evidence_links", "digest, kind, subject"),
    ("holds", "id"),
    ("health", "id"),
    ("calibrations", "id"),
    ("subscribers", "id"),
    ("outbox", "id"),
];

/// Tables whose numbers the database hands out itself.
const COUNTED: &[&str] = &[
    "users",
    "decisions",
    "notes",
    "saved_filters",
    "corrections",
    "cases",
    "case_changes",
    "api_tokens",
    "holds",
    "health",
    "calibrations",
    "subscribers",
    "outbox",
];

impl Store {
    /// A table's columns.
    pub(crate) async fn columns(&self, table: &str) -> Result<Vec<String>, StoreError> {
        let rows: Vec<(String,)> = match self {
            Self::Sqlite { .. } => all!(Store self, "select name from pragma_table_info($1) order by cid", table),
            Self::Postgres(_) => {
                const SQL: &str = "select column_name::text from information_schema.columns where table_schema = current_schema() \
                                   and table_name = $1 order by ordinal_position";
                all!(Store self, SQL, table)
            }
        };
        Ok(rows.into_iter().map(|(name,)| name).collect())
    }
}

impl Tx {
    /// A piece of a table, one JSON object a row.
    pub(crate) async fn dump(
        &mut self,
        table: &str,
        order: &str,
        columns: &[String],
        offset: i64,
        limit: i64,
    ) -> Result<Vec<String>, StoreError> {
        let object = match self {
            Self::Sqlite(_) => {
                let pairs: Vec<_> = columns.iter().map(|name| format!("'{name}', {name}")).collect();
                format!("json_object({})", pairs.join(", "))
            }
            Self::Postgres(_) => {
                let pairs: Vec<_> = columns.iter().map(|name| format!("'{name}', {name}")).collect();
                format!("json_build_object({})::text", pairs.join(", "))
            }
        };
        let sql = format!("select {object} from {table} order by {order} limit $1 offset $2");
        let rows: Vec<(String,)> = all!(Tx self, AssertSqlSafe(sql), limit, offset);
        Ok(rows.into_iter().map(|(row,)| row).collect())
    }

    /// Writes rows of a table back; `rows` is a JSON array of objects.
    pub(crate) async fn undump(&mut self, table: &str, columns: &[String], rows: &str) -> Result<(), StoreError> {
        let names = columns.join(", ");
        let sql = match self {
            Self::Sqlite(_) => {
                let values: Vec<_> = columns.iter().map(|name| format!("json_extract(value, '$.{name}')")).collect();
                format!("insert into {table} ({names}) select {} from json_each($1)", values.join(", "))
            }
            Self::Postgres(_) => {
                format!(
                    "insert into {table} ({names}) select {names} from json_populate_recordset(null::{table}, $1::json)"
                )
            }
        };
        on!(Tx self, db => sqlx::query(AssertSqlSafe(sql)).bind(rows).execute(db).await.map(drop)?);
        Ok(())
    }

    /// Lets the database count on from where the rows end.
    pub(crate) async fn count_on(&mut self) -> Result<(), StoreError> {
        let Self::Postgres(_) = self else { return Ok(()) };
        for table in COUNTED {
            let sql = format!(
                "select setval(pg_get_serial_sequence('{table}', 'id'), coalesce((select max(id) from {table}), 0) + 1, false)"
            );
            on!(Tx &mut *self, db => sqlx::query(AssertSqlSafe(sql)).execute(db).await.map(drop)?);
        }
        Ok(())
    }
}
