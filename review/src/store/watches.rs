//! How each table is that somebody watches, as whoever does says every few seconds.

use table::{Utc, named};

use super::sql::{all, run};
use super::{Store, StoreError};
use crate::accounts::Officer;

named! {
    /// What is done with a table.
    pub enum Doing, "starting, catching, watching, failed, ended or stopped" {
        /// Being made ready.
        Starting = "starting",
        /// What was recorded before is read again.
        Catching = "catching",
        /// Watched.
        Watching = "watching",
        /// It failed, and is tried again.
        Failed = "failed",
        /// Its feeds have ended.
        Ended = "ended",
        /// Nobody watches it any more.
        Stopped = "stopped",
    }
}

/// How a table is.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, sqlx::FromRow)]
pub struct Watch {
    /// Which.
    pub table_name: String,
    /// When this was said.
    pub at: i64,
    /// What is done with it, by the name of a [`Doing`].
    pub doing: String,
    /// Since when.
    pub since_at: Option<i64>,
    /// When something was last heard of its devices.
    pub heard_at: Option<i64>,
    /// From what was heard last of a round to its flags in the database, in microseconds: the last round's.
    pub lag: Option<i64>,
    /// Half of the latest rounds took no longer.
    pub lag_half: Option<i64>,
    /// 99 in a hundred took no longer.
    pub lag_most: Option<i64>,
    /// Rounds that wait for the database.
    pub waiting: i64,
    /// What keeps it from being watched; empty if nothing does.
    pub failure: String,
}

impl Watch {
    /// Who watches says so every few seconds. So long after the last word, in microseconds, nobody does.
    const SILENCE: i64 = 20_000_000;

    /// What is done with the table; nothing if whoever did it fell silent.
    pub fn doing(&self, now: Utc) -> Option<Doing> {
        let silent = now.micros().saturating_sub(self.at) > Self::SILENCE;
        self.doing.parse().ok().filter(|doing| !silent && *doing != Doing::Stopped)
    }
}

impl Store {
    /// Notes how tables are.
    pub async fn watched(&self, watches: &[Watch]) -> Result<(), StoreError> {
        const SQL: &str = "insert into watches (table_name, at, doing, since_at, heard_at, lag, lag_half, lag_most, waiting, failure) \
                           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (table_name) do update set \
                           at = excluded.at, doing = excluded.doing, since_at = excluded.since_at, \
                           heard_at = excluded.heard_at, lag = excluded.lag, lag_half = excluded.lag_half, \
                           lag_most = excluded.lag_most, waiting = excluded.waiting, failure = excluded.failure";
        let mut tx = self.begin().await?;
        for watch in watches {
            let Watch { table_name, at, doing, since_at, heard_at, lag, lag_half, lag_most, waiting, failure } = watch;
            run!(Tx &mut tx, SQL, table_name, at, doing, since_at, heard_at, lag, lag_half, lag_most, waiting, failure);
        }
        tx.commit().await
    }

    /// How the tables are that an officer may see and somebody ever watched, by name.
    pub async fn watches(&self, officer: &Officer) -> Result<Vec<Watch>, StoreError> {
        const SQL: &str = "select table_name, at, doing, since_at, heard_at, lag, lag_half, lag_most, waiting, failure \
                           from watches order by table_name";
        let all: Vec<Watch> = all!(Store self, SQL);
        Ok(all.into_iter().filter(|watch| officer.tables.include(&watch.table_name)).collect())
    }
}
