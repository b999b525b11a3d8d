//! Shoe and camera brought together by what both see: a card leaves the one and settles before the other.

use std::collections::BTreeMap;

use table::{Card, Utc};

/// A card that somebody saw, and when by that one's reckoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// When.
    pub at: Utc,
    /// Which. One that could not be read has no say.
    pub card: Card,
}

/// How far two sources may be apart, and how sure we want to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most that may lie between a draw and its settling, either way, in microseconds.
    pub window: i64,
    /// The fewest cards that must agree.
    pub pairs: usize,
    /// Of each list so many of the newest cards are looked at.
    pub cards: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { window: 30_000_000, pairs: 12, cards: 1000 }
    }
}

/// How one source lags behind another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alignment {
    /// From a card's draw to its settling, in microseconds, at the time `around`. The dealer's hand is part of it.
    pub lag: i64,
    /// The time for which `lag` holds.
    pub around: Utc,
    /// How much the lag grows, in millionths.
    pub drift: f64,
    /// `lag` is right to within so many microseconds, nineteen times in twenty.
    pub within: i64,
    /// How many cards agree.
    pub pairs: usize,
}

impl Alignment {
    /// The lag at a time.
    pub fn lag_at(&self, at: Utc) -> i64 {
        let run = at.micros().saturating_sub(self.around.micros()) as f64 * self.drift / 1e6;
        self.lag.saturating_add(run as i64)
    }
}

/// Why two sources cannot be aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAligned {
    /// Too few cards that both saw.
    #[error("only {pairs} cards agree, {needed} are needed")]
    TooFew {
        /// How many agree.
        pairs: usize,
        /// How many are needed.
        needed: usize,
    },
    /// Two lags explain the cards about equally well: a clock jumped within the stretch.
    #[error("lags of {first} and {second} microseconds explain the cards about equally well: a clock may have jumped")]
    Torn {
        /// The better of them.
        first: i64,
        /// The other.
        second: i64,
    },
}

/// A bin of the vote, in microseconds: wider than a dealer's hand is uneven.
const BIN: i64 = 250_000;
/// How far from the winning lag a pair may lie, in microseconds.
const NEAR: i64 = 600_000;
/// The least stretch over which a drift can be told from uneven hands, in microseconds.
const DRIFT_SPAN: i64 = 300_000_000;
/// A slope is taken between at most so many pairs and each other.
const SLOPES: usize = 200;

/// A draw and the settling that belongs to it: when it was drawn, and how long it took.
type Pair = (i64, i64);

/// Finds the lag of the settlings behind the draws. Both lists are in order of time.
pub fn align(draws: &[Sight], settles: &[Sight], limits: &Limits) -> Result<Alignment, NotAligned> {
    let (draws, settles) = (known(draws, limits.cards), known(settles, limits.cards));
    let lag = elect(&draws, &settles, limits)?;
    let mut pairs = pairs(&draws, &settles, lag);
    let mut line = fit(&pairs);
    // What lies far from the line was another card of the same face.
    let reach = 4 * spread(&pairs, &line).max(10_000);
    pairs.retain(|pair| line.miss(pair).abs() <= reach);
    if pairs.len() < limits.pairs {
        return Err(NotAligned::TooFew { pairs: pairs.len(), needed: limits.pairs });
    }
    line = fit(&pairs);
    // Of a median the standard error is 1.25 times that of a mean, and the spread is two thirds of a deviation.
    let deviation = spread(&pairs, &line) as f64 * 1.4826;
    let within = (2.0 * 1.2533 * deviation / (pairs.len() as f64).sqrt()).ceil() as i64;
    let around = Utc::from_micros(line.around).unwrap_or(Utc::EPOCH);
    Ok(Alignment { lag: line.lag, around, drift: line.slope * 1e6, within, pairs: pairs.len() })
}

fn known(sights: &[Sight], most: usize) -> Vec<(i64, Card)> {
    let newest = &sights[sights.len().saturating_sub(most)..];
    let mut known: Vec<_> =
        newest.iter().filter(|sight| sight.card.is_known()).map(|sight| (sight.at.micros(), sight.card)).collect();
    known.sort_by_key(|(at, _)| *at);
    known
}

