//! `fairdeal record`: tapes of a table while play runs.

pub(crate) mod cameras;
pub(crate) mod desk;
pub(crate) mod devices;
pub(crate) mod length;
pub(crate) mod reading;
mod status;

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, bail};
use ingest::metrics::{self, Registry, Server};
use ingest::recorder::{Counts, Recorder, Settings, Shelf};
use ingest::retention::{self, Rules};
use ingest::transport;
use serde_json::json;
use table::config::{Secrets, Site, TableConfig};
use table::tape::{Config, ConfigFormat};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::{Outcome, config, tape};
use cameras::Recorded;
use desk::Desk;
use status::Status;

/// How often tapes that are no longer kept are looked for.
const SWEEP_EVERY: Duration = Duration::from_secs(60);

/// Record a table's shoe, chips and cameras while play runs
///
/// Ends on Ctrl-C, on SIGTERM, after --for, or when every feed has ended. What was
/// recorded is safe from a crash after a second. A disk that is full or fails is
/// told on stderr; recording goes on in a new tape when there is room again.
///
/// Example: fairdeal record --config site.toml --table BJ-04 --out tapes/
/// Example: fairdeal record --config site.toml --table BJ-04 --out tapes/ --keep-days 15 --keep-gb 500
/// Example: fairdeal record --config site.toml --table BJ-04 --out test.mcap --for 10m
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The site's configuration
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// The table to record
    #[arg(long, value_name = "TABLE")]
    table: String,
    /// A folder for tapes named by table and time, or one tape (.mcap). Nothing is overwritten
    #[arg(long, value_name = "OUT")]
    out: PathBuf,
    /// Stop after this long: 90s, 10m, 8h
    #[arg(long = "for", value_name = "TIME", value_parser = length::parse)]
    length: Option<Duration>,
    /// Begin a new tape when one is larger than this, in MB
    #[arg(long, value_name = "MB", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    segment_mb: u64,
    /// Begin a new tape when one is longer than this
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = length::parse)]
    segment_time: Duration,
    /// Delete tapes of the folder that are older than this, unless they are on hold
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u64).range(1..=36_500))]
    keep_days: Option<u64>,
    /// Delete the oldest tapes of the folder while all are larger than this, unless they are on hold
    #[arg(long, value_name = "GB", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    keep_gb: Option<u64>,
    /// Begin no tape with less room on the disk than this, in MB
    #[arg(long, value_name = "MB", default_value_t = 16)]
    least_free_mb: u64,
    /// Serve counters for Prometheus at this address
    #[arg(long, value_name = "ADDRESS")]
    metrics: Option<SocketAddr>,
    /// Print what was recorded as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let site = config::load(&args.config)?;
    let table = named(&site, &args.table)?;
    if table.shoe.is_none() && table.chips.is_none() && table.cameras.is_empty() {
        bail!("table {} has neither shoe nor chip sensor nor camera to record", table.id);
    }
    let shelf = args.shelf(table)?;
    let text = Config { format: ConfigFormat::Toml, text: table.to_toml(Secrets::Masked) };
    let recorder = Recorder::start(shelf.clone(), &tape::product(), Some(text), args.settings())?;
    let registry = Registry::default();
    let (counters, name) = (recorder.counters(), table.id.to_string());
    registry.add(move |page| metrics::recorder(page, &name, &counters.counts()));
    let server = args.metrics.map(|address| Server::start(address, registry.clone())).transpose()?;
    if let Some(server) = &server {
        eprintln!("metrics at http://{}/metrics", server.address());
    }

    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start")?;
    let listened = runtime.block_on(listen(args, table, &shelf, &recorder, &registry));
    // Whatever ended the listening, what was heard is kept.
    let counts = recorder.finish();
    listened?;
    report(args, &counts)?;
    if counts.lost > 0 {
        bail!("{} records were lost: the disk did not take them", counts.lost);
    }
    Ok(Outcome::Clean)
}

impl Args {
    fn shelf(&self, table: &TableConfig) -> anyhow::Result<Shelf> {
        let now = transport::now();
        if self.out.extension().is_some_and(|end| end == "mcap") {
            if self.keep_days.is_some() || self.keep_gb.is_some() {
                bail!("--keep-days and --keep-gb are for a folder of tapes, and {} is one tape", self.out.display());
            }
            return Ok(Shelf::file(&self.out, table.id.clone(), now));
        }
        std::fs::create_dir_all(&self.out).with_context(|| format!("cannot make {}", self.out.display()))?;
        Ok(Shelf::folder(&self.out, table.id.clone(), now))
    }

    fn settings(&self) -> Settings {
        Settings {
            segment_bytes: self.segment_mb.saturating_mul(1_000_000),
            segment_age: self.segment_time,
            least_free: self.least_free_mb.saturating_mul(1_000_000),
            ..Settings::default()
        }
    }

