//! `fairdeal user`: the officers' accounts, from the machine the database is on.

mod secret;

use std::collections::BTreeSet;
use std::io::Write;

use anyhow::ensure;
use review::Store;
use review::accounts::{Role, Scope, Tables, password};
use review::store::users::{NewToken, NewUser};
use table::{Ident, Utc};

use crate::{Outcome, database, json};

/// Make and keep the officers' accounts
///
/// Passwords are typed, or read from standard input; never given on the command
/// line, where others could read them.
///
/// Example: fairdeal user add ana --role admin --db sqlite:night.db
/// Example: pass show ben | fairdeal user add ben --role officer --tables BJ-04,BJ-05 --db sqlite:night.db
/// Example: fairdeal user token ben "wall screen" --scope read --db sqlite:night.db
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Make an account; asks for the password
    Add {
        /// The name to log in with
        name: Ident,
        /// officer, investigator, manager, auditor or admin
        #[arg(long)]
        role: Role,
        /// The name that stands under reports; the name to log in with if left out
        #[arg(long, value_name = "NAME")]
        full_name: Option<String>,
        /// The title that stands under reports
        #[arg(long, default_value = "")]
        title: String,
        /// The only tables they may see; all if left out
        #[arg(long, value_delimiter = ',', value_name = "TABLE")]
        tables: Option<Vec<Ident>>,
        #[command(flatten)]
        db: database::Address,
    },
    /// List the accounts
    List {
        /// One JSON object for every account
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        db: database::Address,
    },
    /// Give somebody another password; asks for it, and ends their sessions
    Password {
        /// Who
        name: Ident,
        #[command(flatten)]
        db: database::Address,
    },
    /// Close an account, or open it again
    Disable {
        /// Who
        name: Ident,
        /// Open it again
        #[arg(long)]
        undo: bool,
        #[command(flatten)]
        db: database::Address,
    },
    /// Make an API token and print it, this once
    Token {
        /// Whose rights it has at most
        name: Ident,
        /// What it is for
        purpose: String,
        /// read, decide, export or admin; several times for several
        #[arg(long, required = true)]
        scope: Vec<Scope>,
        /// The last day it serves, as a UTC time
        #[arg(long, value_name = "TIME")]
        expires: Option<Utc>,
        #[command(flatten)]
        db: database::Address,
    },
}

/// Who the log says it was: somebody with the database in their hands.
const BY: &str = "command-line";

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    match &args.command {
        Command::Add { name, role, full_name, title, tables, db } => {
            let hash = password::hash(&secret::ask(name.as_str())?)?;
            let tables = match tables {
                None => Tables::All,
                Some(names) => Tables::Only(names.iter().map(ToString::to_string).collect::<BTreeSet<_>>()),
            };
            let user = NewUser {
                name: name.as_str(),
                full_name: full_name.as_deref().unwrap_or(name.as_str()),
                title,
                role: *role,
                password: Some(hash),
                tables,
            };
            database::block_on(async {
                let mut tx = db.open().await?.begin().await?;
                tx.add_user(&user, database::now(), BY).await?;
                Ok(tx.commit().await?)
            })?;
            writeln!(anstream::stdout(), "{name} can log in as {role}")?;
        }
        Command::List { json, db } => database::block_on(async { list(&db.open().await?, *json).await })?,
        Command::Password { name, db } => {
            let hash = password::hash(&secret::ask(name.as_str())?)?;
            database::block_on(async {
                let mut tx = db.open().await?.begin().await?;
                tx.set_password(name.as_str(), &hash, database::now(), BY).await?;
                Ok(tx.commit().await?)
            })?;
        }
        Command::Disable { name, undo, db } => database::block_on(async {
            let mut tx = db.open().await?.begin().await?;
            tx.disable_user(name.as_str(), !undo, database::now(), BY).await?;
            Ok(tx.commit().await?)
        })?,
        Command::Token { name, purpose, scope, expires, db } => {
            let token = database::block_on(async { token(&db.open().await?, name, purpose, scope, *expires).await })?;
            writeln!(anstream::stdout(), "{token}")?;
        }
    }
    Ok(Outcome::Clean)
}

async fn list(store: &Store, as_json: bool) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    for user in store.users().await? {
        let tables = store.tables_of(&user).await?;
        let closed = user.disabled_at.is_some();
        if as_json {
            let row = serde_json::json!({ "name": user.name, "full_name": user.full_name, "title": user.title,
                                          "role": user.role.0, "tables": tables.names(), "disabled": closed });
            json::lines(&mut out, [row])?;
        } else {
            let tables = tables.names().map_or("all tables".to_owned(), |names| {
                names.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
            });
            let closed = if closed { ", closed" } else { "" };
            writeln!(out, "{:16} {:12} {tables}{closed}", user.name, user.role.0)?;
        }
    }
    Ok(())
}

async fn token(
    store: &Store,
    name: &Ident,
    purpose: &str,
    scopes: &[Scope],
    expires: Option<Utc>,
) -> anyhow::Result<String> {
    let now = database::now();
    ensure!(expires.is_none_or(|expires| expires > now), "the token would have expired already");
    let token = review::accounts::secret::fresh()?;
    let hash = review::accounts::secret::hashed(&token);
    let mut tx = store.begin().await?;
    tx.add_token(name.as_str(), &NewToken { name: purpose, hash: &hash, scopes, expires }, now, BY).await?;
    tx.commit().await?;
    Ok(token)
}
