//! `fairdeal replay` as a build server meets it, and the fixtures of this house.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use quick_junit::{NonSuccessKind, Report, TestCaseStatus};
use table::notation;
use table::tape::{About, Record, Writer};
use tempfile::TempDir;

const PUSH: &str = include_str!("../fixtures/rounds/nz-push-paid.round");
const EXPECTED: &str = include_str!("../fixtures/rounds/nz-push-paid.expected.jsonl");

fn replay(folder: &Path, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fairdeal")).arg("replay").arg(folder).args(more).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A folder with one dispute and what it expects.
fn dispute() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("push.round"), PUSH).unwrap();
    fs::write(folder.path().join("push.expected.jsonl"), EXPECTED).unwrap();
    folder
}

#[test]
fn every_fixture_of_this_house_is_flagged_as_expected() {
    let output = replay(Path::new("fixtures"), &[]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn lawful_shifts_rebuilt_from_their_feeds_accuse_nobody_and_the_demonstration_shows_what_it_should() {
    let clean = fs::read_dir("fixtures/tapes").unwrap().map(|entry| entry.unwrap().path());
    let clean = clean.filter(|path| path.to_str().unwrap().ends_with("-clean.mcap"));
    let tapes: Vec<String> = clean.map(|path| path.to_str().unwrap().to_owned()).collect();
    assert_eq!(tapes.len(), 7);
    let mut args: Vec<&str> = tapes.iter().map(String::as_str).collect();
    args.extend(["--rounds", "feeds"]);
    let output = replay(Path::new("fixtures/demo/demo.mcap"), &args);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    for tape in tapes {
        let expected = fs::read_to_string(Path::new(&tape).with_extension("feeds.expected.jsonl")).unwrap();
        assert_eq!(expected, "", "{tape}");
    }
}

#[test]
fn updating_writes_what_is_found_and_a_replay_is_then_clean() {
    let folder = dispute();
    let expected = folder.path().join("push.expected.jsonl");
    fs::remove_file(&expected).unwrap();
    let silent = replay(folder.path(), &[]);
    assert_eq!(silent.status.code(), Some(2));
    assert!(stderr(&silent).contains("push.round: nothing says what to expect; --update writes it down"));

    let updated = replay(folder.path(), &["--update"]);
    assert_eq!(updated.status.code(), Some(0));
    assert!(stdout(&updated).contains("written  ") && stdout(&updated).contains("push.expected.jsonl"));
    assert_eq!(fs::read_to_string(&expected).unwrap(), EXPECTED);
    assert_eq!(replay(folder.path(), &[]).status.code(), Some(0));
    assert!(stdout(&replay(folder.path(), &["--update"])).ends_with("1 fixture: 1 as expected\n"));
}

#[test]
fn a_changed_expectation_is_told_field_by_field() {
    let folder = dispute();
    let other = EXPECTED.replace("nz-5.1(e)", "nz-5.1(d)").replace(r#""amount":2500"#, r#""amount":1000"#);
    fs::write(folder.path().join("push.expected.jsonl"), other).unwrap();
    let output = replay(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(1));
    let told = stdout(&output);
    assert!(told.contains("changed     BJ-04.21.14.paid_a_push.3a  clause: nz-5.1(d) → nz-5.1(e)"), "{told}");
    assert!(told.contains("paid_a_push.3a  money.amount: 1000 → 2500"), "{told}");
    assert!(told.ends_with("1 fixture: 1 with differences\n"), "{told}");
    let updated = stdout(&replay(folder.path(), &["--update"]));
    assert!(updated.contains("money.amount: 1000 → 2500"), "an update says what it changed: {updated}");
}

#[test]
fn a_flag_nobody_expects_and_one_that_stays_away_are_differences() {
    let folder = dispute();
    fs::write(folder.path().join("push.expected.jsonl"), "").unwrap();
    let clean = PUSH.replace("pay 3 25", "push 3");
    fs::write(folder.path().join("settled.round"), clean).unwrap();
    fs::write(folder.path().join("settled.expected.jsonl"), EXPECTED).unwrap();
    let output = replay(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(1));
    let told = stdout(&output);
    let seen = "BJ-04.21.14.paid_a_push.3a  critical, nz-5.1(e): the wager was paid 25.00";
    assert!(told.contains(&format!("unexpected  {seen}")) && told.contains(&format!("missing     {seen}")), "{told}");
}

#[test]
fn an_unreadable_fixture_is_named_with_its_place_and_the_others_still_run() {
    let folder = dispute();
    fs::write(folder.path().join("broken.round"), "game nz-base\nbat 3 25\n").unwrap();
    fs::write(folder.path().join("cut-off.mcap"), b"not a tape").unwrap();
    let output = replay(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    let told = stderr(&output);
    assert!(told.contains("broken.round: line 2, column 1") && told.contains("cut-off.mcap: not a tape"), "{told}");
    assert!(told.contains("byte 0"), "{told}");
    assert!(stdout(&output).ends_with("3 fixtures: 1 as expected, 2 not replayed\n"));
}

#[test]
fn a_line_that_is_no_flag_is_named() {
    let folder = dispute();
    fs::write(folder.path().join("push.expected.jsonl"), format!("{EXPECTED}{{\"id\":1}}\n")).unwrap();
    let output = replay(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("push.expected.jsonl line 2: "), "{}", stderr(&output));
}

#[test]
fn the_junit_report_has_a_test_case_for_every_fixture() {
    let folder = dispute();
    fs::write(folder.path().join("a<b>&\"c\".round"), PUSH).unwrap();
    fs::write(folder.path().join("a<b>&\"c\".expected.jsonl"), "").unwrap();
    fs::write(folder.path().join("broken.round"), "game nz-base\nbat 3 \"<&>\"\n").unwrap();
    let file = folder.path().join("report.xml");
    assert_eq!(replay(folder.path(), &["--junit", file.to_str().unwrap()]).status.code(), Some(2));

    let text = fs::read_to_string(&file).unwrap();
    let report = Report::deserialize_from_str(&text).unwrap();
    assert_eq!((report.tests, report.failures, report.errors), (3, 1, 1), "{text}");
    let [differs, broken, fine] = report.test_suites[0].test_cases.as_slice() else { unreachable!("{text}") };
    assert_eq!(differs.name.as_str(), "a<b>&\"c\".round");
    assert!(report.test_suites[0].test_cases.iter().all(|case| case.time.is_some()));
    assert!(matches!(fine.status, TestCaseStatus::Success { .. }));
    let told = |status: &TestCaseStatus| match status {
        TestCaseStatus::NonSuccess { kind, description, .. } => (*kind, description.clone().unwrap().into_string()),
        other => unreachable!("{other:?}"),
    };
    let (kind, text) = told(&differs.status);
    assert!(kind == NonSuccessKind::Failure && text.contains("unexpected  BJ-04.21.14.paid_a_push.3a"), "{text}");
    let (kind, text) = told(&broken.status);
    assert!(kind == NonSuccessKind::Error && text.contains("line 2, column 1"), "{text}");
}

/// The dispute as a tape that carries these flags as expected.
fn tape(path: &Path, expected: &[Record]) {
    let round = notation::parse(PUSH).unwrap().remove(0);
    let mut tape = Writer::create(Vec::new(), &About::new(round.id.table.clone(), round.at, "a test")).unwrap();
    let at = round.at;
    tape.record(at, &Record::Round(Box::new(round))).unwrap();
    expected.iter().for_each(|record| tape.record(at, record).unwrap());
    fs::write(path, tape.finish().unwrap()).unwrap();
}

fn flags_found(path: &Path) -> Vec<Record> {
    let output = Command::new(env!("CARGO_BIN_EXE_fairdeal")).arg("audit").arg(path).arg("--json").output().unwrap();
    let flags = stdout(&output);
    flags.lines().map(|line| Record::Expected(serde_json::from_str(line).unwrap())).collect()
}

#[test]
fn a_tape_may_carry_what_it_expects_and_a_file_beside_it_outweighs_that() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("push.mcap");
    tape(&path, &[]);
    assert_eq!(replay(folder.path(), &[]).status.code(), Some(2), "a tape that says nothing");
    tape(&path, &flags_found(&path));
    assert_eq!(replay(folder.path(), &[]).status.code(), Some(0), "a tape that says it itself");
    fs::write(folder.path().join("push.expected.jsonl"), "").unwrap();
    assert_eq!(replay(folder.path(), &[]).status.code(), Some(1), "a file that says otherwise");
}

#[test]
fn two_fixtures_with_one_name_share_what_they_expect_or_are_told_apart() {
    let folder = dispute();
    tape(&folder.path().join("push.mcap"), &[]);
    assert_eq!(replay(folder.path(), &["--update"]).status.code(), Some(0));
    fs::write(folder.path().join("push.round"), PUSH.replace("pay 3 25", "push 3")).unwrap();
    let output = replay(folder.path(), &["--update"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("are flagged differently: rename one of them"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(folder.path().join("push.expected.jsonl")).unwrap(), EXPECTED);
}

#[test]
fn a_folder_without_fixtures_is_a_mistake_not_a_success() {
    let folder = tempfile::tempdir().unwrap();
    let output = replay(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no .round or .mcap file in this folder"));
}