    fn rules(&self) -> Option<Rules> {
        let keep = self.keep_days.map(|days| Duration::from_secs(days * 86_400));
        let most_bytes = self.keep_gb.map(|gigabytes| gigabytes * 1_000_000_000);
        (keep.is_some() || most_bytes.is_some()).then_some(Rules { keep, most_bytes })
    }
}

/// The table of this name, or an error that names those there are.
fn named<'s>(site: &'s Site, name: &str) -> anyhow::Result<&'s TableConfig> {
    site.tables.iter().find(|table| table.id.as_str() == name).ok_or_else(|| {
        let names: Vec<&str> = site.tables.iter().map(|table| table.id.as_str()).collect();
        anyhow::anyhow!("the site has no table {name}; it has {}", names.join(", "))
    })
}

/// Listens to all devices until they have ended, the time is up, or somebody stops it.
async fn listen(
    args: &Args,
    table: &TableConfig,
    shelf: &Shelf,
    recorder: &Recorder,
    registry: &Registry,
) -> anyhow::Result<()> {
    let (stop, mut stopped) = watch::channel(false);
    let stop = Arc::new(stop);
    let asked = Arc::clone(&stop);
    let listening = ctrlc::set_handler(move || {
        asked.send_replace(true);
    });
    listening.context("cannot listen for interruption")?;
    let folder = args.config.parent().unwrap_or(Path::new("."));
    let desk = Desk::new(table, recorder.intake());
    let counted = desk.clone();
    registry.add(move |page| counted.metrics(page));
    let mut devices = JoinSet::new();
    for device in devices::of(table, folder, registry) {
        devices.spawn(device.listen(desk.clone(), stopped.clone()));
    }
    for of in table.cameras.iter().cloned() {
        let (table, seed) = (table.id.clone(), devices::seed(&table.id, &of.name));
        let camera = Recorded { table, of, folder: folder.to_owned(), seed, registry: registry.clone(), reading: None };
        devices.spawn(camera.listen(desk.clone(), stopped.clone()));
    }
    let status = Status::new(&table.id);
    let counters = recorder.counters();
    let begun = Instant::now();
    let mut tick = tokio::time::interval(Duration::from_secs(1));
    let mut swept: Option<Instant> = None;
    let over = async {
        match args.length {
            Some(length) => tokio::time::sleep(length).await,
            None => std::future::pending().await,
        }
    };
    tokio::pin!(over);
    loop {
        tokio::select! {
            _ = stopped.wait_for(|stopped| *stopped) => break,
            () = &mut over => break,
            ended = devices.join_next() => match ended {
                None => break,
                Some(ended) => ended.context("a feed broke off")?,
            },
            _ = tick.tick() => {
                desk.pass(transport::now());
                status.show(begun.elapsed(), &counters.counts(), &desk.troubles());
                if let Some(rules) = args.rules()
                    && swept.is_none_or(|swept| swept.elapsed() >= SWEEP_EVERY)
                {
                    swept = Some(Instant::now());
                    sweep(shelf.folder_path(), &rules);
                }
            }
        }
    }
    // What the lines have read already is recorded too.
    stop.send_replace(true);
    while devices.join_next().await.is_some() {}
    status.end();
    Ok(())
}

/// Deletes what is no longer kept. A recording does not end because that fails.
fn sweep(folder: &Path, rules: &Rules) {
    if let Err(error) = retention::sweep(folder, rules, SystemTime::now(), false) {
        let error = anyhow::Error::from(error);
        tracing::error!("old tapes cannot be deleted: {error:#}");
    }
}

fn report(args: &Args, counts: &Counts) -> io::Result<()> {
    let Counts { safe, bytes, lost, dropped, refused, segments, failures, .. } = counts;
    let mut out = io::stdout().lock();
    let name = args.out.display().to_string();
    if args.json {
        let report = json!({
            "out": name, "records": safe, "bytes": bytes, "tapes": segments, "lost": lost,
            "pictures_dropped": dropped, "refused": refused, "disk_failures": failures,
        });
        return writeln!(out, "{report}");
    }
    let tapes = if *segments == 1 { "1 tape".into() } else { format!("{segments} tapes") };
    writeln!(out, "{name}: {safe} records in {tapes}, {bytes} bytes")?;
    let told = [
        (lost, "records lost"),
        (dropped, "pictures dropped"),
        (refused, "records no tape can hold"),
        (failures, "failures of the disk"),
    ];
    for (count, what) in told.into_iter().filter(|(count, _)| **count > 0) {
        writeln!(out, "{count} {what}")?;
    }
    Ok(())
}
