//! Cases: disputes and incidents, numbered in sequence, with the fields a report must have.

pub(crate) mod reach;

use serde::{Deserialize, Serialize};
use serde_json::json;
use table::{Utc, named};

use super::sql::{all, find, run, value};
use super::{ADD_SITE, Store, StoreError, Tx};
use crate::accounts::Officer;
use crate::log::{self, Deed};

named! {
    /// What sort of case.
    pub enum CaseKind, "dispute or incident" {
        /// Somebody disagrees with what was paid.
        Dispute = "dispute",
        /// Something happened that must be reported.
        Incident = "incident",
    }
}

named! {
    /// What belongs to a case.
    pub enum Member, "flag, round or evidence" {
        /// A flag, by its id.
        Flag = "flag",
        /// A round, as `BJ-04.17.212`.
        Round = "round",
        /// A file, by its hash.
        Evidence = "evidence",
    }
}

/// A case as stored.
#[derive(Clone, Debug, Serialize, sqlx::FromRow)]
pub struct Case {
    /// Its number in the database.
    pub id: i64,
    /// Its site.
    pub site: String,
    /// Its number in the site's sequence.
    pub number: i64,
    /// `dispute` or `incident`.
    pub kind: String,
    /// `open` or `closed`.
    pub state: String,
    /// When it was opened.
    pub opened_at: i64,
    /// By whom.
    pub opened_by: String,
    /// The title of who opened it.
    pub opened_by_title: String,
    /// The rest, as it is written.
    #[sqlx(flatten)]
    #[serde(flatten)]
    pub fields: Fields,
    /// Who works on it.
    pub assignee: Option<String>,
    /// When it was closed.
    pub closed_at: Option<i64>,
    /// Since when nothing of it may change.
    pub locked_at: Option<i64>,
    /// Who locked it.
    pub locked_by: Option<String>,
}

/// What officers write into a case.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, sqlx::FromRow, utoipa::ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Fields {
    /// What it is about, in a line.
    pub title: String,
    /// When it happened, in microseconds of UTC.
    pub incident_at: i64,
    /// Until when.
    pub incident_until: Option<i64>,
    /// Where.
    pub place: String,
    /// What happened.
    pub nature: String,
    /// Who asked for the review.
    pub requester: String,
    /// Persons concerned.
    pub persons: String,
    /// Witnesses.
    pub witnesses: String,
    /// Staff present.
    pub staff: String,
    /// Recordings there are of it.
    pub recordings: String,
    /// What was done.
    pub action: String,
    /// How it ended.
    pub disposition: String,
    /// Anything else.
    pub remarks: String,
    /// What the review saved the house, in minor units.
    pub savings: i64,
    /// What was lost, in minor units.
    pub losses: i64,
    /// Who reviewed it again, by name.
    pub second_auditor: Option<String>,
}

/// Something that belongs to a case.
#[derive(Clone, Debug, Serialize, sqlx::FromRow)]
pub struct CaseMember {
    /// `flag`, `round` or `evidence`.
    pub kind: String,
    /// Which.
    pub subject: String,
    /// Since when.
    pub added_at: i64,
    /// By whom.
    pub added_by: String,
}

/// A change to a case.
#[derive(Clone, Debug, Serialize, sqlx::FromRow)]
pub struct CaseChange {
    /// When.
    pub at: i64,
    /// By whom.
    pub user: String,
    /// The fields after it, as JSON.
    pub change: String,
}

const SELECT: &str = "select c.id, c.site, c.number, c.kind, c.state, c.opened_at, o.full_name as opened_by, \
                      o.title as opened_by_title, c.title, c.incident_at, c.incident_until, c.place, c.nature, c.requester, \
                      c.persons, c.witnesses, c.staff, c.recordings, c.action, c.disposition, c.remarks, c.savings, c.losses, \
                      s.name as second_auditor, a.name as assignee, c.closed_at, c.locked_at, l.name as locked_by \
                      from cases c join users o on o.id = c.opened_by left join users s on s.id = c.second_auditor \
                      left join users a on a.id = c.assignee left join users l on l.id = c.locked_by";

/// The longest text of a field.
const LONGEST: usize = 20_000;

impl Fields {
    fn check(&self) -> Result<(), StoreError> {
        let texts = [
            &self.title,
            &self.place,
            &self.nature,
            &self.requester,
            &self.persons,
            &self.witnesses,
            &self.staff,
            &self.recordings,
            &self.action,
            &self.disposition,
            &self.remarks,
        ];
        if self.title.trim().is_empty() {
            return Err(StoreError::Refused("a case needs a title".to_owned()));
        }
        if texts.iter().any(|text| text.len() > LONGEST) {
            return Err(StoreError::Refused(format!("a field has at most {LONGEST} bytes")));
        }
        if Utc::from_micros(self.incident_at).is_none()
            || self.incident_until.is_some_and(|until| until < self.incident_at)
        {
            return Err(StoreError::Refused("the incident ends before it begins".to_owned()));
        }
        if self.savings < 0 || self.losses < 0 {
            return Err(StoreError::Refused("savings and losses are not negative".to_owned()));
        }
        Ok(())
    }
}

