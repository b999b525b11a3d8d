//! The devices of a site tried for real: each camera opened and looked at, each shoe and chip sensor listened to.
//!
//! Opening a serial port can reset a shoe, and a device server has room for one client. Who must not disturb a table in
//! play leaves the devices alone with `--no-devices`.

mod cameras;
mod lines;

use std::path::Path;
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use table::config::{Camera, Chips, Shoe, Site};

use super::Finding;

/// So many devices are tried at once: enough for a floor to be done in a minute, few enough for a small machine to decode.
const AT_ONCE: usize = 8;

/// How devices are tried.
#[derive(Clone, Copy)]
pub(super) struct Trial<'s> {
    /// The folder of the site's file, in which paths begin.
    pub(super) folder: &'s Path,
    /// How long each is listened to or watched.
    pub(super) seconds: u64,
}

impl Trial<'_> {
    const fn patience(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}

/// One device of a site.
enum Device<'s> {
    Camera(&'s Camera),
    Shoe(&'s Shoe),
    Chips(&'s Chips),
}

/// Tries every device of a site.
pub(super) fn all(site: &Site, trial: Trial<'_>) -> Vec<Finding> {
    let devices = site.tables.iter().flat_map(|table| {
        let cameras = table.cameras.iter().map(|camera| (camera.name.to_string(), Device::Camera(camera)));
        let shoe = table.shoe.iter().map(|shoe| ("shoe".to_owned(), Device::Shoe(shoe)));
        let chips = table.chips.iter().map(|chips| ("chips".to_owned(), Device::Chips(chips)));
        cameras.chain(shoe).chain(chips).map(|(name, device)| (format!("{} {name}", table.id), device))
    });
    let devices: Vec<_> = devices.collect();
    let bar = ProgressBar::new(devices.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{pos} of {len} devices tried, draw cards meanwhile {bar:30}") {
        bar.set_style(style);
    }
    bar.tick();
    let mut findings = Vec::with_capacity(devices.len());
    for some in devices.chunks(AT_ONCE) {
        findings.extend(thread::scope(|scope| {
            let trials: Vec<_> = some.iter().map(|(name, device)| scope.spawn(|| device.tried(name, trial))).collect();
            let ended = trials.into_iter().zip(some).map(|(trial, (name, _))| {
                bar.inc(1);
                trial.join().unwrap_or_else(|_| {
                    Finding::missing(name, "the trial broke off", "report this with what fairdeal -vv doctor says")
                })
            });
            ended.collect::<Vec<_>>()
        }));
    }
    bar.finish_and_clear();
    findings
}

impl Device<'_> {
    fn tried(&self, name: &str, trial: Trial<'_>) -> Finding {
        match self {
            Self::Camera(camera) => cameras::tried(name, camera, trial),
            Self::Shoe(shoe) => lines::shoe(name, shoe, trial),
            Self::Chips(chips) => lines::chips(name, chips, trial),
        }
    }
}
