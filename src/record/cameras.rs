//! The cameras of a table: their own pictures on the tape, as they were packed.

use std::path::PathBuf;
use std::time::Duration;

use ingest::camera::{self, Mode, News, Nothing, Setup};
use ingest::recorder::Intake;
use ingest::transport;
use table::config::Camera;
use table::tape::Record;
use tokio::sync::watch;

/// How long a picture is waited for before looking whether somebody has stopped us.
const PATIENCE: Duration = Duration::from_millis(200);

/// Hands a camera's pictures to the recorder, until it ends or somebody stops it.
pub(super) async fn listen(of: Camera, folder: PathBuf, seed: u64, intake: Intake, stopped: watch::Receiver<bool>) {
    let name = of.name.clone();
    let watching = tokio::task::spawn_blocking(move || watch(&of, folder, seed, &intake, &stopped));
    if let Err(error) = watching.await {
        tracing::error!(camera = %name, "no longer recorded: {error}");
    }
}

fn watch(of: &Camera, folder: PathBuf, seed: u64, intake: &Intake, stopped: &watch::Receiver<bool>) {
    let camera = camera::open(&of.source, Setup { folder, pictures: true, seed, ..Mode::Live.into() });
    loop {
        while let Ok(told) = camera.told(Duration::ZERO) {
            match told.news {
                bad @ (News::Lost(_) | News::NotKept(_) | News::ClockJump(_)) => {
                    tracing::warn!(camera = %of.name, "{bad}");
                }
                news => tracing::info!(camera = %of.name, "{news}"),
            }
        }
        match camera.picture(PATIENCE) {
            Ok(picture) => {
                intake.offer(transport::now(), Record::Picture { camera: of.name.clone(), picture });
            }
            Err(Nothing::Yet) => {}
            Err(Nothing::More) => break,
        }
        if *stopped.borrow() {
            break;
        }
    }
    camera.stop();
}
