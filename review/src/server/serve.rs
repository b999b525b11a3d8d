//! The server on its socket, and what it does beside answering: news from other programs, messages, retention.

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::time::Duration;

use axum_server::Handle;
use axum_server::tls_rustls::RustlsConfig;

use super::site::{Live, Site};
use crate::evidence::Locker;
use crate::notify::Notifier;
use crate::retention;
use crate::store::StoreError;

/// How often the database is asked what other programs wrote. A flag is on the screen this much later at most.
const NEWS_EVERY: Duration = Duration::from_millis(100);
/// How often messages are sent.
const TELL_EVERY: Duration = Duration::from_secs(1);
/// How often retention looks.
const SWEEP_EVERY: Duration = Duration::from_secs(3600);
/// How long requests may still take after we are asked to stop.
const GRACE: Duration = Duration::from_secs(5);

/// Certificate chain and private key, as PEM files.
#[derive(Clone, Debug)]
pub struct Tls {
    /// The chain.
    pub cert: PathBuf,
    /// The key.
    pub key: PathBuf,
}

/// Why the server could not start, or stopped.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Certificate or key cannot be read.
    #[error("cannot read the certificate {} or its key {}", tls.cert.display(), tls.key.display())]
    Tls {
        /// Where they should be.
        tls: Tls,
        /// Why.
        source: std::io::Error,
    },
    /// The socket failed.
    #[error("cannot serve")]
    Socket(#[from] std::io::Error),
}

/// Chooses the cryptography of TLS, once for the whole program.
pub fn choose_cryptography() {
    // Somebody may have chosen before; theirs will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// Serves until `stop` is done.
pub async fn serve(
    site: Site,
    listener: TcpListener,
    tls: Option<Tls>,
    notifier: Notifier,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    choose_cryptography();
    listener.set_nonblocking(true)?;
    let handle = Handle::new();
    let stopper = handle.clone();
    tokio::spawn(async move {
        stop.await;
        stopper.graceful_shutdown(Some(GRACE));
    });
    let tasks = [
        tokio::spawn(follow(site.clone())),
        tokio::spawn(tell(site.clone(), notifier)),
        tokio::spawn(tidy(site.clone())),
    ];
    let service = super::router(site).into_make_service_with_connect_info::<SocketAddr>();
    let served = match tls {
        None => axum_server::from_tcp(listener)?.handle(handle).serve(service).await,
        Some(tls) => {
            let config = RustlsConfig::from_pem_file(&tls.cert, &tls.key).await;
            let config = config.map_err(|source| ServeError::Tls { tls, source })?;
            axum_server::from_tcp_rustls(listener, config)?.handle(handle).serve(service).await
        }
    };
    for task in tasks {
        task.abort();
    }
    Ok(served?)
}

/// Tells the screens what other programs wrote.
async fn follow(site: Site) {
    let mut mark = None;
    let mut ticks = tokio::time::interval(NEWS_EVERY);
    loop {
        ticks.tick().await;
        if let Err(error) = news(&site, &mut mark).await {
            tracing::warn!(%error, "cannot ask the database for news");
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
}

async fn news(site: &Site, mark: &mut Option<(i64, i64)>) -> Result<(), StoreError> {
    let now = site.store.marks().await?;
    let before = mark.replace(now).unwrap_or(now);
    if before == now {
        return Ok(());
    }
    for (flag, table, state) in site.store.news(before).await? {
        // Nobody listening is no failure.
        let _ = site.live.send(Live::Flag { flag, table, state });
    }
    Ok(())
}

async fn tell(site: Site, notifier: Notifier) {
    let mut ticks = tokio::time::interval(TELL_EVERY);
    loop {
        ticks.tick().await;
        if let Err(error) = notifier.deliver(&site.store, site.now()).await {
            tracing::warn!(%error, "cannot look for messages to send");
        }
    }
}

async fn tidy(site: Site) {
    let locker = site.setup.evidence.as_deref().and_then(|folder| Locker::open(folder).ok());
    let mut ticks = tokio::time::interval(SWEEP_EVERY);
    loop {
        ticks.tick().await;
        match retention::sweep(&site.store, locker.as_ref(), site.now(), false).await {
            Ok(swept) if swept.rounds + swept.files > 0 => {
                tracing::info!(rounds = swept.rounds, files = swept.files, bytes = swept.bytes, "retention let go");
            }
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "retention failed"),
        }
    }
}
