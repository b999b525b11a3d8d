//! Decisions: what officers made of flags. Nothing is ever taken out; what is undone is followed by its undoing.

use serde_json::json;
use table::{Utc, named};

use super::queue::{Queued, State};
use super::sql::{all, find, run, value};
use super::{Store, StoreError, Tx};
use crate::accounts::Officer;
use crate::log::{self, Deed};

/// How long a decision can be undone, in microseconds: as long as the screen offers it.
pub const UNDO: i64 = 10_000_000;

named! {
    /// What an officer does with a flag.
    pub enum Action, "confirm, dismiss, escalate, assign or reopen" {
        /// It happened, and it was wrong.
        Confirm = "confirm",
        /// It did not happen, or does not matter.
        Dismiss = "dismiss",
        /// Somebody with more rights should look.
        Escalate = "escalate",
        /// Somebody in particular should look; the state stays.
        Assign = "assign",
        /// Undecided again.
        Reopen = "reopen",
    }
}

/// A decision to be made.
#[derive(Clone, Debug)]
pub struct Decision<'a> {
    /// What.
    pub action: Action,
    /// Why, in a few words; may be empty.
    pub reason: &'a str,
    /// With [`Action::Assign`], to whom, by name; `None` takes it from whoever has it.
    pub assignee: Option<&'a str>,
}

/// A decision that was made.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Decided {
    /// Its number.
    pub id: i64,
    /// Of which flag.
    pub flag: String,
    /// When.
    pub at: i64,
    /// By whom; nobody where an audit reopened or withdrew the flag.
    pub user: Option<String>,
    /// What: an [`Action`], `undo` or `withdraw`.
    pub action: String,
    /// The state after it.
    pub state: String,
    /// Who had it after it.
    pub assignee: Option<String>,
    /// Why.
    pub reason: String,
    /// The decision it takes back.
    pub undoes: Option<i64>,
}

/// An entry of a flag, past or current.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct FlagEntry {
    /// From 1.
    pub entry: i64,
    /// The flag as JSON.
    pub document: String,
    /// Whether it says that the flag is no longer found.
    pub withdrawn: bool,
    /// When it was written.
    pub written_at: i64,
}

#[derive(sqlx::FromRow)]
struct Standing {
    flag_entry: i64,
    table_name: String,
    state: String,
    assignee: Option<i64>,
}

#[derive(sqlx::FromRow)]
struct Last {
    id: i64,
    flag: String,
    at: i64,
    user_id: Option<i64>,
    action: String,
}

impl Store {
    /// What was decided about a flag, in order.
    pub async fn decisions(&self, flag: &str) -> Result<Vec<Decided>, StoreError> {
        const SQL: &str = "select d.id, d.flag, d.at, u.name as \"user\", d.action, d.state, a.name as assignee, d.reason, \
                           d.undoes from decisions d left join users u on u.id = d.user_id \
                           left join users a on a.id = d.assignee where d.flag = $1 order by d.id";
        Ok(all!(Store self, SQL, flag))
    }

    /// Every entry of a flag, the first at the front.
    pub async fn entries(&self, flag: &str) -> Result<Vec<FlagEntry>, StoreError> {
        const SQL: &str = "select entry, document, withdrawn, written_at from flags where flag = $1 order by entry";
        Ok(all!(Store self, SQL, flag))
    }

    /// Decides flags, all of them or none, and gives the decisions' numbers in the same order.
    pub async fn decide(
        &self,
        officer: &Officer,
        flags: &[&str],
        decision: &Decision<'_>,
        at: Utc,
    ) -> Result<Vec<i64>, StoreError> {
        if decision.reason.chars().count() > 1000 {
            return Err(StoreError::Refused("a reason has at most 1,000 characters".to_owned()));
        }
        let mut tx = self.begin().await?;
        let mut decided = Vec::with_capacity(flags.len());
        for flag in flags {
            decided.push(tx.decide(officer, flag, decision, at).await?);
        }
        tx.commit().await?;
        Ok(decided)
    }

    /// Takes a decision back: one's own, the flag's last, and within ten seconds. Gives the flag's id.
    pub async fn undo(&self, officer: &Officer, decision: i64, at: Utc) -> Result<String, StoreError> {
        let mut tx = self.begin().await?;
        let flag = tx.undo(officer, decision, at).await?;
        tx.commit().await?;
        Ok(flag)
    }

    /// Notes that an officer had a flag on the screen.
    pub async fn mark_seen(&self, officer: &Officer, flag: &Queued, at: Utc) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        const SQL: &str = "insert into seen (user_id, flag, at) values ($1, $2, $3) on conflict do nothing";
        run!(Tx &mut tx, SQL, officer.id, &flag.flag, at.micros());
        let subject = format!("flag {}", flag.flag);
        let detail = json!({ "entry": flag.flag_entry });
        log::append(&mut tx, Deed { at, actor: &officer.name, action: "view", subject, detail }).await?;
        tx.commit().await
    }

    /// Marks a flag as not yet read.
    pub async fn mark_unseen(&self, officer: &Officer, flag: &str) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        run!(Tx &mut tx, "delete from seen where user_id = $1 and flag = $2", officer.id, flag);
        tx.commit().await
    }
}

