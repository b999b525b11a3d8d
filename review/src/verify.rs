//! Recomputing everything that was sealed, from outside: the log's chain, what it says was written, and every evidence file.

mod written;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::evidence::{Locker, LockerError};
use crate::log::{BEGINNING, Entry, sha256};
use crate::store::ingest::batch_hash;
use crate::store::sql::all;
use crate::store::{Store, StoreError};
use written::Written;

/// What was looked at, and what is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Verified {
    /// Entries of the log.
    pub entries: u64,
    /// Rounds, every reading.
    pub rounds: u64,
    /// Entries of flags.
    pub flags: u64,
    /// Decisions.
    pub decisions: u64,
    /// Evidence files.
    pub files: u64,
    /// The hash of the last entry: written down elsewhere, it proves later that nothing was cut off.
    pub last: String,
    /// What is wrong, in words; empty if nothing is.
    pub faults: Vec<String>,
}

/// Rows at a time.
const PIECE: i64 = 5000;

/// A hash of the log somebody wrote down earlier: `SEQ:HASH`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// The entry's number.
    pub seq: i64,
    /// Its hash.
    pub hash: String,
}

impl std::str::FromStr for Anchor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (seq, hash) = text.split_once(':').unwrap_or_default();
        match seq.parse() {
            Ok(seq) if hash.len() == 64 => Ok(Self { seq, hash: hash.to_ascii_lowercase() }),
            _ => Err("expected NUMBER:HASH as an earlier verification printed it".to_owned()),
        }
    }
}

/// What the log says was written, by its entry's number.
#[derive(Default)]
struct Sworn {
    batches: BTreeMap<i64, (u64, u64, String)>,
    decisions: BTreeMap<i64, (String, String)>,
    notes: BTreeMap<i64, String>,
    evidence: Vec<String>,
    written: Written,
    forgotten: u64,
}

/// Verifies a database, and its evidence files if they are at hand.
pub async fn verify(store: &Store, locker: Option<&Locker>, anchors: &[Anchor]) -> Result<Verified, LockerError> {
    let mut found = Verified { last: BEGINNING.to_owned(), ..Verified::default() };
    let mut sworn = chain(store, anchors, &mut found).await?;
    batches(store, &sworn, &mut found).await?;
    decisions(store, &sworn, &mut found).await?;
    notes(store, &sworn, &mut found).await?;
    std::mem::take(&mut sworn.written).compare(store, &mut found).await?;
    standing(store, &mut found).await?;
    files(store, locker, &sworn, &mut found).await?;
    Ok(found)
}

async fn chain(store: &Store, anchors: &[Anchor], found: &mut Verified) -> Result<Sworn, StoreError> {
    let mut sworn = Sworn::default();
    let mut next = 1;
    loop {
        let entries = store.log_from(next, PIECE).await?;
        if entries.is_empty() {
            break;
        }
        for entry in entries {
            if entry.seq > next {
                let missing = if entry.seq == next + 1 {
                    format!("log entry {next} is missing")
                } else {
                    format!("log entries {next} to {} are missing", entry.seq - 1)
                };
                found.faults.push(missing);
            } else if entry.previous != found.last {
                found.faults.push(format!("log entry {} does not follow the one before it", entry.seq));
            }
            if entry.sealed() != entry.hash {
                found.faults.push(format!("log entry {} was altered", entry.seq));
            }
            if let Some(anchor) = anchors.iter().find(|anchor| anchor.seq == entry.seq && anchor.hash != entry.hash) {
                found.faults.push(format!("log entry {} is not the one with hash {}", entry.seq, anchor.hash));
            }
            found.entries += 1;
            next = entry.seq + 1;
            sworn.take(&entry);
            found.last = entry.hash;
        }
    }
    for anchor in anchors.iter().filter(|anchor| anchor.seq >= next) {
        found.faults.push(format!("the log ends before entry {}, which there was", anchor.seq));
    }
    Ok(sworn)
}

