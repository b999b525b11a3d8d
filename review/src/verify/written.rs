//! What officers wrote beside decisions and notes: cards they read otherwise, and cases with all that was done to them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{PIECE, Verified};
use crate::log::Entry;
use crate::store::cases::Fields;
use crate::store::ingest::round_name;
use crate::store::sql::all;
use crate::store::{Store, StoreError};

/// A correction: the round, its entry, the step, the card before and after, why, when and by whom.
type Correction = (String, i64, i64, String, String, String, i64, String);
/// A change to a case: which, when, by whom, and what.
type Change = (i64, i64, String, String);

/// What the log says was written, each as often as it says so.
#[derive(Default)]
pub(super) struct Written {
    corrections: BTreeMap<Correction, u64>,
    changes: BTreeMap<Change, u64>,
}

const CHANGES: &[&str] =
    &["open-case", "edit-case", "assign-case", "close-case", "lock-case", "add-to-case", "take-from-case"];

impl Written {
    pub(super) fn take(&mut self, entry: &Entry, detail: &Value) {
        if entry.action == "correct" {
            let text = |name: &str| detail[name].as_str().unwrap_or_default().to_owned();
            let number = |name: &str| detail[name].as_i64().unwrap_or_default();
            let round = entry.subject.strip_prefix("round ").unwrap_or_default().to_owned();
            let correction = (
                round,
                number("entry"),
                number("step"),
                text("was"),
                text("becomes"),
                text("reason"),
                entry.at,
                entry.actor.clone(),
            );
            *self.corrections.entry(correction).or_default() += 1;
        } else if CHANGES.contains(&entry.action.as_str()) {
            let case = entry.subject.strip_prefix("case ").and_then(|id| id.parse().ok()).unwrap_or_default();
            *self.changes.entry((case, entry.at, entry.actor.clone(), entry.detail.clone())).or_default() += 1;
        }
    }

    pub(super) async fn compare(mut self, store: &Store, found: &mut Verified) -> Result<(), StoreError> {
        self.corrections(store, found).await?;
        let changes = self.case_changes(store, found).await?;
        standing(store, &changes, found).await
    }

    async fn corrections(&mut self, store: &Store, found: &mut Verified) -> Result<(), StoreError> {
        const SQL: &str = "select c.id, r.table_name, r.shoe, r.round, r.entry, c.step, c.was, c.becomes, c.reason, c.at, \
                           u.name from corrections c join rounds r on r.id = c.round_id join users u on u.id = c.user_id \
                           where c.id > $1 order by c.id limit $2";
        type Row = (i64, String, i64, i64, i64, i64, String, String, String, i64, String);
        let mut last = 0;
        loop {
            let rows: Vec<Row> = all!(Store store, SQL, last, PIECE);
            let Some(end) = rows.last() else { break };
            last = end.0;
            for (id, table, shoe, round, entry, step, was, becomes, reason, at, user) in rows {
                let name = round_name(&table, shoe, round);
                let correction = (name.clone(), entry, step, was, becomes, reason, at, user);
                if !take_one(&mut self.corrections, &correction) {
                    found.faults.push(format!("correction {id} of round {name} is not in the log as it stands"));
                }
            }
        }
        let missing = self.corrections.keys().map(|(round, ..)| format!("a correction of round {round} is missing"));
        found.faults.extend(missing);
        Ok(())
    }

    /// Compares the changes, and gives those there are by case, in order.
    async fn case_changes(
        &mut self,
        store: &Store,
        found: &mut Verified,
    ) -> Result<BTreeMap<i64, Vec<Value>>, StoreError> {
        const SQL: &str = "select c.id, c.case_id, c.at, u.name, c.change from case_changes c join users u on u.id = c.user_id \
                           where c.id > $1 order by c.id limit $2";
        let mut changes: BTreeMap<i64, Vec<Value>> = BTreeMap::new();
        let mut last = 0;
        loop {
            let rows: Vec<(i64, i64, i64, String, String)> = all!(Store store, SQL, last, PIECE);
            let Some(end) = rows.last() else { break };
            last = end.0;
            for (id, case, at, user, change) in rows {
                changes.entry(case).or_default().push(serde_json::from_str(&change).unwrap_or_default());
                if !take_one(&mut self.changes, &(case, at, user, change)) {
                    found.faults.push(format!("change {id} of case {case} is not in the log as it stands"));
                }
            }
        }
        found.faults.extend(self.changes.keys().map(|(case, ..)| format!("a change of case {case} is missing")));
        Ok(changes)
    }
}

/// Strikes one off the list; whether it was on it.
fn take_one<K: Ord>(list: &mut BTreeMap<K, u64>, key: &K) -> bool {
    match list.get_mut(key) {
        None => false,
        Some(1) => list.remove(key).is_some(),
        Some(count) => {
            *count -= 1;
            true
        }
    }
}

/// Cases must be what their changes made of them.
async fn standing(store: &Store, changes: &BTreeMap<i64, Vec<Value>>, found: &mut Verified) -> Result<(), StoreError> {
    const SQL: &str = "select id from cases where id > $1 order by id limit $2";
    let mut last = 0;
    loop {
        let ids: Vec<(i64,)> = all!(Store store, SQL, last, PIECE);
        let Some((end,)) = ids.last() else { return Ok(()) };
        last = *end;
        for (id,) in ids {
            let case = store.case(id).await?;
            let made = Made::by(changes.get(&id).map(Vec::as_slice).unwrap_or_default());
            let members =
                store.case_members(id).await?.into_iter().map(|member| (member.kind, member.subject)).collect();
            let same = made.fields.as_ref() == Some(&case.fields)
                && made.state == case.state
                && made.locked == case.locked_at.is_some()
                && made.assignee == case.assignee
                && made.members == members;
            if !same {
                found.faults.push(format!("case {id} is not what its changes made of it"));
            }
        }
    }
}

/// A case as its changes make it.
struct Made {
    fields: Option<Fields>,
    state: String,
    locked: bool,
    assignee: Option<String>,
    members: BTreeSet<(String, String)>,
}

impl Made {
    fn by(changes: &[Value]) -> Self {
        let mut made =
            Self { fields: None, state: "open".to_owned(), locked: false, assignee: None, members: BTreeSet::new() };
        for change in changes {
            let text = |name: &str| change[name].as_str().unwrap_or_default().to_owned();
            if let Some(fields) = change.get("fields") {
                made.fields = serde_json::from_value(fields.clone()).ok();
                if let Some(fields) = &mut made.fields {
                    fields.second_auditor = fields.second_auditor.take().filter(|name| !name.is_empty());
                }
            }
            if change.get("state").is_some() {
                made.state = text("state");
            }
            if let Some(assignee) = change.get("assignee") {
                made.assignee = assignee.as_str().map(str::to_owned);
            }
            made.locked |= change.get("locked").is_some();
            if change.get("added").is_some() {
                made.members.insert((text("added"), text("subject")));
            }
            if change.get("taken").is_some() {
                made.members.remove(&(text("taken"), text("subject")));
            }
        }
        made
    }
}
