//! Logging in and out. Wrong passwords cost time, for the account and for the address they come from.

use serde_json::json;
use table::Utc;

use super::{password, secret};
use crate::log::{self, Deed};
use crate::server::{Failure, Site};
use crate::store::Tx;
use crate::store::users::User;

/// Wrong passwords in a row before an account is locked.
const PATIENCE: u32 = 5;
/// The first lock, in microseconds; each further wrong password doubles it.
const FIRST_LOCK: i64 = 30_000_000;
/// The longest lock.
const LONGEST_LOCK: i64 = 3_600_000_000;
/// Failures from one address in a quarter of an hour before it must wait.
const FROM_ONE_ADDRESS: i64 = 50;
const QUARTER_HOUR: i64 = 900_000_000;

/// A session just begun: the secret for the cookie.
#[derive(Debug)]
pub struct Begun {
    /// Goes into the cookie, and nowhere else.
    pub secret: String,
    /// When it ends.
    pub until: Utc,
}

/// How long an account is locked after so many wrong passwords in a row.
fn lock(failures: u32) -> Option<i64> {
    let beyond = failures.checked_sub(PATIENCE)?;
    Some(FIRST_LOCK.checked_shl(beyond.min(16)).map_or(LONGEST_LOCK, |lock| lock.min(LONGEST_LOCK)))
}

/// Logs somebody in by name and password.
pub async fn with_password(site: &Site, name: &str, given: &str, address: &str) -> Result<Begun, Failure> {
    let now = site.now();
    let since = now.shifted(-QUARTER_HOUR).unwrap_or(Utc::EPOCH);
    if site.store.failures_from(address, since).await? >= FROM_ONE_ADDRESS {
        return Err(Failure::Wait(900));
    }
    let user = site.store.user_named(name).await?;
    if let Some(until) = user.as_ref().and_then(|user| user.locked_until).filter(|until| *until > now.micros()) {
        return Err(Failure::Wait(u64::try_from((until - now.micros()) / 1_000_000 + 1).unwrap_or(1)));
    }
    let stored = user.as_ref().filter(|user| user.disabled_at.is_none()).and_then(|user| user.password.clone());
    let given = given.to_owned();
    let right = tokio::task::spawn_blocking(move || password::verify(&given, stored.as_deref()))
        .await
        .map_err(Failure::broken)?;
    let mut tx = site.store.begin().await?;
    let Some(user) = user.filter(|_| right) else {
        let user = site.store.user_named(name).await?;
        let failures =
            user.as_ref().map_or(0, |user| u32::try_from(user.failures).unwrap_or(u32::MAX)).saturating_add(1);
        let until = lock(failures).and_then(|lock| now.shifted(lock));
        tx.count_failure(user.map(|user| user.id), &shown(name), address, now, until).await?;
        let detail = json!({ "address": address, "locked": until });
        let subject = format!("user {}", shown(name));
        log::append(&mut tx, Deed { at: now, actor: log::SYSTEM, action: "login-failed", subject, detail }).await?;
        tx.commit().await?;
        return Err(Failure::Bad("name or password is wrong".to_owned()));
    };
    begin(site, tx, &user, "password", address).await
}

/// Logs somebody in by a link that works once.
pub async fn with_link(site: &Site, link: &str, address: &str) -> Result<Begun, Failure> {
    let mut tx = site.store.begin().await?;
    let stale = || Failure::Bad("this link has been used, or is too old".to_owned());
    let id = tx.use_login_link(&secret::hashed(link), site.now()).await?.ok_or_else(stale)?;
    let user = site.store.user(id).await?.filter(|user| user.disabled_at.is_none()).ok_or_else(stale)?;
    begin(site, tx, &user, "link", address).await
}

async fn begin(site: &Site, mut tx: Tx, user: &User, by: &str, address: &str) -> Result<Begun, Failure> {
    let now = site.now();
    let [cookie, csrf] = [secret::fresh(), secret::fresh()];
    let [cookie, csrf] = [cookie.map_err(Failure::broken)?, csrf.map_err(Failure::broken)?];
    let until = now.shifted(i64::from(site.setup.session_hours) * 3_600_000_000).unwrap_or(now);
    tx.clear_failures(user.id).await?;
    tx.add_session(&secret::hashed(&cookie), user.id, &csrf, now, until, address).await?;
    let detail = json!({ "by": by, "address": address });
    let subject = format!("user {}", user.name);
    log::append(&mut tx, Deed { at: now, actor: &user.name, action: "login", subject, detail }).await?;
    tx.commit().await?;
    Ok(Begun { secret: cookie, until })
}

/// Ends the session of a cookie.
pub async fn log_out(site: &Site, name: &str, cookie: &str) -> Result<(), Failure> {
    let mut tx = site.store.begin().await?;
    tx.end_session(&secret::hashed(cookie)).await?;
    let subject = format!("user {name}");
    let deed = Deed { at: site.now(), actor: name, action: "logout", subject, detail: json!({}) };
    log::append(&mut tx, deed).await?;
    tx.commit().await?;
    Ok(())
}

/// A name as somebody typed it, which may be anything, even a password.
fn shown(name: &str) -> String {
    if name.parse::<table::Ident>().is_ok() { name.to_owned() } else { "?".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_grow_and_end() {
        assert_eq!(lock(4), None);
        assert_eq!(lock(5), Some(FIRST_LOCK));
        assert_eq!(lock(6), Some(2 * FIRST_LOCK));
        assert_eq!(lock(1000), Some(LONGEST_LOCK));
    }
}