impl Sworn {
    fn take(&mut self, entry: &Entry) {
        let Ok(detail) = serde_json::from_str::<Value>(&entry.detail) else { return };
        let text = |name: &str| detail[name].as_str().unwrap_or_default().to_owned();
        let number = |name: &str| detail[name].as_u64().unwrap_or_default();
        self.written.take(entry, &detail);
        match entry.action.as_str() {
            "ingest" => {
                self.batches.insert(entry.seq, (number("rounds"), number("flags"), text("sha256")));
            }
            "note" => {
                self.notes.insert(detail["note"].as_i64().unwrap_or_default(), text("text"));
            }
            "evidence" => self.evidence.push(text("sha256")),
            "retention" if entry.subject == "rounds" => self.forgotten += number("rounds"),
            _ => {
                if let Some(decision) = detail["decision"].as_i64() {
                    self.decisions.insert(decision, (text("state"), text("reason")));
                }
            }
        }
    }
}

#[derive(sqlx::FromRow)]
struct RoundRow {
    id: i64,
    table_name: String,
    shoe: i64,
    round: i64,
    digest: String,
    document: Option<String>,
    batch: i64,
}

#[derive(sqlx::FromRow)]
struct FlagRow {
    id: i64,
    flag: String,
    entry: i64,
    digest: String,
    document: String,
    withdrawn: bool,
    batch: i64,
}

/// The digests of a batch as they are found in the database.
#[derive(Default)]
struct Batch {
    rounds: Vec<String>,
    flags: Vec<(String, bool)>,
}

async fn batches(store: &Store, sworn: &Sworn, found: &mut Verified) -> Result<(), StoreError> {
    let mut batches: BTreeMap<i64, Batch> = BTreeMap::new();
    let mut last = 0;
    let mut forgotten = 0;
    const ROUNDS: &str = "select id, table_name, shoe, round, digest, document, batch from rounds where id > $1 \
                          order by id limit $2";
    loop {
        let rounds: Vec<RoundRow> = all!(Store store, ROUNDS, last, PIECE);
        let Some(end) = rounds.last() else { break };
        last = end.id;
        found.rounds += rounds.len() as u64;
        for round in rounds {
            match &round.document {
                None => forgotten += 1,
                Some(document) if sha256(document.as_bytes()) == round.digest => {}
                Some(_) => {
                    found.faults.push(format!("round {}.{}.{} was altered", round.table_name, round.shoe, round.round))
                }
            }
            batches.entry(round.batch).or_default().rounds.push(round.digest);
        }
    }
    if forgotten != sworn.forgotten {
        found.faults.push(format!("{forgotten} rounds are gone; retention let {} go", sworn.forgotten));
    }
    last = 0;
    const FLAGS: &str =
        "select id, flag, entry, digest, document, withdrawn, batch from flags where id > $1 order by id limit $2";
    loop {
        let flags: Vec<FlagRow> = all!(Store store, FLAGS, last, PIECE);
        let Some(end) = flags.last() else { break };
        last = end.id;
        found.flags += flags.len() as u64;
        for flag in flags {
            if sha256(flag.document.as_bytes()) != flag.digest {
                found.faults.push(format!("flag {} entry {} was altered", flag.flag, flag.entry));
            }
            batches.entry(flag.batch).or_default().flags.push((flag.digest, flag.withdrawn));
        }
    }
    for (seq, (rounds, flags, hash)) in &sworn.batches {
        let batch = batches.remove(seq).unwrap_or_default();
        let [there_rounds, there_flags] = [batch.rounds.len() as u64, batch.flags.len() as u64];
        if there_rounds != *rounds {
            found.faults.push(format!("log entry {seq} wrote {rounds} rounds, there are {there_rounds}"));
        } else if there_flags != *flags {
            found.faults.push(format!("log entry {seq} wrote {flags} flags, there are {there_flags}"));
        } else if batch_hash(&batch.rounds, &batch.flags) != *hash {
            found.faults.push(format!("the rounds or flags written by log entry {seq} are not the ones written"));
        }
    }
    for (seq, batch) in batches {
        let rows = batch.rounds.len() + batch.flags.len();
        found.faults.push(format!("{rows} rounds or flags claim log entry {seq}, which did not write them"));
    }
    Ok(())
}

