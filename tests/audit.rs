//! `fairdeal audit` as officers and CI jobs meet it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

use std::process::{Command, Output};

use serde_json::Value;

fn fairdeal(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fairdeal")).args(args).output().unwrap()
}

fn lines(output: &Output) -> Vec<Value> {
    String::from_utf8_lossy(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const DEMO: &str = "fixtures/evening/evening.mcap";

#[test]
fn the_bundled_tape_gives_its_flags_with_clause_and_money() {
    let flags = lines(&fairdeal(&["audit", DEMO, "--json"]));
    let told: Vec<_> = flags
        .iter()
        .map(|flag| {
            (flag["id"].as_str().unwrap(), flag["clause"].as_str().unwrap(), flag["money"]["amount"].as_i64().unwrap())
        })
        .collect();
    assert_eq!(
        told,
        [
            ("BJ-04.17.3.paid_a_push.1a", "nz-5.1(e)", 2500),
            ("BJ-04.17.5.dealer_overdrew", "nz-13.3", 14000),
            ("BJ-04.17.7.wager_altered.4a", "nz-5.5(b)", 10000),
        ]
    );
}

#[test]
fn auditing_twice_gives_the_same_bytes() {
    assert_eq!(fairdeal(&["audit", DEMO, "--json"]).stdout, fairdeal(&["audit", DEMO, "--json"]).stdout);
}

#[test]
fn the_exit_code_says_whether_something_severe_enough_was_found() {
    assert_eq!(fairdeal(&["audit", DEMO]).status.code(), Some(0));
    assert_eq!(fairdeal(&["audit", DEMO, "--fail-on", "critical"]).status.code(), Some(1));
    assert_eq!(fairdeal(&["audit", "nowhere.round", "--fail-on", "info"]).status.code(), Some(2));
}

#[test]
fn a_round_of_a_game_nobody_knows_is_refused_with_the_nearest_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.round");
    std::fs::write(&file, "game nz-bass\nbet 3 10\n").unwrap();
    let output = fairdeal(&["audit", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is no game nz-bass, did you mean nz-base?"));
}

#[test]
fn coverage_says_what_was_not_seen() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cards.round");
    std::fs::write(&file, "game nz-base\ncard 3 TH\ncard dealer 9S\ncard 3 9C\ncard dealer TD\nend\n").unwrap();
    let told = lines(&fairdeal(&["audit", file.to_str().unwrap(), "--json", "--coverage"]));
    assert_eq!(told.len(), 1, "without chips nothing can be said of money: {told:?}");
    assert_eq!(told[0]["coverage"]["not_seen"], serde_json::json!(["shoe", "wagers", "payouts", "decisions"]));
}

#[test]
fn a_house_file_is_audited_like_the_regulators_rules() {
    let output = fairdeal(&["rules", "--house", "docs/ref/house.example.toml", "--game", "bclc-basic"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("house-shoe-1"));
}
