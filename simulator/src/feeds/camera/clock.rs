//! The camera's own clock: ahead or behind, running a little wrong, and now and then jumping.

use auditor::model::random::Dice;

use crate::feeds::millis;

/// How long a jump goes unnoticed: until the offset is measured again, in microseconds.
pub(super) const UNNOTICED: i64 = 2_000_000;

/// A clock that is not ours.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    /// How far it was ahead when first seen, in microseconds.
    offset: i64,
    /// How much it gains, in millionths.
    drift: f64,
    /// When it was first looked at.
    since: Option<i64>,
    /// What all jumps before this round come to.
    jumped: i64,
    /// The jumps of this round: when, and by how much.
    jumps: Vec<(i64, i64)>,
}

impl Clock {
    pub(super) fn new(dice: &mut Dice) -> Self {
        let offset = millis(dice, -400.0, 400.0);
        Self { offset, drift: dice.between(-20.0, 20.0), since: None, jumped: 0, jumps: Vec::new() }
    }

    /// Takes up a round's jumps.
    pub(super) fn jumps(&mut self, jumps: Vec<(i64, i64)>) {
        for (_, by) in std::mem::replace(&mut self.jumps, jumps) {
            self.jumped = self.jumped.saturating_add(by);
        }
    }

    /// What it shows at a true time.
    pub(super) fn shows(&mut self, at: i64) -> i64 {
        let since = *self.since.get_or_insert(at);
        let gained = (at.saturating_sub(since) as f64 * self.drift / 1e6) as i64;
        let jumped = self.jumps.iter().filter(|(when, _)| *when <= at).map(|(_, by)| *by);
        let ahead = jumped.fold(self.jumped, i64::saturating_add).saturating_add(self.offset).saturating_add(gained);
        at.saturating_add(ahead)
    }

    /// By how much a true time is told wrongly, because a jump has not been noticed yet.
    pub(super) fn error(&self, at: i64) -> i64 {
        let unnoticed = |when: i64| when <= at && at < when.saturating_add(UNNOTICED);
        self.jumps.iter().filter(|(when, _)| unnoticed(*when)).fold(0, |error, (_, by)| error.saturating_add(*by))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jump_shows_at_once_and_misleads_until_it_is_noticed() {
        let mut clock = Clock::new(&mut Dice::new(1));
        clock.drift = 0.0;
        clock.jumps(vec![(1_000_000, 500_000)]);
        assert_eq!(clock.shows(1_000_000) - clock.shows(999_999), 500_001);
        assert_eq!([999_999, 1_000_000, 2_999_999, 3_000_000].map(|at| clock.error(at)), [0, 500_000, 500_000, 0]);
        clock.jumps(Vec::new());
        assert_eq!(clock.shows(9_000_000), 9_500_000 + clock.offset);
    }
}
