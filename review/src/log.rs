//! The log: who did what to what, each entry sealed to the one before.
//!
//! An entry's hash is SHA-256 over the hash before it and the entry as JSON. Whoever changes, inserts or removes an entry
//! must recompute all that follow, and cannot, once somebody else has written down one later hash.

use data_encoding::HEXLOWER;
use serde_json::Value;
use sha2::{Digest, Sha256};
use table::Utc;

use crate::store::sql::{all, find, run};
use crate::store::{Store, StoreError, Tx};

/// The hash before the first entry.
pub const BEGINNING: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Who the log says it was when no person was.
pub const SYSTEM: &str = "system";

/// Something that was done.
#[derive(Clone, Debug)]
pub struct Deed<'a> {
    /// When.
    pub at: Utc,
    /// By whom: a user's name, or [`SYSTEM`].
    pub actor: &'a str,
    /// What, in a word: `view`, `confirm`, `export`, `login`.
    pub action: &'a str,
    /// To what: `flag BJ-04.17.212.paid_a_push.3a`.
    pub subject: String,
    /// Whatever else is worth knowing in a year.
    pub detail: Value,
}

/// An entry as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Entry {
    /// Its number, from 1.
    pub seq: i64,
    /// When, in microseconds of UTC.
    pub at: i64,
    /// By whom.
    pub actor: String,
    /// What.
    pub action: String,
    /// To what.
    pub subject: String,
    /// The rest, as JSON.
    pub detail: String,
    /// The hash of the entry before.
    pub previous: String,
    /// Its own.
    pub hash: String,
}

impl Entry {
    /// The hash this entry should have.
    pub fn sealed(&self) -> String {
        let entry = serde_json::json!([self.seq, self.at, self.actor, self.action, self.subject, self.detail]);
        sha256(format!("{}\n{entry}", self.previous).as_bytes())
    }
}

/// SHA-256 in lower-case hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

/// Adds an entry at the end of the chain and gives its number.
pub async fn append(tx: &mut Tx, deed: Deed<'_>) -> Result<i64, StoreError> {
    let last: Option<(i64, String)> = find!(Tx &mut *tx, "select seq, hash from log order by seq desc limit 1");
    let (seq, previous) = last.unwrap_or_else(|| (0, BEGINNING.to_owned()));
    let mut entry = Entry {
        seq: seq + 1,
        at: deed.at.micros(),
        actor: deed.actor.to_owned(),
        action: deed.action.to_owned(),
        subject: deed.subject,
        detail: deed.detail.to_string(),
        previous,
        hash: String::new(),
    };
    entry.hash = entry.sealed();
    const INSERT: &str = "insert into log (seq, at, actor, action, subject, detail, previous, hash) \
                          values ($1, $2, $3, $4, $5, $6, $7, $8)";
    run!(
        Tx tx,
        INSERT,
        entry.seq,
        entry.at,
        &entry.actor,
        &entry.action,
        &entry.subject,
        &entry.detail,
        &entry.previous,
        &entry.hash,
    );
    Ok(entry.seq)
}

impl Store {
    /// Records something that changed nothing else: a view, an export, a login.
    pub async fn record(&self, deed: Deed<'_>) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        append(&mut tx, deed).await?;
        tx.commit().await
    }

    /// Entries before one, newest first.
    pub async fn log_before(&self, seq: i64, limit: i64) -> Result<Vec<Entry>, StoreError> {
        const SQL: &str = "select seq, at, actor, action, subject, detail, previous, hash from log \
                           where seq < $1 order by seq desc limit $2";
        Ok(all!(Store self, SQL, seq, limit))
    }

    /// What was done to something, oldest first; who only looked at it, and notes and files, are told elsewhere.
    pub async fn log_of(&self, subject: &str) -> Result<Vec<Entry>, StoreError> {
        const SQL: &str = "select seq, at, actor, action, subject, detail, previous, hash from log where subject = $1 \
                           and action not in ('view', 'fetch', 'note', 'evidence') order by seq";
        Ok(all!(Store self, SQL, subject))
    }

    /// Entries from one on, oldest first.
    pub async fn log_from(&self, seq: i64, limit: i64) -> Result<Vec<Entry>, StoreError> {
        const SQL: &str = "select seq, at, actor, action, subject, detail, previous, hash from log \
                           where seq >= $1 order by seq limit $2";
        Ok(all!(Store self, SQL, seq, limit))
    }
}
