//! What the cameras of these tests look at: films made for them, and servers that stop with the test.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use ingest::camera::{Camera, News};
use table::config::CameraSource;

/// Long enough for a busy machine; a test that passes never waits for it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) fn source(address: &str) -> CameraSource {
    address.parse().unwrap()
}

pub(crate) fn file(path: &Path) -> CameraSource {
    source(&format!("file://{}", path.display()))
}

/// Makes a film of a moving pattern, 25 frames a second.
pub(crate) fn film(folder: &Path, name: &str, frames: u32, how: &[&str]) -> PathBuf {
    let path = folder.join(name);
    let made = Command::new("ffmpeg")
        .args(["-loglevel", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25"])
        .args(["-frames:v", &frames.to_string(), "-c:v", "libx264", "-preset", "ultrafast", "-g", "25"])
        .args(how)
        .arg(&path)
        .status();
    assert!(made.unwrap().success());
    path
}

/// Waits for news of a kind; gives all that was told up to then, in words.
pub(crate) fn wait_for(camera: &Camera, wanted: impl Fn(&News) -> bool) -> Vec<String> {
    let until = Instant::now() + PATIENCE;
    let mut words = Vec::new();
    loop {
        let told = camera.told(until.saturating_duration_since(Instant::now()));
        assert!(told.is_ok(), "{told:?} after {words:#?}");
        let told = told.unwrap();
        words.push(told.news.to_string());
        if wanted(&told.news) {
            return words;
        }
    }
}

/// GStreamer's RTSP server, playing a film to each who calls.
pub(crate) struct RtspServer {
    child: Child,
    lines: Receiver<String>,
    pub(crate) port: u16,
}

impl RtspServer {
    /// Starts it on a port, 0 for any that is free.
    pub(crate) fn start(port: u16, film: &Path) -> Self {
        // Debian's own Python, which is the one that Debian's GStreamer can be used from.
        let mut child = Command::new("/usr/bin/python3")
            .args(["-c", include_str!("rtsp_server.py"), &port.to_string()])
            .arg(film)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let port = lines.recv_timeout(PATIENCE).unwrap().parse().unwrap();
        Self { child, lines, port }
    }

    pub(crate) fn address(&self) -> CameraSource {
        source(&format!("rtsp://127.0.0.1:{}/table", self.port))
    }

    /// How many have called since this was last asked.
    pub(crate) fn calls(&self) -> usize {
        self.lines.try_iter().filter(|line| line == "called").count()
    }

    /// Stops it in the middle of whatever it does, with its connections open.
    pub(crate) fn hang(&self) {
        let stopped = Command::new("kill").args(["-STOP", &self.child.id().to_string()]).status();
        assert!(stopped.unwrap().success());
    }
}

impl Drop for RtspServer {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}
