//! Rounds as they are read: one with its neighbours, a shoe's, and cards that officers read otherwise.

use serde_json::json;
use table::{Card, Round, Utc};

use super::ingest::round_name;
use super::sql::{all, find, value};
use super::{Store, StoreError};
use crate::accounts::Officer;
use crate::log::{self, Deed};

/// A round as stored.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct StoredRound {
    /// The number of this entry.
    pub id: i64,
    /// Its table.
    pub table_name: String,
    /// Its shoe.
    pub shoe: i64,
    /// Its number in the shoe.
    pub round: i64,
    /// Which reading of it, from 1.
    pub entry: i64,
    /// When it began.
    pub at: i64,
    /// The time of its last step.
    pub ended_at: i64,
    /// Who dealt.
    pub dealer: Option<String>,
    /// The game.
    pub game: String,
    /// Player hands in it.
    pub hands: i64,
    /// The hash of its document.
    pub digest: String,
    /// The round as JSON, unless retention has let it go.
    pub document: Option<String>,
    /// `seen` and `not_seen`, as JSON.
    pub coverage: String,
}

impl StoredRound {
    /// The round itself; `None` once retention has let it go.
    pub fn parsed(&self) -> Result<Option<Round>, StoreError> {
        let what = || format!("round {}", self.name());
        self.document
            .as_deref()
            .map(serde_json::from_str)
            .transpose()
            .map_err(|source| StoreError::Damaged { what: what(), source })
    }

    /// The round as addresses and notes know it: `BJ-04.17.212`.
    pub fn name(&self) -> String {
        round_name(&self.table_name, self.shoe, self.round)
    }
}

/// A round's name: table, shoe and number.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct RoundKey {
    /// Its table.
    pub table_name: String,
    /// Its shoe.
    pub shoe: i64,
    /// Its number in the shoe.
    pub round: i64,
    /// When it began.
    pub at: i64,
    /// Flags on it that are not withdrawn.
    pub flags: i64,
}

impl RoundKey {
    /// `BJ-04.17.212`.
    pub fn name(&self) -> String {
        round_name(&self.table_name, self.shoe, self.round)
    }
}

/// A card an officer read otherwise.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Correction {
    /// Its number.
    pub id: i64,
    /// The step, from 0.
    pub step: i64,
    /// The card as we read it.
    pub was: String,
    /// The card as the officer reads it.
    pub becomes: String,
    /// Why.
    pub reason: String,
    /// When.
    pub at: i64,
    /// By whom.
    pub user: String,
}

/// A shoe, and how much of it there is.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Shoe {
    /// Its table.
    pub table_name: String,
    /// Its number.
    pub shoe: i64,
    /// When its first round began.
    pub began_at: i64,
    /// Rounds played from it.
    pub rounds: i64,
}

/// A round's name taken apart: `BJ-04.17.212`.
pub fn parse_round_name(name: &str) -> Option<(&str, i64, i64)> {
    let mut parts = name.rsplitn(3, '.');
    let round = parts.next()?.parse().ok()?;
    let shoe = parts.next()?.parse().ok()?;
    Some((parts.next()?, shoe, round))
}

const COLUMNS: &str =
    "id, table_name, shoe, round, entry, at, ended_at, dealer, game, hands, digest, document, coverage";

/// A card that an officer reads otherwise.
#[derive(Clone, Copy, Debug)]
pub struct Reread<'a> {
    /// The step that dealt it, counted from 0.
    pub step: usize,
    /// As it was read.
    pub was: Card,
    /// As the officer reads it.
    pub becomes: Card,
    /// How they know.
    pub reason: &'a str,
}

impl Store {
    /// The current reading of a round at a table the officer may see.
    pub async fn round(&self, officer: &Officer, name: &str) -> Result<StoredRound, StoreError> {
        let missing = || StoreError::Missing(format!("round {name}"));
        let (table, shoe, round) = parse_round_name(name).ok_or_else(missing)?;
        if !officer.tables.include(table) {
            return Err(missing());
        }
        let sql = format!(
            "select {COLUMNS} from rounds where table_name = $1 and shoe = $2 and round = $3 and superseded_by is null"
        );
        let found: Option<StoredRound> = find!(Store self, sqlx::AssertSqlSafe(sql), table, shoe, round);
        found.ok_or_else(missing)
    }

    /// Every reading of a round, the first at the front.
    pub async fn readings(&self, round: &StoredRound) -> Result<Vec<StoredRound>, StoreError> {
        let sql =
            format!("select {COLUMNS} from rounds where table_name = $1 and shoe = $2 and round = $3 order by entry");
        Ok(all!(Store self, sqlx::AssertSqlSafe(sql), &round.table_name, round.shoe, round.round))
    }

