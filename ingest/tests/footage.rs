//! Stills and clips from the bundled tape, whose video was made by an encoder and not by us.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs::File;
use std::io::{BufReader, Write};
use std::ops::Range;
use std::process::{Command, Stdio};

use ingest::footage::{Footage, FootageError};
use table::{Ident, Utc};

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
    let mut file = tempfile::Builder::new().suffix(".mp4").tempfile().unwrap();
    file.write_all(&clip.mp4).unwrap();
    let probe = Command::new("ffprobe")
        .args(["-v", "error", "-count_frames", "-select_streams", "v:0", "-of", "csv=p=0"])
        .args(["-show_entries", "stream=codec_name,codec_tag_string,nb_read_frames"])
        .arg(file.path())
        .stderr(Stdio::inherit())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(probe.stdout).unwrap().trim(), format!("h264,avc1,{}", clip.frames));
}
