//! Reading TOML with the place of every key and value at hand, so that a fault can be told where it stands.

use std::borrow::Cow;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::diagnostic::Faults;

/// The document, or its syntax errors noted.
pub(super) fn document<'t>(text: &'t str, faults: &mut Faults<'t>) -> Option<DeTable<'t>> {
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        faults.add(error.span().map_or(0, |span| span.start), error.message());
    }
    errors.is_empty().then(|| table.into_inner())
}

/// One key with its value and where both stand.
#[derive(Clone, Copy)]
pub(super) struct Item<'a> {
    pub(super) key: &'a str,
    pub(super) at: usize,
    value: &'a DeValue<'a>,
    pub(super) value_at: usize,
}

/// The items of a table in the order of the text, which for a pay scale is best tier first.
pub(super) fn items<'a>(table: &'a DeTable<'a>) -> Vec<Item<'a>> {
    let mut items: Vec<_> = table
        .iter()
        .map(|(key, value)| Item {
            key: key.get_ref(),
            at: key.span().start,
            value: value.get_ref(),
            value_at: value.span().start,
        })
        .collect();
    items.sort_by_key(|item| item.at);
    items
}

impl<'a> Item<'a> {
    fn wrong<T>(&self, faults: &mut Faults<'_>, expected: &str) -> Option<T> {
        faults.add(self.value_at, format!("{}: expected {expected}, found {}", self.key, told(self.value)));
        None
    }

    pub(super) fn table(&self, faults: &mut Faults<'_>) -> Option<&'a DeTable<'a>> {
        match self.value {
            DeValue::Table(table) => Some(table),
            _ => self.wrong(faults, "a table"),
        }
    }

    pub(super) fn text(&self, faults: &mut Faults<'_>) -> Option<&'a str> {
        match self.value {
            DeValue::String(text) if !text.trim().is_empty() => Some(text),
            _ => self.wrong(faults, "a text"),
        }
    }

    pub(super) fn flag(&self, faults: &mut Faults<'_>) -> Option<bool> {
        match self.value {
            DeValue::Boolean(flag) => Some(*flag),
            _ => self.wrong(faults, "true or false"),
        }
    }

    /// A value that has a text form, read from that form.
    pub(super) fn parsed<T: std::str::FromStr>(&self, faults: &mut Faults<'_>, expected: &str) -> Option<T> {
        match self.word().and_then(|word| word.parse().ok()) {
            Some(value) => Some(value),
            None => self.wrong(faults, expected),
        }
    }

    /// A truth value, a whole number or a string, as the text parameters are read from.
    pub(super) fn word(&self) -> Option<Cow<'a, str>> {
        match self.value {
            DeValue::String(text) => Some(Cow::Borrowed(text)),
            DeValue::Boolean(flag) => Some(Cow::Borrowed(if *flag { "true" } else { "false" })),
            DeValue::Integer(number) => {
                i64::from_str_radix(number.as_str(), number.radix()).ok().map(|number| Cow::Owned(number.to_string()))
            }
            _ => None,
        }
    }

    /// The value as people would quote it.
    pub(super) fn told(&self) -> String {
        told(self.value)
    }

    /// A list of strings, each with its place.
    pub(super) fn words(&self, faults: &mut Faults<'_>) -> Option<Vec<(usize, &'a str)>> {
        let list = self.list(faults)?;
        let mut words = Vec::with_capacity(list.len());
        for value in list {
            match value.get_ref() {
                DeValue::String(text) => words.push((value.span().start, &**text)),
                other => {
                    let message = format!("{}: expected a text, found {}", self.key, told(other));
                    faults.add(value.span().start, message);
                }
            }
        }
        Some(words)
    }

    /// A list of tables, each with its place.
    pub(super) fn tables(&self, faults: &mut Faults<'_>) -> Option<Vec<(usize, &'a DeTable<'a>)>> {
        let list = self.list(faults)?;
        let mut tables = Vec::with_capacity(list.len());
        for value in list {
            match value.get_ref() {
                DeValue::Table(table) => tables.push((value.span().start, table)),
                other => {
                    let message = format!("{}: expected a table, found {}", self.key, told(other));
                    faults.add(value.span().start, message);
                }
            }
        }
        Some(tables)
    }

    fn list(&self, faults: &mut Faults<'_>) -> Option<&'a [Spanned<DeValue<'a>>]> {
        match self.value {
            DeValue::Array(list) => Some(list),
            _ => self.wrong(faults, "a list"),
        }
    }
}

fn told(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("{text:?}"),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Datetime(date) => date.to_string(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
