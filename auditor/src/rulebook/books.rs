//! The books Fairdeal ships: New Zealand, the Australian Capital Territory, New Hampshire, British Columbia.

use std::sync::OnceLock;

use super::{Clauses, Diagnostic, Reasons, Rulebook};

/// A book that ships: its name, its text, its clauses.
struct Shipped {
    name: &'static str,
    text: &'static str,
    clauses: &'static str,
}

macro_rules! shipped {
    ($($name:literal),+) => {
        &[$(Shipped {
            name: $name,
            text: include_str!(concat!("../../rulebooks/", $name, ".toml")),
            clauses: include_str!(concat!("../../rulebooks/clauses/", $name, ".tsv")),
        }),+]
    };
}

const SHIPPED: &[Shipped] = shipped!["nz", "act", "nh", "bclc"];

/// Why clauses cannot be audited, in words.
const REASONS: &str = include_str!("../../rulebooks/clauses/reasons.tsv");

/// Why a book that ships with Fairdeal could not be read: somebody changed it and built without running the tests.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{}", .faults.iter().map(Diagnostic::to_string).collect::<Vec<_>>().join("; "))]
pub struct BookError {
    /// The file, within the rulebooks.
    pub file: String,
    /// What is wrong with it.
    pub faults: Vec<Diagnostic>,
}

/// Every book, read once for the life of the process.
pub fn all() -> Result<&'static [Rulebook], BookError> {
    static BOOKS: OnceLock<Result<Vec<Rulebook>, BookError>> = OnceLock::new();
    BOOKS.get_or_init(read).as_deref().map_err(Clone::clone)
}

fn read() -> Result<Vec<Rulebook>, BookError> {
    let wrong = |file: String| move |faults| BookError { file, faults };
    let reasons = Reasons::parse(REASONS).map_err(wrong("clauses/reasons.tsv".to_owned()))?;
    let read = |Shipped { name, text, clauses }: &Shipped| {
        let clauses = Clauses::parse(clauses, &reasons).map_err(wrong(format!("clauses/{name}.tsv")))?;
        Rulebook::load(text, clauses).map_err(wrong(format!("{name}.toml")))
    };
    SHIPPED.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::rulebook::Auditable;

    #[test]
    fn four_books_define_thirteen_games() {
        let books = all().unwrap_or_else(|error| panic!("{error}"));
        let games: Vec<_> = books.iter().flat_map(|book| &book.games).map(|game| game.name.as_str()).collect();
        assert_eq!(games, table::config::GAMES, "a site can name these and no others");
    }

    #[test]
    fn every_clause_has_a_status_and_belongs_to_its_book() {
        let books = all().unwrap();
        let clauses = || books.iter().flat_map(|book| book.clauses.iter());
        let count = |status| clauses().filter(|clause| clause.auditable == status).count();
        assert_eq!([count(Auditable::Yes), count(Auditable::Partly), count(Auditable::No)], [809, 358, 159]);
        for book in books {
            for clause in book.clauses.iter() {
                assert!(clause.id.starts_with(&format!("{}-", book.id)), "{}", clause.id);
                assert_eq!(clause.why_not.is_empty(), clause.auditable == Auditable::Yes, "{}", clause.id);
            }
        }
    }

    #[test]
    fn every_reason_is_a_sentence_somebody_needs() {
        let reasons = Reasons::parse(REASONS).unwrap();
        let used: BTreeSet<_> =
            all().unwrap().iter().flat_map(|book| book.clauses.iter()).map(|clause| &*clause.why_not).collect();
        for code in reasons.codes() {
            let reason = reasons.get(code).unwrap();
            assert!(used.contains(reason), "{code} is used by no clause");
            assert!(reason.split_whitespace().count() > 5 && !reason.ends_with('.'), "{code}: {reason}");
        }
    }

    #[test]
    fn what_cannot_be_audited_is_not_cited() {
        for book in all().unwrap() {
            for cite in book.games.iter().flat_map(|game| &game.cites) {
                for clause in cite.clauses.iter().filter_map(|number| book.clauses.get(*number)) {
                    assert_ne!(clause.auditable, Auditable::No, "{} cites {}", cite.tag, clause.id);
                }
            }
        }
    }
}
