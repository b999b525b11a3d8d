//! `fairdeal score` on tapes whose faults are known: rounds of the checks' own templates, dealt and spoiled.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use auditor::check::{Check, Law, Session};
use auditor::checks;
use auditor::rulebook::books;
use serde_json::Value;
use simulator::score::{Ledger, Score};
use simulator::truth::{Kind, Label, Truth, Way};
use table::tape::{About, Picture, PictureFormat, Record, Writer};
use table::{Game, Round, Utc};
use tempfile::TempDir;

const GAME: &str = "nz-base";
/// Checks that each find one thing in a round of their own.
const FAULTS: [&str; 5] = ["dealer_overdrew", "dealer_stood_short", "loser_paid", "natural_paid_wrong", "paid_a_push"];

/// The law of the tape's game.
fn law() -> Law {
    let game = Game { name: GAME.parse().unwrap(), options: Default::default() };
    Law::of(books::all().unwrap(), &game).unwrap()
}

/// A round with its labels.
struct Played {
    round: Round,
    labels: Vec<Label>,
}

impl Played {
    /// The round as one of the tape's. Every template deals the same few cards, so each comes from a shoe of its own.
    fn numbered(mut self, number: u32) -> Self {
        self.round.id.table = "BJ-04".parse().unwrap();
        (self.round.id.shoe, self.round.id.round) = (number, 1);
        self.round.at = Utc::from_micros(1_790_000_000_000_000 + i64::from(number) * 60_000_000).unwrap();
        let (id, labels) = (self.round.id.clone(), self.labels);
        self.labels = labels.into_iter().map(|label| Label { round: id.clone(), ..label }).collect();
        self
    }
}

/// The round that shows a check, dealt by the book.
fn clean(check: &Check) -> Played {
    let law = law();
    let round = check.templates[0].clean(&GAME.parse().unwrap(), &law.rules).unwrap().remove(0);
    Played { round, labels: Vec::new() }
}

/// The same round spoiled, and labelled.
fn spoiled(check: &Check) -> Played {
    let law = law();
    let round = check.templates[0].spoiled(&GAME.parse().unwrap(), &law.rules).unwrap().remove(0);
    let label = Label {
        round: round.id.clone(),
        until: None,
        fault: check.name.into(),
        way: Way::Lived,
        kind: Kind::Dealer,
        check: Some(check.name.into()),
        sure: true,
        clause: None,
        box_no: None,
        hand: None,
        money: None,
        says: format!("{} <on purpose>", check.name),
    };
    Played { round, labels: vec![label] }
}

/// Five rounds that go wrong, each after one that does not.
fn shift() -> Vec<Played> {
    let checks = FAULTS.iter().map(|name| checks::find(name).unwrap());
    let rounds = checks.flat_map(|check| [clean(check), spoiled(check)]);
    rounds.zip(1..).map(|(played, number)| played.numbered(number)).collect()
}

fn write_tape(path: &Path, played: &[Played], more: &[(Utc, Record)]) {
    let about = About::new("BJ-04".parse().unwrap(), played[0].round.at, "a test");
    let mut tape = Writer::create(Vec::new(), &about).unwrap();
    more.iter().for_each(|(at, record)| tape.record(*at, record).unwrap());
    for Played { round, labels } in played {
        let truth = Truth::Round { round: Box::new(round.clone()), drawn: Vec::new() };
        let labels = labels.iter().cloned().map(Truth::Fault);
        let truths = std::iter::once(truth).chain(labels).map(|truth| Record::Truth(truth.to_json().unwrap()));
        let records = std::iter::once(Record::Round(Box::new(round.clone()))).chain(truths);
        records.for_each(|record| tape.record(round.at, &record).unwrap());
    }
    fs::write(path, tape.finish().unwrap()).unwrap();
}

/// A tape in a folder of its own.
fn tape(played: &[Played]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("night.mcap");
    write_tape(&path, played, &[]);
    (folder, path)
}

