//! `fairdeal run`: all tables of a site, live.

pub(crate) mod board;
mod journal;
mod pulse;
mod rehearsal;
mod supervise;
mod table;
mod writer;

use std::io::Write as _;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use ::table::Ident;
use ::table::config::{Database, Site, TableConfig};
use anyhow::{Context, bail};
use ingest::metrics::{Registry, Server};
use ingest::recorder;
use ingest::transport;
use review::Store;
use review::server::Setup;
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};

use crate::archive::Archive;
use crate::record::length;
use crate::review::{Door, listen, stopped};
use crate::{Outcome, books, config, database, rebuild};
use board::Board;
use rehearsal::Rehearsal;
use table::Watch;

/// How often the states of all tables are written down.
const SHOW_EVERY: Duration = Duration::from_secs(1);

/// Watch all tables of a site while play runs
///
/// Records every table, rebuilds its rounds, judges them, and writes what it finds to
/// the site's database. One table's failure touches no other: it is tried again, and
/// `fairdeal status` says how every table is. Ends on Ctrl-C or SIGTERM; the rounds in
/// progress then are told after the next start. After a crash nothing is lost that was
/// safe on the disk, and no round is told twice.
///
/// A rehearsal plays a tape in place of a table's devices, to train officers or to see
/// how many tables a machine can watch.
///
/// Example: fairdeal run --config site.toml --listen
/// Example: fairdeal run --config site.toml --rehearse BJ-04=night.mcap --speed 10
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    site: Place,
    /// Watch only these tables
    #[arg(long, value_name = "TABLE")]
    table: Vec<Ident>,
    /// Serve the officers' pages as well, at this address or the one in the site file
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1)]
    listen: Option<Option<SocketAddr>>,
    #[command(flatten)]
    key: database::Key,
    #[command(flatten)]
    door: Door,
    /// Serve counters for Prometheus at this address
    #[arg(long, value_name = "ADDRESS")]
    metrics: Option<SocketAddr>,
    /// Begin a new tape when one is larger than this, in MB
    #[arg(long, value_name = "MB", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    segment_mb: u64,
    /// Begin a new tape when one is longer than this: pages show pictures of tapes that have ended
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = length::parse)]
    segment_time: Duration,
    /// Begin no tape with less room on the disk than this, in MB
    #[arg(long, value_name = "MB", default_value_t = 16)]
    least_free_mb: u64,
    /// Play a tape in place of a table's devices
    #[arg(long, value_name = "TABLE=TAPE", value_parser = rehearsed)]
    rehearse: Vec<(Ident, PathBuf)>,
    /// With --rehearse, how many times as fast as it was; 0 for as fast as it goes
    #[arg(long, value_name = "TIMES", default_value_t = 1.0)]
    speed: f64,
}

/// Where a site's file and its tapes are.
#[derive(clap::Args)]
pub(crate) struct Place {
    /// The site's configuration
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// The folder of the site's tapes, if not "tapes" in its folder of evidence
    #[arg(long, value_name = "DIR")]
    tapes: Option<PathBuf>,
}

impl Place {
    /// The site, the folder that its file is in, and the folder of its tapes.
    pub(crate) fn find(&self) -> anyhow::Result<(Site, PathBuf, PathBuf)> {
        let site = config::load(&self.config)?;
        let folder = self.config.parent().unwrap_or(Path::new("")).to_owned();
        let usual = || site.evidence.folder.within(&folder).join("tapes");
        let tapes = self.tapes.clone().unwrap_or_else(usual);
        Ok((site, folder, tapes))
    }
}

