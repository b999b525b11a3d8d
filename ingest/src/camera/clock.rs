//! When a picture was taken: the stream's own count brought to our clock, and what is odd about it said.
//!
//! A stream counts evenly but from nowhere in particular; packets arrive by our clock but late, each by another while. The
//! packet that took least time on the way tells best how the two lie, so the smallest difference seen is kept, and follows
//! upwards only as fast as a bad crystal drifts. A camera's wall clock may be years wrong: it is measured, never believed.

use table::Utc;

/// What no network, crystal or reordering of frames explains, in microseconds.
const LEAP: i64 = 1_000_000;
/// After being late for so long a stream is not held up but set back.
const LATE: i64 = 5_000_000;
/// Drift that is followed: one part in so many, 200 in a million.
const DRIFT: i64 = 5_000;
/// A wall clock that is set by less than this is only being kept in step.
const SET: i64 = 500_000;

/// How the times of a source are had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Times {
    /// It has none: a picture was taken when it came.
    Arrival,
    /// It counts on by itself while we watch.
    Stream,
    /// It was recorded from this time on.
    Recorded(Utc),
}

/// Something about a clock that somebody should know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Oddity {
    /// The camera's wall clock was read for the first time: so much has to be added to get ours.
    Offset(i64),
    /// The stream's count or the camera's wall clock leapt by so much.
    Jump(i64),
}

/// The clock of one camera, over all its connections.
pub(super) struct Clock {
    times: Times,
    count: Option<Count>,
    wall: Option<i64>,
    last: Option<Utc>,
}

/// Where the count of a stream lies on our clock.
struct Count {
    offset: i64,
    counted: i64,
    arrived: i64,
    late: Option<Late>,
}

struct Late {
    since: i64,
    least: i64,
}

impl Clock {
    pub(super) const fn new(times: Times) -> Self {
        Self { times, count: None, wall: None, last: None }
    }

    /// A new connection counts from anew.
    pub(super) fn reconnected(&mut self, times: Times) {
        self.times = times;
        self.count = None;
    }

    /// A packet came: learns from its delay.
    pub(super) fn heard(&mut self, counted: Option<i64>, arrived: Utc) -> Option<Oddity> {
        let (Times::Stream, Some(counted)) = (self.times, counted) else { return None };
        match &mut self.count {
            Some(count) => count.heard(counted, arrived.micros()),
            None => {
                let offset = arrived.micros().saturating_sub(counted);
                self.count = Some(Count { offset, counted, arrived: arrived.micros(), late: None });
                None
            }
        }
    }

    /// When something with this count was taken, by our clock.
    pub(super) fn taken(&self, counted: Option<i64>, arrived: Utc) -> Utc {
        let (start, counted) = match (self.times, counted, &self.count) {
            (Times::Stream, Some(counted), Some(count)) => (count.offset, counted),
            (Times::Recorded(start), Some(counted), _) => (start.micros(), counted),
            _ => return arrived,
        };
        start.checked_add(counted).and_then(Utc::from_micros).unwrap_or(arrived)
    }

    /// The same for frames in the order in which they are shown: none is ever taken before the one before it.
    pub(super) fn shown(&mut self, counted: Option<i64>, arrived: Utc) -> Utc {
        let at = match (self.times, counted, self.last) {
            // A recording that does not say when a frame was goes on from the last, not from today.
            (Times::Recorded(start), None, last) => last.unwrap_or(start),
            _ => self.taken(counted, arrived),
        };
        let after = self.last.and_then(|last| last.shifted(1));
        let at = after.map_or(at, |after| at.max(after));
        self.last = Some(at);
        at
    }

    /// What the camera's wall clock says of a picture taken at this time.
    pub(super) fn wall(&mut self, wall: i64, at: Utc) -> Option<Oddity> {
        let ahead = at.micros().saturating_sub(wall);
        let known = self.wall.replace(ahead);
        match known {
            None => Some(Oddity::Offset(ahead)),
            Some(known) if ahead.saturating_sub(known).saturating_abs() > SET => {
                Some(Oddity::Jump(known.saturating_sub(ahead)))
            }
            Some(_) => None,
        }
    }
}

impl Count {
    fn heard(&mut self, counted: i64, arrived: i64) -> Option<Oddity> {
        let went = counted.saturating_sub(std::mem::replace(&mut self.counted, counted));
        let passed = arrived.saturating_sub(std::mem::replace(&mut self.arrived, arrived));
        let offset = arrived.saturating_sub(counted);
        let behind = offset.saturating_sub(self.offset);
        if went.saturating_sub(passed) > LEAP || went < -LEAP {
            return self.set(offset);
        }
        if behind <= LEAP {
            self.late = None;
            self.offset = self.offset.saturating_add(behind.min(passed.max(0) / DRIFT));
            return None;
        }
        let late = self.late.get_or_insert(Late { since: arrived, least: offset });
        late.least = late.least.min(offset);
        let (since, least) = (late.since, late.least);
        if arrived.saturating_sub(since) > LATE { self.set(least) } else { None }
    }