fn score(files: &[&Path], more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fairdeal")).arg("score").args(files).args(more).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A fault no audit will flag, in a round where nothing is wrong.
fn phantom(number: u32) -> Played {
    let check = checks::find("paid_a_push").unwrap();
    let labels = spoiled(check).labels;
    Played { labels, ..clean(check) }.numbered(number)
}

#[test]
fn a_tape_whose_faults_are_all_found_scores_full() {
    let (_folder, path) = tape(&shift());
    let output = score(&[&path], &["--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let line = json(&output);
    let counts = ["rounds", "faults", "found", "flags", "false_flags", "doubts", "rounds_exact"];
    assert_eq!(counts.map(|field| line[field].as_u64().unwrap()), [10, 5, 5, 5, 0, 0, 10], "{line}");
    assert_eq!((&line["recall"], &line["false_per_10k_rounds"]), (&Value::from(1.0), &Value::from(0.0)));
    assert_eq!(line["missed"], Value::Array(vec![]));
    assert_eq!(line["tape"], path.display().to_string());
    assert_eq!(
        line["by_check"]["paid_a_push"],
        serde_json::json!(
            {"injected": 1, "found": 1, "doubted": 0, "missed": 0, "false": 0}
        )
    );
    let told = text(&score(&[&path], &[]).stdout);
    assert!(told.contains("found 5 of 5 faults: 100.00 % (56.55 to 100.00 % with 95 % certainty)"), "{told}");
    assert!(told.contains("0 false flags in 10 rounds: fewer than 3000 per 10,000 with 95 % certainty"), "{told}");
}

#[test]
fn what_is_missed_and_what_is_made_up_is_named() {
    let mut played = shift();
    played[9].labels.clear();
    played.push(phantom(11));
    let (_folder, path) = tape(&played);
    let line = json(&score(&[&path], &["--json"]));
    assert_eq!((&line["faults"], &line["found"], &line["false_flags"]), (&5.into(), &4.into(), &1.into()), "{line}");
    let missed = &line["missed"][0];
    assert_eq!(
        ["table", "fault", "check"].map(|field| missed[field].as_str().unwrap()),
        ["BJ-04", "paid_a_push", "paid_a_push"]
    );
    assert_eq!((&missed["shoe"], &missed["round"]), (&11.into(), &1.into()));
    assert_eq!(line["falsely_flagged"][0]["shoe"], 10);
    let told = text(&score(&[&path], &[]).stdout);
    assert!(told.contains("BJ-04 shoe 11 round 1  paid_a_push  paid_a_push <on purpose>"), "{told}");
    assert!(told.contains("BJ-04.10.1.paid_a_push"), "{told}");
    assert!(told.contains("4 checks found all there was to find: 4 faults"), "{told}");
}

#[test]
fn tapes_add_up_and_recall_can_be_asked_for() {
    let (_folder, good) = tape(&shift());
    let (_other_folder, bad) = tape(&[phantom(1)]);
    let both = score(&[&good, &bad], &["--fail-below", "0.9"]);
    assert_eq!(both.status.code(), Some(1));
    assert!(text(&both.stdout).contains("found 5 of 6 faults: 83.33 %"), "{}", text(&both.stdout));
    assert_eq!(score(&[&good, &bad], &["--fail-below", "0.8"]).status.code(), Some(0));
    assert_eq!(text(&score(&[&good, &bad], &["--json"]).stdout).lines().count(), 2);
    let (_third_folder, spotless) = tape(&[clean(checks::find("paid_a_push").unwrap()).numbered(1)]);
    let nothing = score(&[&spotless], &["--fail-below", "0.5"]);
    assert_eq!(nothing.status.code(), Some(2), "no faults are no proof");
}

#[test]
fn a_tape_without_truth_cannot_be_scored() {
    let output = score(&[Path::new("fixtures/evening/evening.mcap")], &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("evening.mcap: the tape has no truth channel to score against"));
}

#[test]
fn a_label_that_makes_no_sense_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.mcap");
    let played = shift();
    let label = serde_json::Map::from_iter([("what".to_owned(), Value::from("fault"))]);
    write_tape(&path, &played, &[(played[0].round.at, Record::Truth(label))]);
    let output = score(&[&path], &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("odd.mcap: a label in the chunk at byte "), "{}", text(&output.stderr));
}

#[test]
fn the_page_shows_the_round_and_the_picture_nearest_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let (path, page) = (folder.path().join("night.mcap"), folder.path().join("score.html"));
    let played = [phantom(1)];
    let at = played[0].round.at;
    let shot = |seconds: i64, data: &str| {
        let at = at.shifted(seconds * 1_000_000).unwrap();
        let picture = Picture { at, format: PictureFormat::Jpeg, data: data.into() };
        (at, Record::Picture { camera: "over".parse().unwrap(), picture })
    };
    write_tape(&path, &played, &[shot(-9, "long before"), shot(0, "at that moment"), shot(30, "long after")]);
    let output = score(&[&path], &["--html", page.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let page = fs::read_to_string(page).unwrap();
    let picture = data_encoding::BASE64.encode(b"at that moment");
    assert_eq!(page.matches("data:image/jpeg;base64,").count(), 1);
    assert!(page.contains(&format!("data:image/jpeg;base64,{picture}")));
    assert!(page.contains("paid_a_push &lt;on purpose&gt;") && !page.contains("<on purpose>"));
    assert!(page.contains("round BJ-04 1 1 ") && page.contains("push 3"), "the round in notation");
    assert!(!page.contains("<script"));
}

#[test]
fn a_page_of_a_tape_without_cameras_says_so() {
    let (folder, path) = tape(&[phantom(1)]);
    let page = folder.path().join("score.html");
    score(&[&path], &["--html", page.to_str().unwrap()]);
    assert!(fs::read_to_string(page).unwrap().contains("no picture: no camera recorded the moment"));
}

/// The score of an audit that keeps to itself what one of its checks finds.
fn without(check: Option<&str>) -> Score {
    let (law, mut session, mut ledger) = (law(), Session::default(), Ledger::default());
    for Played { round, labels } in shift() {
        let (mut flags, _) = session.audit(&law, &round);
        flags.retain(|flag| Some(flag.check.as_str()) != check);
        ledger.audited(&round, flags);
        labels.into_iter().for_each(|label| ledger.truth(Truth::Fault(label)));
    }
    ledger.score()
}

#[test]
fn dropping_any_one_check_makes_the_score_fall() {
    assert_eq!((without(None).found, without(None).faults), (5, 5));
    for check in FAULTS {
        let score = without(Some(check));
        assert_eq!((score.found, score.missed.len()), (4, 1), "{check}");
        assert_eq!(score.missed[0].label.check.as_deref(), Some(check));
    }
}
