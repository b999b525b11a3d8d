//! `fairdeal show` and `fairdeal demo` through the built binary.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use std::process::{Command, Output};

use table::notation::{parse, print};

fn fairdeal(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fairdeal")).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_bundled_tape_holds_the_rounds_of_its_source() {
    let written = parse(include_str!("../fixtures/evening/evening.round")).unwrap();
    let taped = fairdeal(&["tape", "cat", "fixtures/evening/evening.mcap", "--channel", "/rounds"]);
    assert_eq!(text(&taped.stdout).trim_end(), print(&written).trim_end());
}

#[test]
fn the_demo_says_what_is_on_the_tape_draws_every_round_and_tells_what_was_wrong() {
    let demo = fairdeal(&["demo"]);
    let shown = text(&demo.stdout);
    assert_eq!(demo.status.code(), Some(0));
    assert!(shown.contains("finished, all hashes hold"));
    assert!(shown.contains("box 1         25.00  K♥ 9♦                       19        paid 25.00"));
    assert_eq!(shown.matches("nz-base bj_pays=3:2 decks=6").count(), 8);
    assert!(!shown.contains('\u{1b}'), "no colours in a pipe");
    assert!(shown.contains("critical, wrong-payout, nz-5.1(e), 25.00 too much for the player"));
    assert!(shown.contains("8 rounds, 3 with flags"));
    assert!(!text(&fairdeal(&["demo", "--exit"]).stdout).contains("box 1"));
}

#[test]
fn a_round_looks_the_same_from_notation_tape_and_json() {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("rounds.jsonl");
    let rounds = parse(include_str!("../fixtures/evening/evening.round")).unwrap();
    let lines: Vec<_> = rounds.iter().map(|round| serde_json::to_string(round).unwrap()).collect();
    std::fs::write(&json, lines.join("\n")).unwrap();
    let from_text = fairdeal(&["show", "fixtures/evening/evening.round"]).stdout;
    assert_eq!(text(&fairdeal(&["show", "fixtures/evening/evening.mcap"]).stdout), text(&from_text));
    assert_eq!(text(&fairdeal(&["show", json.to_str().unwrap()]).stdout), text(&from_text));
}

#[test]
fn a_file_that_cannot_be_read_is_named_with_the_place_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, content).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let cases = [
        (write("a.round", "game nz-base\ncard 3 7X\n"), "line 2, column 8"),
        (write("a.jsonl", "\n{\"id\":1}\n"), "a.jsonl line 2"),
        (write("a.mcap", "not a tape"), "a.mcap"),
        (write("a.txt", ""), "expected a file ending in .round, .jsonl or .mcap"),
        ("nowhere.round".to_owned(), "nowhere.round: No such file"),
    ];
    for (file, place) in cases {
        let output = fairdeal(&["show", &file]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.starts_with("fairdeal: ") && said.contains(place), "{said}");
        assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    }
}
