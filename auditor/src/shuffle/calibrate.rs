//! From measures to one honest p: the shoe is ranked among shuffles that are known to be proper.
//!
//! A first batch of proper shuffles says how each measure is spread, so that the tests can be laid side by side; the
//! shoe's greatest surprise is then ranked among the greatest surprises of a second batch. Since the shoe, if its shuffle
//! was proper, is one more of the same kind, every rank is equally likely: no distribution has to be believed in, and
//! having looked in many ways is paid for. Beyond the last rank an exponential tail is fitted; it is the one place where
//! something is assumed.

use super::battery::{Battery, MEASURES, Measured, Shape, TESTS};
use super::null::Draws;
use crate::model::random::Dice;

/// Shuffles that say how the measures are spread.
const SCALE: usize = 50;
/// Shuffles the shoe is ranked among at first.
const FIRST: usize = 99;
/// If no more of those than this are as surprising as the shoe, it is ranked among more.
const FEW: usize = 3;
/// So many in all.
pub(super) const ALL: usize = 499;
/// The part of the surprises that the tail is fitted to.
const TAIL: usize = ALL / 10;
/// The part of the scale batch that a measure's own tail is fitted to.
const MEASURE_TAIL: usize = SCALE / 5;
/// The least that a value in the tail of a measure lies beyond it, on average.
const LEAST_EXCESS: f64 = 0.7;
/// Nothing is told to be less likely than this.
const LEAST_P: f64 = 1e-12;

/// One surprise for each test: minus the logarithm of how often one would be as great, about.
pub(super) type Surprises = [f64; TESTS.len()];

/// How the measures of proper shuffles are spread.
pub(super) struct Scale {
    spreads: [Spread; MEASURES],
}

#[derive(Clone, Copy)]
struct Spread {
    mean: f64,
    deviation: f64,
    /// Where the tail begins, and how far beyond it the values in it lie on average.
    tail: f64,
    excess: f64,
}

impl Scale {
    /// Drawn from proper shuffles of these orders.
    pub(super) fn draw(battery: &mut Battery, draws: &mut Draws<'_>, dice: &mut Dice) -> Self {
        let mut order = Vec::new();
        let batch: Vec<Measured> = (0..SCALE)
            .map(|_| {
                draws.draw(dice, &mut order);
                battery.measure(&order)
            })
            .collect();
        Self { spreads: std::array::from_fn(|measure| Spread::of(batch.iter().map(|measured| measured[measure]))) }
    }

    pub(super) fn surprises(&self, measured: &Measured) -> Surprises {
        let mut surprises = [0.0; TESTS.len()];
        let mut values = measured.iter().zip(&self.spreads);
        for (test, surprise) in TESTS.iter().zip(&mut surprises) {
            let each = values.by_ref().take(test.measures).map(|(value, spread)| spread.surprise(*value, test.shape));
            *surprise = each.fold(0.0, f64::max);
        }
        surprises
    }
}

/// The greatest of the surprises, each test with its part of the false alarms.
pub(super) fn greatest(surprises: &Surprises) -> f64 {
    let weighed = TESTS.iter().zip(surprises).map(|(test, surprise)| surprise + test.weight.ln());
    weighed.fold(f64::NEG_INFINITY, f64::max)
}

impl Spread {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        let count = values.len().max(1) as f64;
        let mean = values.iter().sum::<f64>() / count;
        let deviation = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt();
        let at = values.len().saturating_sub(MEASURE_TAIL + 1);
        let tail = values.get(at).copied().unwrap_or_default();
        let beyond = values.get(at + 1..).unwrap_or_default();
        let excess = beyond.iter().map(|value| value - tail).sum::<f64>() / beyond.len().max(1) as f64;
        // Counts that hardly ever happen have no spread of their own in a small batch.
        Self { mean, deviation, tail, excess: excess.max(0.8 * deviation).max(LEAST_EXCESS) }
    }

    fn surprise(&self, value: f64, shape: Shape) -> f64 {
        match shape {
            Shape::Normal if self.deviation > 0.0 => minus_log_beyond((value - self.mean) / self.deviation),
            Shape::Tail if value > self.tail => 5_f64.ln() + (value - self.tail) / self.excess,
            _ => 0.0,
        }
    }
}

