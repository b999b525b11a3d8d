//! Tags: the names by which checks say what they found, and by which a rulebook says which clause that breaks.
//!
//! A tag is a check's name, or the name and one aspect of it (`dealer_stood_short.soft17`). Rulebooks are read
//! before anybody knows which checks there are; when the checks are known, the names are bound to dense numbers.

use super::clause::ClauseNo;
use super::diagnostic::{Diagnostic, hint};

/// A tag by its number in [`Tags`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(u16);

impl Tag {
    /// The tag's number, dense from zero.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Every tag the checks can name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    names: Vec<Box<str>>,
}

impl Tags {
    /// A registry of these names, in any order, repeated or not.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut names: Vec<Box<str>> = names.into_iter().map(Box::from).collect();
        names.sort();
        names.dedup();
        Self { names }
    }

    /// The tag with a name.
    pub fn get(&self, name: &str) -> Option<Tag> {
        let index = self.names.binary_search_by(|known| (**known).cmp(name)).ok()?;
        u16::try_from(index).ok().map(Tag)
    }

    /// The name of a tag; `None` for a tag of another registry.
    pub fn name(&self, tag: Tag) -> Option<&str> {
        self.names.get(tag.index()).map(|name| &**name)
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }
}

/// The clauses a game cites for one tag, as its rulebook writes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cite {
    /// The tag's name, known to the checks or not.
    pub tag: Box<str>,
    /// The clauses, the one to name in a flag first.
    pub clauses: Vec<ClauseNo>,
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Cite {
    /// Why the citation can never be used, if no check names its tag.
    pub(super) fn unknown(&self, tags: &Tags) -> Option<Diagnostic> {
        if tags.get(&self.tag).is_some() {
            return None;
        }
        let message = format!("no check names {}{}", self.tag, hint(&self.tag, tags.iter()));
        Some(Diagnostic { line: self.line, column: self.column, message })
    }
}

/// The citations of a game, bound to the tags: finding the clauses of a tag is one index into a slice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Citations {
    ends: Vec<usize>,
    clauses: Vec<ClauseNo>,
}

impl Citations {
    pub(super) fn bind(cites: &[Cite], tags: &Tags) -> Self {
        let mut bound = Self::default();
        for name in tags.iter() {
            if let Ok(found) = cites.binary_search_by(|cite| (*cite.tag).cmp(name)) {
                bound.clauses.extend(&cites[found].clauses);
            }
            bound.ends.push(bound.clauses.len());
        }
        bound
    }

    /// The clauses cited for a tag, the one to name first; empty if the game cites none.
    pub fn of(&self, tag: Tag) -> &[ClauseNo] {
        let start = tag.index().checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(tag.index()).copied().unwrap_or(start);
        &self.clauses[start..end]
    }
}