    /// Up to `count` rounds before a round at its table and as many after, in order; itself is not among them.
    pub async fn neighbours(
        &self,
        round: &StoredRound,
        count: i64,
    ) -> Result<(Vec<RoundKey>, Vec<RoundKey>), StoreError> {
        const KEY: &str = "select r.table_name, r.shoe, r.round, r.at, (select count(*) from queue q \
                           where q.table_name = r.table_name and q.shoe = r.shoe and q.round = r.round \
                           and q.state <> 'withdrawn') as flags from rounds r \
                           where r.table_name = $1 and r.superseded_by is null and (r.at, r.shoe, r.round)";
        let before = format!("{KEY} < ($2, $3, $4) order by r.at desc, r.shoe desc, r.round desc limit $5");
        let after = format!("{KEY} > ($2, $3, $4) order by r.at, r.shoe, r.round limit $5");
        let StoredRound { table_name, at, shoe, round, .. } = round;
        let mut before: Vec<RoundKey> =
            all!(Store self, sqlx::AssertSqlSafe(before), table_name, at, shoe, round, count);
        before.reverse();
        let after = all!(Store self, sqlx::AssertSqlSafe(after), table_name, at, shoe, round, count);
        Ok((before, after))
    }

    /// The latest round of a table, if it has one: its shoe, its number and when it began.
    pub async fn last_round(&self, table: &str) -> Result<Option<(i64, i64, i64)>, StoreError> {
        const SQL: &str = "select shoe, round, at from rounds where table_name = $1 and superseded_by is null \
                           order by at desc, shoe desc, round desc limit 1";
        Ok(find!(Store self, SQL, table))
    }

    /// The rounds of a shoe in order, with their documents.
    pub async fn shoe_rounds(&self, officer: &Officer, table: &str, shoe: i64) -> Result<Vec<StoredRound>, StoreError> {
        let sql = format!(
            "select {COLUMNS} from rounds where table_name = $1 and shoe = $2 and superseded_by is null order by round"
        );
        let rounds: Vec<StoredRound> = if officer.tables.include(table) {
            all!(Store self, sqlx::AssertSqlSafe(sql), table, shoe)
        } else {
            Vec::new()
        };
        if rounds.is_empty() {
            return Err(StoreError::Missing(format!("shoe {shoe} at {table}")));
        }
        Ok(rounds)
    }

    /// The latest shoes of a table, newest first.
    pub async fn shoes(&self, table: &str, limit: i64) -> Result<Vec<Shoe>, StoreError> {
        const SQL: &str = "select s.table_name, s.shoe, s.began_at, (select count(*) from rounds r \
                           where r.table_name = s.table_name and r.shoe = s.shoe and r.superseded_by is null) as rounds \
                           from shoes s where s.table_name = $1 order by s.shoe desc limit $2";
        Ok(all!(Store self, SQL, table, limit))
    }

    /// The latest shoes whose first round a dealer dealt, who so shuffled them, newest first.
    pub async fn shoes_of(&self, dealer: &str, limit: i64) -> Result<Vec<Shoe>, StoreError> {
        const SQL: &str = "select s.table_name, s.shoe, s.began_at, (select count(*) from rounds r \
                           where r.table_name = s.table_name and r.shoe = s.shoe and r.superseded_by is null) as rounds \
                           from shoes s where exists (select 1 from rounds f where f.table_name = s.table_name \
                           and f.shoe = s.shoe and f.superseded_by is null and f.dealer = $1 and f.round = (select \
                           min(m.round) from rounds m where m.table_name = s.table_name and m.shoe = s.shoe and \
                           m.superseded_by is null)) order by s.began_at desc limit $2";
        Ok(all!(Store self, SQL, dealer, limit))
    }

    /// Cards of a round that officers read otherwise, in order; the last for a step counts.
    pub async fn corrections(&self, round: &StoredRound) -> Result<Vec<Correction>, StoreError> {
        const SQL: &str = "select c.id, c.step, c.was, c.becomes, c.reason, c.at, u.name as \"user\" from corrections c \
                           join users u on u.id = c.user_id where c.round_id = $1 order by c.id";
        Ok(all!(Store self, SQL, round.id))
    }

    /// Records that an officer reads a card otherwise.
    pub async fn correct(
        &self,
        officer: &Officer,
        round: &StoredRound,
        read: &Reread<'_>,
        at: Utc,
    ) -> Result<i64, StoreError> {
        let Reread { step, was, becomes, reason } = *read;
        let mut tx = self.begin().await?;
        const SQL: &str = "insert into corrections (round_id, step, was, becomes, reason, at, user_id) \
                           values ($1, $2, $3, $4, $5, $6, $7) returning id";
        let id: i64 = value!(
            Tx &mut tx,
            SQL,
            round.id,
            step as i64,
            was.to_string(),
            becomes.to_string(),
            reason,
            at.micros(),
            officer.id,
        );
        let detail = json!({ "entry": round.entry, "step": step, "was": was, "becomes": becomes, "reason": reason });
        let subject = format!("round {}", round.name());
        log::append(&mut tx, Deed { at, actor: &officer.name, action: "correct", subject, detail }).await?;
        tx.commit().await?;
        Ok(id)
    }

    /// Records that an officer looked at something: `round BJ-04.17.212`, `case 12`.
    pub async fn viewed(&self, officer: &Officer, subject: String, at: Utc) -> Result<(), StoreError> {
        self.record(Deed { at, actor: &officer.name, action: "view", subject, detail: json!({}) }).await
    }
}
