//! Cases with what they should come to: the engine settles each as its fixture says, and cites the clauses it turns on.

use std::path::{Path, PathBuf};

use auditor::rulebook::books;
use auditor::settle::Docket;
use serde_json::Value;

fn fixtures() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/settle");
    let mut files: Vec<_> = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Every case of the fixtures with the file and line it stands on.
fn cases() -> Vec<(String, Value)> {
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
        (found, Value::Null) => found.as_f64() == Some(0.0),
        _ => found.as_f64() == wanted.as_f64(),
    }
}

#[test]
fn every_case_comes_to_what_its_fixture_says() {
    let mut wrong = Vec::new();
    let settled = cases().into_iter().filter(|(_, case)| case["expected"].get("error").is_none());
    for (at, case) in settled {
        let found = answer(&case);
        let fields = ["hands", "side_bets", "insurance", "ante", "total"];
        let differs = fields.iter().find(|field| {
            let wanted = expected(&case, field);
            let none = **field == "side_bets" && wanted.is_null();
            !(none && found[**field].as_array().is_some_and(Vec::is_empty)) && !same(&found[**field], wanted)
        });
        if found.get("error").is_some() || differs.is_some() {
            wrong.push(format!("{at} {}: expected {}, found {found}", case["id"], case["expected"]));
        }
    }
    assert!(wrong.is_empty(), "{} cases differ:\n{}", wrong.len(), wrong.join("\n"));
}
