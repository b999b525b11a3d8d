//! Users, the tables they may see, and their passwords.

use std::collections::BTreeSet;

use serde_json::json;
use table::Utc;

use super::sql::{all, find, run, value};
use super::{Store, StoreError, Tx};
use crate::accounts::{Looks, Role, Scope, Tables};
use crate::log::{self, Deed};

/// A user as stored.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct User {
    /// Its number.
    pub id: i64,
    /// The name to log in with.
    pub name: String,
    /// The name under a report.
    pub full_name: String,
    /// The title under a report.
    pub title: String,
    /// What they are here for.
    #[sqlx(try_from = "String")]
    pub role: RoleColumn,
    /// The password's hash.
    pub password: Option<String>,
    /// Whether they may see every table.
    pub all_tables: bool,
    /// How the pages look to them.
    #[sqlx(flatten)]
    pub looks: Looks,
    /// When the account was made.
    pub created_at: i64,
    /// Since when it is closed.
    pub disabled_at: Option<i64>,
    /// Wrong passwords in a row.
    pub failures: i64,
    /// Until when no password is looked at.
    pub locked_until: Option<i64>,
}

/// A [`Role`] as it stands in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoleColumn(pub Role);

impl TryFrom<String> for RoleColumn {
    type Error = StoreError;

    fn try_from(name: String) -> Result<Self, StoreError> {
        name.parse().map(Self).map_err(|_| StoreError::Refused(format!("no role is called {name}")))
    }
}

/// An API token to be made.
#[derive(Clone, Copy, Debug)]
pub struct NewToken<'a> {
    /// What it is for; no two of a user alike.
    pub name: &'a str,
    /// The hash of its secret.
    pub hash: &'a str,
    /// What may be done with it.
    pub scopes: &'a [Scope],
    /// When it stops working.
    pub expires: Option<Utc>,
}

/// An account to be made.
#[derive(Clone, Debug)]
pub struct NewUser<'a> {
    /// The name to log in with.
    pub name: &'a str,
    /// The name under a report.
    pub full_name: &'a str,
    /// The title under a report.
    pub title: &'a str,
    /// What they are here for.
    pub role: Role,
    /// The password's hash, if they have one.
    pub password: Option<String>,
    /// The tables they may see.
    pub tables: Tables,
}

const COLUMNS: &str = "id, name, full_name, title, role, password, all_tables, theme, suits, created_at, disabled_at, failures, \
                       locked_until";

/// An API token as its owner sees it.
#[derive(Clone, Debug, serde::Serialize, sqlx::FromRow)]
pub struct ApiToken {
    /// Its number.
    pub id: i64,
    /// Whose.
    pub user: String,
    /// What it is for.
    pub name: String,
    /// Its scopes, separated by blanks.
    pub scopes: String,
    /// When it was made.
    pub created_at: i64,
    /// Until when it serves.
    pub expires_at: Option<i64>,
    /// Since when it does not.
    pub revoked_at: Option<i64>,
}

impl Store {
    /// The user with a name.
    pub async fn user_named(&self, name: &str) -> Result<Option<User>, StoreError> {
        let sql = format!("select {COLUMNS} from users where name = $1");
        Ok(find!(Store self, sqlx::AssertSqlSafe(sql), name))
    }

    /// The user with a number.
    pub async fn user(&self, id: i64) -> Result<Option<User>, StoreError> {
        let sql = format!("select {COLUMNS} from users where id = $1");
        Ok(find!(Store self, sqlx::AssertSqlSafe(sql), id))
    }

    /// Every user, by name.
    pub async fn users(&self) -> Result<Vec<User>, StoreError> {
        let sql = format!("select {COLUMNS} from users order by name");
        Ok(all!(Store self, sqlx::AssertSqlSafe(sql)))
    }

    /// The tables a user may see.
    pub async fn tables_of(&self, user: &User) -> Result<Tables, StoreError> {
        if user.all_tables {
            return Ok(Tables::All);
        }
        const SQL: &str = "select table_name from user_tables where user_id = $1";
        let names: Vec<(String,)> = all!(Store self, SQL, user.id);
        Ok(Tables::Only(names.into_iter().map(|(name,)| name).collect()))
    }

    /// Every API token, newest first.
    pub async fn api_tokens(&self) -> Result<Vec<ApiToken>, StoreError> {
        const SQL: &str = "select t.id, u.name as \"user\", t.name, t.scopes, t.created_at, t.expires_at, t.revoked_at \
                           from api_tokens t join users u on u.id = t.user_id order by t.id desc";
        Ok(all!(Store self, SQL))
    }

