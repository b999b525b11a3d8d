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
    /// By byte of the text; lines and columns are counted once, at the end.
    found: RefCell<Vec<(usize, String)>>,
}

impl<'a> Report<'a> {
    pub(super) fn on(text: &'a str) -> Self {
        Self { text, found: RefCell::default() }
    }

    /// Notes a fault at a byte of the text.
    pub(super) fn fault(&self, offset: usize, message: String) {
        self.found.borrow_mut().push((offset, message));
    }

    /// What was read, if nothing was wrong with it.
    pub(super) fn judge<T>(self, read: Option<T>) -> Result<T, Faults> {
        let mut found = self.found.into_inner();
        match read {
            Some(value) if found.is_empty() => Ok(value),
            _ => {
                found.sort();
                Err(Faults(located(self.text, found)))
            }
        }
    }
}

/// Turns bytes, in ascending order, into lines and columns; a column counts characters as an editor does.
fn located(text: &str, found: Vec<(usize, String)>) -> Vec<Fault> {
    let (mut line, mut column, mut counted) = (1, 1, 0);
    let locate = |(offset, message)| {
        let until = text.floor_char_boundary(offset);
        for c in text[counted..until].chars() {
            (line, column) = if c == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        counted = until;
        Fault { line, column, message }
    };
    found.into_iter().map(locate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_and_stay_within_the_text() {
        let text = "name = \"Kā\"\n\nx";
        let [newline, macron, x] = ['\n', 'ā', 'x'].map(|c| text.find(c).unwrap());
        let found = [0, macron + 1, newline, x, x, 999].map(|offset| (offset, String::new()));
        let positions: Vec<_> = located(text, found.to_vec()).iter().map(|fault| (fault.line, fault.column)).collect();
        assert_eq!(positions, [(1, 1), (1, 10), (1, 12), (3, 1), (3, 1), (3, 2)]);
    }
}
