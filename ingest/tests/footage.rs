//! Stills and clips from the bundled tape, whose video was made by an encoder and not by us.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs::File;
use std::io::{BufReader, Cursor, Write};
use std::ops::Range;
use std::process::{Command, Stdio};

use ingest::footage::{Clip, Footage, FootageError, Still};
use opencv::core::{Mat, Vector};
use opencv::imgcodecs;
use opencv::videoio::{CAP_FFMPEG, VideoCapture, VideoCaptureTrait};
use table::tape::{Picture, PictureFormat, Record, Writer};
use table::{Ident, Utc};
use tempfile::NamedTempFile;

fn demo() -> Footage<BufReader<File>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/demo/demo.mcap");
    Footage::open(BufReader::new(File::open(path).unwrap())).unwrap()
}

/// The camera and a stretch of five seconds, ten seconds after the tape begins.
fn stretch(footage: &mut Footage<BufReader<File>>) -> (Ident, Range<Utc>) {
    let span = footage.span().unwrap();
    let from = span.start.shifted(10_000_000).unwrap();
    let time = from..from.shifted(5_000_000).unwrap();
    let camera = footage.cameras().pop_first().unwrap();
    (camera, time)
}

#[test]
fn every_instant_has_a_still_of_its_own() {
    let mut footage = demo();
    let (camera, time) = stretch(&mut footage);
    let instants = footage.instants(&camera, time).unwrap();
    // The bundled film has five pictures a second.
    assert!(instants.len() >= 24, "{} pictures in five seconds", instants.len());
    for at in instants.into_iter().step_by(5) {
        let still = footage.still(&camera, at).unwrap();
        assert_eq!(still.at, at);
        assert!(still.jpeg.starts_with(&[0xFF, 0xD8]), "a JPEG begins so");
    }
}

#[test]
fn between_two_pictures_the_earlier_one_is_shown() {
    let mut footage = demo();
    let (camera, time) = stretch(&mut footage);
    let instants = footage.instants(&camera, time).unwrap();
    let between = instants[7].shifted((instants[8].micros() - instants[7].micros()) / 2).unwrap();
    assert_eq!(footage.still(&camera, between).unwrap().at, instants[7]);
}

#[test]
fn a_moment_nobody_recorded_has_no_picture() {
    let mut footage = demo();
    let (camera, time) = stretch(&mut footage);
    let long_before = time.start.shifted(-3_600_000_000).unwrap();
    assert!(matches!(footage.still(&camera, long_before), Err(FootageError::NotRecorded)));
    assert!(matches!(footage.clip(&camera, long_before..long_before), Err(FootageError::NotRecorded)));
    assert!(matches!(footage.still(&"elsewhere".parse().unwrap(), time.start), Err(FootageError::NotRecorded)));
}

#[test]
fn a_clip_is_a_whole_video_that_another_player_reads() {
    let mut footage = demo();
    let (camera, time) = stretch(&mut footage);
    let inside = footage.instants(&camera, time.clone()).unwrap().len();
    let clip = footage.clip(&camera, time.clone()).unwrap();
    assert!(clip.from <= time.start && clip.to < time.end && clip.frames >= inside);
    let file = saved(&clip);
    assert_eq!(probed(&file), format!("h264,avc1,{}", clip.frames));
}

fn saved(clip: &Clip) -> NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(".mp4").tempfile().unwrap();
    file.write_all(&clip.mp4).unwrap();
    file
}

/// The codec, its tag and the number of frames, as another program reads them.
fn probed(file: &NamedTempFile) -> String {
    let probe = Command::new("ffprobe")
        .args(["-v", "error", "-count_frames", "-select_streams", "v:0", "-of", "csv=p=0"])
        .args(["-show_entries", "stream=codec_name,codec_tag_string,nb_read_frames"])
        .arg(file.path())
        .stderr(Stdio::inherit())
        .output()
        .unwrap();
    String::from_utf8(probe.stdout).unwrap().trim().to_owned()
}

/// A tape of a camera that sends single pictures: those of a stretch of the bundled one.
fn single_pictures() -> (Footage<Cursor<Vec<u8>>>, Ident, Vec<Still>) {
    let mut demo = demo();
    let (camera, time) = stretch(&mut demo);
    let mut tape = Writer::create(Vec::new(), demo.about()).unwrap();
    let mut stills = Vec::new();
    for at in demo.instants(&camera, time).unwrap() {
        let still = demo.still(&camera, at).unwrap();
        let picture = Picture { at, format: PictureFormat::Jpeg, data: still.jpeg.clone() };
        tape.record(at, &Record::Picture { camera: camera.clone(), picture }).unwrap();
        stills.push(still);
    }
    (Footage::open(Cursor::new(tape.finish().unwrap())).unwrap(), camera, stills)
}

#[test]
fn single_pictures_become_a_video_that_shows_the_same() {
    let (mut footage, camera, stills) = single_pictures();
    let [first, last] = [&stills[0], &stills[stills.len() - 1]];

    let clip = footage.clip(&camera, first.at..last.at.shifted(1).unwrap()).unwrap();

    assert_eq!((clip.from, clip.to, clip.frames), (first.at, last.at, stills.len()));
    let file = saved(&clip);
    assert_eq!(probed(&file), format!("h264,avc1,{}", stills.len()));
    let mut player = VideoCapture::from_file(file.path().to_str().unwrap(), CAP_FFMPEG).unwrap();
    for still in &stills {
        let mut shown = Mat::default();
        assert!(player.read(&mut shown).unwrap());
        let recorded = imgcodecs::imdecode(&Vector::from_slice(&still.jpeg), imgcodecs::IMREAD_COLOR).unwrap();
        let likeness = opencv::core::psnr_def(&shown, &recorded).unwrap();
        assert!(likeness > 30.0, "{likeness} dB at {}", still.at);
    }
}

#[test]
fn the_same_pictures_give_the_same_clip() {
    let (mut footage, camera, stills) = single_pictures();
    let time = stills[3].at..stills[9].at;
    assert_eq!(footage.clip(&camera, time.clone()).unwrap(), footage.clip(&camera, time).unwrap());
}

#[test]
fn pictures_that_are_none_make_no_clip() {
    let demo = demo();
    let (at, camera) = (demo.span().unwrap().start, "top".parse::<Ident>().unwrap());
    let mut tape = Writer::create(Vec::new(), demo.about()).unwrap();
    let picture = Picture { at, format: PictureFormat::Jpeg, data: b"no JPEG".to_vec() };
    tape.record(at, &Record::Picture { camera: camera.clone(), picture }).unwrap();
    let mut footage = Footage::open(Cursor::new(tape.finish().unwrap())).unwrap();
    let clip = footage.clip(&camera, at..at.shifted(1).unwrap());
    assert!(matches!(clip, Err(FootageError::Undecodable(_))), "{clip:?}");
}
