//! Recordings: films and folders of stills, live and in replay, and what is said of those that cannot be read.

use std::time::Duration;

use ingest::camera::{self, Camera, Frame, ImageError, Mode, News, Nothing, Setup};
use opencv::core::{Mat, Scalar, Vec3b, Vector};
use opencv::imgcodecs;
use opencv::prelude::MatTraitConst;
use table::Utc;
use table::tape::PictureFormat;

use crate::ends::{PATIENCE, file, film, source, wait_for};

fn all(camera: &Camera) -> Vec<Frame> {
    std::iter::from_fn(|| camera.frame(PATIENCE).ok()).collect()
}

#[test]
fn replay_gives_every_frame_with_its_time_in_order() {
    let folder = tempfile::tempdir().unwrap();
    for (name, how) in [
        ("reordered.mp4", &["-bf", "2", "-preset", "veryfast"][..]),
        ("stream.mkv", &["-bf", "0"]),
        ("dated.mp4", &["-metadata", "creation_time=2026-11-15T21:04:05Z"]),
    ] {
        let film = film(folder.path(), name, 60, how);
        let frames = all(&camera::open(&file(&film), Mode::Replay));
        let dated = "2026-11-15T21:04:05Z".parse().unwrap();
        let start = if name == "dated.mp4" { dated } else { Utc::EPOCH };
        let times: Vec<i64> = frames.iter().map(|frame| frame.at.micros() - start.micros()).collect();
        let due: Vec<i64> = (0..60).map(|number| number * 40_000).collect();
        assert_eq!(times, due, "{name}");
        assert!(frames.iter().map(|frame| frame.number).eq(1..=60), "{name}");
    }
}

#[test]
fn a_film_is_kept_as_frames_that_play_again() {
    let folder = tempfile::tempdir().unwrap();
    let film = film(folder.path(), "table.mp4", 60, &["-bf", "2", "-preset", "veryfast"]);
    let camera = camera::open(&file(&film), Setup { pictures: true, ..Mode::Replay.into() });
    let mut stream = Vec::new();
    let mut count = 0;
    std::thread::scope(|scope| {
        let frames = scope.spawn(|| all(&camera).len());
        while let Ok(picture) = camera.picture(PATIENCE) {
            assert_eq!(picture.format, PictureFormat::H264);
            stream.extend(picture.data);
            count += 1;
        }
        assert_eq!((frames.join().unwrap(), count), (60, 60));
    });
    let copy = folder.path().join("copy.h264");
    std::fs::write(&copy, stream).unwrap();
    assert_eq!(all(&camera::open(&file(&copy), Mode::Replay)).len(), 60);
}

#[test]
fn live_keeps_the_newest_frame_and_counts_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let film = film(folder.path(), "table.mp4", 20, &["-bf", "0"]);
    let camera = camera::open(&file(&film), Mode::Live);
    wait_for(&camera, |news| matches!(news, News::Over));
    let frames = all(&camera);
    assert_eq!(frames.iter().map(|frame| frame.number).collect::<Vec<_>>(), [20]);
    let counts = camera.counts();
    assert_eq!((counts.frames, counts.dropped), (20, 19));
}

#[test]
fn a_recorder_that_falls_behind_begins_again_with_a_frame_that_stands_alone() {
    let folder = tempfile::tempdir().unwrap();
    let film = film(folder.path(), "table.mp4", 400, &["-bf", "0", "-vf", "setpts=N/400/TB", "-r", "400"]);
    let camera = camera::open(&file(&film), Setup { pictures: true, ..Mode::Live.into() });
    // Nobody records until the film is over; what waits is the beginning, without holes.
    wait_for(&camera, |news| matches!(news, News::Over));
    let kept = std::iter::from_fn(|| camera.picture(Duration::ZERO).ok()).count() as u64;
    let counts = camera.counts();
    assert!(kept > 0 && counts.not_kept > 0);
    assert_eq!(kept + counts.not_kept, counts.frames);
}

#[test]
fn stills_are_played_in_the_order_of_their_names() {
    let folder = tempfile::tempdir().unwrap();
    for (name, grey) in [("b.png", 120.0), ("a.jpg", 60.0), ("c.JPG", 180.0)] {
        let mat = Mat::new_rows_cols_with_default(48, 64, opencv::core::CV_8UC3, Scalar::all(grey)).unwrap();
        let path = folder.path().join(name);
        assert!(imgcodecs::imwrite(path.to_str().unwrap(), &mat, &Vector::new()).unwrap());
    }
    std::fs::write(folder.path().join("notes.txt"), "none of ours").unwrap();
    let camera = camera::open(&source(&format!("folder://{}", folder.path().display())), Mode::Replay);
    let shades = all(&camera).into_iter().map(|frame| {
        let pixel = |bgr: &camera::View<'_>| Ok::<_, ImageError>(bgr.at_2d::<Vec3b>(20, 20)?[1]);
        (frame.image.with_bgr(pixel).unwrap(), frame.at.micros())
    });
    assert_eq!(shades.collect::<Vec<_>>(), [(60, 0), (120, 40_000), (180, 80_000)]);
}

#[test]
fn what_cannot_be_read_is_said_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.mp4");
    std::fs::write(&text, "no video at all, only words, and not even many of them").unwrap();
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    std::fs::create_dir(folder.path().join("bad")).unwrap();
    std::fs::write(folder.path().join("bad/a.jpg"), "no picture").unwrap();
    let here = folder.path().display();
    for (address, said) in [
        (format!("file://{here}/none.mp4"), format!("lost: there is no {here}/none.mp4")),
        (
            format!("file://{here}/notes.mp4"),
            "lost: cannot be opened: Invalid data found when processing input; what answers there sends no video"
                .to_owned(),
        ),
        (format!("folder://{here}/none"), format!("lost: there is no {here}/none")),
        (format!("folder://{here}/empty"), format!("lost: there are no pictures in {here}/empty")),
        (format!("folder://{here}/bad"), format!("lost: {here}/bad/a.jpg is not a picture that can be read")),
        (format!("v4l2://{here}/video9"), format!("lost: there is no {here}/video9")),
        (
            format!("v4l2://{here}/notes.mp4"),
            format!(
                "lost: {here}/notes.mp4 is no camera, is in use, or may not be read (is this user in the group `video`?)"
            ),
        ),
    ] {
        let camera = camera::open(&source(&address), Mode::Live);
        let words = wait_for(&camera, |news| matches!(news, News::Lost(_)));
        assert_eq!(words.last(), Some(&said));
        camera.stop();
    }
}

#[test]
fn a_reader_who_leaves_does_not_hold_the_camera() {
    let folder = tempfile::tempdir().unwrap();
    let film = film(folder.path(), "table.mp4", 60, &["-bf", "0"]);
    let camera = camera::open(&file(&film), Mode::Replay);
    assert!(camera.frame(PATIENCE).is_ok());
    camera.stop();
    let camera = camera::open(&file(&film), Mode::Replay);
    assert_eq!(all(&camera).len(), 60);
    assert_eq!(camera.frame(Duration::ZERO).err(), Some(Nothing::More));
}
