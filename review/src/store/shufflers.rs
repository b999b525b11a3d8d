//! Shuffling machines: which stood at which table since when, and what they shuffled.

use table::Utc;

use super::rounds::Shoe;
use super::sql::{all, find, run};
use super::{ADD_SITE, Store, StoreError};

impl Store {
    /// A site's configuration says which machine stands at a table from now on; nothing is written if it stood there before.
    pub async fn shuffler_stands(
        &self,
        site: &str,
        table: &str,
        name: Option<&str>,
        now: Utc,
    ) -> Result<(), StoreError> {
        if self.shuffler_at(table).await?.as_deref() == name {
            return Ok(());
        }
        let mut tx = self.begin().await?;
        const TABLE: &str = "insert into tables (name, site) values ($1, $2) on conflict do nothing";
        const SHUFFLER: &str = "insert into shufflers (table_name, since_at, name) values ($1, $2, $3) \
                                on conflict (table_name, since_at) do update set name = excluded.name";
        run!(Tx &mut tx, ADD_SITE, site);
        run!(Tx &mut tx, TABLE, table, site);
        run!(Tx &mut tx, SHUFFLER, table, now.micros(), name);
        tx.commit().await
    }

    /// The machine that stands at a table.
    pub async fn shuffler_at(&self, table: &str) -> Result<Option<String>, StoreError> {
        const SQL: &str = "select name from shufflers where table_name = $1 order by since_at desc limit 1";
        let found: Option<(Option<String>,)> = find!(Store self, SQL, table);
        Ok(found.and_then(|(name,)| name))
    }

    /// The latest shoes that came into use while a machine stood at their table, newest first.
    pub async fn shoes_shuffled_by(&self, shuffler: &str, limit: i64) -> Result<Vec<Shoe>, StoreError> {
        const SQL: &str = "select s.table_name, s.shoe, s.began_at, (select count(*) from rounds r \
                           where r.table_name = s.table_name and r.shoe = s.shoe and r.superseded_by is null) as rounds \
                           from shoes s where s.table_name in (select table_name from shufflers where name = $1) \
                           and $1 = (select m.name from shufflers m where m.table_name = s.table_name \
                           and m.since_at <= s.began_at order by m.since_at desc limit 1) order by s.began_at desc limit $2";
        Ok(all!(Store self, SQL, shuffler, limit))
    }
}
