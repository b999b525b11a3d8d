//! The battery: everything that is measured on a pair of orders. What a number means only a comparison with fair shuffles
//! can tell, and that is made elsewhere.

use std::sync::Arc;

use super::chain::{Chain, FACES, Kernel, LANES, Places, UNREAD};
use super::rising;
use super::slugs::Runs;

/// Numbers of riffles the likelihood is computed for. Fewer riffles than the first are found by the first.
const RIFFLES: [f64; LANES] = [5.0, 6.0, 6.6, 7.3];
/// Mean distances, in cards that went in, between cards that came out together.
const SHELVES: [f64; LANES] = [8.0, 20.0, 40.0, 80.0];
/// The lane of [`SHELVES`] a guessing player believes.
const GUESSED: usize = 1;
/// Zones a pack is looked at in.
const ZONES: usize = 6;
/// Cards from the top whose places are compared.
const TOP: usize = 52;

/// How a measure is spread under fair shuffles, which says how far out a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Much like a normal distribution.
    Normal,
    /// A count that is small, with a tail that falls off exponentially.
    Tail,
}

/// One test: one or more measures that look for the same thing.
pub(super) struct Test {
    pub(super) name: &'static str,
    /// What it looks for.
    pub(super) finds: &'static str,
    pub(super) measures: usize,
    pub(super) shape: Shape,
    /// Its part of the false alarms.
    pub(super) weight: f64,
}

/// The tests, with their measures in this order.
pub(super) const TESTS: [Test; 11] = [
    Test {
        name: "neighbours",
        finds: "former neighbours a riffled distance apart",
        measures: LANES,
        shape: Shape::Normal,
        weight: 0.55,
    },
    Test {
        name: "shelves",
        finds: "cards in order or in reverse, a shelf's distance apart",
        measures: LANES,
        shape: Shape::Normal,
        weight: 0.1,
    },
    Test {
        name: "slugs",
        finds: "runs of cards that came through together",
        measures: 1,
        shape: Shape::Tail,
        weight: 0.05,
    },
    Test {
        name: "kept pairs",
        finds: "cards that stayed next to each other",
        measures: 1,
        shape: Shape::Tail,
        weight: 0.02,
    },
    Test {
        name: "rising sequences",
        finds: "passes through the new order that collect the old one, where no two cards are alike",
        measures: 1,
        shape: Shape::Normal,
        weight: 0.05,
    },
    Test {
        name: "guesses",
        finds: "cards a guessing player gets right",
        measures: 1,
        shape: Shape::Tail,
        weight: 0.02,
    },
    Test {
        name: "zones",
        finds: "parts of the pack that stayed together",
        measures: 1,
        shape: Shape::Tail,
        weight: 0.04,
    },
    Test { name: "places", finds: "top cards that kept their places", measures: 1, shape: Shape::Tail, weight: 0.04 },
    Test {
        name: "repeats",
        finds: "successions that come again and again",
        measures: 1,
        shape: Shape::Tail,
        weight: 0.04,
    },
    Test {
        name: "steps",
        finds: "the same step in rank and suit from card to card",
        measures: 1,
        shape: Shape::Tail,
        weight: 0.02,
    },
    Test {
        name: "clumps",
        finds: "high and low cards that come in clumps",
        measures: 2,
        shape: Shape::Normal,
        weight: 0.02,
    },
];

/// How many numbers are measured.
pub(super) const MEASURES: usize = {
    let (mut sum, mut test) = (0, 0);
    while test < TESTS.len() {
        sum += TESTS[test].measures;
        test += 1;
    }
    sum
};

/// One number for each measure.
pub(super) type Measured = [f64; MEASURES];

/// What the battery needs to know of a pack besides its cards; made once for many shoes of one size.
#[derive(Clone)]
pub(super) struct Kernels {
    riffled: Arc<Kernel>,
    shelved: Arc<Kernel>,
    /// How often places are held to being used once. With unread cards nobody knows how often they are used.
    pub(super) mended: usize,
}

impl Kernels {
    /// For packs of this size; `unread` if some of their cards were not read.
    pub(super) fn new(size: usize, unread: bool) -> Self {
        let riffled = Arc::new(Kernel::onward(size, RIFFLES.map(f64::exp2), unread));
        Self { riffled, shelved: Arc::new(Kernel::either_way(size, SHELVES)), mended: usize::from(!unread) }
    }
}

/// An order that went in, ready to be compared with many that may have come out.
pub(super) struct Battery {
    decks: usize,
    before: Vec<u8>,
    places_before: Places,
    places_after: Places,
    riffled: Chain,
    shelved: Chain,
    mended: usize,
    /// How often one face followed another in the order that went in.
    followed: Vec<u8>,
    follows: Vec<u8>,
    zones_before: Vec<[f64; ZONES]>,
    runs: Runs,
}

impl Battery {
    /// For this order that went in, and the kernels of packs of its size.
    pub(super) fn new(decks: usize, before: &[u8], kernels: &Kernels) -> Self {
        let mut riffled = Chain::new(Arc::clone(&kernels.riffled));
        riffled.walk(before);
        let shelved = Chain::new(Arc::clone(&kernels.shelved));
        let mut places_before = Places::default();
        places_before.read(before, decks);
        let mut followed = vec![0; FACES * FACES];
        for pair in before.windows(2) {
            count_pair(&mut followed, pair);
        }
        Self {
            decks,
            before: before.to_vec(),
            places_before,
            places_after: Places::default(),
            riffled,
            shelved,
            mended: kernels.mended,
            followed,
            follows: vec![0; FACES * FACES],
            zones_before: zones(before),
            runs: Runs::of(before),
        }
    }