async fn decisions(store: &Store, sworn: &Sworn, found: &mut Verified) -> Result<(), StoreError> {
    const SQL: &str =
        "select id, flag, state, reason from decisions where user_id is not null and id > $1 order by id limit $2";
    let mut sworn = sworn.decisions.clone();
    let mut last = 0;
    loop {
        let rows: Vec<(i64, String, String, String)> = all!(Store store, SQL, last, PIECE);
        let Some(end) = rows.last() else { break };
        last = end.0;
        found.decisions += rows.len() as u64;
        for (id, flag, state, reason) in rows {
            match sworn.remove(&id) {
                Some(said) if said == (state, reason) => {}
                Some(_) => found.faults.push(format!("decision {id} on {flag} was altered")),
                None => found.faults.push(format!("decision {id} on {flag} is not in the log")),
            }
        }
    }
    found.faults.extend(sworn.keys().map(|id| format!("decision {id} is missing")));
    Ok(())
}

async fn notes(store: &Store, sworn: &Sworn, found: &mut Verified) -> Result<(), StoreError> {
    const SQL: &str = "select id, text from notes where id > $1 order by id limit $2";
    let mut sworn = sworn.notes.clone();
    let mut last = 0;
    loop {
        let rows: Vec<(i64, String)> = all!(Store store, SQL, last, PIECE);
        let Some((end, _)) = rows.last() else { break };
        last = *end;
        for (id, text) in rows {
            match sworn.remove(&id) {
                Some(said) if said == text => {}
                Some(_) => found.faults.push(format!("note {id} was altered")),
                None => found.faults.push(format!("note {id} is not in the log")),
            }
        }
    }
    found.faults.extend(sworn.keys().map(|id| format!("note {id} is missing")));
    Ok(())
}

/// Where flags stand must be what their entries and decisions make of it.
async fn standing(store: &Store, found: &mut Verified) -> Result<(), StoreError> {
    const MOVED: &str = "select q.flag from queue q where q.state <> coalesce((select d.state from decisions d \
                         where d.flag = q.flag order by d.id desc limit 1), 'new') order by q.id";
    const STALE: &str = "select q.flag from queue q where q.flag_entry <> (select max(f.id) from flags f where f.flag = q.flag) \
                         order by q.id";
    const LOST: &str = "select distinct f.flag from flags f where not exists (select 1 from queue q where q.flag = f.flag) \
                        order by f.flag";
    let moved: Vec<(String,)> = all!(Store store, MOVED);
    found.faults.extend(moved.iter().map(|(flag,)| format!("flag {flag} stands where no decision put it")));
    let stale: Vec<(String,)> = all!(Store store, STALE);
    found.faults.extend(stale.iter().map(|(flag,)| format!("flag {flag} is not shown by its latest entry")));
    let lost: Vec<(String,)> = all!(Store store, LOST);
    found.faults.extend(lost.iter().map(|(flag,)| format!("flag {flag} is missing from the queue")));
    Ok(())
}

async fn files(store: &Store, locker: Option<&Locker>, sworn: &Sworn, found: &mut Verified) -> Result<(), LockerError> {
    let mut known = Vec::new();
    let mut last = String::new();
    loop {
        let files = store.evidence_after(&last, PIECE).await?;
        let Some(end) = files.last() else { break };
        last = end.digest.clone();
        for file in files {
            if let (Some(locker), None) = (locker, file.removed_at) {
                found.files += 1;
                match locker.rehash(&file.digest)? {
                    None => found.faults.push(format!("evidence {} is missing", file.digest)),
                    Some(hash) if hash != file.digest => {
                        found.faults.push(format!("evidence {} was altered", file.digest));
                    }
                    Some(_) => {}
                }
            }
            known.push(file.digest);
        }
    }
    for digest in &sworn.evidence {
        if known.binary_search(digest).is_err() {
            found.faults.push(format!("evidence {digest} is in the log and not in the database"));
        }
    }
    Ok(())
}