/// Lets every draw vote for all lags at which its face settled; the true one is the only one they share.
fn elect(draws: &[(i64, Card)], settles: &[(i64, Card)], limits: &Limits) -> Result<i64, NotAligned> {
    let mut votes: BTreeMap<i64, usize> = BTreeMap::new();
    for (drawn, card) in draws {
        let from = settles.partition_point(|(at, _)| *at < drawn.saturating_sub(limits.window));
        let near = settles[from..].iter().take_while(|(at, _)| *at <= drawn.saturating_add(limits.window));
        for (at, _) in near.filter(|(_, settled)| settled == card) {
            *votes.entry((at - drawn).div_euclid(BIN)).or_default() += 1;
        }
    }
    // A lag on the border of two bins shares its votes between them.
    let pair = |bin: &i64| votes.get(bin).unwrap_or(&0) + votes.get(&(bin + 1)).unwrap_or(&0);
    let best = votes.keys().flat_map(|bin| [bin - 1, *bin]).max_by_key(|bin| (pair(bin), -bin.abs()));
    let count = best.as_ref().map_or(0, pair);
    let Some(best) = best.filter(|_| count >= limits.pairs) else {
        return Err(NotAligned::TooFew { pairs: count, needed: limits.pairs });
    };
    let apart = |bin: &&i64| (*bin - best).abs() > NEAR / BIN + 1;
    let second = votes.keys().filter(apart).max_by_key(|bin| pair(bin));
    match second {
        Some(second) if pair(second) * 2 > count => {
            Err(NotAligned::Torn { first: (best + 1) * BIN, second: (second + 1) * BIN })
        }
        _ => Ok((best + 1) * BIN),
    }
}

/// Each draw with the settling of its face that lies nearest to the elected lag; no settling serves two draws.
fn pairs(draws: &[(i64, Card)], settles: &[(i64, Card)], lag: i64) -> Vec<Pair> {
    let mut taken = vec![false; settles.len()];
    let mut pairs = Vec::new();
    for (drawn, card) in draws {
        let due = drawn.saturating_add(lag);
        let from = settles.partition_point(|(at, _)| *at < due.saturating_sub(NEAR));
        let near = settles.iter().enumerate().skip(from).take_while(|(_, (at, _))| *at <= due.saturating_add(NEAR));
        let free = near.filter(|(number, (_, settled))| settled == card && !taken[*number]);
        if let Some((number, (at, _))) = free.min_by_key(|(_, (at, _))| (at - due).abs()) {
            taken[number] = true;
            pairs.push((*drawn, at - drawn));
        }
    }
    pairs
}

/// A lag that changes evenly.
struct Line {
    around: i64,
    lag: i64,
    slope: f64,
}

impl Line {
    fn miss(&self, (drawn, lag): &Pair) -> i64 {
        lag - self.lag - ((drawn - self.around) as f64 * self.slope) as i64
    }
}

/// The line through the middle of all pairs by medians, which a third of wrong pairs cannot pull away.
fn fit(pairs: &[Pair]) -> Line {
    let around = pairs.get(pairs.len() / 2).map_or(0, |(drawn, _)| *drawn);
    let span = pairs.last().map_or(0, |last| last.0) - pairs.first().map_or(0, |first| first.0);
    let mut slopes = Vec::new();
    if span >= DRIFT_SPAN {
        let step = pairs.len().div_ceil(SLOPES).max(1);
        let some: Vec<&Pair> = pairs.iter().step_by(step).collect();
        for (number, a) in some.iter().enumerate() {
            // Two cards close in time say nothing of a drift.
            let far = some.iter().skip(number + 1).filter(|b| b.0 - a.0 >= span / 4);
            slopes.extend(far.map(|b| (b.1 - a.1) as f64 / (b.0 - a.0) as f64));
        }
    }
    slopes.sort_by(f64::total_cmp);
    let slope = slopes.get(slopes.len() / 2).copied().unwrap_or(0.0);
    let flat = Line { around, lag: 0, slope };
    let lag = median(pairs.iter().map(|pair| flat.miss(pair)).collect());
    Line { lag, ..flat }
}

/// Half of all pairs miss the line by no more than this.
fn spread(pairs: &[Pair], line: &Line) -> i64 {
    median(pairs.iter().map(|pair| line.miss(pair).abs()).collect())
}

fn median(mut values: Vec<i64>) -> i64 {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or(0)
}
