//! Writing what an audit found: rounds, their flags, and what neither replaces.
//!
//! Writing the same twice writes nothing. A round that reads differently now, or a verdict that changed, becomes a new
//! entry beside the old one; a flag that is no longer found is withdrawn by an entry of its own. Everything of a call is
//! one transaction with one entry in the log, which holds the hash of all that was written.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use sha2::{Digest, Sha256};
use sqlx::AssertSqlSafe;
use table::{Act, Flag, FlagKind, Place, Round, Utc};

use super::sql::{Value, all, bound, run, value};
use super::{Store, StoreError, Tx, on};
use crate::log::{self, Deed, sha256};

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
    /// Every flag that stands elsewhere now, and its table.
    pub moved: Vec<(String, String)>,
}

/// Rows in one statement: enough that a statement's own cost is small, few enough that the statement is cached whole.
const ROWS: usize = 50;

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

#[derive(sqlx::FromRow)]
struct KnownRound {
    id: i64,
    round: i64,
    entry: i64,
    digest: String,
}

#[derive(sqlx::FromRow)]
struct KnownFlag {
    queue_id: i64,
    flag: String,
    round: i64,
    entry: i64,
    digest: String,
    document: String,
    state: String,
    assignee: Option<i64>,
}

/// What is known of a shoe's rounds.
#[derive(Default)]
struct Known {
    rounds: BTreeMap<i64, KnownRound>,
    flags: BTreeMap<i64, Vec<KnownFlag>>,
}

/// Rows to be written.
struct Draft {
    at: i64,
    batch: i64,
    next_round: i64,
    next_flag: i64,
    next_queue: i64,
    rounds: Vec<Vec<Value>>,
    superseded: Vec<(i64, i64)>,
    flags: Vec<Vec<Value>>,
    queue: Vec<Vec<Value>>,
    requeued: Vec<Vec<Value>>,
    moved_rounds: Vec<(i64, i64)>,
    decisions: Vec<Vec<Value>>,
    told: Vec<(String, i64, i64)>,
    tables: BTreeSet<String>,
    dealers: BTreeSet<String>,
    shoes: BTreeMap<(String, i64), i64>,
    round_digests: Vec<String>,
    flag_digests: Vec<(String, bool)>,
    written: Written,
}