    /// Logins from an address that failed since an instant.
    pub async fn failures_from(&self, address: &str, since: Utc) -> Result<i64, StoreError> {
        const SQL: &str = "select count(*) from login_failures where address = $1 and at > $2";
        Ok(value!(Store self, SQL, address, since.micros()))
    }
}

impl Tx {
    /// Makes an account and gives its number.
    pub async fn add_user(&mut self, user: &NewUser<'_>, at: Utc, by: &str) -> Result<i64, StoreError> {
        let fits = user.name.parse::<table::Ident>().is_ok() && user.name != log::SYSTEM;
        if !fits {
            return Err(StoreError::Refused("a user's name has 1 to 32 letters, digits, - or _".to_owned()));
        }
        let taken: i64 = value!(Tx &mut *self, "select count(*) from users where name = $1", user.name);
        if taken > 0 {
            return Err(StoreError::Refused(format!("there is a user {} already", user.name)));
        }
        const INSERT: &str = "insert into users (name, full_name, title, role, password, all_tables, theme, created_at, \
                              failures) values ($1, $2, $3, $4, $5, $6, 'auto', $7, 0) returning id";
        let all = user.tables == Tables::All;
        let NewUser { name, full_name, title, role, password, tables } = user;
        let id: i64 = value!(Tx &mut *self, INSERT, name, full_name, title, role.name(), password, all, at.micros());
        if let Tables::Only(names) = tables {
            self.replace_tables(id, names).await?;
        }
        let detail = json!({ "role": role, "tables": tables.names() });
        self.log_user(name, "add-user", detail, at, by).await?;
        Ok(id)
    }

    /// Changes what a user may do.
    pub async fn set_rights(
        &mut self,
        name: &str,
        role: Role,
        tables: &Tables,
        at: Utc,
        by: &str,
    ) -> Result<(), StoreError> {
        let id = self.any_user(name).await?;
        let all = *tables == Tables::All;
        run!(Tx &mut *self, "update users set role = $2, all_tables = $3 where id = $1", id, role.name(), all);
        let none = BTreeSet::new();
        self.replace_tables(id, if let Tables::Only(names) = tables { names } else { &none }).await?;
        self.log_user(name, "set-rights", json!({ "role": role, "tables": tables.names() }), at, by).await
    }

    /// Gives a user another password (its hash), ends their sessions and opens their lock.
    pub async fn set_password(&mut self, name: &str, hash: &str, at: Utc, by: &str) -> Result<(), StoreError> {
        let id = self.any_user(name).await?;
        const SQL: &str = "update users set password = $2, failures = 0, locked_until = null where id = $1";
        run!(Tx &mut *self, SQL, id, hash);
        run!(Tx &mut *self, "delete from sessions where user_id = $1", id);
        self.log_user(name, "set-password", json!({}), at, by).await
    }

    /// Closes or opens an account. A closed one has no sessions.
    pub async fn disable_user(&mut self, name: &str, disabled: bool, at: Utc, by: &str) -> Result<(), StoreError> {
        let id = self.any_user(name).await?;
        let since = disabled.then_some(at.micros());
        run!(Tx &mut *self, "update users set disabled_at = $2 where id = $1", id, since);
        if disabled {
            run!(Tx &mut *self, "delete from sessions where user_id = $1", id);
        }
        self.log_user(name, if disabled { "disable-user" } else { "enable-user" }, json!({}), at, by).await
    }

    /// Chooses how the pages look to a user.
    pub async fn set_theme(&mut self, user: i64, theme: &str) -> Result<(), StoreError> {
        if !["auto", "dark", "light"].contains(&theme) {
            return Err(StoreError::Refused("a theme is auto, dark or light".to_owned()));
        }
        run!(Tx self, "update users set theme = $2 where id = $1", user, theme);
        Ok(())
    }

    /// Chooses how many colours a user sees the suits in.
    pub async fn set_suits(&mut self, user: i64, suits: i64) -> Result<(), StoreError> {
        if ![2, 4].contains(&suits) {
            return Err(StoreError::Refused("suits have two colours or four".to_owned()));
        }
        run!(Tx self, "update users set suits = $2 where id = $1", user, suits);
        Ok(())
    }

    /// Counts a wrong password, and locks the account until an instant if there is one.
    pub async fn count_failure(
        &mut self,
        user: Option<i64>,
        name: &str,
        address: &str,
        at: Utc,
        locked_until: Option<Utc>,
    ) -> Result<(), StoreError> {
        if let Some(user) = user {
            const SQL: &str = "update users set failures = failures + 1, locked_until = $2 where id = $1";
            run!(Tx &mut *self, SQL, user, locked_until.map(Utc::micros));
        }
        const SQL: &str = "insert into login_failures (at, address, name) values ($1, $2, $3)";
        run!(Tx &mut *self, SQL, at.micros(), address, name);
        Ok(())
    }

