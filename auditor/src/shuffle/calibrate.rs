//! From measures to one honest p: the shoe is ranked among shuffles that are known to be proper.
//!
//! A first batch of proper shuffles says how each measure is spread, so that the tests can be laid side by side; the
//! shoe's greatest surprise is then ranked among the greatest surprises of others, drawn until its rank is known. Since the
//! shoe, if its shuffle was proper, is one more of the same kind, every rank is equally likely: no distribution has to be
//! believed in, and having looked in many ways is paid for. Beyond the last rank an exponential tail is fitted; it is the
//! one place where something is assumed.

use super::battery::{Battery, MEASURES, Measured, Shape, TESTS};
use super::null::Draws;
use crate::model::random::Dice;

/// Shuffles that say how the measures are spread.
const SCALE: usize = 50;
/// Shuffles the shoe is ranked among at least, so that each test has something to be ranked among too.
const FIRST: usize = 29;
/// Once so many of them are as surprising as the shoe, its rank is known well enough.
const ENOUGH: usize = 8;
/// So many at most.
pub(super) const ALL: usize = 299;
/// Numbers of shuffles after which a shoe may be so far beyond all of them that more would change nothing.
const BEYOND_DOUBT: [usize; 2] = [99, 199];
/// The part of the surprises that the tail is fitted to: one in so many.
const TAIL: usize = 10;
/// A tail is fitted to so many shuffles at least.
const LEAST_FOR_TAIL: usize = 99;
/// The part of the scale batch that a measure's own tail is fitted to.
const MEASURE_TAIL: usize = SCALE / 5;
/// The least that a value in the tail of a measure lies beyond it, on average.
const LEAST_EXCESS: f64 = 0.7;
/// Nothing is told to be less likely than this.
const LEAST_P: f64 = 1e-9;

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
///
/// No more shuffles are drawn than its rank needs (Besag and Clifford): a shoe stays among the [`ENOUGH`] most surprising
/// of `n + 1` with the chance `ENOUGH / (n + 1)`, so when it falls out of them says what p is, as exactly as a rank does.
pub(super) fn rank(measured: &Measured, battery: &mut Battery, draws: &mut Draws<'_>, dice: &mut Dice) -> Rank {
    let scale = Scale::draw(battery, draws, dice);
    let seen = scale.surprises(measured);
    let mut sequence = Sequence::new(greatest(&seen), dice);
    let mut drawn: Vec<Surprises> = Vec::with_capacity(ALL);
    let mut order = Vec::new();
    let p = loop {
        draws.draw(dice, &mut order);
        let surprises = scale.surprises(&battery.measure(&order));
        drawn.push(surprises);
        if let Some(p) = sequence.draw(greatest(&surprises), dice) {
            break p;
        }
    };
    let tests = std::array::from_fn(|test| p_value(seen[test], drawn.iter().map(|surprises| surprises[test]), dice));
    Rank { p, tests }
}

/// A value that is ranked among others as they are drawn.
struct Sequence {
    /// Equal values are told apart by dice.
    value: (f64, f64),
    others: Vec<f64>,
    greater: usize,
}

impl Sequence {
    fn new(value: f64, dice: &mut Dice) -> Self {
        Self { value: (value, dice.unit()), others: Vec::with_capacity(ALL), greater: 0 }
    }

    /// Another one; the p of the value, once no more are needed.
    fn draw(&mut self, other: f64, dice: &mut Dice) -> Option<f64> {
        let as_great = (other, dice.unit()) > self.value;
        self.others.push(other);
        self.greater += usize::from(as_great);
        let count = self.others.len();
        let ranks = (count + 1) as f64;
        if self.greater >= ENOUGH && count == FIRST {
            return Some((self.greater as f64 + dice.unit()) / ranks);
        }
        if self.greater == ENOUGH && as_great && count > FIRST {
            // It fell out with this one: between the chances to be still in after it and before it.
            let (still, before) = (ENOUGH as f64 / ranks, ENOUGH as f64 / count as f64);
            return Some(still + dice.unit() * (before - still));
        }
        if count == ALL && self.greater > 0 {
            return Some((self.greater as f64 + dice.unit()) / ranks);
        }
        if self.greater == 0 && (count == ALL || BEYOND_DOUBT.contains(&count)) {
            let p = beyond_all(self.value.0, &mut self.others);
            return (count == ALL || p <= LEAST_P).then_some(p.max(LEAST_P));
        }
        None
    }
}

