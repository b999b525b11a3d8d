//! Numbers as they are told: with the digits that count, and the same on every machine.

/// A number with four digits that count.
pub fn rounded(value: f64) -> f64 {
    if value.abs() < f64::MIN_POSITIVE || !value.is_finite() {
        return value;
    }
    format!("{value:.3e}").parse().unwrap_or(value)
}

/// A number with the digits that count, and a power of ten where it would be long.
///
/// ```
/// use auditor::shuffle::short;
/// assert_eq!([0.041_23, 7.0, 12_345_678.0, 3e-9].map(short), ["0.04123", "7", "12,350,000", "3e-9"]);
/// ```
pub fn short(value: f64) -> String {
    let value = rounded(value);
    match value {
        0.000_1..10_000.0 => value.to_string(),
        10_000.0..1e9 => grouped(value as u64),
        _ => format!("{value:e}"),
    }
}

/// A whole number with a comma for each thousand.
fn grouped(value: u64) -> String {
    if value < 1000 { value.to_string() } else { format!("{},{:03}", grouped(value / 1000), value % 1000) }
}

/// How rare something of this chance is, in words: one in so many.
pub(super) fn one_in(p: f64) -> String {
    let times = 1.0 / p.clamp(f64::MIN_POSITIVE, 1.0);
    // A few are told to a tenth, many as whole numbers.
    let times = if times < 20.0 { (times * 10.0).round() / 10.0 } else { times.round() };
    format!("one in {}", short(times))
}