    /// Forgets wrong passwords after a right one.
    pub async fn clear_failures(&mut self, user: i64) -> Result<(), StoreError> {
        run!(Tx self, "update users set failures = 0, locked_until = null where id = $1", user);
        Ok(())
    }

    /// Makes an API token, of which only the hash is kept.
    pub async fn add_token(&mut self, user: &str, new: &NewToken<'_>, at: Utc, by: &str) -> Result<i64, StoreError> {
        let NewToken { name, hash, scopes, expires } = *new;
        let id = self.active_user(user).await?;
        let name = name.trim();
        if name.is_empty() || name.chars().count() > 80 || scopes.is_empty() {
            return Err(StoreError::Refused("a token has a name of 1 to 80 characters and a scope".to_owned()));
        }
        const TAKEN: &str = "select count(*) from api_tokens where user_id = $1 and name = $2";
        let taken: i64 = value!(Tx &mut *self, TAKEN, id, name);
        if taken > 0 {
            return Err(StoreError::Refused(format!("{user} has a token {name} already")));
        }
        let scopes = scopes.iter().map(|scope| scope.name()).collect::<Vec<_>>().join(" ");
        const SQL: &str = "insert into api_tokens (token, user_id, name, scopes, created_at, expires_at) \
                           values ($1, $2, $3, $4, $5, $6) returning id";
        let token: i64 = value!(Tx &mut *self, SQL, hash, id, name, &scopes, at.micros(), expires.map(Utc::micros));
        let detail = json!({ "token": token, "name": name, "scopes": scopes, "expires": expires });
        self.log_user(user, "add-token", detail, at, by).await?;
        Ok(token)
    }

    /// Makes an API token useless.
    pub async fn revoke_token(&mut self, id: i64, at: Utc, by: &str) -> Result<(), StoreError> {
        const SQL: &str = "update api_tokens set revoked_at = $2 where id = $1 and revoked_at is null";
        if run!(Tx &mut *self, SQL, id, at.micros()) == 0 {
            return Err(StoreError::Missing(format!("token {id}")));
        }
        let deed = Deed { at, actor: by, action: "revoke-token", subject: format!("token {id}"), detail: json!({}) };
        log::append(self, deed).await.map(drop)
    }

    /// Makes a link that logs a user in once, of which only the hash is kept.
    pub async fn add_login_link(
        &mut self,
        user: &str,
        hash: &str,
        expires: Utc,
        at: Utc,
        by: &str,
    ) -> Result<(), StoreError> {
        let id = self.active_user(user).await?;
        const SQL: &str = "insert into login_links (token, user_id, expires_at) values ($1, $2, $3)";
        run!(Tx &mut *self, SQL, hash, id, expires.micros());
        self.log_user(user, "add-login-link", json!({ "expires": expires }), at, by).await
    }

    /// Uses a link up, and says whose it was.
    pub async fn use_login_link(&mut self, hash: &str, at: Utc) -> Result<Option<i64>, StoreError> {
        const SQL: &str = "update login_links set used_at = $2 where token = $1 and used_at is null and expires_at > $2 \
                           returning user_id";
        let found: Option<(i64,)> = find!(Tx self, SQL, hash, at.micros());
        Ok(found.map(|(user,)| user))
    }

    async fn any_user(&mut self, name: &str) -> Result<i64, StoreError> {
        let found: Option<(i64,)> = find!(Tx self, "select id from users where name = $1", name);
        found.map(|(id,)| id).ok_or_else(|| StoreError::Missing(format!("user {name}")))
    }

    async fn replace_tables(&mut self, user: i64, names: &BTreeSet<String>) -> Result<(), StoreError> {
        run!(Tx &mut *self, "delete from user_tables where user_id = $1", user);
        for name in names {
            const SQL: &str = "insert into user_tables (user_id, table_name) values ($1, $2)";
            run!(Tx &mut *self, SQL, user, name);
        }
        Ok(())
    }

    async fn log_user(
        &mut self,
        name: &str,
        action: &str,
        detail: serde_json::Value,
        at: Utc,
        by: &str,
    ) -> Result<(), StoreError> {
        log::append(self, Deed { at, actor: by, action, subject: format!("user {name}"), detail }).await.map(drop)
    }
}
