//! How sure a count makes us: a rate seen in so many trials, and what it may really be.

/// The normal deviate of a two-sided 95 % interval.
const Z: f64 = 1.959_963_984_540_054;

/// Wilson's 95 % interval for a share of which `hits` were seen in `trials`; `None` without trials.
///
/// Unlike the textbook interval it keeps sense where everything or nothing was found, which is where we mean to be.
pub fn wilson(hits: u64, trials: u64) -> Option<(f64, f64)> {
    if trials == 0 {
        return None;
    }
    let (hits, trials) = (hits.min(trials) as f64, trials as f64);
    let share = hits / trials;
    let shrink = 1.0 + Z * Z / trials;
    let middle = (share + Z * Z / (2.0 * trials)) / shrink;
    let reach = Z * (share * (1.0 - share) / trials + Z * Z / (4.0 * trials * trials)).sqrt() / shrink;
    Some(((middle - reach).max(0.0), (middle + reach).min(1.0)))
}

/// What never happened in so many trials happens less often than this, with 95 % certainty: the rule of three.
/// `None` without trials.
pub fn rule_of_three(trials: u64) -> Option<f64> {
    (trials > 0).then(|| (3.0 / trials as f64).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(seen: (f64, f64), wanted: (f64, f64)) {
        assert!((seen.0 - wanted.0).abs() < 5e-4 && (seen.1 - wanted.1).abs() < 5e-4, "{seen:?}, not {wanted:?}");
    }

    #[test]
    fn the_interval_is_wilsons() {
        close(wilson(8, 10).unwrap(), (0.4902, 0.9433));
        close(wilson(0, 10).unwrap(), (0.0, 0.2775));
        close(wilson(10, 10).unwrap(), (0.7225, 1.0));
        assert_eq!(wilson(0, 0), None);
    }

    #[test]
    fn nothing_seen_is_not_nothing() {
        assert!((rule_of_three(20_000).unwrap() - 0.000_15).abs() < 1e-12);
        assert_eq!(rule_of_three(1), Some(1.0));
        assert_eq!(rule_of_three(0), None);
    }
}
