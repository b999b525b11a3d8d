//! How far a count can be trusted: intervals at 95 %, and the answer "too few to tell".
//!
//! Everything goes in and comes out as whole numbers; floats live and die in here.

/// Below so many hands nobody's rate is shown: one slip would look like a habit.
pub const FEWEST_HANDS: u64 = 1000;

/// Errors per thousand hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rate {
    /// Too few hands to tell.
    TooFew,
    /// The rate and its interval at 95 %, in thousandths of an error per thousand hands.
    Known {
        /// The rate seen.
        rate: u64,
        /// The least that goes with it.
        low: u64,
        /// The most that goes with it.
        high: u64,
    },
}

/// A share with its interval at 95 %, in millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Share {
    /// The share seen.
    pub share: u64,
    /// The least that goes with it.
    pub low: u64,
    /// The most that goes with it.
    pub high: u64,
}

/// Errors per thousand hands, errors being rare and independent (Poisson): the exact interval of Garwood.
pub fn per_thousand(errors: u64, hands: u64) -> Rate {
    if hands < FEWEST_HANDS {
        return Rate::TooFew;
    }
    let scaled = |count: f64| (count * 1e6 / hands as f64).round() as u64;
    // The low end is where so many errors or more would be a 2.5 % chance, the high end where so many or fewer would.
    let low = if errors == 0 { 0.0 } else { bisect(|mean| poisson_at_most(errors - 1, mean) < 0.975, errors) };
    let high = bisect(|mean| poisson_at_most(errors, mean) < 0.025, errors);
    Rate::Known { rate: scaled(errors as f64), low: scaled(low), high: scaled(high) }
}

/// What share of `of` is `count`, by Wilson's score; `None` of nothing.
pub fn share(count: u64, of: u64) -> Option<Share> {
    if of == 0 || count > of {
        return None;
    }
    const Z: f64 = 1.959_964;
    let [n, p] = [of as f64, count as f64 / of as f64];
    let middle = p + Z * Z / (2.0 * n);
    let spread = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let whole = 1.0 + Z * Z / n;
    let scaled = |share: f64| (share.clamp(0.0, 1.0) * 1e6).round() as u64;
    Some(Share { share: scaled(p), low: scaled((middle - spread) / whole), high: scaled((middle + spread) / whole) })
}

/// The chance of at most `count` where `mean` are expected. Summed in logarithms, so that no count is too large.
fn poisson_at_most(count: u64, mean: f64) -> f64 {
    let mut term = -mean;
    let mut sum = term.exp();
    for k in 1..=count {
        term += (mean / k as f64).ln();
        sum += term.exp();
    }
    sum.min(1.0)
}

/// The mean at which a condition, false for small means, begins to hold.
fn bisect(holds: impl Fn(f64) -> bool, count: u64) -> f64 {
    let count = count as f64;
    let [mut low, mut high] = [0.0, count + 10.0 + 6.0 * count.sqrt()];
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if holds(middle) { high = middle } else { low = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_hands_say_nothing() {
        assert_eq!(per_thousand(3, 999), Rate::TooFew);
    }

    /// Garwood's own table: 0 gives 0 to 3.689, 1 gives 0.0253 to 5.572, 10 gives 4.795 to 18.390.
    #[test]
    fn the_interval_is_the_exact_one() {
        assert_eq!(per_thousand(0, 1_000_000), Rate::Known { rate: 0, low: 0, high: 4 });
        assert_eq!(per_thousand(0, 1000), Rate::Known { rate: 0, low: 0, high: 3689 });
        assert_eq!(per_thousand(1, 1000), Rate::Known { rate: 1000, low: 25, high: 5572 });
        assert_eq!(per_thousand(10, 1000), Rate::Known { rate: 10_000, low: 4795, high: 18_390 });
    }

    #[test]
    fn many_errors_do_not_overflow() {
        let Rate::Known { rate, low, high } = per_thousand(5000, 1_000_000) else { panic!("there are enough hands") };
        assert!(low < rate && rate < high && high - low < 300, "{low} {rate} {high}");
    }

    #[test]
    fn a_share_has_wilsons_interval() {
        assert_eq!(share(0, 0), None);
        assert_eq!(share(5, 10), Some(Share { share: 500_000, low: 236_593, high: 763_407 }));
        assert_eq!(share(0, 10).map(|share| (share.low, share.high)), Some((0, 277_533)));
    }
}
