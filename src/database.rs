//! The officers' database as commands open it.

use std::future::Future;

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

impl Address {
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
