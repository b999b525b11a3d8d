//! Shoe bytes decoded from the command line: from captures, pipes and tapes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use table::Utc;
use table::tape::{About, Record, Writer};

const FOUR_OF_HEARTS: &[u8] = b"\x05\x31\x44\x23\x44\x0311";

fn decode(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.arg("decode").args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn piped(args: &[&str], bytes: &[u8]) -> Output {
    let mut child = decode(args).spawn().unwrap();
    // A command that refuses its arguments does not wait for bytes.
    let _ = child.stdin.take().unwrap().write_all(bytes);
    child.wait_with_output().unwrap()
}

fn lines(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/shoe").join(name)
}

/// A tape on which each of these shoes said something.
fn tape(folder: &Path, said: &[(&str, &[u8])]) -> String {
    let path = folder.join("night.mcap");
    let about = About::new("BJ-04".parse().unwrap(), Utc::EPOCH, "test");
    let mut tape = Writer::create(File::create(&path).unwrap(), &about).unwrap();
    for (shoe, bytes) in said {
        // In two reads, as a line would have it.
        for bytes in [&bytes[..3], &bytes[3..]] {
            let record = Record::ShoeBytes { shoe: shoe.parse().unwrap(), bytes: bytes.to_vec() };
            tape.record(Utc::EPOCH, &record).unwrap();
        }
    }
    tape.finish().unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_capture_is_printed_as_its_fixture_says() {
    for name in ["angel_eye_lost_telegram", "bee_tek_unread_e3"] {
        let dialect = if name.starts_with("angel") { "angel-eye" } else { "bee-tek" };
        let capture = fixture(&format!("{name}.bin"));
        let output = decode(&["--dialect", dialect, capture.to_str().unwrap()]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let expected = std::fs::read(fixture(&format!("{name}.expected.jsonl"))).unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), String::from_utf8(expected).unwrap());
    }
}

#[test]
fn a_card_is_told_while_the_line_is_still_open() {
    let mut child = decode(&["--dialect", "angel-eye"]).spawn().unwrap();
    let mut line = child.stdin.take().unwrap();
    let mut told = BufReader::new(child.stdout.take().unwrap());
    let next = b"\x05\x32\x44\x23\x44\x0312";
    for (offset, telegram) in [(0, FOUR_OF_HEARTS), (8, next)] {
        line.write_all(telegram).unwrap();
        line.flush().unwrap();
        let mut card = String::new();
        told.read_line(&mut card).unwrap();
        let card: Value = serde_json::from_str(&card).unwrap();
        assert_eq!((&card["offset"], &card["card"]), (&json!(offset), &json!("4H")));
    }
    drop(line);
    let mut stats = String::new();
    told.read_line(&mut stats).unwrap();
    assert!(stats.starts_with(r#"{"stats":{"bytes":16,"frames":2,"events":2,"#), "{stats}");
    assert!(child.wait().unwrap().success());
}

#[test]
fn any_bytes_end_with_statistics() {
    let bytes: Vec<u8> = (0..200_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for dialect in ["angel-eye", "bee-tek"] {
        let output = piped(&["--dialect", dialect, "-"], &bytes);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(lines(&output).last().unwrap()["stats"]["bytes"], 200_000);
    }
}

#[test]
fn the_wrong_dialect_is_said_and_named() {
    let output = piped(&["--dialect", "bee-tek"], FOUR_OF_HEARTS);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(lines(&output).len(), 1);
    assert!(stderr(&output).contains("this shoe speaks angel-eye"), "{}", stderr(&output));
}

#[test]
fn whoever_has_seen_enough_may_leave() {
    let mut child = decode(&["--dialect", "bee-tek"]).spawn().unwrap();
    let mut line = child.stdin.take().unwrap();
    drop(child.stdout.take());
    // Until the command notices, and takes no more.
    while line.write_all(b" [Game]<Card:4S> ").is_ok() {}
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_tape_gives_the_bytes_of_its_shoe_and_asks_which_if_there_are_several() {
    let folder = tempfile::tempdir().unwrap();
    let one = tape(folder.path(), &[("east", FOUR_OF_HEARTS)]);
    let output = piped(&["--dialect", "angel-eye", &one], b"");
    assert_eq!(lines(&output)[0]["card"], "4H", "{}", stderr(&output));
    let output = piped(&["--dialect", "angel-eye", &one, "--shoe", "north"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no bytes of a shoe north"), "{}", stderr(&output));

    let two = tape(folder.path(), &[("east", FOUR_OF_HEARTS), ("west", b" [Game]<Card:9D> ")]);
    let output = piped(&["--dialect", "bee-tek", &two, "--shoe", "west"], b"");
    assert_eq!(lines(&output)[0]["card"], "9D", "{}", stderr(&output));
    let output = piped(&["--dialect", "bee-tek", &two], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--shoe east or --shoe west"), "{}", stderr(&output));
}

#[test]
fn what_cannot_be_done_is_said_in_a_sentence() {
    let output = piped(&["--dialect", "angel-eye", "nowhere.bin"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("cannot read nowhere.bin"), "{}", stderr(&output));
    let output = piped(&["--dialect", "angel-eye", "--shoe", "east"], b"");
    assert_eq!(output.status.code(), Some(2));
    let output = piped(&["--dialect", "latin"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("angel-eye or bee-tek"), "{}", stderr(&output));
}
