//! Writing what an audit found: rounds, their flags, and what neither replaces.
//!
//! Writing the same twice writes nothing. A round that reads differently now, or a verdict that changed, becomes a new
//! entry beside the old one; a flag that is no longer found is withdrawn by an entry of its own. Everything of a call is
//! one transaction with one entry in the log, which holds the hash of all that was written.

mod draft;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::mem::take;

use draft::{Draft, Known, KnownFlag, KnownRound};
use serde_json::json;
use sha2::{Digest, Sha256};
use sqlx::AssertSqlSafe;
use table::{Flag, Round, RoundId, Utc};

use super::sql::{Value, all, bound, run, value};
use super::{ADD_SITE, Store, StoreError, Tx, on};
use crate::log::{self, Deed};

/// A round with what its audit found.
#[derive(Clone, Debug)]
pub struct Audited {
    /// The round.
    pub round: Round,
    /// What was found.
    pub flags: Vec<Flag>,
    /// The kinds of evidence there were, and those there were not.
    pub seen: Vec<&'static str>,
    /// See `seen`.
    pub not_seen: Vec<&'static str>,
}

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Rounds not known before.
    pub rounds: u64,
    /// Rounds that read differently now.
    pub reread: u64,
    /// Flags not known before.
    pub flags: u64,
    /// Flags whose verdict, confidence or evidence changed.
    pub changed: u64,
    /// Flags no longer found.
    pub withdrawn: u64,
}

/// Rows in one statement: enough that a statement's own cost is small, few enough that the statement is cached whole.
const ROWS: usize = 100;

/// The round as addresses and notes know it: `BJ-04.17.212`.
pub fn round_name(table: &str, shoe: i64, round: i64) -> String {
    format!("{table}.{shoe}.{round}")
}

/// What the log keeps of a batch: the hash of its rounds' digests and then its flags', in the order of their numbers.
pub(crate) fn batch_hash(rounds: &[String], flags: &[(String, bool)]) -> String {
    let mut hash = Sha256::new();
    for digest in rounds {
        hash.update(digest);
    }
    for (digest, withdrawn) in flags {
        hash.update(digest);
        hash.update([u8::from(*withdrawn)]);
    }
    data_encoding::HEXLOWER.encode(&hash.finalize())
}

impl Store {
    /// Writes audited rounds, all of them or none. Rounds of one call should follow each other at their tables.
    pub async fn write(&self, site: &str, audited: &[Audited], at: Utc) -> Result<Written, StoreError> {
        let mut tx = self.begin().await?;
        let known = tx.known(audited).await?;
        let last: i64 = value!(Tx &mut tx, "select coalesce(max(seq), 0) from log");
        let mut draft = Draft::new(
            at,
            last + 1,
            value!(Tx &mut tx, "select coalesce(max(id), 0) from rounds"),
            value!(Tx &mut tx, "select coalesce(max(id), 0) from flags"),
            value!(Tx &mut tx, "select coalesce(max(id), 0) from queue"),
        );
        // A batch that names a round twice means its last word on it.
        let last: BTreeMap<&RoundId, usize> =
            audited.iter().enumerate().map(|(index, audited)| (&audited.round.id, index)).collect();
        for (index, audited) in audited.iter().enumerate() {
            let id = &audited.round.id;
            if last.get(id) == Some(&index) {
                draft.round(audited, known.get(&(id.table.to_string(), id.shoe.into())))?;
            }
        }
        if draft.rounds.is_empty() && draft.flags.is_empty() {
            return Ok(draft.written);
        }
        let written = tx.write(site, draft, at).await?;
        tx.commit().await?;
        Ok(written)
    }
}