/// Minus the logarithm of the chance that a normal value lies beyond `deviations`.
pub(super) fn minus_log_beyond(deviations: f64) -> f64 {
    if deviations < 0.0 {
        return 0.5_f64.ln().abs() * (deviations / 2.0).exp();
    }
    // A continued fraction beyond, a series within one and a half deviations.
    let log_density = -0.5 * deviations * deviations - 0.5 * (2.0 * std::f64::consts::PI).ln();
    if deviations > 1.5 {
        let fraction = (1..40).rev().fold(deviations, |rest, term| deviations + f64::from(term) / rest);
        return fraction.ln() - log_density;
    }
    let mut term = deviations;
    let mut sum = term;
    for odd in (3..60).step_by(2) {
        term *= deviations * deviations / f64::from(odd);
        sum += term;
    }
    -(0.5 - log_density.exp() * sum).ln()
}

/// Where a shoe ranks among proper shuffles.
pub(super) struct Rank {
    /// For all tests together.
    pub(super) p: f64,
    /// For each test alone.
    pub(super) tests: Surprises,
}

/// Ranks the measures of a shoe.
pub(super) fn rank(measured: &Measured, battery: &mut Battery, draws: &mut Draws<'_>, dice: &mut Dice) -> Rank {
    let scale = Scale::draw(battery, draws, dice);
    let seen = scale.surprises(measured);
    let all_seen = greatest(&seen);
    let mut drawn: Vec<Surprises> = Vec::with_capacity(ALL);
    let mut order = Vec::new();
    for count in [FIRST, ALL] {
        while drawn.len() < count {
            draws.draw(dice, &mut order);
            drawn.push(scale.surprises(&battery.measure(&order)));
        }
        let as_great = drawn.iter().filter(|surprises| greatest(surprises) >= all_seen).count();
        if as_great > FEW {
            break;
        }
    }
    let p = p_value(all_seen, drawn.iter().map(greatest), dice);
    let tests = std::array::from_fn(|test| p_value(seen[test], drawn.iter().map(|surprises| surprises[test]), dice));
    Rank { p, tests }
}

/// The p of a value among others of which it may be one. Ties are broken by the dice, and so is the place within its
/// rank: of fair shoes every p is equally likely.
pub(super) fn p_value(value: f64, others: impl Iterator<Item = f64>, dice: &mut Dice) -> f64 {
    let mut others: Vec<f64> = others.collect();
    others.sort_by(|one, other| other.total_cmp(one));
    let greater = others.partition_point(|other| *other > value);
    let as_great = others.partition_point(|other| *other >= value);
    let ranks = (others.len() + 1) as f64;
    let ranked = (greater as f64 + dice.unit() * (as_great - greater + 1) as f64) / ranks;
    if as_great > 0 || others.len() < ALL {
        return ranked.max(LEAST_P);
    }
    tail(value, &others).min(ranked).max(LEAST_P)
}

/// How often a value would be this great, by the tail of those below it, greatest first.
fn tail(value: f64, others: &[f64]) -> f64 {
    let Some(begins) = others.get(TAIL) else { return 1.0 };
    let beyond = others.iter().take(TAIL);
    let excess = beyond.map(|other| other - begins).sum::<f64>() / TAIL as f64;
    if excess <= 0.0 {
        return 1.0;
    }
    TAIL as f64 / others.len() as f64 * (-(value - begins) / excess).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_normal_tail_is_as_long_as_in_the_tables() {
        for (deviations, beyond) in
            [(0.0, 0.5), (1.0, 0.158_655_254), (1.6449, 0.049_995_2), (3.0, 0.001_349_898), (6.0, 9.8659e-10)]
        {
            let found = (-minus_log_beyond(deviations)).exp();
            assert!((found / beyond - 1.0).abs() < 1e-4, "{deviations}: {found}");
        }
        let steps: Vec<f64> = (-40..80).map(|step| minus_log_beyond(f64::from(step) / 10.0)).collect();
        assert!(steps.is_sorted(), "the further out, the more surprising");
    }
}
