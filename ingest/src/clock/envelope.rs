//! The line below all differences between arrival and source clock.

use std::collections::VecDeque;

use super::Settings;

/// No crystal in a device on sale gains or loses more than this: a steeper line is the network's doing.
const STEEPEST: f64 = 500e-6;
/// A slope is believed once it is measured over this many stretches.
const ENOUGH: usize = 6;

/// The smallest differences of the last stretches of time.
#[derive(Clone, Debug, Default)]
pub(super) struct Envelope {
    /// For each stretch, when its smallest difference came and how large it was.
    least: VecDeque<(i64, i64)>,
    /// When the newest stretch began.
    since: i64,
    /// The line: a difference at a time, and its slope.
    line: Option<(i64, i64, f64)>,
}

impl Envelope {
    /// Takes a difference that was seen at a time.
    pub(super) fn add(&mut self, settings: &Settings, now: i64, difference: i64) {
        match self.least.back_mut() {
            Some(newest) if now.saturating_sub(self.since) < settings.stretch => {
                if difference < newest.1 {
                    *newest = (now, difference);
                } else if self.line.is_some() {
                    return;
                }
            }
            _ => {
                self.since = now;
                self.least.push_back((now, difference));
                if self.least.len() > settings.stretches.max(1) {
                    self.least.pop_front();
                }
            }
        }
        self.line = self.fit();
    }

    /// What to add to the source's clock at a time.
    pub(super) fn offset(&self, now: i64) -> Option<i64> {
        let (at, difference, slope) = self.line?;
        let run = now.saturating_sub(at) as f64 * slope;
        Some(difference.saturating_add(run as i64))
    }

    /// How fast the offset grows: the drift, with the sign turned.
    pub(super) fn slope(&self) -> f64 {
        self.line.map_or(0.0, |(_, _, slope)| slope)
    }

    /// Of all lines that no point lies below, the one that lies nearest to the points: the edge of their lower hull
    /// over the middle of their times.
    fn fit(&self) -> Option<(i64, i64, f64)> {
        let flat = self.least.iter().min_by_key(|(_, difference)| *difference).map(|(at, least)| (*at, *least, 0.0));
        let (first, _) = self.least.front()?;
        if self.least.len() < ENOUGH {
            return flat;
        }
        let hull = self.hull();
        let sum: f64 = self.least.iter().map(|(at, _)| at.saturating_sub(*first) as f64).sum();
        let middle = sum / self.least.len() as f64;
        let edge = hull.windows(2).find(|edge| match edge {
            [_, (to, _)] => to.saturating_sub(*first) as f64 >= middle,
            _ => false,
        });
        let Some([(from, low), (to, high)]) = edge else { return flat };
        let slope = high.saturating_sub(*low) as f64 / to.saturating_sub(*from).max(1) as f64;
        if slope.abs() > STEEPEST { flat } else { Some((*from, *low, slope)) }
    }

    /// The points that a string pulled tight from below would touch.
    fn hull(&self) -> Vec<(i64, i64)> {
        let mut hull: Vec<(i64, i64)> = Vec::with_capacity(self.least.len());
        for point in &self.least {
            while let [.., a, b] = hull.as_slice() {
                let (run, rise) = (i128::from(b.0) - i128::from(a.0), i128::from(b.1) - i128::from(a.1));
                let (long, high) = (i128::from(point.0) - i128::from(a.0), i128::from(point.1) - i128::from(a.1));
                if rise.saturating_mul(long) < high.saturating_mul(run) {
                    break;
                }
                hull.pop();
            }
            hull.push(*point);
        }
        hull
    }
}
