//! The site itself: its zone and currency, the health of its devices, holds, calibrations, subscribers.

use serde_json::json;
use table::{Severity, Utc, named};

use super::sql::{all, find, run, value};
use super::{Store, StoreError};
use crate::accounts::Officer;
use crate::log::{self, Deed};

/// What a device last said of itself.
#[derive(Clone, Debug, serde::Serialize, sqlx::FromRow)]
pub struct Health {
    /// Since when.
    pub at: i64,
    /// Its table.
    pub table_name: String,
    /// Which camera, shoe, sensor or clock.
    pub source: String,
    /// `ok`, `lost`, `frozen`, …
    pub state: String,
    /// In words.
    pub detail: String,
}

/// What retention keeps away from.
#[derive(Clone, Debug, serde::Serialize, sqlx::FromRow)]
pub struct Hold {
    /// Its number.
    pub id: i64,
    /// Which table.
    pub table_name: String,
    /// From this instant on.
    pub from_at: i64,
    /// Until this one.
    pub until_at: i64,
    /// Why.
    pub reason: String,
    /// Since when.
    pub placed_at: i64,
    /// By whom.
    pub placed_by: String,
    /// When it was released.
    pub released_at: Option<i64>,
}

/// Where boxes lie in a camera's picture.
#[derive(Clone, Debug, serde::Serialize, sqlx::FromRow)]
pub struct Calibration {
    /// When it was drawn.
    pub at: i64,
    /// By whom.
    pub user: String,
    /// Polygons, as JSON.
    pub document: String,
}

named! {
    /// How somebody is told.
    pub enum Channel, "webhook or email" {
        /// An HTTP POST, signed.
        Webhook = "webhook",
        /// A letter.
        Email = "email",
    }
}

/// Who is told of severe flags.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Subscriber {
    /// Its number.
    pub id: i64,
    /// `webhook` or `email`.
    pub kind: String,
    /// An address or a mailbox.
    pub target: String,
    /// The key a webhook is signed with.
    pub secret: String,
    /// From which severity on, 0 to 3.
    pub least_severity: i64,
}

impl Subscriber {
    /// From which severity on.
    pub fn least(&self) -> Option<Severity> {
        usize::try_from(self.least_severity).ok().and_then(|index| Severity::ALL.get(index)).copied()
    }
}

/// Something still to be told.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Due {
    /// Its number.
    pub id: i64,
    /// `webhook` or `email`.
    pub kind: String,
    /// To where.
    pub target: String,
    /// The key a webhook is signed with.
    pub secret: String,
    /// Which flag.
    pub flag: String,
    /// How often it was tried.
    pub attempts: i64,
    /// The flag as JSON.
    pub document: String,
}

