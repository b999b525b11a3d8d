//! Which tapes go, and which stay whatever their age.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use ingest::recorder::{Recorder, Settings, Shelf};
use ingest::retention::{self, Reason, Rules, sweep};
use tempfile::TempDir;

const DAY: Duration = Duration::from_secs(86_400);

/// Tapes of a hundred bytes, so many days old.
fn folder(tapes: &[(&str, u32)]) -> (TempDir, SystemTime) {
    let (folder, now) = (tempfile::tempdir().unwrap(), SystemTime::now());
    for (name, days) in tapes {
        let path = folder.path().join(name);
        fs::write(&path, [0; 100]).unwrap();
        File::options().write(true).open(&path).unwrap().set_modified(now - DAY * *days).unwrap();
    }
    (folder, now)
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn days(days: u32) -> Rules {
    Rules { keep: Some(DAY * days), most_bytes: None }
}

#[test]
fn old_tapes_go_and_young_ones_and_other_files_stay() {
    let (folder, now) = folder(&[("old.mcap", 9), ("young.mcap", 3), ("old.txt", 90)]);
    let swept = sweep(folder.path(), &days(7), now, false).unwrap();
    assert_eq!(swept.gone.len(), 1);
    assert_eq!((swept.gone[0].reason, swept.gone[0].bytes), (Reason::Age, 100));
    assert_eq!(names(folder.path()), ["old.txt", "young.mcap"]);
}

#[test]
fn of_a_folder_that_is_too_large_the_oldest_go_until_it_is_not() {
    let (folder, now) = folder(&[("a.mcap", 1), ("b.mcap", 4), ("c.mcap", 2), ("d.mcap", 3)]);
    let rules = Rules { keep: None, most_bytes: Some(250) };
    let swept = sweep(folder.path(), &rules, now, false).unwrap();
    assert_eq!(names(folder.path()), ["a.mcap", "c.mcap"]);
    assert!(swept.gone.iter().all(|gone| gone.reason == Reason::Size));
    assert_eq!(swept.over, 0);
}

#[test]
fn what_is_on_hold_stays_by_mark_or_by_list_until_it_is_released() {
    let (folder, now) = folder(&[("a.mcap", 90), ("b.mcap", 90), ("c.mcap", 90)]);
    let path = |name: &str| folder.path().join(name);
    retention::hold(&path("a.mcap")).unwrap();
    fs::write(path(retention::LIST), "case 17:\n  b.mcap  \n\n").unwrap();
    let rules = Rules { most_bytes: Some(50), ..days(7) };
    let swept = sweep(folder.path(), &rules, now, false).unwrap();
    assert_eq!(swept.held, [path("a.mcap"), path("b.mcap")]);
    assert_eq!(swept.over, 150, "what cannot go is told");
    assert_eq!(names(folder.path()), ["a.mcap", "a.mcap.hold", "b.mcap", "holds"]);
    assert!(retention::release(&path("a.mcap")).unwrap());
    assert!(!retention::release(&path("a.mcap")).unwrap(), "once is enough");
    sweep(folder.path(), &rules, now, false).unwrap();
    assert_eq!(names(folder.path()), ["b.mcap", "holds"]);
    assert!(retention::hold(&path("c.mcap")).is_err(), "what is gone cannot be held");
}

#[test]
fn a_dry_run_says_the_same_and_deletes_nothing() {
    let (folder, now) = folder(&[("a.mcap", 9), ("b.mcap", 8)]);
    let said = sweep(folder.path(), &days(7), now, true).unwrap();
    assert_eq!(names(folder.path()), ["a.mcap", "b.mcap"]);
    assert_eq!(said, sweep(folder.path(), &days(7), now, false).unwrap());
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn a_tape_that_is_being_recorded_stays_however_small_the_limit() {
    let (folder, now) = folder(&[("old.mcap", 1)]);
    let opens = "2026-01-05T20:00:00Z".parse().unwrap();
    let shelf = Shelf::folder(folder.path(), "BJ-04".parse().unwrap(), opens);
    let settings = Settings { least_free: 0, ..Settings::default() };
    let recorder = Recorder::start(shelf, "fairdeal test", None, settings).unwrap();
    let open: PathBuf = folder.path().join("BJ-04-20260105T200000Z.mcap");
    let rules = Rules { keep: None, most_bytes: Some(0) };
    let swept = sweep(folder.path(), &rules, now, false).unwrap();
    assert_eq!(swept.open, std::slice::from_ref(&open));
    assert_eq!(names(folder.path()), ["BJ-04-20260105T200000Z.mcap"]);
    recorder.finish();
    sweep(folder.path(), &rules, now, false).unwrap();
    assert!(!open.exists(), "a finished one may go");
}

#[test]
fn a_list_of_holds_that_cannot_be_read_stops_every_deletion() {
    let (folder, now) = folder(&[("a.mcap", 9)]);
    fs::create_dir(folder.path().join(retention::LIST)).unwrap();
    assert!(sweep(folder.path(), &days(7), now, false).is_err());
    assert!(folder.path().join("a.mcap").exists());
}
