//! Walking a parsed site file: sections, the values under their keys, and what is wrong with them.
//!
//! A reader asks for a value and gets `None` if it is missing or wrong; the fault is in the report by then. So it
//! reads on with whatever it likes, and the whole file is judged at the end.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::report::Report;
use super::schema::Keys;
use crate::money::{Money, NotMoney};
use crate::text::nearest;

/// A section whose keys have been looked at.
pub(super) struct Section<'a> {
    report: &'a Report<'a>,
    keys: &'static Keys,
    at: usize,
    table: &'a DeTable<'a>,
    /// Keys that somebody meant and misspelt: one slip is one fault, so they are not reported missing as well.
    meant: Vec<&'static str>,
}

impl<'a> Section<'a> {
    /// The top of a file; faults every key that has no business there.
    pub(super) fn top(report: &'a Report<'a>, keys: &'static Keys, table: &'a DeTable<'a>) -> Self {
        Self::open(report, keys, 0, table)
    }

    fn open(report: &'a Report<'a>, keys: &'static Keys, at: usize, table: &'a DeTable<'a>) -> Self {
        let mut meant = Vec::new();
        for key in table.keys().filter(|key| !keys.names.contains(&key.get_ref().as_ref())) {
            report.fault(key.span().start, unknown("key", key.get_ref(), keys.names));
            meant.extend(nearest(key.get_ref(), keys.names.iter().copied()));
        }
        Self { report, keys, at, table, meant }
    }

    /// The value under a key that may be left out.
    pub(super) fn optional(&self, key: &'static str) -> Option<Value<'a>> {
        let value = self.table.get(key)?;
        Some(Value { report: self.report, key, value })
    }

    /// The value under a key that may not.
    pub(super) fn required(&self, key: &'static str) -> Option<Value<'a>> {
        let value = self.optional(key);
        if value.is_none() && !self.meant.contains(&key) {
            let place = match self.keys.header {
                "" => "at the top of the file".to_owned(),
                header => format!("in {header}"),
            };
            self.fault(format!("missing key `{key}` {place}"));
        }
        value
    }

    /// Every section under a key, none if the key is left out.
    pub(super) fn sections(&self, key: &'static str, keys: &'static Keys) -> Vec<Section<'a>> {
        let what = format!("sections headed {}", keys.header);
        let list = self.optional(key).and_then(|value| value.list(&what));
        list.unwrap_or_default().into_iter().filter_map(|value| value.section(keys)).collect()
    }

    /// Notes a fault of the section as a whole, at its header.
    fn fault(&self, message: String) {
        self.report.fault(self.at, message);
    }
}

/// One value and the key it stands under.
#[derive(Clone, Copy)]
pub(super) struct Value<'a> {
    report: &'a Report<'a>,
    key: &'a str,
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Value<'a> {
    /// Notes a fault of this value.
    pub(super) fn fault(self, message: impl Display) {
        self.report.fault(self.value.span().start, message.to_string());
    }

    /// Notes that this value is not what its key takes.
    fn takes(self, what: impl Display) {
        self.fault(format!("`{}` takes {what}, found {}", self.key, found(self.value.get_ref())));
    }

    /// Notes that a string says nothing that its key takes.
    fn takes_not(self, what: impl Display, text: &str) {
        self.fault(format!("`{}` takes {what}, found {}", self.key, quoted(text, '"')));
    }

