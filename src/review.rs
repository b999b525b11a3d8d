//! `fairdeal review`: the officers' pages and API on a socket.

use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, ensure};
use review::evidence::Locker;
use review::footage::{Footage, NoFootage};
use review::notify::Notifier;
use review::server::{Setup, Tls, serve};
use review::{Site, Store};

use crate::archive::Archive;
use crate::{Outcome, books, database};

/// Serve the officers' pages and API
///
/// Pages are at /, the API is under /api/ and described at /api/openapi.json. The
/// first account is made with: fairdeal user add NAME --role admin --db URL
///
/// Letters about severe flags go out if FAIRDEAL_SMTP names a mail server
/// (smtps://USER:PASSWORD@HOST) and --mail-from a sender.
///
/// Example: fairdeal review --db sqlite:night.db
/// Example: fairdeal review --db postgres://fairdeal@db/fairdeal --listen 0.0.0.0:8443 \
///            --tls-cert chain.pem --tls-key key.pem --zone Pacific/Auckland
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    db: database::Address,
    /// The address to listen at
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    #[command(flatten)]
    key: database::Key,
    /// The folder of evidence files, made if it is not there
    #[arg(long, value_name = "DIR")]
    evidence: Option<PathBuf>,
    /// The folder of tapes that pictures are shown from, as fairdeal record writes it
    #[arg(long, value_name = "DIR")]
    tapes: Option<PathBuf>,
    /// The site's name, as in audit --site
    #[arg(long, value_name = "NAME", default_value = database::SITE)]
    site: String,
    /// The zone officers read times in
    #[arg(long, value_name = "ZONE", default_value = "UTC")]
    zone: String,
    /// The currency of all amounts
    #[arg(long, value_name = "CODE", default_value = "NZD")]
    currency: String,
    /// The certificate chain for TLS (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// Its private key (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// A proxy in front speaks TLS and says whom it speaks for
    #[arg(long)]
    behind_proxy: bool,
    /// The sender of letters
    #[arg(long, value_name = "MAILBOX")]
    mail_from: Option<String>,
    #[command(flatten)]
    books: books::Source,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let tls = args.tls_cert.clone().zip(args.tls_key.clone()).map(|(cert, key)| Tls { cert, key });
    let secure = tls.is_some() || args.behind_proxy;
    // A password in the clear on a network is everybody's.
    ensure!(
        secure || args.listen.ip().is_loopback(),
        "{}: other machines reach this address, so give --tls-cert and --tls-key, or --behind-proxy",
        args.listen
    );
    let zone = args.zone.parse().map_err(|_| anyhow::anyhow!("there is no time zone {}", args.zone))?;
    let setup = Setup {
        site: args.site.clone(),
        zone,
        currency: args.currency.clone(),
        evidence: args.evidence.clone(),
        signing_key: args.key.path(&args.db),
        secure,
        behind_proxy: args.behind_proxy,
        ..Setup::default()
    };
    if let Some(folder) = &args.evidence {
        Locker::open(folder)?;
    }
    let footage: Arc<dyn Footage> = match &args.tapes {
        Some(folder) => Arc::new(Archive::in_folder(folder)?),
        None => Arc::new(NoFootage),
    };
    let smtp = std::env::var("FAIRDEAL_SMTP").ok();
    let notifier = Notifier::new(smtp.as_deref().zip(args.mail_from.as_deref()))?;
    let listener = listen(args.listen)?;
    let books = args.books.read()?;
    database::block_on(async {
        let store = args.db.open().await?;
        store.set_site(&args.site, zone.name(), &args.currency).await?;
        announce(&listener, tls.is_some(), &store).await?;
        let site = Site::new(store, Arc::from(books.as_ref()), footage, setup);
        serve(site, listener, tls, notifier, stopped()).await?;
        Ok(Outcome::Clean)
    })
}

/// A socket at an address.
pub(crate) fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).with_context(|| format!("cannot listen at {address}"))
}

async fn announce(listener: &TcpListener, tls: bool, store: &Store) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    let scheme = if tls { "https" } else { "http" };
    writeln!(out, "serving at {scheme}://{}", listener.local_addr()?)?;
    if store.users().await?.is_empty() {
        writeln!(out, "nobody can log in yet: fairdeal user add NAME --role admin --db URL")?;
    }
    Ok(())
}

/// Done when somebody asks us to stop.
pub(crate) async fn stopped() {
    use tokio::signal::unix::{SignalKind, signal};
    let terminated = async {
        match signal(SignalKind::terminate()) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = terminated => {}
    }
}
