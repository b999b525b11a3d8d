//! How long to rest before the next attempt: longer each time, and never all lines at the same moment.

use std::time::Duration;

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// The rests of one line.
#[derive(Debug)]
pub(super) struct Patience {
    first: Duration,
    most: Duration,
    next: Duration,
    chance: SmallRng,
}

impl Patience {
    pub(super) fn new(first: Duration, most: Duration, seed: u64) -> Self {
        // A rest of nothing would be an attempt without end.
        let first = first.max(Duration::from_millis(1));
        Self { first, most: most.max(first), next: first, chance: SmallRng::seed_from_u64(seed) }
    }

    /// The next rest: between half and all of what it may be by now.
    pub(super) fn rest(&mut self) -> Duration {
        let full = self.next;
        self.next = full.saturating_mul(2).min(self.most);
        full.mul_f64(self.chance.random_range(0.5..=1.0))
    }

    /// The far end was well: the next rest is short again.
    pub(super) fn renew(&mut self) {
        self.next = self.first;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Duration = Duration::from_millis(100);
    const MOST: Duration = Duration::from_secs(2);

    fn rests(seed: u64) -> Vec<Duration> {
        let mut patience = Patience::new(FIRST, MOST, seed);
        (0..12).map(|_| patience.rest()).collect()
    }

    #[test]
    fn rests_double_up_to_the_longest_and_keep_within_half_of_it() {
        let mut full = FIRST;
        for rest in rests(1) {
            assert!(rest >= full / 2 && rest <= full, "{rest:?} of {full:?}");
            full = (full * 2).min(MOST);
        }
    }

    #[test]
    fn the_same_seed_rests_alike_and_another_differently() {
        assert_eq!(rests(1), rests(1));
        assert_ne!(rests(1), rests(2));
    }

    #[test]
    fn a_far_end_that_was_well_is_tried_soon() {
        let mut patience = Patience::new(FIRST, MOST, 1);
        (0..12).for_each(|_| _ = patience.rest());
        patience.renew();
        assert!(patience.rest() <= FIRST);
    }

    #[test]
    fn no_setting_makes_a_rest_of_nothing() {
        assert!(Patience::new(Duration::ZERO, Duration::ZERO, 1).rest() >= Duration::from_micros(500));
    }
}
