//! What is wrong with a configuration: every fault of the text, each at its line and column.

use std::cell::RefCell;
use std::fmt;

use serde::Serialize;

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Fault {
    /// Counted from one.
    pub line: usize,
    /// Counted from one, in characters.
    pub column: usize,
    /// What is wrong, and what would be right. Never quotes an address, which may hold a password.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

/// Every fault of a configuration, in the order of the text; at least one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// The faults in the order of the text.
    pub fn all(&self) -> &[Fault] {
        &self.0
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{fault}")?;
        }
        Ok(())
    }
}

/// Faults as they are found while a text is read. Shared by all readers of one text, hence the cell.
pub(super) struct Report<'a> {
    text: &'a str,
    found: RefCell<Vec<Fault>>,
}

impl<'a> Report<'a> {
    pub(super) fn on(text: &'a str) -> Self {
        Self { text, found: RefCell::default() }
    }

    /// Notes a fault at a byte of the text.
    pub(super) fn fault(&self, offset: usize, message: String) {
        let (line, column) = position(self.text, offset);
        self.found.borrow_mut().push(Fault { line, column, message });
    }

    /// What was read, if nothing was wrong with it.
    pub(super) fn judge<T>(self, read: Option<T>) -> Result<T, Faults> {
        let mut found = self.found.into_inner();
        match read {
            Some(value) if found.is_empty() => Ok(value),
            _ => {
                found.sort();
                Err(Faults(found))
            }
        }
    }
}

/// Line and column of a byte, both from one; the column counts characters as an editor does.
fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(offset)];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_and_stay_within_the_text() {
        let text = "name = \"Kā\"\n\nx";
        assert_eq!(position(text, 0), (1, 1));
        assert_eq!(position(text, text.find('\n').unwrap()), (1, 12));
        assert_eq!(position(text, text.find('x').unwrap()), (3, 1));
        assert_eq!(position(text, text.find('ā').unwrap() + 1), (1, 10));
        assert_eq!(position(text, 999), (3, 2));
    }
}
