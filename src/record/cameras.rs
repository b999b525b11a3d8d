//! The cameras of a table: their own pictures on the tape, as they were packed, and how they are.

use std::path::PathBuf;
use std::time::Duration;

use ingest::camera::{self, Mode, News, Nothing, Setup, Told};
use ingest::metrics::{self, Registry};
use ingest::transport;
use table::config::Camera;
use table::event::Health;
use table::tape::Record;
use table::{Ident, SourceKind};
use tokio::sync::watch;

use super::desk::Desk;
use super::reading::Reading;

/// How long a picture is waited for before looking whether somebody has stopped us.
const PATIENCE: Duration = Duration::from_millis(200);

/// A camera that is recorded.
pub(crate) struct Recorded {
    pub(crate) table: Ident,
    pub(crate) of: Camera,
    /// Paths begin in it.
    pub(crate) folder: PathBuf,
    pub(crate) seed: u64,
    pub(crate) registry: Registry,
    /// Whether its frames are read, and how well that goes.
    pub(crate) reading: Option<Reading>,
}

impl Recorded {
    /// Hands the camera's pictures to the desk, until it ends or somebody stops it.
    pub(crate) async fn listen(self, desk: Desk, stopped: watch::Receiver<bool>) {
        let name = self.of.name.clone();
        let watching = tokio::task::spawn_blocking(move || self.watch(&desk, &stopped));
        if let Err(error) = watching.await {
            tracing::error!(camera = %name, "no longer recorded: {error}");
        }
    }

    fn watch(self, desk: &Desk, stopped: &watch::Receiver<bool>) {
        let Self { table, of, folder, seed, registry, reading } = self;
        let camera = camera::open(&of.source, Setup { folder, pictures: true, seed, ..Mode::Live.into() });
        let (counting, name) = (camera.counting(), of.name.clone());
        registry.add(move |page| {
            metrics::camera(page, table.as_str(), name.as_str(), &counting.counts());
            if let Some(measured) = counting.clock() {
                metrics::clock(page, table.as_str(), name.as_str(), &measured);
            }
        });
        std::thread::scope(|scope| {
            if let Some(reading) = reading {
                let (camera, of) = (&camera, &of);
                scope.spawn(move || reading.read(camera, of, desk, stopped));
            }
            keep(&camera, &of.name, desk, stopped);
        });
        camera.stop();
    }
}

/// Hands the camera's pictures to the desk.
fn keep(camera: &camera::Camera, name: &Ident, desk: &Desk, stopped: &watch::Receiver<bool>) {
    loop {
        while let Ok(told) = camera.told(Duration::ZERO) {
            heed(name, &told, desk);
        }
        match camera.picture(PATIENCE) {
            Ok(picture) => desk.hear(transport::now(), Record::Picture { camera: name.clone(), picture }),
            Err(Nothing::Yet) => {}
            Err(Nothing::More) => break,
        }
        if *stopped.borrow() {
            break;
        }
    }
    while let Ok(told) = camera.told(Duration::ZERO) {
        heed(name, &told, desk);
    }
}

/// What a camera tells of itself, for the log and, if it is of its health, for the tape.
fn heed(name: &Ident, told: &Told, desk: &Desk) {
    match &told.news {
        bad @ (News::Lost(_) | News::NotKept(_) | News::ClockJump(_) | News::Playing { packing: None, .. }) => {
            tracing::warn!(camera = %name, "{bad}");
        }
        News::Picture(condition) if condition.health() != Health::Ok => tracing::warn!(camera = %name, "{condition}"),
        news => tracing::info!(camera = %name, "{news}"),
    }
    let state = match &told.news {
        News::Lost(_) => Health::Lost,
        News::Picture(condition) => condition.health(),
        News::ClockJump(_) => Health::ClockJump,
        _ => return,
    };
    desk.health(SourceKind::Camera, name, state, told.at, transport::now());
}