impl Store {
    /// Writes audited rounds, all of them or none. Rounds of one call should follow each other at their tables.
    pub async fn write(&self, site: &str, audited: &[Audited], at: Utc) -> Result<Written, StoreError> {
        let mut tx = self.begin().await?;
        let known = tx.known(audited).await?;
        let last: i64 = value!(Tx &mut tx, "select coalesce(max(seq), 0) from log");
        let mut draft = Draft {
            at: at.micros(),
            batch: last + 1,
            next_round: value!(Tx &mut tx, "select coalesce(max(id), 0) from rounds"),
            next_flag: value!(Tx &mut tx, "select coalesce(max(id), 0) from flags"),
            next_queue: value!(Tx &mut tx, "select coalesce(max(id), 0) from queue"),
            rounds: Vec::new(),
            superseded: Vec::new(),
            flags: Vec::new(),
            queue: Vec::new(),
            requeued: Vec::new(),
            moved_rounds: Vec::new(),
            decisions: Vec::new(),
            told: Vec::new(),
            tables: BTreeSet::new(),
            dealers: BTreeSet::new(),
            shoes: BTreeMap::new(),
            round_digests: Vec::new(),
            flag_digests: Vec::new(),
            written: Written::default(),
        };
        let mut done = BTreeSet::new();
        // A batch that names a round twice means its last word on it.
        for audited in audited.iter().rev() {
            let id = &audited.round.id;
            if done.insert((id.table.as_str(), id.shoe, id.round)) {
                let known = known.get(&(id.table.as_str().to_owned(), i64::from(id.shoe)));
                draft.round(audited, known)?;
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

impl Draft {
    fn round(&mut self, audited: &Audited, known: Option<&Known>) -> Result<(), StoreError> {
        let round = &audited.round;
        let [shoe, number] = [round.id.shoe, round.id.round].map(i64::from);
        let table = round.id.table.as_str();
        let document = document(round, || round_name(table, shoe, number))?;
        let digest = sha256(document.as_bytes());
        let before = known.and_then(|known| known.rounds.get(&number));
        let round_id = match before {
            Some(before) if before.digest == digest => before.id,
            _ => {
                self.next_round += 1;
                match before {
                    Some(before) => {
                        self.superseded.push((before.id, self.next_round));
                        self.written.reread += 1;
                    }
                    None => self.written.rounds += 1,
                }
                self.tables.insert(table.to_owned());
                self.dealers.extend(round.dealer.iter().map(ToString::to_string));
                let began = self.shoes.entry((table.to_owned(), shoe)).or_insert(i64::MAX);
                *began = (*began).min(round.at.micros());
                self.round_digests.push(digest.clone());
                self.rounds.push(vec![
                    self.next_round.into(),
                    table.into(),
                    shoe.into(),
                    number.into(),
                    (1 + before.map_or(0, |before| before.entry)).into(),
                    round.at.micros().into(),
                    ended(round).into(),
                    round.dealer.as_ref().map(ToString::to_string).into(),
                    round.game.name.as_str().into(),
                    hands(round).into(),
                    digest.into(),
                    document.into(),
                    json!({ "seen": audited.seen, "not_seen": audited.not_seen }).to_string().into(),
                    self.batch.into(),
                ]);
                self.next_round
            }
        };
        self.flags_of(audited, round_id, known.and_then(|known| known.flags.get(&number)).map_or(&[], Vec::as_slice))
    }

    fn flags_of(&mut self, audited: &Audited, round_id: i64, known: &[KnownFlag]) -> Result<(), StoreError> {
        let mut found = BTreeSet::new();
        for flag in &audited.flags {
            let id = flag.id();
            if !found.insert(id.clone()) {
                continue;
            }
            let document = document(flag, || id.clone())?;
            let digest = sha256(document.as_bytes());
            match known.iter().find(|known| known.flag == id) {
                None => {
                    self.entry(&id, 1, round_id, &document, &digest, false);
                    self.next_queue += 1;
                    let mut row: Vec<Value> = vec![self.next_queue.into(), id.as_str().into()];
                    row.extend(queued(flag, audited, self.next_flag, round_id));
                    row.extend(["new".into(), Value::MaybeInt(None)]);
                    self.queue.push(row);
                    self.written.flags += 1;
                    self.tell(flag);
                }
                Some(known) if known.digest == digest && known.state != "withdrawn" => {
                    self.moved_rounds.push((known.queue_id, round_id));
                }
                Some(known) => {
                    self.entry(&id, known.entry + 1, round_id, &document, &digest, false);
                    let reopens = known.state == "withdrawn" || !same_verdict(&known.document, flag);
                    let reopens = reopens && known.state != "new";
                    let state = if reopens { "new" } else { known.state.as_str() };
                    let mut row: Vec<Value> = queued(flag, audited, self.next_flag, round_id).into();
                    row.extend([state.into(), known.assignee.into(), known.queue_id.into()]);
                    self.requeued.push(row);
                    self.written.changed += 1;
                    if reopens {
                        self.decide(&id, "reopen", "new", known.assignee, "an audit changed its verdict");
                        self.tell(flag);
                    }
                }
            }
        }
        for known in known.iter().filter(|known| !found.contains(&known.flag) && known.state != "withdrawn") {
            let Ok(flag) = serde_json::from_str::<Flag>(&known.document) else { continue };
            self.entry(&known.flag, known.entry + 1, round_id, &known.document, &known.digest, true);
            let mut row: Vec<Value> = queued(&flag, audited, self.next_flag, round_id).into();
            row.extend(["withdrawn".into(), known.assignee.into(), known.queue_id.into()]);
            self.requeued.push(row);
            self.decide(&known.flag, "withdraw", "withdrawn", known.assignee, "a later audit did not find it again");
            self.written.withdrawn += 1;
        }
        Ok(())
    }

    fn entry(&mut self, flag: &str, entry: i64, round_id: i64, document: &str, digest: &str, withdrawn: bool) {
        self.next_flag += 1;
        self.flag_digests.push((digest.to_owned(), withdrawn));
        self.flags.push(vec![
            self.next_flag.into(),
            flag.into(),
            entry.into(),
            round_id.into(),
            document.into(),
            digest.into(),
            withdrawn.into(),
            self.at.into(),
            self.batch.into(),
        ]);
        let table = flag.split('.').next().unwrap_or_default();
        self.written.moved.push((flag.to_owned(), table.to_owned()));
    }

    fn decide(&mut self, flag: &str, action: &str, state: &str, assignee: Option<i64>, reason: &str) {
        self.decisions.push(vec![
            flag.into(),
            self.next_flag.into(),
            self.at.into(),
            action.into(),
            state.into(),
            assignee.into(),
            reason.into(),
        ]);
    }

    fn tell(&mut self, flag: &Flag) {
        if flag.kind != FlagKind::Doubt {
            self.told.push((flag.id(), self.next_flag, flag.severity as i64));
        }
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

    async fn write(&mut self, site: &str, draft: Draft, at: Utc) -> Result<Written, StoreError> {
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
        self.insert(ROUNDS, &draft.rounds).await?;
        for (old, new) in &draft.superseded {
            run!(Tx &mut *self, "update rounds set superseded_by = $2 where id = $1", old, new);
        }
        self.insert(FLAGS, &draft.flags).await?;
        self.insert(QUEUE, &draft.queue).await?;
        const REQUEUE: &str = "update queue set flag_entry = $1, round_id = $2, table_name = $3, shoe = $4, round = $5, at = $6, \
                               dealer = $7, check_name = $8, clause = $9, severity = $10, kind = $11, doubt = $12, box = $13, \
                               hand = $14, amount = $15, favours = $16, confidence = $17, state = $18, assignee = $19 \
                               where id = $20";
        for row in &draft.requeued {
            on!(Tx &mut *self, db => bound!(sqlx::query(REQUEUE), row).execute(db).await.map(drop)?);
        }
        for (queue, round) in &draft.moved_rounds {
            const MOVE: &str = "update queue set round_id = $2 where id = $1 and round_id <> $2";
            run!(Tx &mut *self, MOVE, queue, round);
        }
        self.insert(DECISIONS, &draft.decisions).await?;
        const TELL: &str = "insert into outbox (subscriber, flag, flag_entry, due_at, attempts, failure) \
                            select id, $1, $2, $3, 0, '' from subscribers where removed_at is null and least_severity <= $4";
        for (flag, entry, severity) in &draft.told {
            run!(Tx &mut *self, TELL, flag, entry, draft.at, severity);
        }
        Ok(draft.written)
    }

    /// The site, tables, dealers and shoes that rows refer to.
    async fn places(&mut self, site: &str, draft: &Draft) -> Result<(), StoreError> {
        const SITE: &str = "insert into sites (name, zone, currency) values ($1, 'UTC', 'XXX') on conflict do nothing";
        const TABLE: &str = "insert into tables (name, site) values ($1, $2) on conflict do nothing";
        const DEALER: &str = "insert into dealers (name, site) values ($1, $2) on conflict do nothing";
        const SHOE: &str = "insert into shoes (table_name, shoe, began_at) values ($1, $2, $3) \
                            on conflict (table_name, shoe) do update set began_at = excluded.began_at \
                            where shoes.began_at > excluded.began_at";
        run!(Tx &mut *self, SITE, site);
        for table in &draft.tables {
            run!(Tx &mut *self, TABLE, table, site);
        }
        for dealer in &draft.dealers {
            run!(Tx &mut *self, DEALER, dealer, site);
        }
        for ((table, shoe), began) in &draft.shoes {
            run!(Tx &mut *self, SHOE, table, shoe, began);
        }
        Ok(())
    }

    /// Inserts rows, many in a statement.
    pub(super) async fn insert(&mut self, into: &str, rows: &[Vec<Value>]) -> Result<(), StoreError> {
        for rows in rows.chunks(ROWS) {
            let mut count = 0;
            let groups: Vec<String> = rows
                .iter()
                .map(|row| {
                    let marks: Vec<_> = (count + 1..=count + row.len()).map(|number| format!("${number}")).collect();
                    count += row.len();
                    format!("({})", marks.join(", "))
                })
                .collect();
            let sql = format!("insert into {into} values {}", groups.join(", "));
            on!(Tx &mut *self, db => bound!(sqlx::query(AssertSqlSafe(sql)), rows.iter().flatten())
                .execute(db)
                .await
                .map(drop)?);
        }
        Ok(())
    }
}

/// The queue's columns that a flag fills, from `flag_entry` to `confidence`.
fn queued(flag: &Flag, audited: &Audited, flag_entry: i64, round_id: i64) -> [Value; 17] {
    [
        flag_entry.into(),
        round_id.into(),
        flag.round.table.as_str().into(),
        i64::from(flag.round.shoe).into(),
        i64::from(flag.round.round).into(),
        flag.at.micros().into(),
        audited.round.dealer.as_ref().map(ToString::to_string).into(),
        flag.check.as_str().into(),
        flag.clause.as_str().into(),
        (flag.severity as i64).into(),
        flag.kind.name().into(),
        (flag.kind == FlagKind::Doubt).into(),
        flag.box_no.map(|box_no| i64::from(box_no.number())).into(),
        flag.hand.map(|hand| hand.letter().to_string()).into(),
        flag.money.amount.minor().into(),
        flag.money.favours.name().into(),
        i64::from(flag.confidence.millionths()).into(),
    ]
}

/// Whether an earlier entry said the same of the table, whatever it said of our certainty and evidence.
fn same_verdict(document: &str, flag: &Flag) -> bool {
    serde_json::from_str::<Flag>(document)
        .is_ok_and(|before| Flag { confidence: flag.confidence, evidence: flag.evidence.clone(), ..before } == *flag)
}

fn document<T: serde::Serialize>(of: &T, what: impl FnOnce() -> String) -> Result<String, StoreError> {
    serde_json::to_string(of).map_err(|source| StoreError::Damaged { what: what(), source })
}

/// The time of the last step that has one.
fn ended(round: &Round) -> i64 {
    let after = round.steps.iter().filter_map(|step| step.after).max().unwrap_or_default();
    i64::try_from(after).ok().and_then(|after| round.at.shifted(after)).unwrap_or(round.at).micros()
}

/// The player hands of a round: places on boxes that got a card.
fn hands(round: &Round) -> i64 {
    let places: BTreeSet<Place> = round
        .steps
        .iter()
        .filter_map(|step| match step.act {
            Act::Card { to, .. } if to != Place::Dealer => Some(to),
            _ => None,
        })
        .collect();
    places.len() as i64
}
