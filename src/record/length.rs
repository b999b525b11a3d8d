//! Lengths of time as one types them: `90s`, `10m`, `8h`.

use std::time::Duration;

/// What follows the number, and how many milliseconds it stands for.
const UNITS: &[(&str, u64)] = &[("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];

/// Reads a whole number with a unit.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let millis = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, millis)| *millis);
    let length = number.parse::<u64>().ok().zip(millis).and_then(|(number, millis)| number.checked_mul(millis));
    match length {
        Some(0) => Err("expected more than nothing".into()),
        // More than a century is a slip of the keyboard, and beyond what clocks can add.
        Some(millis) if millis <= 36_525 * 86_400_000 => Ok(Duration::from_millis(millis)),
        _ => Err("expected a time such as 90s, 10m or 8h".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_numbers_with_a_unit() {
        assert_eq!(parse("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(parse("8h"), Ok(Duration::from_secs(28_800)));
        assert_eq!(parse("250ms"), Ok(Duration::from_millis(250)));
        for wrong in ["", "s", "10", "0s", "-1s", "1.5h", "9 s", "99999999999999999999s", "18446744073709551615d", "1ü"]
        {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
