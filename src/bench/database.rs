//! What writing rounds with their flags to SQLite costs, beside bare inserts of the same bytes.

use std::time::{Duration, Instant};

use anyhow::bail;
use auditor::check::{Law, Session};
use review::Store;
use review::store::ingest::Audited;
use table::{Ident, Round, RoundId, Utc};

use crate::database;

/// Rounds in a transaction, ours and theirs.
const AT_ONCE: usize = 500;

/// Microseconds a round takes: ours, and bare.
pub(super) fn measure(tables: &[(Law, Vec<Round>)], least: Duration) -> anyhow::Result<(f64, f64)> {
    let mut audited = Vec::new();
    for (law, rounds) in tables {
        let mut session = Session::default();
        for round in rounds {
            let (flags, coverage) = session.audit(law, round);
            let [seen, not_seen] = [coverage.seen_names(), coverage.missing_names()];
            audited.push(Audited { round: round.clone(), flags, seen, not_seen });
        }
    }
    let folder = tempfile::tempdir()?;
    let url = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
    database::block_on(async {
        let ours = Store::open(&url("ours.db")).await?;
        let Store::Sqlite { writes: bare, .. } = Store::open(&url("bare.db")).await? else { bail!("not SQLite") };
        sqlx::query("create table bare (id integer primary key, document text not null)").execute(&bare).await?;
        let mut spent = [Duration::ZERO; 2];
        let mut shoe = 0;
        let mut rounds = 0;
        let table: Ident = "bench".parse()?;
        // Turn by turn, so that a busy machine is busy for both.
        while spent[0] < least || spent[1] < least {
            for batch in audited.chunks_mut(AT_ONCE) {
                shoe += 1;
                for (round, audited) in (1..).zip(batch.iter_mut()) {
                    let id = RoundId { table: table.clone(), shoe, round };
                    audited.round.id = id.clone();
                    audited.flags.iter_mut().for_each(|flag| flag.round = id.clone());
                }
                rounds += batch.len();
                let began = Instant::now();
                ours.write("bench", batch, Utc::EPOCH).await?;
                spent[0] += began.elapsed();
                let began = Instant::now();
                let mut tx = bare.begin().await?;
                for audited in batch.iter() {
                    let round = serde_json::to_string(&audited.round)?;
                    let flags = audited.flags.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
                    for document in std::iter::once(round).chain(flags) {
                        let insert = sqlx::query("insert into bare (document) values ($1)").bind(document);
                        insert.execute(&mut *tx).await?;
                    }
                }
                tx.commit().await?;
                spent[1] += began.elapsed();
            }
        }
        let each = |spent: Duration| spent.as_secs_f64() * 1e6 / rounds as f64;
        Ok((each(spent[0]), each(spent[1])))
    })
}
