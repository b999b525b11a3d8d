//! Who is logged in.

use table::Utc;

use super::sql::{find, run};
use super::{Store, StoreError, Tx};

/// A session as stored.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Session {
    /// Whose.
    pub user_id: i64,
    /// The secret its forms carry.
    pub csrf: String,
    /// When it was last used.
    pub seen_at: i64,
    /// When it ends whatever happens.
    pub expires_at: i64,
}

impl Store {
    /// The session of a cookie, by the cookie's hash.
    pub async fn session(&self, token: &str) -> Result<Option<Session>, StoreError> {
        const SQL: &str = "select user_id, csrf, seen_at, expires_at from sessions where token = $1";
        Ok(find!(Store self, SQL, token))
    }

    /// Notes that a session is in use.
    pub async fn touch_session(&self, token: &str, at: Utc) -> Result<(), StoreError> {
        const SQL: &str = "update sessions set seen_at = $2 where token = $1";
        let mut tx = self.begin().await?;
        run!(Tx &mut tx, SQL, token, at.micros());
        tx.commit().await
    }

    /// The live token of an API call, by its hash: whose it is, and its scopes.
    pub async fn api_token(&self, token: &str, now: Utc) -> Result<Option<(i64, String)>, StoreError> {
        const SQL: &str = "select user_id, scopes from api_tokens \
                           where token = $1 and revoked_at is null and (expires_at is null or expires_at > $2)";
        Ok(find!(Store self, SQL, token, now.micros()))
    }
}

impl Tx {
    /// Begins a session.
    pub async fn add_session(
        &mut self,
        token: &str,
        user: i64,
        csrf: &str,
        now: Utc,
        until: Utc,
        address: &str,
    ) -> Result<(), StoreError> {
        const SQL: &str = "insert into sessions (token, user_id, csrf, created_at, seen_at, expires_at, address) \
                           values ($1, $2, $3, $4, $4, $5, $6)";
        run!(Tx self, SQL, token, user, csrf, now.micros(), until.micros(), address);
        Ok(())
    }

    /// Ends a session.
    pub async fn end_session(&mut self, token: &str) -> Result<(), StoreError> {
        run!(Tx self, "delete from sessions where token = $1", token);
        Ok(())
    }
}
