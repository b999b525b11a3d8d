//! Settlement from the command line: cases in by file or pipe, an answer to every line.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const WIN: &str = r#"{"id":"a","game":"nz-base","dealer_cards":["TD","7S"],"initial_cards":["TH","9C"],"hands":[{"cards":["TH","9C"],"wager":12.5,"actions":["stand"]}]}"#;

fn settle(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.arg("settle").args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn piped(args: &[&str], cases: &str) -> Output {
    let mut child = settle(args).spawn().unwrap();
    child.stdin.take().unwrap().write_all(cases.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn lines(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_line_is_answered_whatever_the_others_say() {
    let cases = format!("{WIN}\n\nnot json\n{}\n", WIN.replace("nz-base", "nz-bass"));
    for args in [&[][..], &["-"]] {
        let output = piped(args, &cases);
        assert_eq!(output.status.code(), Some(0));
        let answers = lines(&output);
        assert_eq!(answers.len(), 3);
        assert_eq!(answers[0]["hands"], serde_json::json!([12.5]));
        assert_eq!(answers[1]["id"], Value::Null);
        assert!(answers[1]["error"].as_str().unwrap().starts_with("line 3: "));
        assert_eq!(answers[2]["id"], "a");
        assert!(answers[2]["error"].as_str().unwrap().contains("did you mean nz-base?"));
    }
}

#[test]
fn an_answer_comes_before_the_next_case_is_asked() {
    let mut child = settle(&[]).spawn().unwrap();
    let mut asks = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..2 {
        writeln!(asks, "{WIN}").unwrap();
        asks.flush().unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert!(answer.contains("\"total\":12.5"), "{answer}");
    }
    drop(asks);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let output = piped(&["nowhere.jsonl"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot read nowhere.jsonl"));
}
