//! How many riffles a shuffle was worth.
//!
//! The likelihood alone would not say: it is a sum over too many ways, and the more so the less is known. So the old order
//! is riffled anew, once, twice and so on, and the number is read off where the shoe's likelihoods lie among those. Several
//! likelihoods are compared, each for another distance between former neighbours: one alone is about the same for one
//! riffle as for three.

use std::fmt;
use std::sync::Arc;

use super::LEAST_READ;
use super::chain::{Chain, Kernel, LANES, Places, UNREAD};
use super::null::Draws;
use crate::model::random::Dice;

/// Numbers of riffles that are tried; the last stands for any number more.
const TRIED: [u32; 10] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 16];
/// How often each is tried.
const TIMES: usize = 6;
/// Numbers of riffles whose mean distances the likelihoods are for.
const DISTANCES: [f64; LANES] = [1.0, 2.5, 4.0, 6.0];
/// Deviations within which a number explains what is seen.
const WITHIN: f64 = 2.6;
/// Once so many numbers running are too few to explain it, still fewer are not tried.
const TOO_FEW: usize = 2;
/// Numbers between those tried are looked at in steps of a tenth.
const STEPS: usize = 10;

/// The effective number of riffles: so many of the whole pack would have left as much of the old order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Riffles {
    /// The likeliest number; none where any number would explain what is seen.
    pub estimate: Option<f64>,
    /// The least that would; the likeliest where none does, as with a run kept together in a shuffle done well.
    pub least: f64,
    /// The most; none if any number would.
    pub most: Option<f64>,
}

impl fmt::Display for Riffles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.estimate, self.most) {
            (Some(estimate), Some(most)) if self.least < most => {
                write!(f, "{estimate} riffles ({} to {most})", self.least)
            }
            (Some(estimate), _) => write!(f, "no number of riffles; {estimate} come nearest"),
            (None, _) => write!(f, "{} {} or more", self.least, if self.least <= 1.0 { "riffle" } else { "riffles" }),
        }
    }
}

/// What a number of riffles leaves, for each distance: the mean and the variance of the likelihood.
type Left = [(f64, f64); LANES];

impl Riffles {
    /// `mended` is how often places are held to being used once; with unread cards they are not.
    pub(super) fn estimate(
        decks: usize,
        before: &[u8],
        after: &[u8],
        mended: usize,
        draws: &mut Draws<'_>,
        dice: &mut Dice,
    ) -> Self {
        let read = |order: &[u8]| order.iter().filter(|face| **face < UNREAD).count();
        if read(before).min(read(after)) < LEAST_READ {
            return Self { estimate: None, least: f64::from(TRIED[0]), most: None };
        }
        let kernel = Kernel::onward(before.len(), DISTANCES.map(f64::exp2), mended == 0);
        let mut chain = Chain::new(Arc::new(kernel));
        chain.walk(before);
        let mut places = Places::default();
        let mut likelihoods = |order: &[u8]| {
            places.read(order, decks);
            chain.exclusive_ratio(&places, mended)
        };
        let seen = likelihoods(after);
        let mut order = Vec::new();
        let mut tried: Vec<Left> = Vec::with_capacity(TRIED.len());
        // From the most on down, until fewer and fewer explain it less and less.
        let mut explained = None;
        for (number, riffles) in TRIED.iter().rev().enumerate() {
            let values: [[f64; LANES]; TIMES] = std::array::from_fn(|_| {
                draws.riffle(1 << riffles, dice, &mut order);
                likelihoods(&order)
            });
            tried.push(std::array::from_fn(|lane| spread(values.map(|each| each[lane]))));
            if steadied(&tried).last().is_some_and(|left| is_within(left, &seen)) {
                explained = Some(number);
            }
            if explained.is_some_and(|explained| number >= explained + TOO_FEW) {
                break;
            }
        }
        let mut tried = steadied(&tried);
        tried.reverse();
        read_off(&tried, &seen)
    }
}

fn spread(values: [f64; TIMES]) -> (f64, f64) {
    let mean = values.iter().sum::<f64>() / TIMES as f64;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (TIMES - 1) as f64;
    (mean, variance)
}

/// So few tries tell a deviation badly; that of all numbers together steadies it.
fn steadied(tried: &[Left]) -> Vec<Left> {
    let usual: [f64; LANES] =
        std::array::from_fn(|lane| tried.iter().map(|left| left[lane].1).sum::<f64>() / tried.len().max(1) as f64);
    let steady = |left: &Left| -> Left {
        std::array::from_fn(|lane| (left[lane].0, 0.5 * (left[lane].1 + usual[lane]).max(f64::MIN_POSITIVE)))
    };
    tried.iter().map(steady).collect()
}

/// Whether a number of riffles that leaves this explains the likelihoods seen.
fn is_within(left: &Left, seen: &[f64; LANES]) -> bool {
    left.iter().zip(seen).all(|((mean, variance), seen)| (seen - mean).abs() <= WITHIN * variance.sqrt())
}

/// The numbers of riffles that explain the likelihoods seen, and the one that does best. `tried` are the last of
/// [`TRIED`].
fn read_off(tried: &[Left], seen: &[f64; LANES]) -> Riffles {
    let numbers = &TRIED[TRIED.len() - tried.len()..];
    let last = f64::from(TRIED[TRIED.len() - 2]);
    let mut best = (f64::INFINITY, last);
    let mut explains: Option<(f64, f64)> = None;
    // Beyond the last number that is told from its neighbours there is nothing to read off.
    for (number, pair) in tried.windows(2).enumerate() {
        let steps = if number + 2 == tried.len() { 1 } else { STEPS };
        for step in 0..steps {
            let part = step as f64 / STEPS as f64;
            let riffles = ((f64::from(numbers[number]) + part) * 10.0).round() / 10.0;
            let off: [f64; LANES] = std::array::from_fn(|lane| {
                let between = |one: f64, next: f64| one + part * (next - one);
                let mean = between(pair[0][lane].0, pair[1][lane].0);
                ((seen[lane] - mean) / between(pair[0][lane].1, pair[1][lane].1).sqrt()).abs()
            });
            let far = off.iter().map(|off| off * off).sum::<f64>();
            if far < best.0 {
                best = (far, riffles);
            }
            if off.iter().all(|off| *off <= WITHIN) {
                explains = Some((explains.map_or(riffles, |(least, _)| least), riffles));
            }
        }
    }
    let any = tried.last().is_some_and(|any| is_within(any, seen));
    let (least, most) = explains.unwrap_or((best.1, best.1));
    let least = if any && explains.is_none() { last } else { least };
    Riffles { estimate: (!any).then_some(best.1), least, most: (!any).then_some(most) }
}
