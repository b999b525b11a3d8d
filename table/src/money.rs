//! Money in exact minor units, and odds that never round in silence.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::text::serde_as_text;

/// An amount in minor units (cents). Arithmetic is checked: an overflow is `None`, never a wrong amount.
///
/// ```
/// use table::Money;
/// let bet: Money = "12.50".parse()?;
/// assert_eq!(bet.minor(), 1250);
/// assert_eq!(bet.to_string(), "12.50");
/// # Ok::<(), table::money::NotMoney>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Money(i64);

impl Money {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    pub(crate) const EXPECTED: &'static str = "an amount such as 25 or 12.50";

    /// An amount from minor units.
    pub const fn from_minor(minor: i64) -> Self {
        Self(minor)
    }

    /// The amount in minor units.
    pub const fn minor(self) -> i64 {
        self.0
    }

    /// `self + other`, or `None` on overflow.
    pub const fn plus(self, other: Self) -> Option<Self> {
        match self.0.checked_add(other.0) {
            Some(sum) => Some(Self(sum)),
            None => None,
        }
    }

    /// `self - other`, or `None` on overflow.
    pub const fn minus(self, other: Self) -> Option<Self> {
        match self.0.checked_sub(other.0) {
            Some(difference) => Some(Self(difference)),
            None => None,
        }
    }

    /// What this stake wins at `odds`: whole minor units and, in sight, what is left over.
    ///
    /// ```
    /// use table::Money;
    /// let bet = Money::from_minor(250);
    /// let natural = bet.at("3:2".parse()?).ok_or("overflow")?;
    /// assert_eq!((natural.whole, natural.is_exact()), (Money::from_minor(375), true));
    /// let odd = Money::from_minor(25).at("3:2".parse()?).ok_or("overflow")?;
    /// assert_eq!(odd.to_string(), "0.37 and 1/2 minor unit over");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at(self, odds: Odds) -> Option<Winnings> {
        let product = i128::from(self.0) * i128::from(odds.pays);
        let per = i128::from(odds.per);
        Some(Winnings {
            whole: Self(i64::try_from(product.div_euclid(per)).ok()?),
            over: u32::try_from(product.rem_euclid(per)).ok()?,
            per: odds.per,
        })
    }

    /// Whether this is less than nothing.
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let minor = self.0.unsigned_abs();
        f.pad(&format!("{sign}{}.{:02}", minor / 100, minor % 100))
    }
}

/// Text that is no amount of money.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotMoney {
    /// Not a number with at most two decimals.
    #[error("expected {}", Money::EXPECTED)]
    Malformed,
    /// More than 92 quadrillion.
    #[error("amount is too large")]
    TooLarge,
}

impl FromStr for Money {
    type Err = NotMoney;

    fn from_str(text: &str) -> Result<Self, NotMoney> {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "00"));
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !is_number(whole) || !is_number(fraction) || fraction.len() > 2 {
            return Err(NotMoney::Malformed);
        }
        let units: i64 = whole.parse().map_err(|_| NotMoney::TooLarge)?;
        let cents: i64 = fraction.parse().map_err(|_| NotMoney::TooLarge)?;
        let cents = if fraction.len() == 1 { cents * 10 } else { cents };
        units
            .checked_mul(100)
            .and_then(|minor| minor.checked_add(cents))
            .map(|minor| Self(sign * minor))
            .ok_or(NotMoney::TooLarge)
    }
}

/// Odds as printed on the layout: `3:2` pays three for every two staked, the stake itself comes back beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Odds {
    pays: u32,
    per: u32,
}

impl Odds {
    /// 1:1.
    pub const EVEN: Self = Self { pays: 1, per: 1 };
    pub(crate) const EXPECTED: &'static str = "odds such as 3:2";

    /// Odds of `pays` to `per`; `None` if `per` is zero.
    pub const fn new(pays: u32, per: u32) -> Option<Self> {
        if per == 0 { None } else { Some(Self { pays, per }) }
    }

    /// What is paid for every [`per`](Self::per).
    pub const fn pays(self) -> u32 {
        self.pays
    }

    /// What must be staked to win [`pays`](Self::pays).
    pub const fn per(self) -> u32 {
        self.per
    }
}

impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.pays, self.per)
    }
}

/// Text that names no odds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {}", Odds::EXPECTED)]
pub struct NotOdds;

impl FromStr for Odds {
    type Err = NotOdds;

    fn from_str(text: &str) -> Result<Self, NotOdds> {
        let number = |part: &str| part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse().ok()).flatten();
        let (pays, per) = text.split_once(':').ok_or(NotOdds)?;
        match (number(pays), number(per)) {
            (Some(pays), Some(per)) => Self::new(pays, per).ok_or(NotOdds),
            _ => Err(NotOdds),
        }
    }
}

serde_as_text!(Odds);

/// What a stake wins at given odds, exactly: `whole` minor units and `over / per` of one more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Winnings {
    /// Whole minor units.
    pub whole: Money,
    /// Numerator of what is left over, below `per`.
    pub over: u32,
    /// Denominator of what is left over.
    pub per: u32,
}

impl Winnings {
    /// Whether the odds came out in whole minor units.
    pub const fn is_exact(self) -> bool {
        self.over == 0
    }
}

impl fmt::Display for Winnings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_exact() {
            write!(f, "{}", self.whole)
        } else {
            write!(f, "{} and {}/{} minor unit over", self.whole, self.over, self.per)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn money_prints_and_parses_back(minor: i64) {
            prop_assume!(minor != i64::MIN);
            prop_assert_eq!(Money(minor).to_string().parse(), Ok(Money(minor)));
        }

        #[test]
        fn odds_lose_nothing(minor: i64, pays in 0u32..10_000, per in 1u32..1000) {
            let odds = Odds::new(pays, per).unwrap();
            if let Some(won) = Money(minor).at(odds) {
                let back = i128::from(won.whole.minor()) * i128::from(per) + i128::from(won.over);
                prop_assert_eq!(back, i128::from(minor) * i128::from(pays));
                prop_assert!(won.over < per);
            }
        }

        #[test]
        fn any_text_is_money_or_an_error(text in ".{0,24}") {
            if let Ok(money) = text.parse::<Money>() {
                prop_assert_eq!(money.to_string().parse(), Ok(money));
            }
            let _ = text.parse::<Odds>();
        }
    }

    #[test]
    fn amounts_people_type() {
        assert_eq!("25".parse(), Ok(Money(2500)));
        assert_eq!("12.5".parse(), Ok(Money(1250)));
        assert_eq!("0.05".parse(), Ok(Money(5)));
        assert_eq!("-0.50".parse(), Ok(Money(-50)));
        for text in ["", ".", "5.", ".5", "1,000", "1.234", "+5", "--5", "five", "1e3", "5 "] {
            assert_eq!(text.parse::<Money>(), Err(NotMoney::Malformed), "{text:?}");
        }
        assert_eq!("99999999999999999999".parse::<Money>(), Err(NotMoney::TooLarge));
    }

    #[test]
    fn odds_with_nothing_staked_are_refused() {
        assert_eq!("3:0".parse::<Odds>(), Err(NotOdds));
        assert_eq!("3-2".parse::<Odds>(), Err(NotOdds));
        assert_eq!(Money(i64::MAX).at(Odds::new(2, 1).unwrap()), None);
    }
}
