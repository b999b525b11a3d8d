//! Rulebooks: a regulator's document as data. Games that extend games, the options left to the house, the reading
//! chosen where the document is ambiguous, and for everything a check can find wrong the clause it breaks.
//!
//! A book is read from text, [`Rulebook::load`], and does not load if anything in it is unknown or contradicts
//! something else: every fault is told at its line and column. The books Fairdeal ships are in [`books`].

pub mod books;
mod cited;
mod clause;
mod diagnostic;
mod diff;
mod extends;
mod game;
mod house;
mod load;
mod sense;
mod side;
mod source;
mod tag;

use table::Ident;

pub use cited::{CitedBy, Citers};
pub use clause::{Auditable, Clause, ClauseNo, Clauses, Need, Reasons};
pub use diagnostic::Diagnostic;
pub use diff::{Difference, Part, differences};
pub use game::{Chosen, Game, OptionError, Reading};
pub use house::with_house;
pub use side::{NotAPay, SideOffer, tiers};
pub use tag::{Citations, Cite, Tag, Tags};

pub(crate) use diagnostic::hint;

use diagnostic::Faults;
use source::{Item, document, items};

/// A regulator's document as data.
#[derive(Clone, Debug, PartialEq)]
pub struct Rulebook {
    /// Its short name, such as `nz`.
    pub id: Ident,
    /// What it is, in our words.
    pub title: Box<str>,
    /// Its games, in the order of the text.
    pub games: Vec<Game>,
    /// Its clauses, in the order of the document.
    pub clauses: Clauses,
}

impl Rulebook {
    /// Reads a book from its text and its clauses, or tells every fault of the text.
    ///
    /// ```
    /// use auditor::rulebook::{Clauses, Rulebook};
    ///
    /// let faults = Rulebook::load("[book]\nid = \"nz\"\ntilte = \"Blackjack\"\n", Clauses::default()).unwrap_err();
    /// let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
    /// assert_eq!(told, ["1:2: the book has no title", "3:1: a book has no tilte (did you mean title?)"]);
    /// ```
    pub fn load(text: &str, clauses: Clauses) -> Result<Self, Vec<Diagnostic>> {
        let mut faults = Faults::of(text);
        let read = read(text, clauses, &mut faults);
        let found = faults.into_sorted();
        match read {
            Some(book) if found.is_empty() => Ok(book),
            _ => Err(found),
        }
    }

    /// The game with a name.
    pub fn game(&self, name: &str) -> Option<&Game> {
        self.games.iter().find(|game| game.name.as_str() == name)
    }

    /// The citations that no check can ever use, because none names their tag.
    pub fn unknown_tags(&self, tags: &Tags) -> Vec<Diagnostic> {
        let cites = self.games.iter().flat_map(|game| &game.cites);
        let mut found: Vec<_> = cites.filter_map(|cite| cite.unknown(tags)).collect();
        found.sort();
        found.dedup();
        found
    }
}

fn read<'t>(text: &'t str, clauses: Clauses, faults: &mut Faults<'t>) -> Option<Rulebook> {
    let document = document(text, faults)?;
    let mut head = None;
    let mut games = Vec::new();
    for item in items(&document) {
        match item.key {
            "book" => head = Some(read_head(&item, faults)),
            "game" => games = item.table(faults).map(|table| load::games(table, &clauses, faults)).unwrap_or_default(),
            other => faults.unknown(item.at, "a rulebook has no {}", other, ["book", "game"]),
        }
    }
    let Some(head) = head else {
        faults.add(0, "expected a table [book]");
        return None;
    };
    let (id, title) = head?;
    Some(Rulebook { id, title, games, clauses })
}

fn read_head(item: &Item<'_>, faults: &mut Faults<'_>) -> Option<(Ident, Box<str>)> {
    let (mut id, mut title) = (None, None);
    let (mut has_id, mut has_title) = (false, false);
    for item in items(item.table(faults)?) {
        match item.key {
            "id" => {
                has_id = true;
                id = item.parsed(faults, "a name of 1 to 32 letters, digits, - or _");
            }
            "title" => {
                has_title = true;
                title = item.text(faults).map(Box::from);
            }
            other => faults.unknown(item.at, "a book has no {}", other, ["id", "title"]),
        }
    }
    for (has, what) in [(has_id, "id"), (has_title, "title")] {
        if !has {
            faults.add(item.at, format!("the book has no {what}"));
        }
    }
    Some((id?, title?))
}
