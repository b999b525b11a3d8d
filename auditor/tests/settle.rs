//! Cases with what they should come to: the engine settles each as its fixture says, and cites the clauses it turns on.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop where it stands")]

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use auditor::rulebook::books;
use auditor::settle::Docket;
use proptest::prelude::*;
use serde_json::Value;

fn fixtures() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/settle");
    let mut files: Vec<_> = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Every case of the fixtures with the file and line it stands on.
fn cases() -> &'static [(String, Value)] {
    static CASES: LazyLock<Vec<(String, Value)>> = LazyLock::new(read_cases);
    &CASES
}

fn read_cases() -> Vec<(String, Value)> {
    let mut cases = Vec::new();
    for file in fixtures() {
        let text = std::fs::read_to_string(&file).unwrap();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        for (index, line) in text.lines().enumerate() {
            let case = serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}:{}: {error}", index + 1));
            cases.push((format!("{name}:{}", index + 1), case));
        }
    }
    cases
}

fn answer(case: &Value) -> Value {
    let books = books::all().unwrap();
    serde_json::to_value(Docket::new(books).answer_json(case)).unwrap()
}

/// What a fixture expects of one field; a field it does not name comes to nothing.
fn expected<'c>(case: &'c Value, field: &str) -> &'c Value {
    const NOTHING: &Value = &Value::Null;
    case["expected"].get(field).unwrap_or(NOTHING)
}

fn same(found: &Value, wanted: &Value) -> bool {
    match (found, wanted) {
        (Value::Array(found), Value::Array(wanted)) => {
            found.len() == wanted.len() && found.iter().zip(wanted).all(|(found, wanted)| same(found, wanted))
        }
        (Value::Array(found), Value::Null) => found.is_empty(),
        (found, Value::Null) => found.as_f64() == Some(0.0),
        _ => found.as_f64() == wanted.as_f64(),
    }
}

fn is_refused(case: &Value) -> bool {
    case["expected"].get("error").is_some()
}

#[test]
fn every_case_comes_to_what_its_fixture_says() {
    let mut wrong = Vec::new();
    let settled: Vec<_> = cases().iter().filter(|(_, case)| !is_refused(case)).collect();
    assert!(settled.len() > 450, "{} cases", settled.len());
    for (at, case) in settled {
        let found = answer(case);
        let fields = ["hands", "side_bets", "insurance", "ante", "total"];
        let differs = fields.iter().find(|field| !same(&found[**field], expected(case, field)));
        if found.get("error").is_some() || differs.is_some() {
            wrong.push(format!("{at} {}: expected {}, found {found}", case["id"], case["expected"]));
        }
    }
    assert!(wrong.is_empty(), "{} cases differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_case_that_breaks_the_rules_is_told_how_and_by_which_clause() {
    let mut wrong = Vec::new();
    let refused: Vec<_> = cases().iter().filter(|(_, case)| is_refused(case)).collect();
    assert!(refused.len() > 100, "{} cases", refused.len());
    for (at, case) in refused {
        let found = answer(case);
        let says = found["error"].as_str().zip(case["expected"]["error"].as_str());
        let right = says.is_some_and(|(found, wanted)| found.contains(wanted));
        if !right || found["clause"] != case["expected"]["clause"] || found["id"] != case["id"] {
            wrong.push(format!("{at} {}: expected {}, found {found}", case["id"], case["expected"]));
        }
    }
    assert!(wrong.is_empty(), "{} cases differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_settlement_cites_the_clauses_it_turns_on() {
    let (mut named, mut cited) = (0, 0);
    for (at, case) in cases() {
        let Some(wanted) = case["clauses"].as_array() else { continue };
        let found = answer(case);
        let found = found["clauses"].as_array().unwrap_or_else(|| panic!("{at}: {found}"));
        named += wanted.len();
        cited += wanted.iter().filter(|clause| found.contains(clause)).count();
    }
    assert!(named > 250 && cited * 100 >= named * 95, "{cited} of {named} clauses are cited");
}

#[test]
fn a_line_that_is_not_json_is_told_by_its_number() {
    let docket = Docket::new(books::all().unwrap());
    let told = |line: &[u8]| serde_json::to_string(&docket.answer(7, line)).unwrap();
    assert_eq!(
        told(b"{\"id\":\"x\","),
        r#"{"id":null,"error":"line 7: not JSON at column 10: EOF while parsing a value","clause":null}"#
    );
    assert!(told(b"{\"id\":\"\xff\"}").contains("line 7: not JSON at column"));
    assert!(told(b"[]").contains("a case is a JSON object"));
}

/// A word that may stand where a case has another: of the same kind or of none.
fn word() -> impl Strategy<Value = Value> {
    const WORDS: &[&str] =
        &["TD", "AS", "7H", "XX", "hit", "stand", "split", "double", "free_double", "surrender", "zap", "void"];
    prop_oneof![
        proptest::sample::select(WORDS).prop_map(Value::from),
        (0u64..200).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
    ]
}

/// Puts `word` at the `place`-th leaf of a value, counted round.
fn put(value: &mut Value, place: &mut usize, word: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter_mut().any(|item| put(item, place, word)),
        Value::Object(fields) => {
            fields.iter_mut().filter(|(key, _)| *key != "expected").any(|(_, item)| put(item, place, word))
        }
        leaf if *place == 0 => {
            *leaf = word.clone();
            true
        }
        _ => {
            *place -= 1;
            false
        }
    }
}

proptest! {
    #[test]
    fn whatever_a_case_says_it_is_answered_and_the_answer_adds_up(
        which in any::<proptest::sample::Index>(),
        changes in proptest::collection::vec((0usize..30, word()), 1..4),
    ) {
        let mut case = which.get(cases()).1.clone();
        for (mut place, word) in changes {
            put(&mut case, &mut place, &word);
        }
        let found = answer(&case);
        if found.get("error").is_none() {
            let sum = |field: &str| found[field].as_array().unwrap().iter().filter_map(Value::as_f64).sum::<f64>();
            let parts = sum("hands") + sum("side_bets") + found["insurance"].as_f64().unwrap() + found["ante"].as_f64().unwrap();
            let total = found["total"].as_f64().unwrap();
            prop_assert!((parts - total).abs() <= 1e-9 * total.abs().max(1.0), "{found}");
        } else {
            prop_assert!(!found["error"].as_str().unwrap().is_empty());
        }
    }
}