    /// A string.
    pub(super) fn text(self, what: &str) -> Option<&'a str> {
        let text = self.value.get_ref().as_str();
        if text.is_none() {
            self.takes(what);
        }
        text
    }

    /// A string that is one of our types. `what` is what such a string says.
    pub(super) fn parse<T: FromStr>(self, what: &str) -> Option<T> {
        let text = self.text(what)?;
        let value = text.parse().ok();
        if value.is_none() {
            self.takes_not(what, text);
        }
        value
    }

    /// A string that is read by its own rules, and whose faults must not quote it.
    pub(super) fn address<T, E: Display>(self, read: impl FnOnce(&str) -> Result<T, E>) -> Option<T> {
        let text = self.text("an address in quotes")?;
        read(text).map_err(|wrong| self.fault(format!("`{}`: {wrong}", self.key))).ok()
    }

    /// A string that is one of a few names.
    pub(super) fn name<T: FromStr>(self, kind: &str, names: &[&str]) -> Option<T> {
        let text = self.text(&format!("the name of a {kind}"))?;
        let value = if names.contains(&text) { text.parse().ok() } else { None };
        if value.is_none() {
            self.fault(unknown(kind, text, names));
        }
        value
    }

    /// A whole number within bounds.
    pub(super) fn number<T>(self, bounds: RangeInclusive<i64>) -> Option<T>
    where
        T: TryFrom<i64>,
    {
        let number = whole(self.value.get_ref()).filter(|number| bounds.contains(number));
        if number.is_none() {
            self.takes(format_args!("a whole number from {} to {}", bounds.start(), bounds.end()));
        }
        number.and_then(|number| T::try_from(number).ok())
    }

    /// A number within bounds, as millionths.
    pub(super) fn millionths(self, bounds: RangeInclusive<i64>) -> Option<i32> {
        let number = match self.value.get_ref() {
            DeValue::Float(number) => number.as_str().parse::<f64>().ok(),
            value => whole(value).map(|number| number as f64),
        };
        let number = number.map(|number| (number * 1e6).round()).filter(|millionths| {
            // What is not a number is in no bounds.
            (*bounds.start() as f64..=*bounds.end() as f64).contains(millionths)
        });
        if number.is_none() {
            let bound = |millionths: &i64| *millionths as f64 / 1e6;
            self.takes(format_args!("a number from {} to {}", bound(bounds.start()), bound(bounds.end())));
        }
        number.map(|number| number as i32)
    }

    /// True or false.
    pub(super) fn yes_or_no(self) -> Option<bool> {
        let value = self.value.get_ref().as_bool();
        if value.is_none() {
            self.takes("true or false");
        }
        value
    }

    /// An amount of money, not negative. Written in quotes: a TOML number with decimals is binary and rounds.
    pub(super) fn money(self) -> Option<Money> {
        let text = match self.value.get_ref() {
            DeValue::String(text) => text.as_ref(),
            DeValue::Integer(_) | DeValue::Float(_) => {
                let number = found(self.value.get_ref());
                let amount = if number.parse::<Money>().is_ok() { number } else { "12.50".into() };
                self.fault(format!("`{}` takes an amount in quotes, such as \"{amount}\"", self.key));
                return None;
            }
            _ => {
                self.takes("an amount in quotes such as \"12.50\"");
                return None;
            }
        };
        match text.parse::<Money>() {
            Ok(amount) if amount.is_negative() => self.fault(format!("`{}` cannot be negative", self.key)),
            Ok(amount) => return Some(amount),
            Err(NotMoney::TooLarge) => self.fault(format!("`{}` is too large an amount", self.key)),
            Err(NotMoney::Malformed) => self.takes_not("an amount such as \"25\" or \"12.50\"", text),
        }
        None
    }

    /// What a list holds.
    pub(super) fn list(self, what: &str) -> Option<Vec<Value<'a>>> {
        let list = self.value.get_ref().as_array();
        if list.is_none() {
            self.takes(what);
        }
        Some(list?.iter().map(|value| Self { value, ..self }).collect())
    }

    /// Whether this is a list with nothing in it.
    pub(super) fn is_empty_list(self) -> bool {
        self.value.get_ref().as_array().is_some_and(|list| list.is_empty())
    }

    /// A section under this key.
    pub(super) fn section(self, keys: &'static Keys) -> Option<Section<'a>> {
        let table = self.table(keys.header)?;
        Some(Section::open(self.report, keys, self.value.span().start, table))
    }

    /// A section with keys of its own choosing, each with its value.
    pub(super) fn entries(self, header: &str) -> Vec<(Key<'a>, Value<'a>)> {
        let entries = self.table(header).into_iter().flatten();
        entries
            .map(|(key, value)| {
                let key = Key { report: self.report, key };
                (key, Self { report: self.report, key: key.key.get_ref(), value })
            })
            .collect()
    }

    fn table(self, header: &str) -> Option<&'a DeTable<'a>> {
        let table = self.value.get_ref().as_table();
        if table.is_none() {
            self.takes(format_args!("a section {header}"));
        }
        table
    }

    /// A string, number, true or false, as the word it is written by.
    pub(super) fn word<T: FromStr>(self, what: &str) -> Option<T> {
        let text = match self.value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(_) | DeValue::Float(_) | DeValue::Boolean(_) => found(self.value.get_ref()),
            _ => {
                self.takes(what);
                return None;
            }
        };
        let word = text.parse().ok();
        if word.is_none() {
            self.takes_not(what, &text);
        }
        word
    }
}

/// A key that the writer of the file chose.
#[derive(Clone, Copy)]
pub(super) struct Key<'a> {
    report: &'a Report<'a>,
    key: &'a Spanned<toml::de::DeString<'a>>,
}

impl Key<'_> {
    /// The key as one of our types.
    pub(super) fn parse<T: FromStr>(self, what: &str) -> Option<T> {
        let key = self.key.get_ref();
        let name = key.parse().ok();
        if name.is_none() {
            self.report.fault(self.key.span().start, format!("key {} is not {what}", quoted(key, '`')));
        }
        name
    }
}

/// A TOML integer, however written, if it fits.
fn whole(value: &DeValue<'_>) -> Option<i64> {
    let number = value.as_integer()?;
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

/// What stood there, in words; strings are not repeated here, as they may be secret.
fn found(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(_) => "a string".into(),
        DeValue::Integer(number) => whole(value).map_or_else(|| number.to_string(), |number| number.to_string()),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(value) => value.to_string(),
        DeValue::Datetime(_) => "a date".into(),
        DeValue::Array(_) => "a list".into(),
        DeValue::Table(_) => "a section".into(),
    }
}

/// A word that is none of the names known: the nearest one, or all of them.
fn unknown(kind: &str, word: &str, names: &[&str]) -> String {
    let word_quoted = quoted(word, '`');
    match nearest(word, names.iter().copied()) {
        Some(near) => format!("unknown {kind} {word_quoted}, did you mean `{near}`?"),
        None => format!("unknown {kind} {word_quoted}, expected one of {}", names.join(", ")),
    }
}

/// What somebody wrote, fit to be repeated: on one line, not too long, and no address, which may hold a password.
fn quoted(text: &str, mark: char) -> String {
    if text.contains("://") {
        return "an address".into();
    }
    let shown: String = text.chars().take(40).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    let more = if shown.chars().count() < text.chars().count() { "…" } else { "" };
    format!("{mark}{shown}{more}{mark}")
}
