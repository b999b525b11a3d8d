//! `fairdeal review`: the officers' pages and API on a socket.

use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
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
    /// The currency of all amounts
    #[arg(long, value_name = "CODE", default_value = "NZD")]
    currency: String,
    #[command(flatten)]
    door: Door,
    #[command(flatten)]
    books: books::Source,
}

/// How officers reach the pages, and what they are told beside them.
#[derive(Clone, clap::Args)]
pub(crate) struct Door {
    /// The zone officers read times in
    #[arg(long, value_name = "ZONE", default_value = "UTC")]
    zone: String,
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
}

impl Door {
    /// An address at which the pages may be served.
    pub(crate) fn checked(&self, address: SocketAddr) -> anyhow::Result<SocketAddr> {
        // A password in the clear on a network is everybody's.
        ensure!(
            self.secure() || address.ip().is_loopback(),
            "{address}: other machines reach this address, so give --tls-cert and --tls-key, or --behind-proxy"
        );
        Ok(address)
    }

    fn tls(&self) -> Option<Tls> {
        self.tls_cert.clone().zip(self.tls_key.clone()).map(|(cert, key)| Tls { cert, key })
    }

    fn secure(&self) -> bool {
        self.tls().is_some() || self.behind_proxy
    }

    /// What stands before the address.
    pub(crate) fn scheme(&self) -> &'static str {
        if self.tls().is_some() { "https" } else { "http" }
    }

    /// What is chosen when the server starts. The folder of evidence is made if it is not there.
    pub(crate) fn setup(&self, site: &str, currency: &str, evidence: Option<&Path>) -> anyhow::Result<Setup> {
        let zone = self.zone.parse().map_err(|_| anyhow::anyhow!("there is no time zone {}", self.zone))?;
        if let Some(folder) = evidence {
            Locker::open(folder)?;
        }
        Ok(Setup {
            site: site.to_owned(),
            zone,
            currency: currency.to_owned(),
            evidence: evidence.map(Path::to_owned),
            secure: self.secure(),
            behind_proxy: self.behind_proxy,
            ..Setup::default()
        })
    }

    /// Serves a site's pages until `stop` is done.
    pub(crate) async fn serve(
        &self,
        site: Site,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> anyhow::Result<()> {
        let smtp = std::env::var("FAIRDEAL_SMTP").ok();
        let notifier = Notifier::new(smtp.as_deref().zip(self.mail_from.as_deref()))?;
        Ok(serve(site, listener, self.tls(), notifier, stop).await?)
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let address = args.door.checked(args.listen)?;
    let setup = args.door.setup(&args.site, &args.currency, args.evidence.as_deref())?;
    let setup = Setup { signing_key: args.key.path(args.db.url()), ..setup };
    let footage: Arc<dyn Footage> = match &args.tapes {
        Some(folder) => Arc::new(Archive::in_folder(folder)?),
        None => Arc::new(NoFootage),
    };
    let listener = listen(address)?;
    let books = args.books.read()?;
    database::block_on(async {
        let store = args.db.open().await?;
        store.set_site(&setup.site, setup.zone.name(), &setup.currency).await?;
        announce(&listener, args.door.scheme(), &store).await?;
        let site = Site::new(store, Arc::from(books.as_ref()), footage, setup);
        args.door.serve(site, listener, stopped()).await?;
        Ok(Outcome::Clean)
    })
}

/// A socket at an address.
pub(crate) fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).with_context(|| format!("cannot listen at {address}"))
}

async fn announce(listener: &TcpListener, scheme: &str, store: &Store) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
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
