//! A camera's frames read as they come: which cards came to rest where, and which left.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::bail;
use ingest::camera::{self, Nothing};
use ingest::transport;
use recognizer::track::{Layout, Watcher};
use recognizer::vision::Eyes;
use table::EventId;
use table::config::Camera;
use tokio::sync::watch;

use super::desk::Desk;
use crate::recognize;

/// How long a frame is waited for before looking whether somebody has stopped us.
const PATIENCE: Duration = Duration::from_millis(200);

/// Frames read, and the time that took. Shared with whoever shows it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading(Arc<Counters>);

#[derive(Debug, Default)]
struct Counters {
    frames: AtomicU64,
    micros: AtomicU64,
}

impl Reading {
    /// Frames read so far.
    pub(crate) fn frames(&self) -> u64 {
        self.0.frames.load(Ordering::Relaxed)
    }

    /// What a frame takes on average, in microseconds.
    pub(crate) fn micros_a_frame(&self) -> u64 {
        self.0.micros.load(Ordering::Relaxed).checked_div(self.frames()).unwrap_or_default()
    }

    /// Reads frames until the camera ends or somebody stops it. Without a reader the pictures are kept all the same.
    pub(crate) fn read(&self, camera: &camera::Camera, of: &Camera, desk: &Desk, stopped: &watch::Receiver<bool>) {
        if let Err(error) = self.try_read(camera, of, desk, stopped) {
            tracing::error!(camera = %of.name, "its cards are not read: {error:#}");
        }
    }

    fn try_read(
        &self,
        camera: &camera::Camera,
        of: &Camera,
        desk: &Desk,
        stopped: &watch::Receiver<bool>,
    ) -> anyhow::Result<()> {
        let layout = Layout::of(of);
        if layout.is_empty() {
            bail!("the camera is not calibrated (fairdeal calibrate)");
        }
        let mut eyes: Eyes = recognize::eyes(None)?;
        let mut watcher = Watcher::new(layout);
        while !*stopped.borrow() {
            let frame = match camera.frame(PATIENCE) {
                Ok(frame) => frame,
                Err(Nothing::Yet) => continue,
                Err(Nothing::More) => break,
            };
            let begun = Instant::now();
            for sighting in watcher.see(&mut eyes, &frame)? {
                if let Some(event) = sighting.event(EventId(0), &of.name, frame.source_clock) {
                    desk.saw(event, transport::now());
                }
            }
            self.0.frames.fetch_add(1, Ordering::Relaxed);
            self.0.micros.fetch_add(u64::try_from(begun.elapsed().as_micros()).unwrap_or(0), Ordering::Relaxed);
        }
        Ok(())
    }
}
