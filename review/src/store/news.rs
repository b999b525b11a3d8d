//! What was written since: how a server notices other programs at work.

use super::sql::{all, find};
use super::{Store, StoreError};

/// As much news as is told one by one; a screen that hears this much at once loads its page again anyway.
const MOST: i64 = 5000;

impl Store {
    /// The numbers of the last entry of a flag and the last decision.
    pub async fn marks(&self) -> Result<(i64, i64), StoreError> {
        const SQL: &str =
            "select (select coalesce(max(id), 0) from flags), (select coalesce(max(id), 0) from decisions)";
        let marks: Option<(i64, i64)> = find!(Store self, SQL);
        Ok(marks.unwrap_or_default())
    }

    /// The flags that were written or decided after both marks: id, table and state.
    pub async fn news(&self, (flag, decision): (i64, i64)) -> Result<Vec<(String, String, String)>, StoreError> {
        const SQL: &str = "select q.flag, q.table_name, q.state from queue q where q.flag in \
                           (select f.flag from flags f where f.id > $1 union select d.flag from decisions d where d.id > $2) \
                           order by q.id limit $3";
        Ok(all!(Store self, SQL, flag, decision, MOST))
    }
}
