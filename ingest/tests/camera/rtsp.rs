//! RTSP cameras: played, recorded, killed, hung and found again.

use std::time::{Duration, Instant};

use ingest::camera::{self, Camera, Frame, Mode, News, Setup};
use table::tape::{Picture, PictureFormat};

use crate::ends::{PATIENCE, RtspServer, file, film, wait_for};

fn setup() -> Setup {
    Setup { silence: Duration::from_secs(2), ..Mode::Live.into() }
}

fn frames(camera: &Camera, count: usize) -> Vec<Frame> {
    (0..count).map(|_| camera.frame(PATIENCE).unwrap()).collect()
}

fn is_lost(news: &News) -> bool {
    matches!(news, News::Lost(_))
}

#[test]
fn a_camera_that_is_killed_and_comes_back_plays_on_with_its_gap_told() {
    let folder = tempfile::tempdir().unwrap();
    let film = film(folder.path(), "table.mp4", 2500, &["-bf", "0"]);
    let server = RtspServer::start(0, &film);
    let port = server.port;
    let camera = camera::open(&server.address(), setup());
    let mut seen = frames(&camera, 30);
    assert_eq!(server.calls(), 1, "one connection for everything");

    drop(server);
    wait_for(&camera, is_lost);
    wait_for(&camera, |news| matches!(news, News::Retrying(_)));
    while let Ok(frame) = camera.frame(Duration::ZERO) {
        seen.push(frame);
    }
    let server = RtspServer::start(port, &film);
    seen.extend(frames(&camera, 30));
    let words = wait_for(&camera, |news| matches!(news, News::Gap(_)));

    assert!(words.iter().any(|word| word.starts_with("playing 320x180, h264")), "{words:#?}");
    assert!(words.last().is_some_and(|word| word.starts_with("playing again, nothing was seen for")), "{words:#?}");
    assert!(seen.is_sorted_by(|one, next| one.at < next.at && one.number < next.number));
    assert!(seen.iter().all(|frame| frame.at <= frame.arrived), "no picture is taken after it has come");
    assert!(camera.counts().losses >= 1);
    camera.stop();
    drop(server);
}

#[test]
fn what_is_recorded_is_what_the_camera_sent() {
    let folder = tempfile::tempdir().unwrap();
    let film = film(folder.path(), "table.mp4", 75, &["-bf", "0"]);
    let server = RtspServer::start(0, &film);
    let camera = camera::open(&server.address(), Setup { pictures: true, ..setup() });
    let recorded: Vec<Picture> = (0..70).map(|_| camera.picture(PATIENCE).unwrap()).collect();
    camera.stop();

    assert!(recorded.iter().all(|picture| picture.format == PictureFormat::H264));
    let played = camera::open(&file(&film), Setup { pictures: true, ..Mode::Replay.into() });
    let from_file: Vec<Picture> = (0..70).map(|_| played.picture(PATIENCE).unwrap()).zip_frames(&played);
    let differ = recorded.iter().zip(&from_file).position(|(sent, kept)| sent.data != kept.data);
    assert_eq!(differ, None, "the bytes from the network are those in the film");
    let steps = recorded.windows(2).skip(2).map(|pair| pair[1].at.micros() - pair[0].at.micros());
    assert!(steps.clone().all(|step| (0..200_000).contains(&step)), "{:?}", steps.collect::<Vec<_>>());
}

/// In replay a camera waits for whoever takes its frames, so they are taken as well.
trait ZipFrames {
    fn zip_frames(self, camera: &Camera) -> Vec<Picture>;
}

impl<I: Iterator<Item = Picture>> ZipFrames for I {
    fn zip_frames(self, camera: &Camera) -> Vec<Picture> {
        self.inspect(|_| while camera.frame(Duration::ZERO).is_ok() {}).collect()
    }
}

#[test]
fn the_wall_clock_of_a_camera_is_read_and_its_offset_told() {
    let folder = tempfile::tempdir().unwrap();
    let film = film(folder.path(), "table.mp4", 1000, &["-bf", "0"]);
    let server = RtspServer::start(0, &film);
    let camera = camera::open(&server.address(), setup());
    let words = wait_for(&camera, |news| matches!(news, News::ClockOffset(by) if by.abs() < 5_000_000));
    assert!(words.last().is_some_and(|word| word.starts_with("the camera's clock is ")), "{words:#?}");
    let own = std::iter::repeat_with(|| camera.frame(PATIENCE).unwrap()).find_map(|frame| frame.source_clock);
    assert!(own.is_some());
}

#[test]
fn a_camera_that_hangs_is_lost_within_seconds_and_stops_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let film = film(folder.path(), "table.mp4", 2500, &["-bf", "0"]);
    let server = RtspServer::start(0, &film);
    let camera = camera::open(&server.address(), setup());
    frames(&camera, 5);
    server.hang();
    let hung = Instant::now();
    let words = wait_for(&camera, is_lost);
    assert_eq!(words.last().map(String::as_str), Some("lost: no picture for 2.0 s"));
    assert!(hung.elapsed() < Duration::from_secs(8), "{:?}", hung.elapsed());
    wait_for(&camera, |news| matches!(news, News::Connecting));
    let asked = Instant::now();
    camera.stop();
    assert!(asked.elapsed() < Duration::from_secs(2), "stopping took {:?}", asked.elapsed());
}