impl Store {
    /// Cases, newest first: those of a state, or all.
    pub async fn cases(&self, state: Option<&str>, limit: i64) -> Result<Vec<Case>, StoreError> {
        let sql = format!("{SELECT} where $1 = '' or c.state = $1 order by c.id desc limit $2");
        Ok(all!(Store self, sqlx::AssertSqlSafe(sql), state.unwrap_or_default(), limit))
    }

    /// A case.
    pub async fn case(&self, id: i64) -> Result<Case, StoreError> {
        let sql = format!("{SELECT} where c.id = $1");
        let found: Option<Case> = find!(Store self, sqlx::AssertSqlSafe(sql), id);
        found.ok_or_else(|| StoreError::Missing(format!("case {id}")))
    }

    /// The cases with a number in their site's sequence: one of each site at most.
    pub async fn cases_numbered(&self, number: i64) -> Result<Vec<Case>, StoreError> {
        let sql = format!("{SELECT} where c.number = $1 order by c.site");
        Ok(all!(Store self, sqlx::AssertSqlSafe(sql), number))
    }

    /// What belongs to a case, in the order it was added.
    pub async fn case_members(&self, id: i64) -> Result<Vec<CaseMember>, StoreError> {
        const SQL: &str = "select m.kind, m.subject, m.added_at, u.name as added_by from case_members m \
                           join users u on u.id = m.added_by where m.case_id = $1 order by m.added_at, m.kind, m.subject";
        Ok(all!(Store self, SQL, id))
    }

    /// How a case came to be what it is.
    pub async fn case_changes(&self, id: i64) -> Result<Vec<CaseChange>, StoreError> {
        const SQL: &str = "select c.at, u.name as \"user\", c.change from case_changes c join users u on u.id = c.user_id \
                           where c.case_id = $1 order by c.id";
        Ok(all!(Store self, SQL, id))
    }

    /// The cases something belongs to.
    pub async fn cases_of(&self, member: Member, subject: &str) -> Result<Vec<Case>, StoreError> {
        let sql = format!(
            "{SELECT} join case_members m on m.case_id = c.id where m.kind = $1 and m.subject = $2 order by c.id"
        );
        Ok(all!(Store self, sqlx::AssertSqlSafe(sql), member.name(), subject))
    }

    /// Opens a case with the next number of its site.
    pub async fn open_case(
        &self,
        officer: &Officer,
        site: &str,
        kind: CaseKind,
        fields: &Fields,
        at: Utc,
    ) -> Result<i64, StoreError> {
        fields.check()?;
        let mut tx = self.begin().await?;
        run!(Tx &mut tx, ADD_SITE, site);
        let number: i64 = value!(Tx &mut tx, "select coalesce(max(number), 0) + 1 from cases where site = $1", site);
        const INSERT: &str = "insert into cases (site, number, kind, state, opened_at, opened_by, title, incident_at, place, \
                              nature, requester, persons, witnesses, staff, recordings, action, disposition, remarks, savings, \
                              losses) values ($1, $2, $3, 'open', $4, $5, '', $6, '', '', '', '', '', '', '', '', '', '', 0, 0) \
                              returning id";
        let id: i64 =
            value!(Tx &mut tx, INSERT, site, number, kind.name(), at.micros(), officer.id, fields.incident_at);
        tx.write_case(id, fields).await?;
        let change = json!({ "opened": kind, "number": number, "fields": fields });
        tx.change_case(officer, id, "open-case", change, at).await?;
        tx.commit().await?;
        Ok(id)
    }

    /// Writes a case's fields.
    pub async fn edit_case(&self, officer: &Officer, id: i64, fields: &Fields, at: Utc) -> Result<(), StoreError> {
        fields.check()?;
        self.whole_case(officer, id).await?;
        let mut tx = self.begin().await?;
        tx.unlocked(id).await?;
        tx.write_case(id, fields).await?;
        tx.change_case(officer, id, "edit-case", json!({ "fields": fields }), at).await?;
        tx.commit().await
    }

