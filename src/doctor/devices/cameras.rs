//! Cameras, opened and watched for some seconds.

use std::time::{Duration, Instant};

use ingest::camera::health::Condition;
use ingest::camera::{self, Frame, Mode, News, Nothing, Setup};
use table::config::{Camera, CameraSource};

use super::Trial;
use crate::doctor::Finding;

/// How long a frame is waited for before looking at what the camera tells.
const PATIENCE: Duration = Duration::from_millis(100);
/// A camera's clock that is off by more than this should be set.
const CLOCK_OFF: i64 = 2_000_000;

/// What watching a camera came to.
#[derive(Default)]
struct Seen {
    first: Option<Frame>,
    last: Option<Frame>,
    lost: Option<String>,
    condition: Option<Condition>,
    /// Whether a tape can keep its pictures as they are.
    kept: bool,
    clock: Option<i64>,
}

/// Opens a camera: do pictures come, how large, how many, and are they fit to be judged by?
pub(super) fn tried(name: &str, camera: &Camera, trial: Trial<'_>) -> Finding {
    let seen = watch(camera, trial);
    let address = &camera.source;
    let Some((first, last)) = seen.first.as_ref().zip(seen.last.as_ref()) else {
        let why = seen.lost.unwrap_or_else(|| "no picture came".into());
        return Finding::missing(name, format!("{address}: {why}"), remedy(&camera.source));
    };
    let (width, height) = (last.image.width(), last.image.height());
    let passed = last.at.micros().saturating_sub(first.at.micros());
    let rate = match last.number.saturating_sub(first.number) {
        frames if frames > 0 && passed > 0 => format!(", {:.1} frames a second", frames as f64 * 1e6 / passed as f64),
        _ => String::new(),
    };
    let finding = format!("{address}: {width}x{height}{rate}");
    if let Some((wide, high)) = camera.size.filter(|size| (u32::from(size.0), u32::from(size.1)) != (width, height)) {
        let remedy = "set the camera's resolution, or width and height in site.toml and calibrate its areas anew";
        return Finding::missing(name, format!("{finding}, and site.toml says {wide}x{high}"), remedy);
    }
    match seen.condition {
        Some(condition) if condition != Condition::Ok => {
            return Finding::note(name, format!("{finding}, but something is wrong"), condition.to_string());
        }
        _ => {}
    }
    if !seen.kept {
        let remedy = "set the camera to H.264: this stream can be watched but not recorded";
        return Finding::missing(name, format!("{finding}, packed in a way that a tape cannot keep"), remedy);
    }
    match seen.clock {
        Some(off) if off.saturating_abs() > CLOCK_OFF => Finding::note(
            name,
            format!("{finding}; its clock is {:.1} s behind ours", off as f64 / 1e6),
            "let the camera follow the same time service as this machine; its own time is not relied on",
        ),
        _ => Finding::ok(name, finding),
    }
}

fn watch(camera: &Camera, trial: Trial<'_>) -> Seen {
    let setup = Setup { folder: trial.folder.to_owned(), ..Mode::Live.into() };
    let opening = setup.opening;
    let camera = camera::open(&camera.source, setup);
    let mut seen = Seen::default();
    // The time to watch begins with the first picture.
    let mut until = Instant::now() + opening + Duration::from_secs(1);
    while Instant::now() < until {
        let frame = camera.frame(PATIENCE);
        while let Ok(told) = camera.told(Duration::ZERO) {
            match told.news {
                News::Lost(why) => seen.lost = Some(why.to_string()),
                News::Picture(condition) => seen.condition = Some(condition),
                News::Playing { packing, .. } => seen.kept = packing.is_some(),
                News::ClockOffset(by) => seen.clock = Some(by),
                _ => {}
            }
        }
        match frame {
            Ok(frame) => {
                if seen.first.is_none() {
                    seen.first = Some(frame.clone());
                    until = Instant::now() + trial.patience();
                }
                seen.last = Some(frame);
            }
            Err(Nothing::More) => break,
            // What could not be opened at once is not waited for: an engineer stands before the screen.
            Err(Nothing::Yet) if seen.lost.is_some() => break,
            Err(Nothing::Yet) => {}
        }
    }
    camera.stop();
    seen
}

/// What to do about a camera without pictures, beyond what the error says.
const fn remedy(source: &CameraSource) -> &'static str {
    match source {
        CameraSource::Rtsp(_) | CameraSource::Mjpeg(_) => {
            "check the camera's power and network, and address, user and password in site.toml"
        }
        CameraSource::Device(_) => "plug it in, end other programs that use it, or join the group video",
        CameraSource::File(_) | CameraSource::Folder(_) => "correct its address in site.toml",
    }
}
