//! What managers may set.

use std::collections::BTreeMap;

use table::Utc;

use super::sql::{all, run};
use super::{Store, StoreError, Tx};
use crate::log::{self, Deed};

impl Store {
    /// Every setting that somebody changed.
    pub async fn settings(&self) -> Result<BTreeMap<String, String>, StoreError> {
        let rows: Vec<(String, String)> = all!(Store self, "select name, value from settings");
        Ok(rows.into_iter().collect())
    }
}

impl Tx {
    /// Changes a setting.
    pub async fn set(&mut self, name: &str, value: &str, at: Utc, by: &str) -> Result<(), StoreError> {
        const SQL: &str = "insert into settings (name, value, changed_at, changed_by) values ($1, $2, $3, $4) \
                           on conflict (name) do update set value = $2, changed_at = $3, changed_by = $4";
        run!(Tx &mut *self, SQL, name, value, at.micros(), by);
        let subject = format!("setting {name}");
        let detail = serde_json::json!({ "value": value });
        log::append(self, Deed { at, actor: by, action: "setting", subject, detail }).await.map(drop)
    }
}