    /// Gives a case to somebody, or to nobody.
    pub async fn assign_case(
        &self,
        officer: &Officer,
        id: i64,
        assignee: Option<&str>,
        at: Utc,
    ) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        let user = match assignee {
            Some(name) => Some(tx.active_user(name).await?),
            None => None,
        };
        if run!(Tx &mut tx, "update cases set assignee = $2 where id = $1", id, user) == 0 {
            return Err(StoreError::Missing(format!("case {id}")));
        }
        tx.change_case(officer, id, "assign-case", json!({ "assignee": assignee }), at).await?;
        tx.commit().await
    }

    /// Closes a case or opens it again. A locked case stays as it is.
    pub async fn close_case(&self, officer: &Officer, id: i64, closed: bool, at: Utc) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        tx.unlocked(id).await?;
        let (state, closed_at) = if closed { ("closed", Some(at.micros())) } else { ("open", None) };
        run!(Tx &mut tx, "update cases set state = $2, closed_at = $3 where id = $1", id, state, closed_at);
        tx.change_case(officer, id, "close-case", json!({ "state": state }), at).await?;
        tx.commit().await
    }

    /// Locks a case: from now on neither its fields nor its members change, and retention keeps away. There is no key.
    pub async fn lock_case(&self, officer: &Officer, id: i64, at: Utc) -> Result<(), StoreError> {
        self.whole_case(officer, id).await?;
        let mut tx = self.begin().await?;
        tx.unlocked(id).await?;
        const LOCK: &str = "update cases set locked_at = $2, locked_by = $3 where id = $1";
        run!(Tx &mut tx, LOCK, id, at.micros(), officer.id);
        tx.change_case(officer, id, "lock-case", json!({ "locked": true }), at).await?;
        tx.commit().await
    }

    /// Adds something to a case. Whoever calls has seen that there is such a thing and that the officer may see it.
    pub async fn add_to_case(
        &self,
        officer: &Officer,
        id: i64,
        member: Member,
        subject: &str,
        at: Utc,
    ) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        tx.unlocked(id).await?;
        const SQL: &str = "insert into case_members (case_id, kind, subject, added_at, added_by) \
                           values ($1, $2, $3, $4, $5) on conflict do nothing";
        if run!(Tx &mut tx, SQL, id, member.name(), subject, at.micros(), officer.id) == 0 {
            return Ok(());
        }
        tx.change_case(officer, id, "add-to-case", json!({ "added": member, "subject": subject }), at).await?;
        tx.commit().await
    }

    /// Takes something out of a case; the case's history keeps that it was there.
    pub async fn take_from_case(
        &self,
        officer: &Officer,
        id: i64,
        member: Member,
        subject: &str,
        at: Utc,
    ) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        tx.unlocked(id).await?;
        const SQL: &str = "delete from case_members where case_id = $1 and kind = $2 and subject = $3";
        if run!(Tx &mut tx, SQL, id, member.name(), subject) == 0 {
            return Err(StoreError::Missing(format!("{member} {subject} in case {id}")));
        }
        tx.change_case(officer, id, "take-from-case", json!({ "taken": member, "subject": subject }), at).await?;
        tx.commit().await
    }
}

impl Tx {
    async fn unlocked(&mut self, id: i64) -> Result<(), StoreError> {
        let found: Option<(Option<i64>,)> = find!(Tx self, "select locked_at from cases where id = $1", id);
        match found {
            None => Err(StoreError::Missing(format!("case {id}"))),
            Some((Some(_),)) => Err(StoreError::Refused(format!("case {id} is locked"))),
            Some((None,)) => Ok(()),
        }
    }

    async fn write_case(&mut self, id: i64, fields: &Fields) -> Result<(), StoreError> {
        let second = match fields.second_auditor.as_deref() {
            Some(name) if !name.is_empty() => Some(self.active_user(name).await?),
            _ => None,
        };
        const SQL: &str = "update cases set title = $2, incident_at = $3, incident_until = $4, place = $5, nature = $6, \
                           requester = $7, persons = $8, witnesses = $9, staff = $10, recordings = $11, action = $12, \
                           disposition = $13, remarks = $14, savings = $15, losses = $16, second_auditor = $17 where id = $1";
        run!(
            Tx self,
            SQL,
            id,
            &fields.title,
            fields.incident_at,
            fields.incident_until,
            &fields.place,
            &fields.nature,
            &fields.requester,
            &fields.persons,
            &fields.witnesses,
            &fields.staff,
            &fields.recordings,
            &fields.action,
            &fields.disposition,
            &fields.remarks,
            fields.savings,
            fields.losses,
            second,
        );
        Ok(())
    }

    async fn change_case(
        &mut self,
        officer: &Officer,
        id: i64,
        action: &str,
        change: serde_json::Value,
        at: Utc,
    ) -> Result<(), StoreError> {
        const SQL: &str = "insert into case_changes (case_id, at, user_id, change) values ($1, $2, $3, $4)";
        run!(Tx &mut *self, SQL, id, at.micros(), officer.id, change.to_string());
        let deed = Deed { at, actor: &officer.name, action, subject: format!("case {id}"), detail: change };
        log::append(self, deed).await.map(drop)
    }
}
