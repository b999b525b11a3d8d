//! What is usual: the median of what was seen over the last minutes.

/// Values that are kept.
const KEPT: usize = 240;
/// While there are fewer than this, every value is kept; later one in so many, for a memory of about ten minutes.
const FIRST: usize = 25;
const ONE_IN: u32 = 12;

#[derive(Clone, Debug, Default)]
pub(super) struct Median {
    sorted: Vec<f32>,
    /// The same in the order they came, the oldest at `next` once all places are taken.
    came: Vec<f32>,
    next: usize,
    passed: u32,
}

impl Median {
    pub(super) fn add(&mut self, value: f32) {
        if !value.is_finite() {
            return;
        }
        self.passed = (self.passed + 1) % ONE_IN;
        if self.came.len() >= FIRST && self.passed != 0 {
            return;
        }
        match self.came.get_mut(self.next).filter(|_| self.sorted.len() >= KEPT) {
            Some(oldest) => {
                let oldest = std::mem::replace(oldest, value);
                let at = self.sorted.partition_point(|kept| *kept < oldest);
                self.sorted.remove(at.min(KEPT - 1));
            }
            None => self.came.push(value),
        }
        self.next = (self.next + 1) % KEPT;
        let at = self.sorted.partition_point(|kept| *kept < value);
        self.sorted.insert(at, value);
    }

    pub(super) fn len(&self) -> usize {
        self.sorted.len()
    }

    pub(super) fn value(&self) -> Option<f32> {
        self.sorted.get(self.sorted.len() / 2).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_known_at_once_and_follows_over_minutes() {
        let mut median = Median::default();
        assert_eq!(median.value(), None);
        for value in [1.0, 9.0, 2.0, f32::NAN, 8.0, 3.0] {
            median.add(value);
        }
        assert_eq!((median.len(), median.value()), (5, Some(3.0)));
        (0..600).for_each(|_| median.add(7.0));
        assert_eq!(median.value(), Some(7.0));
        (0..KEPT as u32 * ONE_IN / 3).for_each(|_| median.add(50.0));
        assert_eq!(median.value(), Some(50.0), "more than half of what is kept is new");
        (0..KEPT as u32 * ONE_IN).for_each(|_| median.add(4.0));
        assert_eq!((median.len(), median.value()), (KEPT, Some(4.0)));
    }
}
