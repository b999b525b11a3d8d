//! `fairdeal tape` as an officer or a script meets it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use table::Utc;
use table::tape::{About, Options, Reader, Record, Writer};
use tempfile::TempDir;

/// Three rounds a minute apart.
const ROUNDS: &str = "round BJ-04 17 1 2026-11-15T21:00:00Z\ngame nz-base\nbet 3 25\ncard 3 TH\nend\n\n\
    round BJ-04 17 2 2026-11-15T21:01:00Z\ngame nz-base\nbet 3 25\ncard 3 9C\nend\n\n\
    round BJ-04 17 3 2026-11-15T21:02:00Z\ngame nz-base\nbet 3 25\ncard 3 8D\nend\n";

fn fairdeal(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fairdeal")).current_dir(folder).args(args).output().unwrap()
}

/// Runs it, asserts that it did its job, and gives what it printed.
fn done(folder: &Path, args: &[&str]) -> String {
    let output = fairdeal(folder, args);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{args:?}: {stderr}");
    assert_eq!(stderr, "", "{args:?}: no progress bar in a pipe");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs it, asserts that it could not do its job and said so in one line, and gives both outputs.
fn failed(folder: &Path, args: &[&str]) -> (String, String) {
    let output = fairdeal(folder, args);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    (String::from_utf8(output.stdout).unwrap(), stderr)
}

/// A folder with `night.mcap`: raw shoe bytes every second and the three rounds, in small chunks.
fn night() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let rounds = table::notation::parse(ROUNDS).unwrap();
    let about = About::new("BJ-04".parse().unwrap(), rounds[0].at, "fairdeal test");
    let mut tape = Writer::with_options(Vec::new(), &about, Options { chunk_bytes: 200 }).unwrap();
    for second in 0..180u8 {
        let at = rounds[0].at.shifted(i64::from(second) * 1_000_000).unwrap();
        tape.record(at, &Record::ShoeBytes { shoe: "east".parse().unwrap(), bytes: vec![second; 40] }).unwrap();
        if second % 60 == 59 {
            tape.record(at, &Record::Round(Box::new(rounds[usize::from(second / 60)].clone()))).unwrap();
        }
    }
    let path = folder.path().join("night.mcap");
    fs::write(&path, tape.finish().unwrap()).unwrap();
    (folder, path)
}

fn records(path: &Path) -> Vec<(Utc, Record)> {
    let tape = Reader::open(fs::File::open(path).unwrap()).unwrap();
    tape.map(Result::unwrap).map(|message| (message.at(), Record::decode(&message).unwrap())).collect()
}

#[test]
fn info_tells_what_is_on_a_tape_and_that_it_holds() {
    let (folder, _) = night();
    let text = done(folder.path(), &["tape", "info", "night.mcap"]);
    for part in ["BJ-04", "3 rounds, 0 flags", "finished, all hashes hold", "/shoe/east/raw", "180 messages"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&done(folder.path(), &["tape", "info", "night.mcap", "--json"])).unwrap();
    assert_eq!(json["table"], "BJ-04");
    assert_eq!(json["rounds"], 3);
    assert_eq!(json["seconds"], 179.0);
    assert_eq!((&json["finished"], &json["verified"]), (&true.into(), &true.into()));
    assert_eq!(json["channels"][1]["bytes"], 180 * 40);
}

#[test]
fn info_on_a_crashed_tape_prints_what_there_is_and_where_it_stops() {
    let (folder, path) = night();
    let whole = fs::read(&path).unwrap();
    fs::write(folder.path().join("crashed.mcap"), &whole[..whole.len() / 2]).unwrap();
    let (stdout, stderr) = failed(folder.path(), &["tape", "info", "crashed.mcap"]);
    assert!(stdout.contains("BJ-04") && stdout.contains("/shoe/east/raw"), "{stdout}");
    assert!(stdout.contains("state     unfinished"), "{stdout}");
    assert!(stderr.contains("crashed.mcap: unfinished: the tape stops at byte "), "{stderr}");
}

