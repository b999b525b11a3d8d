//! Probabilities of what was seen: a single chance, or a whole reading of a card.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::card::{Card, Rank, Suit};

/// A probability in whole millionths, so that equal stays equal through every file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Chance(u32);

impl Chance {
    /// Probability one.
    pub const CERTAIN: Self = Self(1_000_000);
    pub(crate) const EXPECTED: &'static str = "a probability from 0 to 1 with at most six decimals";

    /// From millionths; `None` above one million.
    pub const fn from_millionths(millionths: u32) -> Option<Self> {
        if millionths <= 1_000_000 { Some(Self(millionths)) } else { None }
    }

    /// From a floating-point probability, rounded to millionths; `None` outside 0 to 1.
    pub fn from_f64(p: f64) -> Option<Self> {
        (0.0..=1.0).contains(&p).then(|| Self((p * 1e6).round() as u32))
    }

    /// As a floating-point probability.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 1e6
    }

    /// In millionths.
    pub const fn millionths(self) -> u32 {
        self.0
    }
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{}.{:06}", self.0 / 1_000_000, self.0 % 1_000_000);
        f.pad(digits.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// Text that is no probability.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {}", Chance::EXPECTED)]
pub struct NotAChance;

impl FromStr for Chance {
    type Err = NotAChance;

    fn from_str(text: &str) -> Result<Self, NotAChance> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !is_number(whole) || !is_number(fraction) || whole.len() > 1 || fraction.len() > 6 {
            return Err(NotAChance);
        }
        let whole: u32 = whole.parse().map_err(|_| NotAChance)?;
        let millionths: u32 = format!("{fraction:0<6}").parse().map_err(|_| NotAChance)?;
        Self::from_millionths(whole * 1_000_000 + millionths).ok_or(NotAChance)
    }
}

impl Serialize for Chance {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(self.as_f64())
    }
}

impl<'de> Deserialize<'de> for Chance {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let p = f64::deserialize(from)?;
        Self::from_f64(p).ok_or_else(|| serde::de::Error::custom(NotAChance))
    }
}

/// What a source made of one card: its best guess, how sure it is, and, where it can tell, the whole distribution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// The likeliest face.
    pub card: Card,
    /// How likely it is.
    pub chance: Chance,
    /// Rank and suit apart, for sources that know more than a best guess.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<Box<Spread>>,
}

/// Independent distributions over rank and suit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spread {
    /// Ace to king.
    pub ranks: [Chance; 13],
    /// Clubs, diamonds, hearts, spades.
    pub suits: [Chance; 4],
}

impl Reading {
    /// A card read without doubt.
    pub const fn certain(card: Card) -> Self {
        Self { card, chance: Chance::CERTAIN, spread: None }
    }

    /// The best guess of a spread and its probability.
    pub fn from_spread(spread: Spread) -> Self {
        let best = |chances: &[Chance]| {
            let mut best = 0;
            for (i, chance) in chances.iter().enumerate() {
                if *chance > chances[best] {
                    best = i;
                }
            }
            best
        };
        let (rank, suit) = (best(&spread.ranks), best(&spread.suits));
        let millionths = u64::from(spread.ranks[rank].0) * u64::from(spread.suits[suit].0) / 1_000_000;
        Self {
            card: Card::new(Rank::ALL[rank], Suit::ALL[suit]),
            chance: Chance(millionths as u32),
            spread: Some(Box::new(spread)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_chance_survives_text_and_json(millionths in 0u32..=1_000_000) {
            let chance = Chance(millionths);
            prop_assert_eq!(chance.to_string().parse(), Ok(chance));
            let json = serde_json::to_string(&chance).unwrap();
            prop_assert_eq!(serde_json::from_str::<Chance>(&json).unwrap(), chance);
        }
    }

    #[test]
    fn what_is_no_probability_is_refused() {
        for text in ["", "1.1", "-0.5", "2", "0.1234567", "nan", ".5", "1."] {
            assert_eq!(text.parse::<Chance>(), Err(NotAChance), "{text:?}");
        }
        assert_eq!(Chance::from_f64(f64::NAN), None);
    }

    #[test]
    fn the_best_guess_of_a_spread_is_the_product_of_its_parts() {
        let mut spread = Spread { ranks: [Chance(0); 13], suits: [Chance(0); 4] };
        spread.ranks[6] = Chance(900_000);
        spread.ranks[0] = Chance(100_000);
        spread.suits[2] = Chance(500_000);
        spread.suits[1] = Chance(500_000);
        let reading = Reading::from_spread(spread);
        assert_eq!(reading.card.to_string(), "7D");
        assert_eq!(reading.chance, Chance(450_000));
    }
}
