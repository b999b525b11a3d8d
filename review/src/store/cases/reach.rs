//! How much of a case an officer may see.
//!
//! Its text is written about everything in it, so whoever may not see a table of it is told that there is a case, of their
//! own tables what it holds, and nothing that others wrote.

use std::collections::BTreeSet;

use super::super::notes::{Note, Subject};
use super::super::sql::all;
use super::{Case, Fields};
use crate::accounts::{Officer, Tables};
use crate::store::{Store, StoreError};

/// Whether something named after its table (`BJ-04.17.212`, a flag's id) is of a table the officer may see.
pub(crate) fn of_tables(officer: &Officer, subject: &str) -> bool {
    officer.tables.include(subject.split('.').next().unwrap_or_default())
}

impl Store {
    /// Whether an officer may see everything that is in a case, or ever was.
    pub async fn sees_whole_case(&self, officer: &Officer, id: i64) -> Result<bool, StoreError> {
        Ok(!self.partly_closed(officer, Some(id)).await?.contains(&id))
    }

    /// The cases that hold, or once held, something of a table an officer may not see: of all cases, or of one.
    async fn partly_closed(&self, officer: &Officer, id: Option<i64>) -> Result<BTreeSet<i64>, StoreError> {
        if officer.tables == Tables::All {
            return Ok(BTreeSet::new());
        }
        // What was taken out again is still written about.
        const SQL: &str = "select case_id, change from case_changes where change like '%\"added\":%' \
                           and ($1 < 0 or case_id = $1)";
        let changes: Vec<(i64, String)> = all!(Store self, SQL, id.unwrap_or(-1));
        let closed = changes.into_iter().filter(|(_, change)| {
            let change: serde_json::Value = serde_json::from_str(change).unwrap_or_default();
            let of_table = matches!(change["added"].as_str(), Some("flag" | "round"));
            of_table && !of_tables(officer, change["subject"].as_str().unwrap_or_default())
        });
        Ok(closed.map(|(case, _)| case).collect())
    }

    /// A case as an officer may see it, and whether that is all of it.
    pub async fn case_for(&self, officer: &Officer, id: i64) -> Result<(Case, bool), StoreError> {
        let case = self.case(id).await?;
        let whole = self.sees_whole_case(officer, id).await?;
        Ok((if whole { case } else { case.without_text() }, whole))
    }

    /// Cases as an officer may see them, newest first: those of a state, or all.
    pub async fn cases_for(&self, officer: &Officer, state: Option<&str>, limit: i64) -> Result<Vec<Case>, StoreError> {
        let closed = self.partly_closed(officer, None).await?;
        let cases = self.cases(state, limit).await?.into_iter();
        Ok(cases.map(|case| if closed.contains(&case.id) { case.without_text() } else { case }).collect())
    }

    /// The notes on a case that an officer may see: all, or their own where it holds other people's tables.
    pub async fn case_notes(&self, officer: &Officer, id: i64) -> Result<Vec<Note>, StoreError> {
        let mut notes = self.notes(Subject::Case, &id.to_string()).await?;
        if !self.sees_whole_case(officer, id).await? {
            notes.retain(|note| note.user == officer.name);
        }
        Ok(notes)
    }

    /// Refuses to let an officer write about, seal or export what they may not see whole.
    pub(super) async fn whole_case(&self, officer: &Officer, id: i64) -> Result<(), StoreError> {
        match self.sees_whole_case(officer, id).await? {
            true => Ok(()),
            false => Err(StoreError::Refused("the case holds tables your account does not include".to_owned())),
        }
    }
}

impl Case {
    /// What remains for somebody who may not see all of it: its number, kind, state and dates, and who works on it.
    fn without_text(self) -> Self {
        let Fields { incident_at, incident_until, second_auditor, .. } = self.fields;
        let title = "of tables your account does not include".to_owned();
        Self { fields: Fields { title, incident_at, incident_until, second_auditor, ..Fields::default() }, ..self }
    }
}