#[test]
fn info_on_a_harmed_tape_names_the_file_and_the_byte() {
    let (folder, path) = night();
    let mut file = fs::read(&path).unwrap();
    let middle = file.len() / 2;
    file[middle] ^= 1;
    fs::write(&path, file).unwrap();
    let (stdout, stderr) = failed(folder.path(), &["tape", "info", "night.mcap", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((&json["finished"], &json["verified"]), (&true.into(), &false.into()));
    assert!(json["offset"].as_u64().is_some_and(|offset| offset > 0));
    assert!(stderr.contains("night.mcap: damaged at byte "), "{stderr}");
}

#[test]
fn what_is_no_tape_is_named_and_refused() {
    let (folder, _) = night();
    fs::write(folder.path().join("notes.txt"), "not a tape at all").unwrap();
    for file in ["notes.txt", "nowhere.mcap"] {
        for command in ["info", "cat"] {
            let (_, stderr) = failed(folder.path(), &["tape", command, file]);
            assert!(stderr.contains(file), "{stderr}");
        }
    }
}

#[test]
fn cat_prints_rounds_that_can_be_packed_again() {
    let (folder, _) = night();
    let text = done(folder.path(), &["tape", "cat", "night.mcap", "--channel", "/rounds"]);
    assert_eq!(table::notation::parse(&text).unwrap(), table::notation::parse(ROUNDS).unwrap());
    fs::write(folder.path().join("night.round"), text).unwrap();
    done(folder.path(), &["tape", "pack", "night.round", "--table", "BJ-04", "--out", "packed.mcap"]);
    let rounds: Vec<_> = records(&folder.path().join("packed.mcap"));
    assert_eq!(rounds.len(), 3);
}

#[test]
fn cat_in_json_shows_raw_bytes_in_hexadecimal() {
    let (folder, _) = night();
    let text = done(folder.path(), &["tape", "cat", "night.mcap", "--channel", "/shoe/*", "--json"]);
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 180);
    assert_eq!(lines[7]["hex"], "07".repeat(40));
    assert_eq!(lines[7]["at"], "2026-11-15T21:00:07.000000Z");
}

#[test]
fn cut_by_time_takes_the_moments_from_first_to_before_last() {
    let (folder, path) = night();
    done(folder.path(), &["tape", "cut", "night.mcap", "--from", "+60", "--to", "+61.5", "--out", "part.mcap"]);
    let part = records(&folder.path().join("part.mcap"));
    let whole = records(&path);
    let expected: Vec<_> =
        whole.into_iter().filter(|(at, _)| at.to_string().starts_with("2026-11-15T21:01:0")).collect();
    assert_eq!(part, expected[..2]);
    let from = ["--from", "2026-11-15T21:01:00Z", "--to", "2026-11-15T21:01:02Z"];
    let args = [&["tape", "cut", "night.mcap", "--out", "same.mcap"], &from[..]].concat();
    done(folder.path(), &args);
    assert_eq!(records(&folder.path().join("same.mcap")), part);
}

#[test]
fn cut_by_round_takes_the_rounds_and_what_happened_in_them() {
    let (folder, _) = night();
    done(folder.path(), &["tape", "cut", "night.mcap", "--rounds", "17.2..17.2", "--out", "dispute.mcap"]);
    let part = records(&folder.path().join("dispute.mcap"));
    let rounds: Vec<_> = part.iter().filter(|(_, record)| matches!(record, Record::Round(_))).collect();
    assert_eq!(rounds.len(), 1);
    assert_eq!(part.len(), 61);
    let (_, stderr) = failed(folder.path(), &["tape", "cut", "night.mcap", "--rounds", "9..9", "--out", "none.mcap"]);
    assert!(stderr.contains("no round 9"), "{stderr}");
    assert!(!folder.path().join("none.mcap").exists());
}

#[test]
fn recover_makes_a_whole_tape_of_a_harmed_one_and_says_what_was_lost() {
    let (folder, path) = night();
    let mut file = fs::read(&path).unwrap();
    let chunk = Reader::open(file.as_slice()).unwrap().nth(60).unwrap().unwrap().offset;
    file[usize::try_from(chunk).unwrap() + 60] ^= 0x20;
    fs::write(folder.path().join("harmed.mcap"), file).unwrap();
    let text = done(folder.path(), &["tape", "recover", "harmed.mcap", "--out", "rescued.mcap"]);
    assert!(text.contains("rescued.mcap: ") && text.contains("lost ") && text.contains("at byte "), "{text}");
    let (whole, rescued) = (records(&path), records(&folder.path().join("rescued.mcap")));
    assert!(rescued.len() >= whole.len() - 10 && rescued.len() < whole.len());
    assert!(rescued.iter().all(|record| whole.contains(record)));
    assert!(done(folder.path(), &["tape", "info", "rescued.mcap"]).contains("recovered from harmed.mcap"));
}

#[test]
fn nothing_is_overwritten_unless_asked_and_nothing_half_written_is_left() {
    let (folder, path) = night();
    let before = fs::read(&path).unwrap();
    let cut = ["tape", "cut", "night.mcap", "--from", "+0", "--to", "+5", "--out", "night.mcap"];
    let (_, stderr) = failed(folder.path(), &cut);
    assert!(stderr.contains("night.mcap exists"), "{stderr}");
    assert_eq!(fs::read(&path).unwrap(), before);
    failed(folder.path(), &["tape", "cut", "night.mcap", "--from", "+900", "--to", "+901", "--out", "late.mcap"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    done(folder.path(), &[&cut[..], &["--force"]].concat());
    assert_eq!(records(&path).len(), 5);
}

#[test]
fn every_subcommand_shows_an_example() {
    let folder = tempfile::tempdir().unwrap();
    for command in ["info", "cat", "cut", "recover", "pack"] {
        let help = done(folder.path(), &["tape", command, "--help"]);
        assert!(help.contains("Example") && help.contains("fairdeal tape "), "{help}");
    }
}
