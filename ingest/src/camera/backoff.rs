//! How long to wait before a lost camera is tried again.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(250);
const LONGEST: Duration = Duration::from_secs(10);

/// Waits that double, each somewhat shorter by chance: after a power cut not all cameras are called at once.
#[derive(Clone, Debug)]
pub(super) struct Backoff {
    next: Duration,
    seed: u64,
}

impl Backoff {
    pub(super) const fn new(seed: u64) -> Self {
        Self { next: FIRST, seed }
    }

    /// The camera plays: the next loss is a new one.
    pub(super) const fn reset(&mut self) {
        self.next = FIRST;
    }

    /// How long to wait now.
    pub(super) fn wait(&mut self) -> Duration {
        let full = self.next;
        self.next = (2 * full).min(LONGEST);
        // A linear congruential step; its upper bits are even enough to spread a few cameras.
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        full - full / 4 * (self.seed >> 48) as u32 / 65_536
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_a_limit_and_start_anew_when_the_camera_plays() {
        let mut backoff = Backoff::new(7);
        let waits: Vec<Duration> = (0..10).map(|_| backoff.wait()).collect();
        for (number, wait) in waits.iter().enumerate() {
            let full = (FIRST * 2_u32.pow(number as u32)).min(LONGEST);
            assert!(*wait <= full && *wait >= full * 3 / 4, "wait {number} is {wait:?} of {full:?}");
        }
        backoff.reset();
        assert!(backoff.wait() <= FIRST);
    }

    #[test]
    fn two_cameras_do_not_call_at_the_same_time() {
        assert_ne!(Backoff::new(1).wait(), Backoff::new(2).wait());
    }
}
