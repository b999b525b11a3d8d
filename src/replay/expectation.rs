//! What a fixture expects of a flag, and how what was found differs from it.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use table::{AtStake, BoxNo, Flag, FlagKind, Hand, Severity};

/// A flag without what may change from one recording to the next: no times, no evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Expectation {
    pub(super) id: String,
    check: String,
    clause: String,
    severity: Severity,
    kind: FlagKind,
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    box_no: Option<BoxNo>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hand: Option<Hand>,
    money: AtStake,
    expected: String,
    observed: String,
}

impl From<&Flag> for Expectation {
    fn from(flag: &Flag) -> Self {
        Self {
            id: flag.id(),
            check: flag.check.clone(),
            clause: flag.clause.clone(),
            severity: flag.severity,
            kind: flag.kind,
            box_no: flag.box_no,
            hand: flag.hand,
            money: flag.money,
            expected: flag.expected.clone(),
            observed: flag.observed.clone(),
        }
    }
}

/// One thing that is not as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Difference {
    Missing(Expectation),
    Unexpected(Expectation),
    Changed { id: String, field: String, from: String, to: String },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, flag) = match self {
            Self::Changed { id, field, from, to } => return write!(f, "changed     {id}  {field}: {from} → {to}"),
            Self::Missing(flag) => ("missing   ", flag),
            Self::Unexpected(flag) => ("unexpected", flag),
        };
        write!(f, "{what}  {}  {}, {}: {}", flag.id, flag.severity, flag.clause, flag.observed)
    }
}

/// What is expected and not found, found and not expected, and found with another text or sum. The order of flags does
/// not matter: it says nothing of the round.
pub(super) fn differences(expected: &[Expectation], found: &[Expectation]) -> Vec<Difference> {
    let mut left: Vec<_> = found.iter().collect();
    // Flags that are the same are paired first, so that of two with one id only the changed one is told.
    let unmet: Vec<_> = expected.iter().filter(|flag| take(&mut left, |other| other == *flag).is_none()).collect();
    let mut differences = Vec::new();
    for flag in unmet {
        match take(&mut left, |other| other.id == flag.id) {
            Some(other) => differences.extend(changes(flag, other)),
            None => differences.push(Difference::Missing(flag.clone())),
        }
    }
    differences.extend(left.into_iter().cloned().map(Difference::Unexpected));
    differences
}

/// Takes the first flag out of those left that is wanted.
fn take<'f>(left: &mut Vec<&'f Expectation>, wanted: impl Fn(&Expectation) -> bool) -> Option<&'f Expectation> {
    let place = left.iter().position(|flag| wanted(flag))?;
    Some(left.remove(place))
}

/// Every field in which two flags with the same id differ.
fn changes(expected: &Expectation, found: &Expectation) -> Vec<Difference> {
    let (expected, found) = (fields(expected), fields(found));
    let names = expected.keys().chain(found.keys().filter(|name| !expected.contains_key(*name)));
    let changed = names.filter(|name| expected.get(*name) != found.get(*name));
    let id = text(found.get("id"));
    changed
        .map(|name| Difference::Changed {
            id: id.clone(),
            field: name.clone(),
            from: text(expected.get(name)),
            to: text(found.get(name)),
        })
        .collect()
}

/// The fields by name, those of an object within as `money.amount`.
fn fields(flag: &Expectation) -> Map<String, Value> {
    let mut fields = Map::new();
    // A flag is plain text and numbers, which is an object in JSON whatever they are.
    if let Ok(Value::Object(flag)) = serde_json::to_value(flag) {
        for (name, value) in flag {
            match value {
                Value::Object(inner) => {
                    fields.extend(inner.into_iter().map(|(part, value)| (format!("{name}.{part}"), value)));
                }
                plain => drop(fields.insert(name, plain)),
            }
        }
    }
    fields
}

fn text(value: Option<&Value>) -> String {
    match value {
        None => "nothing".into(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flag(id: &str, clause: &str) -> Expectation {
        serde_json::from_value(serde_json::json!({
            "id": id, "check": "paid_a_push", "clause": clause, "severity": "critical", "kind": "wrong-payout",
            "money": {"amount": 2500, "favours": "player"},
            "expected": "the wager stands off", "observed": "the wager was paid 25.00",
        }))
        .unwrap()
    }

    fn told(expected: &[Expectation], found: &[Expectation]) -> Vec<String> {
        differences(expected, found).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_same_flags_in_another_order_are_no_difference() {
        let (a, b) = (flag("a", "nz-1"), flag("b", "nz-2"));
        assert!(told(&[a.clone(), b.clone()], &[b, a]).is_empty());
    }

    #[test]
    fn a_flag_missing_one_too_many_and_one_changed_are_told_apart() {
        let expected = [flag("a", "nz-1"), flag("b", "nz-2")];
        let found = [flag("b", "nz-3"), flag("c", "nz-1")];
        assert_eq!(
            told(&expected, &found),
            [
                "missing     a  critical, nz-1: the wager was paid 25.00",
                "changed     b  clause: nz-2 → nz-3",
                "unexpected  c  critical, nz-1: the wager was paid 25.00",
            ]
        );
    }

    #[test]
    fn of_two_flags_with_one_id_only_the_changed_one_is_told() {
        let expected = [flag("a", "nz-1"), flag("a", "nz-2")];
        assert_eq!(told(&expected, &[flag("a", "nz-2"), flag("a", "nz-3")]), ["changed     a  clause: nz-1 → nz-3"]);
    }

    #[test]
    fn a_field_that_came_or_went_is_told() {
        let boxed = Expectation { box_no: BoxNo::new(3), ..flag("a", "nz-1") };
        assert_eq!(told(&[flag("a", "nz-1")], &[boxed]), ["changed     a  box: nothing → 3"]);
    }
}
