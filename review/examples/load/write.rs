//! How long writing the year takes, and how long bare inserts of the same bytes in transactions of the same size.

use review::Store;
use review::accounts::Officer;
use review::server::{Clock, WallClock};
use review::store::decisions::{Action, Decision};
use review::store::ingest::Audited;
use sqlx::SqlitePool;
use table::Flag;

use crate::Outcome;
use crate::watch::{Spent, Watch};
use crate::year::Year;

const AT_ONCE: u32 = 500;

/// Documents in a table without anything.
pub(crate) struct Bare {
    pool: SqlitePool,
    /// How long inserting them took.
    pub(crate) spent: Spent,
    /// How long they are.
    pub(crate) bytes: usize,
}

impl Bare {
    pub(crate) async fn open(url: &str) -> Outcome<Self> {
        let Store::Sqlite { writes: pool, .. } = Store::open(url).await? else { return Err("not SQLite".into()) };
        sqlx::query("create table bare (id integer primary key, document text not null)").execute(&pool).await?;
        Ok(Self { pool, spent: Spent::NOTHING, bytes: 0 })
    }

    async fn write(&mut self, batch: &[Audited]) -> Outcome<()> {
        let watch = Watch::start();
        let mut tx = self.pool.begin().await?;
        for audited in batch {
            let round = serde_json::to_string(&audited.round)?;
            let flags = audited.flags.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
            for document in std::iter::once(round).chain(flags) {
                self.bytes += document.len();
                sqlx::query("insert into bare (document) values ($1)").bind(document).execute(&mut *tx).await?;
            }
        }
        tx.commit().await?;
        self.spent += watch.stop();
        Ok(())
    }
}

/// Writes the rounds from one number up to another, and says how long that took. The bare ones turn by turn with ours, so that
/// a busy machine is busy for both.
pub(crate) async fn fill(
    store: &Store,
    officer: &Officer,
    year: &Year,
    from: u32,
    rounds: u32,
    bare: &mut Option<Bare>,
) -> Outcome<Spent> {
    let mut spent = Spent::NOTHING;
    for first in (from..rounds).step_by(AT_ONCE as usize) {
        let batch: Vec<_> = (first..rounds.min(first + AT_ONCE)).map(|number| year.round(number)).collect();
        let watch = Watch::start();
        // Written now, or retention would let go of what is a year old already.
        store.write("load", &batch, WallClock.now()).await?;
        spent += watch.stop();
        if let Some(bare) = bare {
            bare.write(&batch).await?;
        }
        decide(store, officer, &batch).await?;
    }
    Ok(spent)
}

/// Decides two flags in five, so that a queue of both kinds is searched.
async fn decide(store: &Store, officer: &Officer, batch: &[Audited]) -> Outcome<()> {
    let flags: Vec<String> = batch.iter().flat_map(|audited| &audited.flags).map(Flag::id).collect();
    for (nth, action) in [(0, Action::Confirm), (1, Action::Dismiss)] {
        let flags: Vec<&str> = flags.iter().skip(nth).step_by(5).map(String::as_str).collect();
        let decision = Decision { action, reason: "as described", assignee: None };
        store.decide(officer, &flags, &decision, WallClock.now()).await?;
    }
    Ok(())
}
