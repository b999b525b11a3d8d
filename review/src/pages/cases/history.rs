//! How a case came to be what it is, a line for each thing done to it.

use serde_json::Value;

use super::super::{Frame, words};
use crate::log::Entry;
use crate::store::cases::reach::of_tables;

/// One thing done to a case.
pub(crate) struct Told {
    /// When, who and what, in words.
    pub(crate) said: String,
    /// The name of what was put in or taken out, for who has to copy it.
    pub(crate) name: Option<String>,
}

/// One entry of the log about a case, in words.
pub(crate) fn told(frame: &Frame, entry: &Entry) -> Told {
    let when = frame.when(crate::store::utc(entry.at));
    let detail: Value = serde_json::from_str(&entry.detail).unwrap_or_default();
    let text = |key: &str| detail.get(key).and_then(Value::as_str).unwrap_or_default();
    let kind = [text("added"), text("taken")].concat();
    // A table this officer may not see stays closed, also in what was done with it.
    let open = kind == "evidence" || of_tables(&frame.officer, text("subject"));
    let name = Some(text("subject").to_owned()).filter(|name| open && !name.is_empty());
    let subject = match (&*kind, &name) {
        (_, None) => format!("a {kind} of a table your account does not include"),
        ("flag", Some(name)) => format!("“{}”", words::called(name)),
        ("round", Some(name)) => words::called(name),
        (_, Some(name)) => format!("the file {name}"),
    };
    let what = match &*entry.action {
        "open-case" => "opened it".to_owned(),
        "edit-case" => "edited the report".to_owned(),
        "add-to-case" => format!("added {subject}"),
        "take-from-case" => format!("took out {subject}"),
        "lock-case" => "sealed it".to_owned(),
        "close-case" => format!("made it {}", text("state")),
        "assign-case" => match text("assignee") {
            "" => "gave it to nobody".to_owned(),
            to => format!("gave it to {to}"),
        },
        "export" => format!("exported it, SHA-256 {}", text("exported")),
        _ => "changed it".to_owned(),
    };
    Told { said: format!("{} {} {} {what}", when.day, when.clock, entry.actor), name }
}
