//! `fairdeal config check` as a site engineer runs it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::process::{Command, Output};

use tempfile::TempDir;

const EXAMPLE: &str = include_str!("../docs/ref/site.example.toml");

/// A folder with these files in it.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

/// Runs `fairdeal config check` with these arguments in a folder.
fn check(folder: &TempDir, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fairdeal"))
        .args(["config", "check"])
        .args(args)
        .current_dir(folder.path())
        .env_remove("RUST_LOG")
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

#[test]
fn a_good_site_is_summed_up_with_its_passwords_masked() {
    let folder = folder(&[("site.toml", EXAMPLE.as_bytes())]);
    let output = check(&folder, &["site.toml"]);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
    insta::assert_snapshot!(stdout(&output), @r"
    site.toml: Harbour Casino
      database   postgres://fairdeal:***@db.harbour.example/fairdeal
      evidence   /srv/fairdeal/evidence, kept 15 days, of suspected crime 60
      bus        nats://bus.harbour.example:4222
      review     http://10.0.0.2:8080/
      table      BJ-04: nz-base, 7 boxes, 8 decks, AUD
        house file house/harbour.toml
        shuffler   SH-11
        options    bj_pays=3:2, csm=false, split_max_hands=3
        limits     main 10.00 to 2500.00 in steps of 2.50
        limits     super_sevens 1.00 to 50.00
        side bets  super_sevens, perfect_pair
        camera     overhead: rtsp://surveillance:***@10.0.4.11:554/stream/1, 1920x1080, sees 3, dealer
        shoe       shoe-04: serial:///dev/ttyUSB0?baud=4800, angel-eye, read only
        chips      chips-04: tcp://10.0.4.21:4001
      table      BJ-05: nz-freebet, 7 boxes, decks by rulebook, NZD
        shoe       none, cards are read by the cameras alone
        chips      none, money is not checked
    ");
}

#[test]
fn every_fault_is_told_with_file_line_and_column() {
    let folder = folder(&[(
        "site.toml",
        b"name = \"x\"\ncurrency = \"NZD\"\n[[table]]\nid = \"a\"\ngame = \"atc\"\nbox = 12\n",
    )]);
    let output = check(&folder, &["site.toml"]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""));
    insta::assert_snapshot!(stderr(&output), @r"
    site.toml:5:8: unknown game `atc`, expected one of nz-base, nz-styleA, nz-anteup, nz-bjplus, nz-freebet, act, nh-6d, nh-54, bclc-basic, bclc-6to5, bclc-dd, bclc-freebet, bclc-zappit
    site.toml:6:1: unknown key `box`, did you mean `boxes`?
    fairdeal: site.toml has 2 faults
    ");
}

#[test]
fn one_bad_file_does_not_hide_the_others() {
    let folder =
        folder(&[("latin1.toml", b"name = \"Caf\xe9\""), ("empty.toml", b""), ("site.toml", EXAMPLE.as_bytes())]);
    let output = check(&folder, &["absent.toml", "latin1.toml", "empty.toml", "site.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).starts_with("site.toml: Harbour Casino\n"));
    insta::assert_snapshot!(stderr(&output), @r"
    empty.toml:1:1: missing key `name` at the top of the file
    empty.toml:1:1: missing key `table` at the top of the file
    fairdeal: cannot read absent.toml: No such file or directory (os error 2); latin1.toml is not UTF-8 text from byte 11 on; empty.toml has 2 faults
    ");
}

#[test]
fn json_has_an_object_for_each_fault_and_each_site() {
    let folder = folder(&[("bad.toml", b"nam = 1\n[[table]]\n"), ("site.toml", EXAMPLE.as_bytes())]);
    let output = check(&folder, &["--json", "bad.toml", "site.toml"]);
    assert_eq!(output.status.code(), Some(2));
    let lines: Vec<serde_json::Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        lines[0],
        serde_json::json!({ "file": "bad.toml", "line": 1, "column": 1, "error": "unknown key `nam`, did you mean `name`?" })
    );
    let site = lines.last().unwrap();
    assert_eq!(site["file"], "site.toml");
    assert_eq!(site["site"]["table"][0]["limits"][0]["step"], "2.50");
    assert_eq!(site["site"]["database"]["url"], "postgres://fairdeal:***@db.harbour.example/fairdeal");
    assert!(!stdout(&output).contains("change-me"));
}

#[test]
fn an_option_the_game_does_not_have_is_a_fault_with_the_nearest_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("site.toml");
    let demo = include_str!("../fixtures/evening/site.toml").replace("bj_pays", "bj_pay");
    std::fs::write(&file, demo).unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_fairdeal"))
        .args(["config", "check", file.to_str().unwrap()])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("table BJ-04: there is no option bj_pay (did you mean bj_pays?)"), "{said}");
}
