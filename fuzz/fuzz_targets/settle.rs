//! Any line gets one answer, which is one line of JSON: either what every wager comes to, or why nothing can be said.
//! The same line gets the same answer again.
#![no_main]

use auditor::rulebook::books;
use auditor::settle::Docket;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|line: &[u8]| {
    let docket = Docket::new(books::all().unwrap());
    let answer = docket.answer(1, line);
    assert_eq!(answer, docket.answer(1, line));
    let text = serde_json::to_string(&answer).unwrap();
    assert!(!text.contains('\n'));
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert!(answer.get("id").is_some());
    assert!(answer.get("total").is_some() != answer.get("error").is_some());
});
