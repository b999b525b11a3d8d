//! Notes of officers on flags, rounds and cases, and filters they keep.

use serde_json::json;
use table::{Utc, named};

use super::sql::{all, run, value};
use super::{Store, StoreError};
use crate::accounts::{Officer, Right};
use crate::log::{self, Deed};

named! {
    /// What a note is on, or a piece of evidence belongs to.
    pub enum Subject, "flag, round or case" {
        /// A flag, by its id.
        Flag = "flag",
        /// A round, as `BJ-04.17.212`.
        Round = "round",
        /// A case, by its id in the database.
        Case = "case",
    }
}

/// A note.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Note {
    /// Its number.
    pub id: i64,
    /// When.
    pub at: i64,
    /// By whom.
    pub user: String,
    /// What it says.
    pub text: String,
}

/// A filter somebody keeps.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct SavedFilter {
    /// Its number.
    pub id: i64,
    /// Whose; nobody's are everybody's.
    pub user_id: Option<i64>,
    /// Its name.
    pub name: String,
    /// As in the queue's address, after the question mark.
    pub query: String,
}

impl Store {
    /// The notes on something, in order.
    pub async fn notes(&self, kind: Subject, subject: &str) -> Result<Vec<Note>, StoreError> {
        const SQL: &str = "select n.id, n.at, u.name as \"user\", n.text from notes n join users u on u.id = n.user_id \
                           where n.kind = $1 and n.subject = $2 order by n.id";
        Ok(all!(Store self, SQL, kind.name(), subject))
    }

    /// Adds a note. Whoever calls has seen that the officer may.
    pub async fn add_note(
        &self,
        officer: &Officer,
        kind: Subject,
        subject: &str,
        text: &str,
        at: Utc,
    ) -> Result<i64, StoreError> {
        let text = text.trim();
        // A database takes NUL for the end of a text, or for no text at all.
        if text.is_empty() || text.chars().count() > 4000 || text.contains('\0') {
            return Err(StoreError::Refused("a note has 1 to 4,000 characters, none of them NUL".to_owned()));
        }
        let mut tx = self.begin().await?;
        const SQL: &str =
            "insert into notes (kind, subject, at, user_id, text) values ($1, $2, $3, $4, $5) returning id";
        let id: i64 = value!(Tx &mut tx, SQL, kind.name(), subject, at.micros(), officer.id, text);
        let detail = json!({ "note": id, "text": text });
        let subject = format!("{kind} {subject}");
        log::append(&mut tx, Deed { at, actor: &officer.name, action: "note", subject, detail }).await?;
        tx.commit().await?;
        Ok(id)
    }

    /// An officer's filters and everybody's.
    pub async fn saved_filters(&self, officer: &Officer) -> Result<Vec<SavedFilter>, StoreError> {
        const SQL: &str = "select id, user_id, name, query from saved_filters where user_id = $1 or user_id is null \
                           order by case when user_id is null then 0 else 1 end, position, id";
        Ok(all!(Store self, SQL, officer.id))
    }

    /// Keeps a filter, for oneself or, with the right to manage, for everybody.
    pub async fn save_filter(
        &self,
        officer: &Officer,
        name: &str,
        query: &str,
        everybody: bool,
        at: Utc,
    ) -> Result<i64, StoreError> {
        let name = name.trim();
        if name.is_empty() || name.chars().count() > 80 || query.len() > 2000 || name.contains('\0') {
            return Err(StoreError::Refused("a filter has a name of 1 to 80 characters, none of them NUL".to_owned()));
        }
        if everybody && !officer.may(Right::Manage) {
            return Err(StoreError::Refused("only a manager keeps filters for everybody".to_owned()));
        }
        let user = (!everybody).then_some(officer.id);
        let mut tx = self.begin().await?;
        const SQL: &str = "insert into saved_filters (user_id, name, query, position) \
                           select $1, $2, $3, coalesce(max(position), 0) + 1 from saved_filters returning id";
        let id: i64 = value!(Tx &mut tx, SQL, user, name, query);
        let detail = json!({ "name": name, "query": query, "everybody": everybody });
        let subject = format!("filter {id}");
        log::append(&mut tx, Deed { at, actor: &officer.name, action: "save-filter", subject, detail }).await?;
        tx.commit().await?;
        Ok(id)
    }

    /// Forgets a filter of one's own or, with the right to manage, of everybody's.
    pub async fn forget_filter(&self, officer: &Officer, id: i64, at: Utc) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        const SQL: &str = "delete from saved_filters where id = $1 and (user_id = $2 or (user_id is null and $3))";
        if run!(Tx &mut tx, SQL, id, officer.id, officer.may(Right::Manage)) == 0 {
            return Err(StoreError::Missing(format!("filter {id}")));
        }
        let subject = format!("filter {id}");
        log::append(&mut tx, Deed { at, actor: &officer.name, action: "forget-filter", subject, detail: json!({}) })
            .await?;
        tx.commit().await
    }
}
