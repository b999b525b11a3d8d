//! How a case came to be what it is, a line for each thing done to it.

use serde_json::Value;

use super::super::Frame;
use crate::log::Entry;
use crate::store::cases::reach::of_tables;

/// One entry of the log about a case, in words.
pub(crate) fn told(frame: &Frame, entry: &Entry) -> String {
    let when = frame.when(crate::store::utc(entry.at));
    let detail: Value = serde_json::from_str(&entry.detail).unwrap_or_default();
    let text = |key: &str| detail.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    // A table this officer may not see stays closed, also in what was done with it.
    let subject = |kind: &str| match text("subject") {
        subject if kind == "evidence" || of_tables(&frame.officer, &subject) => {
            format!("{kind} {subject}")
        }
        _ => format!("a {kind} of a table your account does not include"),
    };
    let what = match &*entry.action {
        "open-case" => "opened it".to_owned(),
        "edit-case" => "edited the report".to_owned(),
        "add-to-case" => format!("added {}", subject(&text("added"))),
        "take-from-case" => format!("took out {}", subject(&text("taken"))),
        "lock-case" => "sealed it".to_owned(),
        "close-case" => format!("made it {}", text("state")),
        "assign-case" => match &*text("assignee") {
            "" => "gave it to nobody".to_owned(),
            to => format!("gave it to {to}"),
        },
        "export" => format!("exported it, SHA-256 {}", text("exported")),
        _ => "changed it".to_owned(),
    };
    format!("{} {} {} {what}", when.day, when.clock, entry.actor)
}