    /// Measures an order that came out. It has as many places as the one that went in.
    pub(super) fn measure(&mut self, after: &[u8]) -> Measured {
        let mut measured = [0.0; MEASURES];
        self.places_after.read(after, self.decks);
        let neighbours = self.riffled.exclusive_ratio(&self.places_after, self.mended);
        self.shelved.walk(after);
        let shelves = self.shelved.ratio(&self.places_before);
        let guesses = self.shelved.guesses(&self.places_before, &self.before, GUESSED);
        let counts = [
            self.runs.surprise(after, self.decks),
            self.kept_pairs(after),
            self.rising(after),
            guesses as f64,
            self.zones(after),
            places_kept(&self.before, after),
            self.repeats(after),
            steps(after),
        ];
        let all = neighbours.into_iter().chain(shelves).chain(counts).chain(clumps(after));
        for (there, value) in measured.iter_mut().zip(all) {
            *there = value;
        }
        measured
    }

    fn kept_pairs(&self, after: &[u8]) -> f64 {
        let known = after.windows(2).filter(|pair| pair.iter().all(|face| *face < UNREAD));
        let kept = known.map(|pair| u32::from(self.followed[pair_index(pair)]));
        f64::from(kept.sum::<u32>())
    }

    /// The fewer rising sequences, the more.
    fn rising(&self, after: &[u8]) -> f64 {
        if self.decks != 1 {
            return 0.0;
        }
        let mut places = [None; FACES];
        for (at, face) in after.iter().enumerate().filter(|(_, face)| **face < UNREAD) {
            places[usize::from(*face)] = Some(at);
        }
        let known = self.before.iter().filter(|face| **face < UNREAD);
        let places: Vec<usize> = known.filter_map(|face| places[usize::from(*face)]).collect();
        -(rising::sequences(&places) as f64)
    }

    /// How unevenly the faces of each zone are spread over the zones that came out.
    fn zones(&self, after: &[u8]) -> f64 {
        let mut met = [[0.0; ZONES]; ZONES];
        let after = zones(after);
        for (before, after) in self.zones_before.iter().zip(&after) {
            for (from, before) in before.iter().enumerate() {
                for (to, after) in after.iter().enumerate() {
                    met[from][to] += before * after;
                }
            }
        }
        let total = |zones: &[[f64; ZONES]]| -> [f64; ZONES] {
            std::array::from_fn(|zone| zones.iter().map(|face| face[zone]).sum())
        };
        let (in_before, in_after) = (total(&self.zones_before), total(&after));
        let mut sum = 0.0;
        for (met, before) in met.iter().zip(in_before) {
            for (met, after) in met.iter().zip(in_after) {
                let expected = before * after / FACES as f64;
                sum += (met - expected).powi(2) / expected.max(1.0);
            }
        }
        sum
    }

    /// Pairs of equal successions within the order that came out.
    fn repeats(&mut self, after: &[u8]) -> f64 {
        self.follows.fill(0);
        for pair in after.windows(2) {
            count_pair(&mut self.follows, pair);
        }
        f64::from(
            self.follows
                .iter()
                .map(|count| u32::from(*count))
                .map(|count| count * count.saturating_sub(1) / 2)
                .sum::<u32>(),
        )
    }
}

fn pair_index(pair: &[u8]) -> usize {
    usize::from(pair[0]) * FACES + usize::from(pair[1])
}

fn count_pair(counts: &mut [u8], pair: &[u8]) {
    if pair.iter().all(|face| *face < UNREAD) {
        let count = &mut counts[pair_index(pair)];
        *count = count.saturating_add(1);
    }
}

/// For each face how many lie in each zone.
fn zones(order: &[u8]) -> Vec<[f64; ZONES]> {
    let mut counts = vec![[0.0; ZONES]; FACES];
    for (at, face) in order.iter().enumerate().filter(|(_, face)| **face < UNREAD) {
        counts[usize::from(*face)][at * ZONES / order.len()] += 1.0;
    }
    counts
}

/// Cards near the top that lie where they lay.
fn places_kept(before: &[u8], after: &[u8]) -> f64 {
    let known = before.iter().zip(after).take(TOP).filter(|(before, _)| **before < UNREAD);
    known.filter(|(before, after)| before == after).count() as f64
}

/// How unevenly the steps in rank and suit from one card to the next are spread.
fn steps(after: &[u8]) -> f64 {
    let mut counts = [0_u32; FACES];
    for pair in after.windows(2).filter(|pair| pair.iter().all(|face| *face < UNREAD)) {
        let (from, to) = (usize::from(pair[0]), usize::from(pair[1]));
        counts[(to / 4 + 13 - from / 4) % 13 * 4 + (to % 4 + 4 - from % 4) % 4] += 1;
    }
    f64::from(counts.iter().map(|count| count * count).sum::<u32>())
}

/// Few changes between low and high cards, and points that follow their like.
fn clumps(after: &[u8]) -> [f64; 2] {
    let points = |face: u8| f64::from(face / 4 + 1).min(10.0) - 6.5;
    let known = after.windows(2).filter(|pair| pair.iter().all(|face| *face < UNREAD));
    let mut changes = 0.0;
    let mut serial = 0.0;
    for pair in known {
        let (one, next) = (points(pair[0]), points(pair[1]));
        serial += one * next;
        if (one > 0.0) != (next > 0.0) {
            changes += 1.0;
        }
    }
    [-changes, serial]
}