impl Tx {
    async fn standing(&mut self, officer: &Officer, flag: &str) -> Result<Standing, StoreError> {
        const SQL: &str = "select flag_entry, table_name, state, assignee from queue where flag = $1";
        let standing: Option<Standing> = find!(Tx self, SQL, flag);
        standing
            .filter(|standing| officer.tables.include(&standing.table_name))
            .ok_or_else(|| StoreError::Missing(format!("flag {flag}")))
    }

    async fn decide(
        &mut self,
        officer: &Officer,
        flag: &str,
        decision: &Decision<'_>,
        at: Utc,
    ) -> Result<i64, StoreError> {
        let standing = self.standing(officer, flag).await?;
        if standing.state == State::Withdrawn.name() {
            return Err(StoreError::Refused(format!("{flag} was withdrawn by a later audit")));
        }
        let state = match decision.action {
            Action::Confirm => State::Confirmed.name(),
            Action::Dismiss => State::Dismissed.name(),
            Action::Escalate => State::Escalated.name(),
            Action::Reopen => State::New.name(),
            Action::Assign => standing.state.as_str(),
        };
        let assignee = match (decision.action, decision.assignee) {
            (Action::Assign, None) => None,
            (Action::Assign, Some(name)) => Some(self.active_user(name).await?),
            _ => standing.assignee,
        };
        let after = After { action: decision.action.name(), state, assignee, reason: decision.reason, undoes: None };
        self.settle(officer, flag, standing.flag_entry, &after, at).await
    }

    async fn undo(&mut self, officer: &Officer, decision: i64, at: Utc) -> Result<String, StoreError> {
        const MADE: &str = "select id, flag, at, user_id, action from decisions where id = $1";
        let made: Option<Last> = find!(Tx &mut *self, MADE, decision);
        let made = made.ok_or_else(|| StoreError::Missing(format!("decision {decision}")))?;
        let standing = self.standing(officer, &made.flag).await?;
        let last: i64 = value!(Tx &mut *self, "select coalesce(max(id), 0) from decisions where flag = $1", &made.flag);
        let refused = |why: &str| Err(StoreError::Refused(why.to_owned()));
        if made.user_id != Some(officer.id) {
            return refused("only who made a decision can undo it");
        }
        if last != made.id || made.action == "undo" {
            return refused("something was decided since");
        }
        if at.micros().saturating_sub(made.at) > UNDO {
            return refused("a decision can be undone for ten seconds; decide anew instead");
        }
        const BEFORE: &str =
            "select state, assignee from decisions where flag = $1 and id < $2 order by id desc limit 1";
        let before: Option<(String, Option<i64>)> = find!(Tx &mut *self, BEFORE, &made.flag, made.id);
        let (state, assignee) = before.unwrap_or_else(|| (State::New.name().to_owned(), None));
        let after = After { action: "undo", state: &state, assignee, reason: "", undoes: Some(made.id) };
        self.settle(officer, &made.flag, standing.flag_entry, &after, at).await?;
        Ok(made.flag)
    }

    async fn settle(
        &mut self,
        officer: &Officer,
        flag: &str,
        entry: i64,
        after: &After<'_>,
        at: Utc,
    ) -> Result<i64, StoreError> {
        const INSERT: &str = "insert into decisions (flag, flag_entry, at, user_id, action, state, assignee, reason, undoes) \
                              values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id";
        let id: i64 = value!(
            Tx &mut *self,
            INSERT,
            flag,
            entry,
            at.micros(),
            officer.id,
            after.action,
            after.state,
            after.assignee,
            after.reason,
            after.undoes,
        );
        let decided = (after.state != State::New.name()).then_some((at.micros(), officer.id));
        const UPDATE: &str =
            "update queue set state = $2, assignee = $3, decided_at = $4, decided_by = $5 where flag = $1";
        let [decided_at, decided_by] = [decided.map(|(at, _)| at), decided.map(|(_, by)| by)];
        run!(Tx &mut *self, UPDATE, flag, after.state, after.assignee, decided_at, decided_by);
        const READ: &str = "insert into seen (user_id, flag, at) values ($1, $2, $3) on conflict do nothing";
        run!(Tx &mut *self, READ, officer.id, flag, at.micros());
        let detail = json!({ "decision": id, "state": after.state, "assignee": after.assignee, "reason": after.reason,
                             "undoes": after.undoes });
        let subject = format!("flag {flag}");
        log::append(self, Deed { at, actor: &officer.name, action: after.action, subject, detail }).await?;
        Ok(id)
    }

    pub(super) async fn active_user(&mut self, name: &str) -> Result<i64, StoreError> {
        const SQL: &str = "select id from users where name = $1 and disabled_at is null";
        let found: Option<(i64,)> = find!(Tx self, SQL, name);
        found.map(|(id,)| id).ok_or_else(|| StoreError::Missing(format!("user {name}")))
    }
}

/// How a flag stands after a decision.
struct After<'a> {
    action: &'a str,
    state: &'a str,
    assignee: Option<i64>,
    reason: &'a str,
    undoes: Option<i64>,
}
