//! The officers' database as commands open it.

use std::future::Future;
use std::path::PathBuf;

use anyhow::Context;
use review::Store;
use review::server::{Clock, WallClock};
use table::Utc;

/// The site rounds belong to unless it is named.
pub(crate) const SITE: &str = "site";

/// Which database.
#[derive(clap::Args)]
pub(crate) struct Address {
    /// The database: sqlite:FILE or postgres://USER@HOST/NAME
    #[arg(long = "db", value_name = "URL")]
    url: String,
}

/// Which key exports are signed with.
#[derive(clap::Args)]
pub(crate) struct Key {
    /// The file of the key that exports are signed with, made on first use; beside a database that is a file unless named
    #[arg(long, value_name = "FILE")]
    signing_key: Option<PathBuf>,
}

impl Key {
    /// The file; `None` if none was named and the database is not a file.
    pub(crate) fn path(&self, url: &str) -> Option<PathBuf> {
        self.signing_key.clone().or_else(|| key_beside(url))
    }
}

/// The file of the key beside a database that is a file: `night.db.key`.
pub(crate) fn key_beside(url: &str) -> Option<PathBuf> {
    let file = url.strip_prefix("sqlite:")?.trim_start_matches("//");
    let file = file.split('?').next().filter(|file| !file.is_empty() && *file != ":memory:")?;
    Some(PathBuf::from(format!("{file}.key")))
}

impl Address {
    /// As it was given.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Opens it and brings it up to date.
    pub(crate) async fn open(&self) -> anyhow::Result<Store> {
        open(&self.url).await
    }
}

/// Opens a database and brings it up to date.
pub(crate) async fn open(url: &str) -> anyhow::Result<Store> {
    Ok(Store::open(url).await?)
}

/// Runs what needs the database or a socket.
pub(crate) fn block_on<T>(job: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    runtime()?.block_on(job)
}

/// Threads for what needs the database or a socket.
pub(crate) fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start threads")
}

/// Now, by this machine's clock.
pub(crate) fn now() -> Utc {
    WallClock.now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_lies_beside_the_database() {
        assert_eq!(key_beside("sqlite:/srv/night.db"), Some("/srv/night.db.key".into()));
        assert_eq!(key_beside("sqlite:///srv/night.db?mode=rw"), Some("/srv/night.db.key".into()));
        assert_eq!(key_beside("sqlite::memory:"), None);
        assert_eq!(key_beside("postgres://fairdeal@db/fairdeal"), None);
    }
}
