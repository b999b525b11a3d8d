//! Points in time as whole microseconds of UTC.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, SecondsFormat};

use crate::text::serde_as_text;

/// Microseconds since 1970-01-01T00:00:00Z, between the years 1 and 9999.
///
/// ```
/// use table::Utc;
/// let at: Utc = "2026-11-15T21:04:05.123456Z".parse()?;
/// assert_eq!(at.to_string(), "2026-11-15T21:04:05.123456Z");
/// # Ok::<(), table::time::NotATime>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Utc(i64);

const FIRST: i64 = -62_135_596_800_000_000;
const LAST: i64 = 253_402_300_799_999_999;

impl Utc {
    /// 1970-01-01T00:00:00Z: the time of a round nobody dated.
    pub const EPOCH: Self = Self(0);
    pub(crate) const EXPECTED: &'static str = "a UTC time such as 2026-11-15T21:04:05Z";

    /// From microseconds since 1970; `None` outside the years 1 to 9999.
    pub const fn from_micros(micros: i64) -> Option<Self> {
        if micros >= FIRST && micros <= LAST { Some(Self(micros)) } else { None }
    }

    /// Microseconds since 1970.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// This time moved by `micros`; `None` outside the years 1 to 9999.
    pub const fn shifted(self, micros: i64) -> Option<Self> {
        match self.0.checked_add(micros) {
            Some(at) => Self::from_micros(at),
            None => None,
        }
    }
}

impl fmt::Display for Utc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Every `Utc` lies within chrono's own years.
        let at = DateTime::from_timestamp_micros(self.0).unwrap_or_default();
        f.pad(&at.to_rfc3339_opts(SecondsFormat::Micros, true))
    }
}

/// Text that is no UTC time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {}", Utc::EXPECTED)]
pub struct NotATime;

impl FromStr for Utc {
    type Err = NotATime;

    fn from_str(text: &str) -> Result<Self, NotATime> {
        let at = DateTime::parse_from_rfc3339(text).map_err(|_| NotATime)?;
        Self::from_micros(at.timestamp_micros()).ok_or(NotATime)
    }
}

serde_as_text!(Utc);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_time_prints_and_parses_back(micros in FIRST..=LAST) {
            let at = Utc::from_micros(micros).unwrap();
            prop_assert_eq!(at.to_string().parse(), Ok(at));
        }

        #[test]
        fn any_text_is_a_time_or_an_error(text in ".{0,40}") {
            let _ = text.parse::<Utc>();
        }
    }

    #[test]
    fn times_outside_four_digit_years_are_refused() {
        assert_eq!(Utc::from_micros(i64::MAX), None);
        assert_eq!(Utc::EPOCH.shifted(i64::MIN), None);
    }
}