fn rehearsed(text: &str) -> Result<(Ident, PathBuf), String> {
    let (table, tape) = text.split_once('=').ok_or("expected TABLE=TAPE, such as BJ-04=night.mcap")?;
    let table = table.parse().map_err(|_| format!("{table} is no name of a table"))?;
    Ok((table, tape.into()))
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let (site, folder, tapes) = args.site.find()?;
    let tables = args.tables(&site)?;
    // Whatever is wrong with the configuration is said now, while somebody stands before the screen.
    let laws = tables.iter().map(|table| law(table, &folder)).collect::<anyhow::Result<Vec<_>>>()?;
    let name = site.name.as_str().to_owned();
    let mut board = Board::take(&tapes, &name, tables.iter().map(|table| table.id.clone()), transport::now())?;
    let runtime = database::runtime()?;
    let store = runtime.block_on(database::open(&address(&site.database, &folder)))?;
    let (stop, stopping) = watch::channel(false);
    let stop = Arc::new(stop);
    let asked = Arc::clone(&stop);
    runtime.spawn(async move {
        stopped().await;
        asked.send_replace(true);
    });
    let registry = Registry::default();
    let metrics = args.metrics.map(|address| Server::start(address, registry.clone())).transpose()?;
    if let Some(server) = &metrics {
        eprintln!("metrics at http://{}/metrics", server.address());
    }
    let pages = args.serve(&site, &folder, &tapes, &store, &runtime, &mut board, stopping.clone())?;

    let (mut watches, mut writers) = (Vec::new(), Vec::new());
    for (table, (books, playing)) in tables.into_iter().zip(laws) {
        let (entries, received) = mpsc::unbounded_channel();
        let slate = board.slate(&table.id);
        let (id, shuffler) = (table.id.as_str(), table.shuffler.as_ref().map(Ident::as_str));
        runtime.block_on(store.shuffler_stands(&name, id, shuffler, transport::now()))?;
        writers.push(runtime.spawn(writer::write(store.clone(), name.clone(), slate.clone(), received)));
        let rehearsal = args.rehearse.iter().find(|(id, _)| *id == table.id);
        let watch = Watch {
            rehearsal: rehearsal.map(|(_, tape)| Rehearsal { tape: tape.clone(), speed: args.speed }),
            playing,
            books,
            folder: folder.clone(),
            tapes: tapes.clone(),
            recording: args.recording(),
            store: store.clone(),
            runtime: runtime.handle().clone(),
            entries,
            slate,
            registry: registry.clone(),
            table,
        };
        watches.push(start(watch, stopping.clone())?);
    }
    let slates = board.slates();
    let pulse = runtime.spawn(pulse::tell(store.clone(), slates.clone()));
    while watches.iter().any(|watch| !watch.is_finished()) {
        show(&mut board);
        thread::park_timeout(SHOW_EVERY / 10);
    }
    // The writers end when no table can send them anything any more.
    for watch in watches {
        if watch.join().is_err() {
            tracing::error!("a table's thread broke off");
        }
    }
    runtime.block_on(async {
        for writer in writers {
            if let Err(error) = writer.await {
                tracing::error!("not everything was written: {error}");
            }
        }
    });
    show(&mut board);
    if let Some(pages) = pages {
        // Pages stay for as long as nobody stops the program: officers read what a rehearsal found.
        runtime.block_on(pages).context("the pages broke off")??;
        show(&mut board);
    }
    pulse.abort();
    runtime.block_on(pulse::say(&store, &slates, true));
    runtime.block_on(store.close());
    Ok(Outcome::Clean)
}

impl Args {
    /// The tables to watch.
    fn tables(&self, site: &Site) -> anyhow::Result<Vec<TableConfig>> {
        let names = || site.tables.iter().map(|table| table.id.as_str()).collect::<Vec<_>>().join(", ");
        for id in self.table.iter().chain(self.rehearse.iter().map(|(id, _)| id)) {
            if !site.tables.iter().any(|table| table.id == *id) {
                bail!("the site has no table {id}; it has {}", names());
            }
        }
        if !self.speed.is_finite() || self.speed < 0.0 {
            bail!("a tape cannot be played {} times as fast", self.speed);
        }
        let wanted = |table: &&TableConfig| self.table.is_empty() || self.table.contains(&table.id);
        let tables: Vec<_> = site.tables.iter().filter(wanted).cloned().collect();
        for table in &tables {
            let silent = table.shoe.is_none() && table.chips.is_none() && table.cameras.is_empty();
            if silent && !self.rehearse.iter().any(|(id, _)| *id == table.id) {
                bail!("table {} has neither shoe nor chip sensor nor camera to watch", table.id);
            }
        }
        Ok(tables)
    }

