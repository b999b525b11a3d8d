//! Two cameras over one table, from the film to the audit.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

use std::path::Path;
use std::process::{Command, Output};

fn fairdeal(arguments: &[&str], tape: &Path) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_fairdeal")).args(arguments).arg(tape).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

#[test]
fn a_round_before_two_cameras_is_told_once_also_if_one_of_them_is_covered_for_ten_seconds() {
    let folder = tempfile::tempdir().unwrap();
    let tape = folder.path().join("two.mcap");
    let play = ["simulate", "--game", "nz-base", "--rounds", "1", "--boxes", "1", "--seed", "5", "--mid-shoe"];
    let bets = ["--no-side-bets", "--no-back-bets", "--no-tips"];
    let film = ["--video", "--size", "720p", "--card-px", "50", "--fps", "3"];
    let cameras = ["--view", "overhead", "--view", "oblique", "--cover", "12+10", "--out"];
    fairdeal(&[&play[..], &bets, &film, &cameras].concat(), &tape);

    let output = fairdeal(&["score", "--rounds", "feeds", "--read-video"], &tape);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("1 of 1 round rebuilt exactly"), "{said}");
    assert!(said.contains("0 false flags in 1 round"), "{said}");
}