impl Store {
    /// Sets the zone and the currency of a site.
    pub async fn set_site(&self, name: &str, zone: &str, currency: &str) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        const SQL: &str = "insert into sites (name, zone, currency) values ($1, $2, $3) \
                           on conflict (name) do update set zone = excluded.zone, currency = excluded.currency";
        run!(Tx &mut tx, SQL, name, zone, currency);
        tx.commit().await
    }

    /// The only site there is, or the first by name: its name, zone and currency.
    pub async fn site(&self) -> Result<Option<(String, String, String)>, StoreError> {
        Ok(find!(Store self, "select name, zone, currency from sites order by name limit 1"))
    }

    /// The zone and the currency of a site.
    pub async fn zone_and_currency(&self, site: &str) -> Result<Option<(String, String)>, StoreError> {
        Ok(find!(Store self, "select zone, currency from sites where name = $1", site))
    }

    /// Notes what a device says of itself.
    pub async fn add_health(&self, health: &Health) -> Result<(), StoreError> {
        const SQL: &str = "insert into health (at, table_name, source, state, detail) values ($1, $2, $3, $4, $5)";
        let Health { at, table_name, source, state, detail } = health;
        let mut tx = self.begin().await?;
        run!(Tx &mut tx, SQL, at, table_name, source, state, detail);
        tx.commit().await
    }

    /// What every device of the officer's tables last said of itself.
    pub async fn health(&self, officer: &Officer) -> Result<Vec<Health>, StoreError> {
        const SQL: &str = "select h.at, h.table_name, h.source, h.state, h.detail from health h where h.id = \
                           (select max(l.id) from health l where l.table_name = h.table_name and l.source = h.source) \
                           order by h.table_name, h.source";
        let all: Vec<Health> = all!(Store self, SQL);
        Ok(all.into_iter().filter(|health| officer.tables.include(&health.table_name)).collect())
    }

    /// Every hold, newest first.
    pub async fn holds(&self) -> Result<Vec<Hold>, StoreError> {
        const SQL: &str = "select h.id, h.table_name, h.from_at, h.until_at, h.reason, h.placed_at, u.name as placed_by, \
                           h.released_at from holds h join users u on u.id = h.placed_by order by h.id desc";
        Ok(all!(Store self, SQL))
    }

    /// Holds a table's rounds and evidence between two instants.
    pub async fn hold(
        &self,
        officer: &Officer,
        table: &str,
        from: Utc,
        until: Utc,
        reason: &str,
        at: Utc,
    ) -> Result<i64, StoreError> {
        if until < from {
            return Err(StoreError::Refused("the hold ends before it begins".to_owned()));
        }
        let mut tx = self.begin().await?;
        const SQL: &str = "insert into holds (table_name, from_at, until_at, reason, placed_at, placed_by) \
                           values ($1, $2, $3, $4, $5, $6) returning id";
        let id: i64 = value!(Tx &mut tx, SQL, table, from.micros(), until.micros(), reason, at.micros(), officer.id);
        let detail = json!({ "table": table, "from": from, "until": until, "reason": reason });
        let subject = format!("hold {id}");
        log::append(&mut tx, Deed { at, actor: &officer.name, action: "hold", subject, detail }).await?;
        tx.commit().await?;
        Ok(id)
    }

    /// Releases a hold.
    pub async fn release(&self, officer: &Officer, id: i64, at: Utc) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        const SQL: &str = "update holds set released_at = $2, released_by = $3 where id = $1 and released_at is null";
        if run!(Tx &mut tx, SQL, id, at.micros(), officer.id) == 0 {
            return Err(StoreError::Missing(format!("hold {id}")));
        }
        let subject = format!("hold {id}");
        log::append(&mut tx, Deed { at, actor: &officer.name, action: "release", subject, detail: json!({}) }).await?;
        tx.commit().await
    }

    /// The latest calibration of a camera.
    pub async fn calibration(&self, table: &str, camera: &str) -> Result<Option<Calibration>, StoreError> {
        const SQL: &str = "select c.at, u.name as \"user\", c.document from calibrations c join users u on u.id = c.user_id \
                           where c.table_name = $1 and c.camera = $2 order by c.id desc limit 1";
        Ok(find!(Store self, SQL, table, camera))
    }

    /// Keeps a calibration. The document is JSON that the caller has read.
    pub async fn calibrate(
        &self,
        officer: &Officer,
        table: &str,
        camera: &str,
        document: &str,
        at: Utc,
    ) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        const SQL: &str =
            "insert into calibrations (table_name, camera, at, user_id, document) values ($1, $2, $3, $4, $5)";
        run!(Tx &mut tx, SQL, table, camera, at.micros(), officer.id, document);
        let detail = json!({ "document": document });
        let subject = format!("camera {table} {camera}");
        log::append(&mut tx, Deed { at, actor: &officer.name, action: "calibrate", subject, detail }).await?;
        tx.commit().await
    }

    /// Who is told.
    pub async fn subscribers(&self) -> Result<Vec<Subscriber>, StoreError> {
        const SQL: &str = "select id, kind, target, secret, least_severity from subscribers \
                           where removed_at is null order by id";
        Ok(all!(Store self, SQL))
    }

    /// Tells somebody from now on.
    pub async fn subscribe(
        &self,
        officer: &Officer,
        channel: Channel,
        target: &str,
        secret: &str,
        least: Severity,
        at: Utc,
    ) -> Result<i64, StoreError> {
        let mut tx = self.begin().await?;
        const SQL: &str =
            "insert into subscribers (kind, target, secret, least_severity) values ($1, $2, $3, $4) returning id";
        let id: i64 = value!(Tx &mut tx, SQL, channel.name(), target, secret, least as i64);
        let detail = json!({ "kind": channel, "target": target, "least": least });
        let subject = format!("subscriber {id}");
        log::append(&mut tx, Deed { at, actor: &officer.name, action: "subscribe", subject, detail }).await?;
        tx.commit().await?;
        Ok(id)
    }

    /// Tells somebody no longer.
    pub async fn unsubscribe(&self, officer: &Officer, id: i64, at: Utc) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        const SQL: &str = "update subscribers set removed_at = $2 where id = $1 and removed_at is null";
        if run!(Tx &mut tx, SQL, id, at.micros()) == 0 {
            return Err(StoreError::Missing(format!("subscriber {id}")));
        }
        let subject = format!("subscriber {id}");
        let deed = Deed { at, actor: &officer.name, action: "unsubscribe", subject, detail: json!({}) };
        log::append(&mut tx, deed).await?;
        tx.commit().await
    }

    /// What is to be told by now, oldest first.
    pub async fn due(&self, now: Utc, limit: i64) -> Result<Vec<Due>, StoreError> {
        const SQL: &str = "select o.id, s.kind, s.target, s.secret, o.flag, o.attempts, f.document from outbox o \
                           join subscribers s on s.id = o.subscriber join flags f on f.id = o.flag_entry \
                           where o.sent_at is null and o.due_at <= $1 and s.removed_at is null order by o.due_at, o.id limit $2";
        Ok(all!(Store self, SQL, now.micros(), limit))
    }

    /// Notes that it was told, or why not and when to try again.
    pub async fn told(&self, id: i64, now: Utc, outcome: Result<(), (&str, Utc)>) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        match outcome {
            Ok(()) => {
                const SQL: &str = "update outbox set sent_at = $2, attempts = attempts + 1, failure = '' where id = $1";
                run!(Tx &mut tx, SQL, id, now.micros());
            }
            Err((failure, again)) => {
                const SQL: &str = "update outbox set due_at = $2, attempts = attempts + 1, failure = $3 where id = $1";
                run!(Tx &mut tx, SQL, id, again.micros(), failure);
            }
        }
        tx.commit().await
    }

    /// What the metrics tell.
    pub async fn counts(&self) -> Result<Counts, StoreError> {
        Ok(Counts {
            states: all!(Store self, "select state, count(*) from queue group by state order by state"),
            log: value!(Store self, "select coalesce(max(seq), 0) from log"),
            waiting: value!(Store self, "select count(*) from outbox where sent_at is null"),
            sessions: value!(Store self, "select count(*) from sessions"),
        })
    }
}

/// What the metrics tell.
#[derive(Clone, Debug)]
pub struct Counts {
    /// Flags by state.
    pub states: Vec<(String, i64)>,
    /// Entries of the log.
    pub log: i64,
    /// Messages not yet delivered.
    pub waiting: i64,
    /// Sessions.
    pub sessions: i64,
}