    fn recording(&self) -> recorder::Settings {
        recorder::Settings {
            segment_bytes: self.segment_mb.saturating_mul(1_000_000),
            segment_age: self.segment_time,
            least_free: self.least_free_mb.saturating_mul(1_000_000),
            ..recorder::Settings::default()
        }
    }

    /// Serves the pages, if they are wanted.
    #[expect(clippy::too_many_arguments, reason = "everything that pages are made of, once")]
    fn serve(
        &self,
        site: &Site,
        folder: &Path,
        tapes: &Path,
        store: &Store,
        runtime: &Runtime,
        board: &mut Board,
        mut stopping: watch::Receiver<bool>,
    ) -> anyhow::Result<Option<tokio::task::JoinHandle<anyhow::Result<()>>>> {
        let Some(listen_at) = self.listen else { return Ok(None) };
        let listener: TcpListener = listen(self.door.checked(listen_at.unwrap_or(site.review))?)?;
        let currency = site.tables.first().map(|table| table.currency.to_string()).unwrap_or_default();
        let evidence = site.evidence.folder.within(folder);
        let setup = self.door.setup(site.name.as_str(), &currency, Some(&evidence))?;
        let setup = Setup { signing_key: self.key.path(&address(&site.database, folder)), ..setup };
        let books: Arc<[auditor::Rulebook]> = Arc::from(books::shipped()?);
        let footage = Arc::new(Archive::in_folder(tapes)?);
        let pages = format!("{}://{}", self.door.scheme(), listener.local_addr()?);
        let mut out = anstream::stdout().lock();
        writeln!(out, "serving at {pages}")?;
        out.flush()?;
        board.serves(pages);
        let (store, door) = (store.clone(), self.door.clone());
        Ok(Some(runtime.spawn(async move {
            store.set_site(&setup.site, setup.zone.name(), &setup.currency).await?;
            let stop = async move { drop(stopping.wait_for(|stopped| *stopped).await) };
            door.serve(review::Site::new(store, books, footage, setup), listener, stop).await
        })))
    }
}

/// The rulebooks a table is judged by, and what it plays.
type Law = (std::borrow::Cow<'static, [auditor::Rulebook]>, recognizer::round::Playing);

fn law(table: &TableConfig, folder: &Path) -> anyhow::Result<Law> {
    let books = books::of_table(table, folder)?;
    let playing = rebuild::playing(table, &books)?;
    Ok((books, playing))
}

/// The database's address, with paths from where we are.
fn address(database: &Database, folder: &Path) -> String {
    match database {
        Database::Sqlite(file) => format!("sqlite:{}", file.within(folder).display()),
        Database::Postgres(url) => url.exposed().to_string(),
    }
}

/// Starts a table's thread.
fn start(watch: Watch, stopping: watch::Receiver<bool>) -> anyhow::Result<JoinHandle<()>> {
    let name = watch.table.id.to_string();
    let slate = watch.slate.clone();
    let work = move || {
        let id = watch.table.id.to_string();
        supervise::supervise(&id, &slate, &stopping, supervise::Rests::default(), || watch.run(&stopping));
    };
    thread::Builder::new().name(name).spawn(work).context("cannot start a thread")
}

fn show(board: &mut Board) {
    if let Err(error) = board.show(transport::now()) {
        tracing::error!("the state of the tables cannot be written down: {error}");
    }
}
