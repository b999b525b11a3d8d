//! Cards: 52 faces, and two ways of not knowing one.

use std::fmt;
use std::str::FromStr;

use crate::text::serde_as_text;

/// A rank, ace to king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Rank {
    Ace = 1,
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    Ten,
    Jack,
    Queen,
    King,
}

impl Rank {
    /// Ace to king.
    pub const ALL: [Self; 13] = [
        Self::Ace,
        Self::Two,
        Self::Three,
        Self::Four,
        Self::Five,
        Self::Six,
        Self::Seven,
        Self::Eight,
        Self::Nine,
        Self::Ten,
        Self::Jack,
        Self::Queen,
        Self::King,
    ];

    /// Points in blackjack with the ace as one: 1 to 10.
    pub const fn points(self) -> u8 {
        let number = self as u8;
        if number > 10 { 10 } else { number }
    }

    /// The rank numbered as shoes number it: 1 ace to 13 king.
    pub const fn from_number(number: u8) -> Option<Self> {
        if number >= 1 && number <= 13 { Some(Self::ALL[number as usize - 1]) } else { None }
    }

    /// The letter used in card names; ten is `T`.
    pub const fn letter(self) -> char {
        b"A23456789TJQK"[self as usize - 1] as char
    }
}

/// A suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

/// The colour of a suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Colour {
    Red,
    Black,
}

impl Suit {
    /// Clubs, diamonds, hearts, spades.
    pub const ALL: [Self; 4] = [Self::Clubs, Self::Diamonds, Self::Hearts, Self::Spades];

    /// Red or black.
    pub const fn colour(self) -> Colour {
        match self {
            Self::Diamonds | Self::Hearts => Colour::Red,
            Self::Clubs | Self::Spades => Colour::Black,
        }
    }

    /// The letter used in card names.
    pub const fn letter(self) -> char {
        b"CDHS"[self as usize] as char
    }

    /// The sign printed on the card.
    pub const fn sign(self) -> char {
        ['♣', '♦', '♥', '♠'][self as usize]
    }
}

/// One card in one byte: a face, a card that was not read, or a card lying face down.
///
/// ```
/// use table::Card;
/// let seven: Card = "7♥".parse()?;
/// assert_eq!(seven.to_string(), "7H");
/// assert_eq!("10h".parse::<Card>()?, "TH".parse()?);
/// assert_eq!(std::mem::size_of::<Card>(), 1);
/// # Ok::<(), table::card::NotACard>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// A card that passed and could not be read, written `??`.
    pub const UNREAD: Self = Self(52);
    /// A card lying face down, written `XX`.
    pub const HIDDEN: Self = Self(53);
    pub(crate) const EXPECTED: &'static str = "a card such as 7H, TD or 10D, A♠, ?? (unread) or XX (face down)";

    /// The card with this rank and suit.
    pub const fn new(rank: Rank, suit: Suit) -> Self {
        Self((rank as u8 - 1) * 4 + suit as u8)
    }

    /// All 52 faces, aces first.
    pub fn faces() -> impl Iterator<Item = Self> {
        (0..52).map(Self)
    }

    /// 0 to 51 for a face: the place of this card in a count by face.
    pub const fn index(self) -> Option<usize> {
        if self.0 < 52 { Some(self.0 as usize) } else { None }
    }

    /// The card at this [`index`](Self::index).
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < 52 { Some(Self(index as u8)) } else { None }
    }

    /// The rank, if the face is known.
    pub const fn rank(self) -> Option<Rank> {
        if self.0 < 52 { Some(Rank::ALL[(self.0 / 4) as usize]) } else { None }
    }

    /// The suit, if the face is known.
    pub const fn suit(self) -> Option<Suit> {
        if self.0 < 52 { Some(Suit::ALL[(self.0 % 4) as usize]) } else { None }
    }

    /// Whether rank and suit are known.
    pub const fn is_known(self) -> bool {
        self.0 < 52
    }

    /// Rank and suit sign as printed on the card, for people: `7♥`, `10♦`.
    pub fn pretty(self) -> String {
        match (self.rank(), self.suit()) {
            (Some(Rank::Ten), Some(suit)) => format!("10{}", suit.sign()),
            (Some(rank), Some(suit)) => format!("{}{}", rank.letter(), suit.sign()),
            _ => self.to_string(),
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.rank(), self.suit()) {
            (Some(rank), Some(suit)) => f.pad(&format!("{}{}", rank.letter(), suit.letter())),
            _ if *self == Self::UNREAD => f.pad("??"),
            _ => f.pad("XX"),
        }
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Text that names no card.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {}", Card::EXPECTED)]
pub struct NotACard;

impl FromStr for Card {
    type Err = NotACard;

    fn from_str(text: &str) -> Result<Self, NotACard> {
        match text {
            "??" => return Ok(Self::UNREAD),
            "XX" | "xx" => return Ok(Self::HIDDEN),
            _ => {}
        }
        let mut letters = text.chars();
        let suit = match letters.next_back().ok_or(NotACard)? {
            'C' | 'c' | '♣' => Suit::Clubs,
            'D' | 'd' | '♦' => Suit::Diamonds,
            'H' | 'h' | '♥' => Suit::Hearts,
            'S' | 's' | '♠' => Suit::Spades,
            _ => return Err(NotACard),
        };
        let rank = match letters.as_str() {
            "A" | "a" => Rank::Ace,
            "T" | "t" | "10" => Rank::Ten,
            "J" | "j" => Rank::Jack,
            "Q" | "q" => Rank::Queen,
            "K" | "k" => Rank::King,
            pip => match pip.as_bytes() {
                [digit @ b'2'..=b'9'] => Rank::ALL[(digit - b'1') as usize],
                _ => return Err(NotACard),
            },
        };
        Ok(Self::new(rank, suit))
    }
}

serde_as_text!(Card);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_prints_and_parses_back() {
        for card in Card::faces().chain([Card::UNREAD, Card::HIDDEN]) {
            assert_eq!(card.to_string().parse(), Ok(card));
            assert_eq!(card.pretty().parse(), Ok(card));
            assert_eq!(card.index().and_then(Card::from_index).unwrap_or(card), card);
        }
        assert_eq!(Card::faces().count(), 52);
    }

    #[test]
    fn words_that_are_not_cards_are_refused() {
        for text in ["", "H", "1H", "11H", "0S", "7", "7X", "H7", "?", "XXX", "７H", "🂱", "7H "] {
            assert_eq!(text.parse::<Card>(), Err(NotACard), "{text:?}");
        }
    }
}
