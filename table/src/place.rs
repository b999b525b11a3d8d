//! Where a card lies: whose hand, how far along, which way up.

use std::fmt;
use std::num::NonZeroU8;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::text::{named, serde_as_text};

/// A betting box, 1 to 9, numbered clockwise from the dealer's left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoxNo(NonZeroU8);

impl BoxNo {
    /// The box at the dealer's left.
    pub const FIRST: Self = Self(NonZeroU8::MIN);
    /// The most boxes any of the rulebooks knows.
    pub const MOST: u8 = 9;
    pub(crate) const EXPECTED: &'static str = "a box from 1 to 9";

    /// Box `number`; `None` unless 1 to 9.
    pub const fn new(number: u8) -> Option<Self> {
        match NonZeroU8::new(number) {
            Some(n) if number <= Self::MOST => Some(Self(n)),
            _ => None,
        }
    }

    /// Boxes 1 to 9.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (1..=Self::MOST).filter_map(Self::new)
    }

    /// 1 to 9.
    pub const fn number(self) -> u8 {
        self.0.get()
    }
}

impl fmt::Display for BoxNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl Serialize for BoxNo {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u8(self.number())
    }
}

impl<'de> Deserialize<'de> for BoxNo {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number = u8::deserialize(from)?;
        Self::new(number).ok_or_else(|| serde::de::Error::custom(format!("expected {}", Self::EXPECTED)))
    }
}

/// A hand within a box: `a` is the hand dealt, every split opens the next letter. A hand keeps its letter all round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hand(u8);

impl Hand {
    /// The hand that was dealt.
    pub const A: Self = Self(0);
    pub(crate) const EXPECTED: &'static str = "a hand from a to z";

    /// The hand with this index: 0 is `a`, 25 is `z`.
    pub const fn new(index: u8) -> Option<Self> {
        if index < 26 { Some(Self(index)) } else { None }
    }

    /// 0 for `a`, 25 for `z`.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its letter.
    pub const fn letter(self) -> char {
        (b'a' + self.0) as char
    }
}

impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl FromStr for Hand {
    type Err = crate::text::UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.as_bytes() {
            [letter @ b'a'..=b'z'] => Ok(Self(letter - b'a')),
            _ => Err(crate::text::UnknownName { expected: Self::EXPECTED }),
        }
    }
}

serde_as_text!(Hand);

/// Whose hand: the dealer's, or one of a box. Written `dealer`, `3` (hand a), `3b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// The dealer's hand.
    Dealer,
    /// A hand of a box.
    Box(BoxNo, Hand),
}

impl Place {
    pub(crate) const EXPECTED: &'static str = "dealer, a box from 1 to 9, or a box and hand such as 3b";

    /// The box, unless it is the dealer's.
    pub const fn box_no(self) -> Option<BoxNo> {
        match self {
            Self::Dealer => None,
            Self::Box(box_no, _) => Some(box_no),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dealer => f.write_str("dealer"),
            Self::Box(box_no, Hand::A) => write!(f, "{box_no}"),
            Self::Box(box_no, hand) => write!(f, "{box_no}{hand}"),
        }
    }
}

/// Text that names no place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {}", Place::EXPECTED)]
pub struct NotAPlace;

impl FromStr for Place {
    type Err = NotAPlace;

    fn from_str(text: &str) -> Result<Self, NotAPlace> {
        let (digit, hand) = match text.as_bytes() {
            b"dealer" => return Ok(Self::Dealer),
            [digit @ b'1'..=b'9'] => (digit, Hand::A),
            [digit @ b'1'..=b'9', letter @ b'a'..=b'z'] => (digit, Hand(letter - b'a')),
            _ => return Err(NotAPlace),
        };
        let box_no = BoxNo::new(digit - b'0').ok_or(NotAPlace)?;
        Ok(Self::Box(box_no, hand))
    }
}

serde_as_text!(Place);

named! {
    /// Which way up a card lies.
    #[derive(Default)]
    pub enum Face, "up or down" {
        /// Face up.
        #[default]
        Up = "up",
        /// Face down.
        Down = "down",
    }
}

named! {
    /// Which way round a card lies: a doubled hand's last card and a split ace's card lie sideways.
    #[derive(Default)]
    pub enum Turn, "upright or sideways" {
        /// As dealt.
        #[default]
        Upright = "upright",
        /// Across the hand.
        Sideways = "sideways",
    }
}

/// One card's exact spot: the hand, its position in it counting from one, and how it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardAt {
    /// Whose hand.
    pub place: Place,
    /// First card is 1.
    pub position: NonZeroU8,
    /// Which way up.
    #[serde(default)]
    pub face: Face,
    /// Which way round.
    #[serde(default)]
    pub turn: Turn,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_prints_and_parses_back() {
        let boxes = BoxNo::all().flat_map(|b| (0..26).filter_map(Hand::new).map(move |h| Place::Box(b, h)));
        for place in boxes.chain([Place::Dealer]) {
            assert_eq!(place.to_string().parse(), Ok(place));
        }
        assert_eq!("3a".parse::<Place>(), "3".parse());
    }

    #[test]
    fn places_off_the_layout_are_refused() {
        for text in ["0", "10", "a", "3A", "3ab", "", "Dealer", "-1", "3 "] {
            assert_eq!(text.parse::<Place>(), Err(NotAPlace), "{text:?}");
        }
    }
}
