//! What a wager comes to in the end: an exact amount, won or lost, written in the unit of the case.

use serde::{Serialize, Serializer};
use table::{Money, Winnings};

/// Minor units in one unit of a case.
const UNIT: i128 = 100;
/// Decimals written of an amount that no decimal can write in full.
const DECIMALS: usize = 9;

/// An exact amount in minor units: positive for the player, negative for the house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Net {
    over: i128,
    per: i128,
}

impl Net {
    /// Neither won nor lost.
    pub const ZERO: Self = Self { over: 0, per: 1 };

    /// A whole amount won.
    pub fn won(amount: Money) -> Self {
        Self { over: i128::from(amount.minor()), per: 1 }
    }

    /// A whole amount lost.
    pub fn lost(amount: Money) -> Self {
        Self { over: -i128::from(amount.minor()), per: 1 }
    }

    /// `self + other`, or `None` on overflow.
    pub fn plus(self, other: Self) -> Option<Self> {
        let left = self.over.checked_mul(other.per)?;
        let right = other.over.checked_mul(self.per)?;
        Self { over: left.checked_add(right)?, per: self.per.checked_mul(other.per)? }.reduced()
    }

    /// The same amount the other way.
    pub fn reversed(self) -> Self {
        Self { over: -self.over, per: self.per }
    }

    /// The share of this that `part` is of `whole`; `None` on overflow or if `whole` is nothing.
    pub fn share(self, part: Money, whole: Self) -> Option<Self> {
        let over = self.over.checked_mul(i128::from(part.minor()))?.checked_mul(whole.per)?;
        let per = self.per.checked_mul(whole.over)?;
        if per == 0 { None } else { Self { over, per }.reduced() }
    }

    /// Whether this is more than an amount.
    pub fn exceeds(self, amount: Money) -> bool {
        self.over > i128::from(amount.minor()).saturating_mul(self.per)
    }

    /// The amount as whole minor units and a part of one; `None` if it is too large or too fine.
    pub fn winnings(self) -> Option<Winnings> {
        Some(Winnings {
            whole: Money::from_minor(i64::try_from(self.over.div_euclid(self.per)).ok()?),
            over: u32::try_from(self.over.rem_euclid(self.per)).ok()?,
            per: u32::try_from(self.per).ok()?,
        })
    }

    /// Lowest terms with the sign on top.
    fn reduced(self) -> Option<Self> {
        let (mut a, mut b) = (self.over.unsigned_abs(), self.per.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let divisor = i128::try_from(a.max(1)).ok()?;
        let sign = if self.per < 0 { -1 } else { 1 };
        Some(Self { over: sign * (self.over / divisor), per: sign * (self.per / divisor) })
    }

    /// The amount in units as a decimal: in full if a decimal can be, else rounded to nine places.
    fn decimal(self) -> Option<String> {
        let per = self.per.checked_mul(UNIT)?;
        let magnitude = self.over.unsigned_abs();
        let per = per.unsigned_abs();
        let mut digits = String::new();
        let mut rest = magnitude % per;
        while rest != 0 && digits.len() < DECIMALS {
            rest = rest.checked_mul(10)?;
            digits.push(char::from(b'0' + u8::try_from(rest / per).ok()?));
            rest %= per;
        }
        let sign = if self.over < 0 { "-" } else { "" };
        let point = if digits.is_empty() { "" } else { "." };
        Some(format!("{sign}{}{point}{digits}", magnitude / per))
    }
}

impl From<Winnings> for Net {
    fn from(won: Winnings) -> Self {
        let per = i128::from(won.per);
        Self { over: i128::from(won.whole.minor()) * per + i128::from(won.over), per }
    }
}

impl Serialize for Net {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let text = self.decimal().ok_or_else(|| serde::ser::Error::custom("amount is too large to write"))?;
        match text.parse::<i64>() {
            Ok(whole) => to.serialize_i64(whole),
            // The shortest float that reads back prints as the decimal it was read from.
            Err(_) => to.serialize_f64(text.parse().map_err(serde::ser::Error::custom)?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(net: Net) -> String {
        serde_json::to_string(&net).unwrap()
    }

    #[test]
    fn amounts_are_written_as_people_would() {
        assert_eq!(written(Net::won(Money::from_minor(1000))), "10");
        assert_eq!(written(Net::lost(Money::from_minor(1250))), "-12.5");
        assert_eq!(written(Net::won(Money::from_minor(3249))), "32.49");
        assert_eq!(written(Net::ZERO), "0");
        let half_cent = Net::from(Money::from_minor(25).at("3:2".parse().unwrap()).unwrap());
        assert_eq!(written(half_cent), "0.375");
    }

    #[test]
    fn a_share_no_decimal_can_write_is_exact_until_it_is_written() {
        let cap = Net::won(Money::from_minor(2_500_000));
        let third = cap.share(Money::from_minor(1), Net::won(Money::from_minor(3))).unwrap();
        assert_eq!(written(third), "8333.333333333");
        assert_eq!(third.plus(third).unwrap().plus(third), Some(cap));
        assert_eq!(cap.share(Money::from_minor(1), Net::ZERO), None);
    }

    #[test]
    fn an_overflow_is_told() {
        let huge = Net { over: i128::MAX, per: 1 };
        assert_eq!(huge.plus(huge), None);
    }
}