impl Tx {
    async fn known(&mut self, audited: &[Audited]) -> Result<BTreeMap<(String, i64), Known>, StoreError> {
        let mut spans: BTreeMap<(String, i64), (i64, i64)> = BTreeMap::new();
        for audited in audited {
            let id = &audited.round.id;
            let span = spans.entry((id.table.to_string(), id.shoe.into())).or_insert((i64::MAX, i64::MIN));
            *span = (span.0.min(id.round.into()), span.1.max(id.round.into()));
        }
        const ROUNDS: &str = "select id, round, entry, digest from rounds where table_name = $1 and shoe = $2 \
                              and round between $3 and $4 and superseded_by is null";
        const FLAGS: &str = "select q.id as queue_id, q.flag, q.round, f.entry, f.digest, f.document, q.state, \
                             q.assignee from queue q join flags f on f.id = q.flag_entry \
                             where q.table_name = $1 and q.shoe = $2 and q.round between $3 and $4 order by q.id";
        let mut known = BTreeMap::new();
        for ((table, shoe), (first, last)) in spans {
            let rounds: Vec<KnownRound> = all!(Tx &mut *self, ROUNDS, &table, shoe, first, last);
            if rounds.is_empty() {
                continue;
            }
            let flags: Vec<KnownFlag> = all!(Tx &mut *self, FLAGS, &table, shoe, first, last);
            let entry: &mut Known = known.entry((table, shoe)).or_default();
            entry.rounds.extend(rounds.into_iter().map(|round| (round.round, round)));
            for flag in flags {
                entry.flags.entry(flag.round).or_default().push(flag);
            }
        }
        Ok(known)
    }

    async fn write(&mut self, site: &str, mut draft: Draft, at: Utc) -> Result<Written, StoreError> {
        let digest = batch_hash(&draft.round_digests, &draft.flag_digests);
        let detail = json!({ "rounds": draft.rounds.len(), "flags": draft.flags.len(), "sha256": digest });
        let deed = Deed { at, actor: log::SYSTEM, action: "ingest", subject: format!("site {site}"), detail };
        log::append(self, deed).await?;
        self.places(site, &draft).await?;
        const ROUNDS: &str = "rounds (id, table_name, shoe, round, entry, at, ended_at, dealer, game, hands, digest, document, \
                              coverage, batch)";
        const FLAGS: &str = "flags (id, flag, entry, round_id, document, digest, withdrawn, written_at, batch)";
        const QUEUE: &str = "queue (id, flag, flag_entry, round_id, table_name, shoe, round, at, dealer, check_name, clause, \
                             severity, kind, doubt, box, hand, amount, favours, confidence, state, assignee)";
        const DECISIONS: &str = "decisions (flag, flag_entry, at, action, state, assignee, reason)";
        self.insert(ROUNDS, take(&mut draft.rounds)).await?;
        for (old, new) in &draft.superseded {
            run!(Tx &mut *self, "update rounds set superseded_by = $2 where id = $1", old, new);
        }
        self.insert(FLAGS, take(&mut draft.flags)).await?;
        self.insert(QUEUE, take(&mut draft.queue)).await?;
        const REQUEUE: &str = "update queue set flag_entry = $1, round_id = $2, table_name = $3, shoe = $4, round = $5, at = $6, \
                               dealer = $7, check_name = $8, clause = $9, severity = $10, kind = $11, doubt = $12, box = $13, \
                               hand = $14, amount = $15, favours = $16, confidence = $17, state = $18, assignee = $19, \
                               decided_at = case when $18 in ('new', 'withdrawn') then null else decided_at end, \
                               decided_by = case when $18 in ('new', 'withdrawn') then null else decided_by end where id = $20";
        for row in take(&mut draft.requeued) {
            on!(Tx &mut *self, db => bound!(sqlx::query(REQUEUE), row).execute(db).await.map(drop)?);
        }
        for (queue, round) in &draft.moved_rounds {
            const MOVE: &str = "update queue set round_id = $2 where id = $1 and round_id <> $2";
            run!(Tx &mut *self, MOVE, queue, round);
        }
        self.insert(DECISIONS, take(&mut draft.decisions)).await?;
        self.tell(&draft).await?;
        Ok(draft.written)
    }

