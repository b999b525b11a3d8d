//! What is wrong with a rulebook: every fault of the text, each at its line and column.

use std::fmt;

use table::text::nearest;

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub struct Diagnostic {
    /// Counted from one.
    pub line: usize,
    /// Counted from one, in characters as an editor does.
    pub column: usize,
    /// What is wrong, and what would be right where we can guess.
    pub message: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

/// The faults found so far in one text.
pub(super) struct Faults<'t> {
    text: &'t str,
    /// Where each line begins: every citation of a book is placed, so counting lines anew each time would cost.
    lines: Vec<usize>,
    found: Vec<Diagnostic>,
}

impl<'t> Faults<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(newline, _)| newline + 1)).collect();
        Self { text, lines, found: Vec::new() }
    }

    /// Notes a fault at a byte of the text.
    pub(super) fn add(&mut self, at: usize, message: impl Into<String>) {
        let (line, column) = self.position(at);
        self.found.push(Diagnostic { line, column, message: message.into() });
    }

    /// Notes a word that is none of those known.
    pub(super) fn unknown<'a>(&mut self, at: usize, what: &str, word: &str, known: impl IntoIterator<Item = &'a str>) {
        self.add(at, format!("{}{}", what.replace("{}", word), hint(word, known)));
    }

    /// Line and column of a byte, both from one.
    pub(super) fn position(&self, at: usize) -> (usize, usize) {
        let at = self.text.floor_char_boundary(at);
        let line = self.lines.partition_point(|start| *start <= at);
        let start = line.checked_sub(1).and_then(|before| self.lines.get(before)).copied().unwrap_or(0);
        (line, self.text[start..at].chars().count() + 1)
    }

    /// The faults in the order of the text, each once.
    pub(super) fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.found.sort();
        self.found.dedup();
        self.found
    }
}

/// ` (did you mean h17?)` if a known name is much like the word, else nothing.
pub(crate) fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map(|near| format!(" (did you mean {near}?)")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_come_in_the_order_of_the_text_and_once() {
        let mut faults = Faults::of("ā = 1\nb = 2\n");
        faults.add(7, "second");
        faults.add(3, "first");
        faults.add(3, "first");
        faults.add(999, "beyond the end");
        let told: Vec<_> = faults.into_sorted().iter().map(Diagnostic::to_string).collect();
        assert_eq!(told, ["1:3: first", "2:1: second", "3:1: beyond the end"]);
    }

    #[test]
    fn a_slip_is_guessed_and_nonsense_is_not() {
        assert_eq!(hint("h17s", ["h17", "das"]), " (did you mean h17?)");
        assert_eq!(hint("qqqq", ["h17", "das"]), "");
    }
}
