//! How many riffles a shuffle was worth.
//!
//! The likelihood alone would not say: it is a sum over too many ways, and the more so the less is known. So the old order
//! is riffled anew, once, twice and so on, and the number is read off where the shoe's likelihood lies among those.

use super::battery::Kernels;
use super::chain::{Chain, Places};
use super::null::Draws;
use crate::model::random::Dice;

/// Numbers of riffles that are tried; the last stands for any number more.
const TRIED: [u32; 10] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 16];
/// How often each is tried.
const TIMES: usize = 6;
/// The lane of the likelihood that tells them apart best.
const LANE: usize = 1;
/// Deviations within which a number explains what is seen.
const WITHIN: f64 = 2.2;

/// The effective number of riffles: so many of the whole pack would have left as much of the old order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Riffles {
    /// The likeliest number; none where any number would explain what is seen.
    pub estimate: Option<f64>,
    /// The least that would.
    pub least: f64,
    /// The most; none if any number would.
    pub most: Option<f64>,
}

impl Riffles {
    pub(super) fn estimate(
        decks: usize,
        before: &[u8],
        after: &[u8],
        kernels: &Kernels,
        draws: &mut Draws<'_>,
        dice: &mut Dice,
    ) -> Self {
        let mut chain = Chain::new(kernels.riffled());
        chain.walk(before);
        let mut places = Places::default();
        let mut likelihood = |order: &[u8]| {
            places.read(order, decks);
            chain.exclusive_ratio(&places, kernels.mended)[LANE]
        };
        let seen = likelihood(after);
        let mut order = Vec::new();
        let tried = TRIED.map(|riffles| {
            let values: [f64; TIMES] = std::array::from_fn(|_| {
                draws.riffle(1 << riffles, dice, &mut order);
                likelihood(&order)
            });
            let mean = values.iter().sum::<f64>() / TIMES as f64;
            let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (TIMES - 1) as f64;
            (mean, variance)
        });
        // So few tries tell a deviation badly; those of the numbers beside it are much the same.
        let deviation = |number: usize| {
            let beside = &tried[number.saturating_sub(1)..(number + 2).min(tried.len())];
            (beside.iter().map(|(_, variance)| variance).sum::<f64>() / beside.len() as f64).sqrt()
        };
        let beyond = |deviations: f64| {
            let bound: [f64; TRIED.len()] =
                std::array::from_fn(|number| tried[number].0 + deviations * deviation(number));
            crossing(&falling(bound), seen)
        };
        let most = beyond(WITHIN);
        Self {
            estimate: most.and_then(|_| beyond(0.0)),
            least: beyond(-WITHIN).unwrap_or_else(|| f64::from(TRIED[TRIED.len() - 2])),
            most,
        }
    }
}

/// The line made to fall: between its running least from the left and its running greatest from the right.
fn falling(line: [f64; TRIED.len()]) -> [f64; TRIED.len()] {
    std::array::from_fn(|number| {
        let least = line[..=number].iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = line[number..].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        0.5 * (least + greatest)
    })
}

/// Where a falling line passes a value, to a tenth; none if it stays above it to the end.
fn crossing(line: &[f64; TRIED.len()], value: f64) -> Option<f64> {
    let below = line.iter().position(|there| *there <= value)?;
    let Some(above) = below.checked_sub(1) else { return Some(f64::from(TRIED[0])) };
    // Beyond the last number that is told from its neighbours there is nothing to read off.
    if below == line.len() - 1 {
        return Some(f64::from(TRIED[above]));
    }
    let part = (line[above] - value) / (line[above] - line[below]).max(f64::MIN_POSITIVE);
    Some((10.0 * (f64::from(TRIED[above]) + part)).round() / 10.0)
}
