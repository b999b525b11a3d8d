//! The books Fairdeal ships: New Zealand, the Australian Capital Territory, New Hampshire, British Columbia.

use super::{Clauses, Diagnostic, Reasons};

/// The text of a clause list, by the name of its book.
const CLAUSES: &[(&str, &str)] = &[
    ("nz", include_str!("../../rulebooks/clauses/nz.tsv")),
    ("act", include_str!("../../rulebooks/clauses/act.tsv")),
    ("nh", include_str!("../../rulebooks/clauses/nh.tsv")),
    ("bclc", include_str!("../../rulebooks/clauses/bclc.tsv")),
];

/// Why clauses cannot be audited, in words.
const REASONS: &str = include_str!("../../rulebooks/clauses/reasons.tsv");

/// Why a book that ships with Fairdeal could not be read: somebody changed it, and it was built unread.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{}", .faults.iter().map(Diagnostic::to_string).collect::<Vec<_>>().join("; "))]
pub struct BookError {
    /// The file, within the rulebooks.
    pub file: String,
    /// What is wrong with it.
    pub faults: Vec<Diagnostic>,
}

/// The clauses of every book, in the order they ship.
pub fn clauses() -> Result<Vec<(&'static str, Clauses)>, BookError> {
    let wrong = |file: String| move |faults| BookError { file, faults };
    let reasons = Reasons::parse(REASONS).map_err(wrong("clauses/reasons.tsv".to_owned()))?;
    let read = |(book, text): &(&'static str, &str)| {
        Clauses::parse(text, &reasons).map(|clauses| (*book, clauses)).map_err(wrong(format!("clauses/{book}.tsv")))
    };
    CLAUSES.iter().map(read).collect()
}
