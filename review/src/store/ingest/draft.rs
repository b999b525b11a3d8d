//! What a batch of audited rounds changes, worked out before anything is written.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use table::{Act, Flag, FlagKind, Place, Round, Utc};

use super::{Audited, Written, round_name};
use crate::log::sha256;
use crate::store::StoreError;
use crate::store::sql::Value;

#[derive(sqlx::FromRow)]
pub(super) struct KnownRound {
    id: i64,
    pub(super) round: i64,
    entry: i64,
    digest: String,
}

#[derive(sqlx::FromRow)]
pub(super) struct KnownFlag {
    queue_id: i64,
    flag: String,
    pub(super) round: i64,
    entry: i64,
    digest: String,
    document: String,
    state: String,
    assignee: Option<i64>,
}

/// What is known of a shoe's rounds.
#[derive(Default)]
pub(super) struct Known {
    pub(super) rounds: BTreeMap<i64, KnownRound>,
    pub(super) flags: BTreeMap<i64, Vec<KnownFlag>>,
}

/// Rows to be written.
pub(super) struct Draft {
    pub(super) at: i64,
    batch: i64,
    next_round: i64,
    next_flag: i64,
    next_queue: i64,
    pub(super) rounds: Vec<Vec<Value>>,
    pub(super) superseded: Vec<(i64, i64)>,
    pub(super) flags: Vec<Vec<Value>>,
    pub(super) queue: Vec<Vec<Value>>,
    pub(super) requeued: Vec<Vec<Value>>,
    pub(super) moved_rounds: Vec<(i64, i64)>,
    pub(super) decisions: Vec<Vec<Value>>,
    pub(super) told: Vec<(String, i64, i64)>,
    pub(super) tables: BTreeSet<String>,
    pub(super) dealers: BTreeSet<String>,
    pub(super) shoes: BTreeMap<(String, i64), i64>,
    pub(super) round_digests: Vec<String>,
    pub(super) flag_digests: Vec<(String, bool)>,
    pub(super) written: Written,
}

impl Draft {
    /// Nothing yet; numbers go on after those given.
    pub(super) fn new(at: Utc, batch: i64, next_round: i64, next_flag: i64, next_queue: i64) -> Self {
        Self {
            at: at.micros(),
            batch,
            next_round,
            next_flag,
            next_queue,
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
        }
    }

    /// Adds what is to be written of a round, given what is known of its shoe.
    pub(super) fn round(&mut self, audited: &Audited, known: Option<&Known>) -> Result<(), StoreError> {
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
                    let changed = known.state == "withdrawn" || !same_verdict(&known.document, flag);
                    let reopens = changed && known.state != "new";
                    let state = if reopens { "new" } else { known.state.as_str() };
                    let mut row: Vec<Value> = queued(flag, audited, self.next_flag, round_id).into();
                    row.extend([state.into(), known.assignee.into(), known.queue_id.into()]);
                    self.requeued.push(row);
                    self.written.changed += 1;
                    if reopens {
                        self.decide(&id, "reopen", "new", known.assignee, "an audit changed its verdict");
                    }
                    if changed {
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
