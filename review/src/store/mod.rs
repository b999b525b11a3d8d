//! The database: one [`Store`] over SQLite or PostgreSQL.
//!
//! Both speak the same SQL here, with `$1` for a value; where they differ, the difference is in this file. Reading
//! functions take the store, writing functions a transaction ([`Tx`]), so that a change and its entry in the log are
//! written together or not at all.

use std::str::FromStr;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{PgPool, Postgres, Sqlite, SqlitePool, Transaction};
use table::Utc;

pub mod cases;
pub mod decisions;
pub(crate) mod dump;
pub mod evidence;
pub mod ingest;
mod news;
pub mod notes;
pub mod people;
pub mod queue;
pub mod rounds;
pub mod sessions;
pub mod settings;
pub mod shufflers;
pub mod site;
pub(crate) mod sql;
pub mod users;
pub mod watches;

/// The lock that whoever writes to a PostgreSQL database holds.
const WRITER: i64 = 0x0066_6169_7264_6561;

/// Whatever is written names a site, which is known from then on; its zone and currency come with its settings.
const ADD_SITE: &str = "insert into sites (name, zone, currency) values ($1, 'UTC', 'XXX') on conflict do nothing";

/// A database of rounds, flags and what officers made of them.
#[derive(Clone, Debug)]
pub enum Store {
    /// A file of its own, no server needed.
    Sqlite {
        /// Connections that cannot write.
        reads: SqlitePool,
        /// The only connection that writes: SQLite throws a connection's cache away when another one has written.
        writes: SqlitePool,
    },
    /// A server, for many machines.
    Postgres(PgPool),
}

/// A transaction. Dropped without [`commit`](Tx::commit), nothing of it has happened.
#[derive(Debug)]
pub enum Tx {
    /// Of SQLite: the only writer while it lasts.
    Sqlite(Transaction<'static, Sqlite>),
    /// Of PostgreSQL.
    Postgres(Transaction<'static, Postgres>),
}

/// Does the same with a [`Store`]'s pool for reading, or a [`Tx`]'s connection, of either database.
macro_rules! on {
    (Store $store:expr, $db:ident => $body:expr) => {
        match $store {
            $crate::store::Store::Sqlite { reads: $db, .. } => $body,
            $crate::store::Store::Postgres($db) => $body,
        }
    };
    (Tx $tx:expr, $db:ident => $body:expr) => {
        match $tx {
            $crate::store::Tx::Sqlite(tx) => {
                let $db = &mut **tx;
                $body
            }
            $crate::store::Tx::Postgres(tx) => {
                let $db = &mut **tx;
                $body
            }
        }
    };
}
pub(crate) use on;

/// Why the database could not do it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The address names no database we know.
    #[error("{0}: expected sqlite:FILE or postgres://USER@HOST/NAME")]
    Address(String),
    /// It could not be opened or brought up to date.
    #[error("cannot open the database {url}")]
    Open {
        /// Its address, without a password.
        url: String,
        /// Why.
        source: sqlx::Error,
    },
    /// Its tables are not ours, or newer than this program.
    #[error("cannot bring the database {url} up to date")]
    Migrate {
        /// Its address, without a password.
        url: String,
        /// Why.
        source: sqlx::migrate::MigrateError,
    },
    /// A query failed.
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
    /// What is stored cannot be read.
    #[error("{what} in the database cannot be read")]
    Damaged {
        /// Which record.
        what: String,
        /// Why.
        source: serde_json::Error,
    },
    /// There is no such thing.
    #[error("there is no {0}")]
    Missing(String),
    /// It cannot be done as things stand; says why.
    #[error("{0}")]
    Refused(String),
}

impl Store {
    /// Opens the database at an address and brings its tables up to date: `sqlite:FILE` or `postgres://USER@HOST/NAME`.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        let shown = without_password(url);
        let open = |source| StoreError::Open { url: shown.clone(), source };
        let migrate = |source| StoreError::Migrate { url: shown.clone(), source };
        if url.starts_with("sqlite:") {
            let options = SqliteConnectOptions::from_str(url)
                .map_err(open)?
                .create_if_missing(true)
                .journal_mode(SqliteJournalMode::Wal)
                // What was acknowledged must survive a pulled plug, not only a killed process.
                .synchronous(SqliteSynchronous::Full)
                .foreign_keys(true)
                .busy_timeout(Duration::from_secs(30));
            // Room for what a few batches touch of all indices. A larger one costs more than it saves: every commit goes through it.
            let writing = options.clone().pragma("cache_size", "-16384");
            let writes = SqlitePoolOptions::new().max_connections(1).connect_with(writing).await.map_err(open)?;
            sqlx::migrate!("../migrations/sqlite").run(&writes).await.map_err(migrate)?;
            let reading = options.pragma("query_only", "on");
            let reads = SqlitePoolOptions::new().max_connections(8).connect_with(reading).await.map_err(open)?;
            Ok(Self::Sqlite { reads, writes })
        } else if url.starts_with("postgres:") || url.starts_with("postgresql:") {
            let pool = PgPool::connect(url).await.map_err(open)?;
            sqlx::migrate!("../migrations/postgres").run(&pool).await.map_err(migrate)?;
            Ok(Self::Postgres(pool))
        } else {
            Err(StoreError::Address(shown))
        }
    }

    /// Begins a change.
    pub async fn begin(&self) -> Result<Tx, StoreError> {
        Ok(match self {
            // Taking the write lock at once: a reader that turns writer half-way could only fail.
            Self::Sqlite { writes, .. } => Tx::Sqlite(writes.begin_with("begin immediate").await?),
            // The same on a server: one writer at a time keeps the log's chain in one piece, and nobody waits in a circle.
            Self::Postgres(pool) => {
                let mut tx = pool.begin().await?;
                sqlx::query("select pg_advisory_xact_lock($1)").bind(WRITER).execute(&mut *tx).await?;
                Tx::Postgres(tx)
            }
        })
    }

    /// Waits for running queries and closes.
    pub async fn close(&self) {
        match self {
            Self::Sqlite { reads, writes } => {
                reads.close().await;
                writes.close().await;
            }
            Self::Postgres(pool) => pool.close().await,
        }
    }
}

impl Tx {
    /// Makes the change last.
    pub async fn commit(self) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(tx) => tx.commit().await?,
            Self::Postgres(tx) => tx.commit().await?,
        }
        Ok(())
    }
}

/// The address as it may be shown.
fn without_password(url: &str) -> String {
    match url::Url::parse(url) {
        Ok(mut parsed) if parsed.password().is_some() => {
            // Refused only by addresses that cannot have one.
            let _ = parsed.set_password(None);
            parsed.to_string()
        }
        _ => url.to_owned(),
    }
}

/// A time as it is stored.
pub(crate) fn utc(micros: i64) -> Utc {
    Utc::from_micros(micros).unwrap_or(Utc::EPOCH)
}