    fn set(&mut self, offset: i64) -> Option<Oddity> {
        let leapt = std::mem::replace(&mut self.offset, offset).saturating_sub(offset);
        self.late = None;
        Some(Oddity::Jump(leapt))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utc(micros: i64) -> Utc {
        Utc::from_micros(micros).unwrap()
    }

    /// Feeds packets of a 25 Hz stream that began at second 100; `delay` of each in milliseconds. Gives oddities and the
    /// greatest error of the time reckoned, once the first second is over.
    fn play(clock: &mut Clock, packets: impl IntoIterator<Item = (i64, i64)>) -> (Vec<Oddity>, i64) {
        let (mut odd, mut worst) = (Vec::new(), 0);
        for (number, (counted, delay)) in packets.into_iter().enumerate() {
            let taken = 100_000_000 + number as i64 * 40_000;
            let arrived = utc(taken + delay * 1000);
            odd.extend(clock.heard(Some(counted), arrived));
            if number > 25 {
                worst = worst.max((clock.shown(Some(counted), arrived).micros() - taken).abs());
            }
        }
        (odd, worst)
    }

    #[test]
    fn jitter_on_the_way_does_not_shake_the_times() {
        let mut clock = Clock::new(Times::Stream);
        let (odd, worst) = play(&mut clock, (0..1000).map(|n| (n * 40_000, 5 + n * 7919 % 180)));
        assert_eq!(odd, []);
        assert!(worst < 10_000, "{worst} µs off");
    }

    #[test]
    fn packets_held_up_and_sent_on_in_a_burst_keep_their_times() {
        let mut clock = Clock::new(Times::Stream);
        let held = |n: i64| if (200..275).contains(&n) { (275 - n) * 40 } else { 5 };
        let (odd, worst) = play(&mut clock, (0..600).map(|n| (n * 40_000, held(n))));
        assert_eq!(odd, []);
        assert!(worst < 10_000, "{worst} µs off");
    }

    #[test]
    fn a_crystal_that_runs_slow_is_followed_for_hours() {
        let mut clock = Clock::new(Times::Stream);
        // 100 parts in a million over four hours are a second and a half.
        let (odd, worst) = play(&mut clock, (0..360_000).map(|n| (n * 39_996, 5)));
        assert_eq!(odd, []);
        assert!(worst < 20_000, "{worst} µs off");
    }

    #[test]
    fn a_count_that_leaps_is_told_and_the_times_go_on() {
        for leap in [-3_600_000_000, 7_000_000] {
            let mut clock = Clock::new(Times::Stream);
            let (odd, worst) = play(&mut clock, (0..400).map(|n| (n * 40_000 + if n < 200 { 0 } else { leap }, 5)));
            assert_eq!(odd, [Oddity::Jump(leap)]);
            assert!(worst < 10_000, "{worst} µs off");
        }
    }

    #[test]
    fn a_stream_that_was_paused_is_late_first_and_then_set() {
        let mut clock = Clock::new(Times::Stream);
        let paused = |n: i64| if n < 200 { 5 } else { 3_005 };
        let (odd, _) = play(&mut clock, (0..600).map(|n| (n * 40_000, paused(n))));
        assert_eq!(odd, [Oddity::Jump(-3_000_000)]);
    }

    #[test]
    fn a_wall_clock_years_off_is_measured_and_its_setting_told() {
        let mut clock = Clock::new(Times::Stream);
        let at = |second: i64| utc(1_800_000_000_000_000 + second * 1_000_000);
        let wrong = |second: i64| second * 1_000_000;
        assert_eq!(clock.wall(wrong(0), at(0)), Some(Oddity::Offset(1_800_000_000_000_000)));
        assert_eq!(clock.wall(wrong(1) + 900, at(1)), None);
        assert_eq!(clock.wall(wrong(3602), at(2)), Some(Oddity::Jump(3_599_999_100)));
        assert_eq!(clock.wall(wrong(3603), at(3)), None);
    }

    #[test]
    fn no_count_whatever_breaks_the_reckoning_or_its_order() {
        let mut clock = Clock::new(Times::Stream);
        let mut last = None;
        for counted in [i64::MAX, i64::MIN, 0, -1, i64::MAX, 1, i64::MIN + 1] {
            clock.heard(Some(counted), Utc::EPOCH);
            clock.wall(counted, Utc::EPOCH);
            let at = clock.shown(Some(counted), Utc::EPOCH);
            assert!(last.is_none_or(|last| last < at));
            last = Some(at);
        }
    }
}