/// The p of a value among others of which it may be one. Ties are broken by the dice, and so is the place within its
/// rank: of fair shoes every p is equally likely.
pub(super) fn p_value(value: f64, others: impl Iterator<Item = f64>, dice: &mut Dice) -> f64 {
    let mut others: Vec<f64> = others.collect();
    let greater = others.iter().filter(|other| **other > value).count();
    let as_great = others.iter().filter(|other| **other >= value).count();
    if as_great == 0 && others.len() >= LEAST_FOR_TAIL {
        return beyond_all(value, &mut others).max(LEAST_P);
    }
    (greater as f64 + dice.unit() * (as_great - greater + 1) as f64) / (others.len() + 1) as f64
}

/// How often a value would be this great that is greater than all others.
///
/// An exponential tail is fitted to the greatest tenth of them. How far it reaches is known only as well as so few can
/// tell, and that is allowed for: among values whose tail is exponential no p comes more often than it says.
fn beyond_all(value: f64, others: &mut [f64]) -> f64 {
    let ranks = (others.len() + 1) as f64;
    let tail = others.len() / TAIL;
    others.sort_unstable_by(|one, other| other.total_cmp(one));
    let (Some(greatest), Some(begins)) = (others.get(..tail), others.get(tail)) else { return 1.0 / ranks };
    let excesses = greatest.iter().map(|other| other - begins).sum::<f64>();
    if excesses <= 0.0 {
        return 1.0 / ranks;
    }
    let beyond = (1.0 + (value - begins) / excesses).powi(-(tail as i32));
    ((tail + 1) as f64 / ranks * beyond).min(1.0 / ranks)
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

    /// The p of a value among others that are spread like it, exponentially as surprises are or in a few steps as counts
    /// are.
    fn sequential(steps: Option<f64>, dice: &mut Dice) -> f64 {
        let value = |dice: &mut Dice| {
            let value = -(1.0 - dice.unit()).ln();
            steps.map_or(value, |steps| (value * steps).floor())
        };
        let mut sequence = Sequence::new(value(dice), dice);
        loop {
            let other = value(dice);
            if let Some(p) = sequence.draw(other, dice) {
                return p;
            }
        }
    }

    #[test]
    fn wherever_the_drawing_stops_every_p_is_as_likely() {
        for steps in [None, Some(2.0)] {
            let mut dice = Dice::new(3);
            let values: Vec<f64> = (0..40_000).map(|_| sequential(steps, &mut dice)).collect();
            for bar in [0.001, 0.0034, 0.01, 0.027, 0.05, 0.1, 0.25, 0.27, 0.5, 0.9] {
                let below = values.iter().filter(|p| **p <= bar).count() as f64;
                let due = bar * values.len() as f64;
                // Within three and a half deviations; below the last rank fewer are allowed.
                let within = 3.5 * due.sqrt();
                assert!(below < due + within && (bar < 0.003 || below > due - within), "{bar}: {below} of {due}");
            }
        }
    }

    #[test]
    fn a_tail_never_promises_more_than_it_can_keep() {
        let mut dice = Dice::new(8);
        let mut value = || -(1.0 - dice.unit()).ln();
        for count in [99, 299] {
            let tries = 3_000_000 / count;
            let found: Vec<f64> = (0..tries)
                .map(|_| {
                    let mut others: Vec<f64> = (0..count).map(|_| value()).collect();
                    // A value far out stands for as many as would lie beyond its beginning.
                    let beyond = 4.0 + value();
                    let greatest = others.iter().copied().fold(0.0, f64::max);
                    if beyond > greatest { beyond_all(beyond, &mut others) } else { 1.0 }
                })
                .collect();
            for bar in [0.001, 0.0002] {
                let below = found.iter().filter(|p| **p <= bar).count() as f64 * (-4.0_f64).exp();
                assert!(below <= 1.2 * bar * tries as f64, "{count}: {below} below {bar} of {tries}");
            }
        }
    }
}
