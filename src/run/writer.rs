//! From a table to the database: rounds are written once what they were made of is safe on the disk.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ingest::recorder::Counters;
use review::Store;
use review::store::ingest::Audited;
use review::store::site::Health;
use table::Flag;
use tokio::sync::mpsc;

use super::board::Slate;
use crate::database;

/// Rounds in one transaction.
const AT_ONCE: usize = 500;
/// How often is looked whether the journal is safe by now.
const LOOK_EVERY: Duration = Duration::from_millis(1);
/// A disk that takes longer than this fails. Officers hear of the round all the same.
const SAFE_WITHIN: Duration = Duration::from_secs(2);
/// Rests between attempts at a database that fails.
const FIRST_REST: Duration = Duration::from_millis(250);
const LONGEST_REST: Duration = Duration::from_secs(15);

/// Something for the database.
pub(super) enum Entry {
    /// Rounds that are over, or of which there is more to say.
    Rounds {
        audited: Vec<Audited>,
        /// The journal they were made of, and how many of its records.
        journal: Option<(Arc<Counters>, u64)>,
        /// When the last of what made them over was heard; nothing for rounds that are read again.
        heard: Option<Instant>,
    },
    /// A device says how it is.
    Health(Health),
}

/// Writes one table's entries, until nobody can send any more.
pub(super) async fn write(store: Store, site: String, slate: Slate, mut entries: mpsc::UnboundedReceiver<Entry>) {
    while let Some(entry) = entries.recv().await {
        match entry {
            Entry::Health(health) => {
                if let Err(error) = store.add_health(&health).await {
                    tracing::warn!(table = health.table_name, %error, "a device's health is not in the database");
                }
            }
            Entry::Rounds { audited, journal, heard } => {
                if let Some((counters, records)) = journal {
                    safe(&counters, records).await;
                }
                for some in audited.chunks(AT_ONCE) {
                    let new = persist(&store, &site, &slate, some).await;
                    let delay = heard.map(|heard| heard.elapsed().as_secs_f64() * 1e3);
                    let mut table = slate.write();
                    table.waiting = table.waiting.saturating_sub(some.len() as u64);
                    table.written(some, new, delay);
                }
            }
        }
    }
}

/// Waits until so many records of a journal are safe.
async fn safe(counters: &Counters, records: u64) {
    let begun = Instant::now();
    while counters.counts().settled() < records && begun.elapsed() < SAFE_WITHIN {
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// Writes rounds, however long that takes; how many of them were new.
async fn persist(store: &Store, site: &str, slate: &Slate, audited: &[Audited]) -> u64 {
    let mut rest = FIRST_REST;
    loop {
        match store.write(site, audited, database::now()).await {
            Ok(written) => {
                let mut table = slate.write();
                if written.rounds + written.flags > 0 {
                    let flags: Vec<&Flag> = audited.iter().flat_map(|audited| &audited.flags).collect();
                    table.raised(flags.into_iter().rev().take(usize::try_from(written.flags).unwrap_or(usize::MAX)));
                }
                table.failure.take_if(|failure| failure.starts_with(DATABASE));
                return written.rounds;
            }
            Err(error) => {
                let error = anyhow::Error::from(error);
                tracing::error!("{} rounds wait for the database: {error:#}", audited.len());
                slate.write().failure = Some(format!("{DATABASE}: {error:#}"));
                tokio::time::sleep(rest).await;
                rest = (2 * rest).min(LONGEST_REST);
            }
        }
    }
}

const DATABASE: &str = "the database";
