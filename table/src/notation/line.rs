//! One line of notation, taken word by word, remembering the column of each.

use std::str::FromStr;

use super::ParseError;
use crate::card::Card;
use crate::ident::Remark;
use crate::money::Money;
use crate::place::{BoxNo, Hand, Place};
use crate::wager::{Bettor, Wager, WagerKind};

/// The lines of a text that say something.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    text.lines().enumerate().filter_map(|(index, text)| {
        let line = Line { number: index + 1, text, at: 0 };
        line.peek().is_some().then_some(line)
    })
}

/// What is left of a line.
pub(super) struct Line<'t> {
    number: usize,
    text: &'t str,
    /// Byte offset of what is not yet taken.
    at: usize,
}

impl<'t> Line<'t> {
    pub(super) fn empty(number: usize) -> Self {
        Self { number, text: "", at: 0 }
    }

    /// Counted from one.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// Byte offset where the next word or comment starts.
    fn start(&self) -> usize {
        let rest = &self.text[self.at..];
        self.at + rest.len() - rest.trim_start().len()
    }

    /// The next word, left in place.
    pub(super) fn peek(&self) -> Option<&'t str> {
        let rest = &self.text[self.start()..];
        if rest.is_empty() || rest.starts_with('#') {
            return None;
        }
        rest.split(char::is_whitespace).next()
    }

    /// The next word, taken.
    pub(super) fn next(&mut self) -> Option<&'t str> {
        let word = self.peek()?;
        self.at = self.start() + word.len();
        Some(word)
    }

    /// Takes the next word if it is this one.
    pub(super) fn take(&mut self, word: &str) -> bool {
        let here = self.peek() == Some(word);
        if here {
            self.next();
        }
        here
    }

    /// The error of finding something else here.
    pub(super) fn expected(&self, expected: impl Into<String>) -> ParseError {
        ParseError {
            line: self.number,
            column: self.text[..self.start()].chars().count() + 1,
            expected: expected.into(),
            found: self.peek().unwrap_or_default().into(),
        }
    }

    /// Nothing more may stand on the line.
    pub(super) fn end(&self) -> Result<(), ParseError> {
        match self.peek() {
            Some(_) => Err(self.expected("the end of the line")),
            None => Ok(()),
        }
    }

    /// The next word as a value.
    pub(super) fn value<T: FromStr>(&mut self, expected: &str) -> Result<T, ParseError> {
        let wrong = self.expected(expected);
        self.next().and_then(|word| word.parse().ok()).ok_or(wrong)
    }

    /// The next word as a card.
    pub(super) fn card(&mut self) -> Result<Card, ParseError> {
        self.value(Card::EXPECTED)
    }

    /// The next word as a place.
    pub(super) fn place(&mut self) -> Result<Place, ParseError> {
        self.value(Place::EXPECTED)
    }

    /// The next word as a box.
    pub(super) fn box_no(&mut self) -> Result<BoxNo, ParseError> {
        let wrong = self.expected(BoxNo::EXPECTED);
        match self.next().map(str::as_bytes) {
            Some([digit @ b'1'..=b'9']) => BoxNo::new(digit - b'0').ok_or(wrong),
            _ => Err(wrong),
        }
    }

    /// The next word as an amount of nothing or more.
    pub(super) fn amount(&mut self) -> Result<Money, ParseError> {
        let wrong = self.expected(Money::EXPECTED);
        let amount: Money = self.value(Money::EXPECTED)?;
        if amount.is_negative() { Err(wrong) } else { Ok(amount) }
    }

    /// An amount, if one stands next.
    pub(super) fn amount_if_any(&mut self) -> Result<Option<Money>, ParseError> {
        match self.peek() {
            Some(word) if !is_mark(word) => self.amount().map(Some),
            _ => Ok(None),
        }
    }

    /// The next words as a wager: `3`, `3b double`, `3/2 tip super_sevens`.
    pub(super) fn wager(&mut self) -> Result<Wager, ParseError> {
        let wrong = self.expected("a wager such as 3, 3b, 3/2 or 3 super_sevens");
        let word = self.next().unwrap_or_default();
        let (place, bettor) = match word.split_once('/') {
            Some((place, bettor)) => (place, bettor_no(bettor)),
            None => (word, Some(Bettor::SEATED)),
        };
        let (Ok(Place::Box(box_no, hand)), Some(bettor)) = (place.parse(), bettor) else {
            return Err(wrong);
        };
        let mut wager = Wager::on(box_no, hand).by(bettor);
        wager.tip = self.take("tip");
        if let Some(kind) = self.peek().and_then(WagerKind::from_name) {
            let stands = match kind {
                WagerKind::Main => hand == Hand::A,
                WagerKind::Split => hand != Hand::A,
                _ => true,
            };
            if !stands {
                return Err(self.expected("main on hand a, split on the others"));
            }
            self.next();
            wager.kind = kind;
        }
        Ok(wager)
    }

    /// A remark between double quotes; `\"` and `\\` stand for the signs themselves.
    pub(super) fn remark(&mut self) -> Result<Remark, ParseError> {
        let wrong = self.expected("a remark between double quotes, 1 to 400 characters");
        let start = self.start();
        let mut letters = self.text[start..].char_indices();
        if !matches!(letters.next(), Some((_, '"'))) {
            return Err(wrong);
        }
        let mut remark = String::new();
        while let Some((offset, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.at = start + offset + 1;
                    return remark.parse().map_err(|_| wrong);
                }
                '\\' => match letters.next() {
                    Some((_, escaped @ ('"' | '\\'))) => remark.push(escaped),
                    _ => return Err(wrong),
                },
                letter => remark.push(letter),
            }
        }
        Err(wrong)
    }

    /// The text of the next word behind `sign`, left in place.
    pub(super) fn mark(&self, sign: char) -> Option<&'t str> {
        self.peek()?.strip_prefix(sign)
    }

    /// Takes a mark whose text `read` understands.
    pub(super) fn marked<T>(
        &mut self,
        text: &str,
        expected: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, ParseError> {
        let value = read(text).ok_or_else(|| self.expected(expected))?;
        self.next();
        Ok(value)
    }
}

/// Whether a word is a mark of where a step is known from.
fn is_mark(word: &str) -> bool {
    word.starts_with(['@', '~', '^'])
}

fn bettor_no(text: &str) -> Option<Bettor> {
    match text.as_bytes() {
        [digit @ b'1'..=b'9'] => Bettor::new(digit - b'0'),
        _ => None,
    }
}
