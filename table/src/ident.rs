//! Names and words: what a site calls its tables, dealers and cameras, the values of its options, remarks.

use std::fmt;
use std::str::FromStr;

use crate::text::serde_as_text;

/// A short name such as `BJ-04`: 1 to 32 letters, digits, `-` or `_`, so that it can stand in a file name, a URL
/// and a flag's id as it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ident(Box<str>);

impl Ident {
    pub(crate) const EXPECTED: &'static str = "a name of 1 to 32 letters, digits, - or _";

    /// The table of a round nobody named.
    pub fn unnamed_table() -> Self {
        Self("table".into())
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Text that cannot be a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {}", Ident::EXPECTED)]
pub struct NotAnIdent;

impl FromStr for Ident {
    type Err = NotAnIdent;

    fn from_str(text: &str) -> Result<Self, NotAnIdent> {
        let fits = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
        if (1..=32).contains(&text.len()) && text.bytes().all(fits) { Ok(Self(text.into())) } else { Err(NotAnIdent) }
    }
}

serde_as_text!(Ident);

/// A value written as one word, such as a house option's `3:2`: 1 to 64 letters, digits or `_ - . : , +`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word(Box<str>);

impl Word {
    pub(crate) const EXPECTED: &'static str = "a word of 1 to 64 letters, digits or _ - . : , +";

    /// The word as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Text that is not one plain word.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {}", Word::EXPECTED)]
pub struct NotAWord;

impl FromStr for Word {
    type Err = NotAWord;

    fn from_str(text: &str) -> Result<Self, NotAWord> {
        let fits = |b: u8| b.is_ascii_alphanumeric() || b"_-.:,+".contains(&b);
        if (1..=64).contains(&text.len()) && text.bytes().all(fits) { Ok(Self(text.into())) } else { Err(NotAWord) }
    }
}

serde_as_text!(Word);

/// A remark in somebody's own words: one line of 1 to 400 characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Remark(Box<str>);

impl Remark {
    pub(crate) const EXPECTED: &'static str = "a remark of 1 to 400 characters on one line";

    /// The remark as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Text too long or with control characters in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {}", Remark::EXPECTED)]
pub struct NotARemark;

impl FromStr for Remark {
    type Err = NotARemark;

    fn from_str(text: &str) -> Result<Self, NotARemark> {
        let length = text.chars().count();
        if (1..=400).contains(&length) && !text.chars().any(char::is_control) {
            Ok(Self(text.into()))
        } else {
            Err(NotARemark)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_could_harm_a_path_are_refused() {
        for text in ["", "..", "a/b", "a b", "é", "a.b", &"x".repeat(33)] {
            assert_eq!(text.parse::<Ident>(), Err(NotAnIdent), "{text:?}");
        }
        assert_eq!("BJ-04".parse::<Ident>().unwrap().as_str(), "BJ-04");
    }
}