    /// Leaves word for whoever wants to be told of flags as severe as these.
    async fn tell(&mut self, draft: &Draft) -> Result<(), StoreError> {
        const WHO: &str = "select id, least_severity from subscribers where removed_at is null order by id";
        const OUTBOX: &str = "outbox (subscriber, flag, flag_entry, due_at, attempts, failure)";
        if draft.told.is_empty() {
            return Ok(());
        }
        let subscribers: Vec<(i64, i64)> = all!(Tx &mut *self, WHO);
        let told = draft.told.iter().flat_map(|(flag, entry, severity)| {
            let wanting = subscribers.iter().filter(move |(_, least)| least <= severity);
            wanting.map(|(who, _)| {
                vec![(*who).into(), flag.as_str().into(), (*entry).into(), draft.at.into(), 0.into(), "".into()]
            })
        });
        self.insert(OUTBOX, told.collect()).await
    }

    /// The site, tables, dealers and shoes that rows refer to.
    async fn places(&mut self, site: &str, draft: &Draft) -> Result<(), StoreError> {
        const KNOWN: &str = " on conflict do nothing";
        const EARLIER: &str = " on conflict (table_name, shoe) do update set began_at = excluded.began_at \
                               where shoes.began_at > excluded.began_at";
        let of_site = |names: &BTreeSet<String>| -> Vec<Vec<Value>> {
            names.iter().map(|name| vec![name.as_str().into(), site.into()]).collect()
        };
        let shoes: Vec<Vec<Value>> = draft
            .shoes
            .iter()
            .map(|((table, shoe), began)| vec![table.as_str().into(), (*shoe).into(), (*began).into()])
            .collect();
        run!(Tx &mut *self, ADD_SITE, site);
        self.insert_or("tables (name, site)", of_site(&draft.tables), KNOWN).await?;
        self.insert_or("dealers (name, site)", of_site(&draft.dealers), KNOWN).await?;
        self.insert_or("shoes (table_name, shoe, began_at)", shoes, EARLIER).await
    }

    /// Inserts rows, many in a statement.
    pub(super) async fn insert(&mut self, into: &str, rows: Vec<Vec<Value>>) -> Result<(), StoreError> {
        self.insert_or(into, rows, "").await
    }

    /// Inserts rows, many in a statement; `or` says what becomes of those that are there.
    async fn insert_or(&mut self, into: &str, rows: Vec<Vec<Value>>, or: &str) -> Result<(), StoreError> {
        let mut rows = rows.into_iter();
        while rows.len() > 0 {
            let some: Vec<Vec<Value>> = rows.by_ref().take(ROWS).collect();
            let columns = some.first().map_or(0, Vec::len);
            let marks = marks(some.len(), columns, matches!(self, Self::Postgres(_)));
            let sql = AssertSqlSafe(format!("insert into {into} values {marks}{or}"));
            let values = some.into_iter().flatten();
            on!(Tx &mut *self, db => bound!(sqlx::query(sql), values).execute(db).await.map(drop)?);
        }
        Ok(())
    }
}

/// Where the values of rows go in a statement. To find a value's number by its name takes SQLite as many steps as a statement
/// has values. Without a name it counts; PostgreSQL wants names.
fn marks(rows: usize, columns: usize, named: bool) -> String {
    let mut marks = String::with_capacity(rows * columns * 6);
    for number in 0..rows * columns {
        marks.push_str(match (number, number % columns) {
            (0, _) => "(",
            (_, 0) => "), (",
            _ => ", ",
        });
        if named {
            // Writing to a string cannot fail.
            let _ = write!(marks, "${}", number + 1);
        } else {
            marks.push('?');
        }
    }
    marks.push(')');
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_its_mark() {
        assert_eq!(marks(2, 3, true), "($1, $2, $3), ($4, $5, $6)");
        assert_eq!(marks(2, 2, false), "(?, ?), (?, ?)");
        assert_eq!(marks(1, 1, false), "(?)");
    }
}
