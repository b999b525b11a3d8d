//! How well one order explains another: the likelihood over every way of telling the copies of a card apart.
//!
//! Follow the cards in the order they went in, and look where each of them came out. After `k` riffles the next card lies
//! a geometric step further round the pack, `2^k` places on average; that is exact, on the circle that the cut leaves
//! open. A shoe does not say which of six sevens of hearts is which, so the place of a card is hidden, and the likelihood
//! is the sum over all the places it could be: a forward pass over a hidden Markov chain. A second pass holds the sum to
//! using every place once (it weighs places down that are used too often and up that are used too seldom, and takes the
//! weights out of the result again).
//!
//! A shuffling machine with shelves does the opposite: cards that come out together lay a step apart when they went in.
//! The same chain, walked along the order that came out, finds that.

use std::sync::Arc;

/// Likelihoods that are computed side by side, each for another distance.
pub(super) const LANES: usize = 4;
/// One number for each lane.
pub(super) type Lanes = [f32; LANES];

/// A card nobody read, where faces are numbers from 0 to 51.
pub(super) const UNREAD: u8 = 52;
/// Faces.
pub(super) const FACES: usize = 52;
/// Unread places that lie together are looked at as one, up to so many.
const BIN: usize = 13;
/// Steps over unread cards that are followed; after more of them a card may be anywhere.
const MOST_STEPS: usize = 3;
/// After so many links the chances are scaled to one again: often enough that they stay numbers, and seldom enough
/// that scaling costs nothing.
const SCALED: usize = 4;
/// After so many links the logarithm of the scales is taken, for the same reasons.
const LOGARITHM: usize = 32;
/// The part of all cards that went anywhere: boxed, misread, moved.
const ASTRAY: f64 = 0.01;

/// How the distance from one card to the next is spread, relative to "anywhere".
pub(super) struct Kernel {
    size: usize,
    /// For one step and more, by the place a card lies at, plus the size of the pack, less that of the card before.
    steps: Vec<Vec<Lanes>>,
    /// For each number of steps, what a card in a full bin has to expect of its own bin beyond "once round".
    within: Vec<Lanes>,
}

impl Kernel {
    /// Steps onward with these mean distances in a pack of this size, and over unread cards if there are any.
    pub(super) fn onward(size: usize, means: [f64; LANES], over_unread: bool) -> Self {
        let one: Vec<_> = (0..size).map(|ahead| means.map(|mean| astray(geometric(size, mean, ahead)))).collect();
        let mut circles = vec![one];
        while over_unread && circles.len() < MOST_STEPS {
            let further = circles.last().map(|last| step_again(last, means)).unwrap_or_default();
            circles.push(further);
        }
        Self::of(&circles)
    }

    /// The same with as many steps back as onward, and none over unread cards.
    pub(super) fn either_way(size: usize, means: [f64; LANES]) -> Self {
        let both = |mean: f64, ahead: usize| {
            astray(0.5 * (geometric(size, mean, ahead) + geometric(size, mean, size - ahead)))
        };
        Self::of(&[(0..size).map(|ahead| means.map(|mean| both(mean, ahead))).collect()])
    }

    /// The spread for the steps to this link; none if there are too many, or it is the first.
    fn table(&self, link: Link) -> Option<&[Lanes]> {
        usize::from(link.steps).checked_sub(1).and_then(|steps| self.steps.get(steps)).map(Vec::as_slice)
    }

    fn of(circles: &[Vec<[f64; LANES]>]) -> Self {
        let size = circles.first().map_or(0, Vec::len);
        let unrolled =
            |circle: &Vec<[f64; LANES]>| circle.iter().chain(circle).map(|row| row.map(|x| x as f32)).collect();
        let within = circles.iter().map(|circle| within(circle)).collect();
        Self { size, steps: circles.iter().map(unrolled).collect(), within }
    }
}

/// With some cards going anywhere.
fn astray(spread: f64) -> f64 {
    ASTRAY + (1.0 - ASTRAY) * spread
}

/// Two cards of one full bin, whichever they are, against two in the same place.
fn within(circle: &[[f64; LANES]]) -> Lanes {
    let size = circle.len();
    std::array::from_fn(|lane| {
        let apart = |distance: usize| (circle[distance % size][lane], circle[(size - distance % size) % size][lane]);
        let pairs = (1..BIN).map(|distance| {
            let (onward, back) = apart(distance);
            (BIN - distance) as f64 * (onward + back)
        });
        let mean = pairs.sum::<f64>() / (BIN * BIN) as f64;
        (mean - circle.first().map_or(0.0, |same| same[lane])) as f32
    })
}

/// A geometric distance on a circle, relative to the uniform one. The circle is `size` round; no distance at all is once round.
fn geometric(size: usize, mean: f64, ahead: usize) -> f64 {
    let stay = 1.0 - 1.0 / mean.max(1.000_001);
    let distance = if ahead.is_multiple_of(size) { size } else { ahead };
    let (size, before) = (size as i32, distance as i32 - 1);
    f64::from(size) * (1.0 - stay) * stay.powi(before) / (1.0 - stay.powi(size))
}

/// The spread of one step more: each place has what the one before it had, or is reached from there.
fn step_again(last: &[[f64; LANES]], means: [f64; LANES]) -> Vec<[f64; LANES]> {
    let size = last.len();
    let mut further = vec![[0.0; LANES]; size];
    for lane in 0..LANES {
        let go = 1.0 / means[lane].max(1.000_001);
        let mut here = 1.0;
        // Round and round until what was there at first is forgotten.
        for at in 0..size * 8 {
            here = (1.0 - go) * here + go * last[(at + size - 1) % size][lane];
            further[at % size][lane] = astray(here);
        }
    }
    further
}

/// A place where a card may lie.
#[derive(Clone, Copy)]
struct State {
    /// The place, or the middle of several unread ones.
    at: u16,
    /// Its number among all places and bins.
    slot: u16,
    /// How many cards of the face are expected there.
    weight: f32,
}

/// Where each face may lie in an order.
#[derive(Default)]
pub(super) struct Places {
    states: Vec<State>,
    starts: Vec<usize>,
    /// Cards expected of each face.
    expected: Vec<f32>,
    /// Cards in each slot: one at a place, several in a bin of unread ones.
    slots: Vec<f32>,
    /// How many of the slots are bins; they come last, also among the states of a face.
    bins: usize,
}

impl Places {
    /// The places of an order; each face is there `decks` times, read or not.
    pub(super) fn read(&mut self, order: &[u8], decks: usize) {
        let mut counts = [0_usize; FACES];
        for face in order.iter().filter(|face| **face < UNREAD) {
            counts[usize::from(*face)] += 1;
        }
        self.slots.clear();
        // An unread card has no place of its own; it is in a bin.
        self.slots.extend(order.iter().map(|face| if *face < UNREAD { 1.0 } else { 0.0 }));
        let bins = bins(order);
        self.bins = bins.len();
        self.slots.extend(bins.iter().map(|(_, cards)| *cards));
        let missing = counts.map(|count| decks.saturating_sub(count) as f32);
        let all_missing = missing.iter().sum::<f32>().max(1.0);
        let in_bins = |face: usize| if missing[face] > 0.0 { bins.len() } else { 0 };
        self.starts.clear();
        self.starts.push(0);
        self.expected.clear();
        let mut start = 0;
        for (face, count) in counts.iter().enumerate() {
            start += count + in_bins(face);
            self.starts.push(start);
        }
        self.states.clear();
        self.states.resize(self.starts[FACES], State { at: 0, slot: 0, weight: 0.0 });
        let mut next = [0_usize; FACES];
        next.copy_from_slice(&self.starts[..FACES]);
        for (at, face) in order.iter().enumerate().filter(|(_, face)| **face < UNREAD) {
            let here = &mut next[usize::from(*face)];
            self.states[*here] = State { at: at as u16, slot: at as u16, weight: 1.0 };
            *here += 1;
        }
        for face in 0..FACES {
            let mut expected = counts[face] as f32;
            for (bin, (at, cards)) in bins.iter().enumerate().take(in_bins(face)) {
                let weight = cards * missing[face] / all_missing;
                expected += weight;
                self.states[next[face] + bin] = State { at: *at, slot: (order.len() + bin) as u16, weight };
            }
            self.expected.push(expected);
        }
    }

    fn of(&self, face: u8) -> &[State] {
        let face = usize::from(face);
        &self.states[self.starts[face]..self.starts[face + 1]]
    }

    /// Which of these states of one face is the same bin as this state, and how full it is.
    fn same_bin(&self, state: &State, among: &[State]) -> Option<(usize, f32)> {
        let bin = usize::from(state.slot).checked_sub(self.slots.len() - self.bins)?;
        let at = among.len().checked_sub(self.bins)? + bin;
        let fullness = (self.slots[usize::from(state.slot)] - 1.0) / (BIN - 1) as f32;
        among.get(at).filter(|other| other.slot == state.slot).map(|_| (at, fullness))
    }
}

/// Runs of unread cards: the middle of each, and how many cards it holds.
fn bins(order: &[u8]) -> Vec<(u16, f32)> {
    let mut bins = Vec::new();
    let mut at = 0;
    while at < order.len() {
        let unread = order[at..].iter().take(BIN).take_while(|face| **face >= UNREAD).count();
        if unread > 0 {
            bins.push(((at + (unread - 1) / 2) as u16, unread as f32));
        }
        at += unread.max(1);
    }
    bins
}

/// A card of the order that is walked along, and how many steps it is from the last one that was read; 0 if too many.
#[derive(Clone, Copy)]
struct Link {
    face: u8,
    steps: u8,
}

/// A walk along one order through the places of another.
pub(super) struct Chain {
    kernel: Arc<Kernel>,
    links: Vec<Link>,
    /// The forward pass: for each link the chance of each of its states.
    forward: Vec<Lanes>,
    starts: Vec<usize>,
    norms: Vec<Lanes>,
    weights: Vec<Lanes>,
    used: Vec<Lanes>,
    backward: Vec<Lanes>,
    further_back: Vec<Lanes>,
}

impl Chain {
    pub(super) fn new(kernel: Arc<Kernel>) -> Self {
        Self {
            kernel,
            links: Vec::new(),
            forward: Vec::new(),
            starts: Vec::new(),
            norms: Vec::new(),
            weights: Vec::new(),
            used: Vec::new(),
            backward: Vec::new(),
            further_back: Vec::new(),
        }
    }

    /// Sets the order to walk along.
    pub(super) fn walk(&mut self, order: &[u8]) {
        self.links.clear();
        let mut steps = 0_usize;
        for face in order {
            steps += 1;
            if *face >= UNREAD {
                continue;
            }
            let near = !self.links.is_empty() && steps <= self.kernel.steps.len();
            self.links.push(Link { face: *face, steps: if near { steps as u8 } else { 0 } });
            steps = 0;
        }
    }

    /// The logarithm of the likelihood ratio against "anywhere", for each lane, with the places used as they come.
    pub(super) fn ratio(&mut self, places: &Places) -> [f64; LANES] {
        self.weights.clear();
        self.weights.resize(places.slots.len(), [1.0; LANES]);
        self.forward(places)
    }

    /// The same with every place used about once. `rounds` of mending the weights are made.
    pub(super) fn exclusive_ratio(&mut self, places: &Places, rounds: usize) -> [f64; LANES] {
        let mut ratio = self.ratio(places);
        let share = self.links.len() as f32 / places.slots.iter().sum::<f32>().max(1.0);
        let mut taken_out = [0.0; LANES];
        for _ in 0..rounds {
            self.backward(places);
            let changed = self.mend(places, share);
            for lane in 0..LANES {
                taken_out[lane] += changed[lane];
            }
            ratio = self.forward(places);
        }
        std::array::from_fn(|lane| ratio[lane] - taken_out[lane])
    }

    fn forward(&mut self, places: &Places) -> [f64; LANES] {
        self.lay_out(places);
        let mut total = [0.0; LANES];
        let mut product = [1.0_f64; LANES];
        let mut before: &[State] = &[];
        let mut began = 0;
        let size = self.kernel.size;
        for (number, link) in self.links.iter().enumerate() {
            let states = places.of(link.face);
            let start = self.starts[number];
            let (past, now) = self.forward.split_at_mut(start);
            let (chances, now) = (&past[began..], &mut now[..states.len()]);
            // After a face without a place (it should not be in the pack at all) the next may be anywhere.
            match self.kernel.table(*link).filter(|_| !before.is_empty()) {
                Some(table) => {
                    reach(table, before, |from| size - usize::from(from.at), chances, states, |to| to.at.into(), now);
                    let within = &self.kernel.within[usize::from(link.steps) - 1];
                    for (state, sum) in states.iter().zip(&mut *now).filter(|_| places.bins > 0) {
                        stay_in_bin(places, state, before, chances, within, sum);
                    }
                }
                None => now.fill([1.0; LANES]),
            }
            let scale = 1.0 / places.expected[usize::from(link.face)].max(f32::MIN_POSITIVE);
            for (state, now) in states.iter().zip(&mut *now) {
                let (weight, emitted) = (&self.weights[usize::from(state.slot)], state.weight * scale);
                for lane in 0..LANES {
                    now[lane] *= weight[lane] * emitted;
                }
            }
            let goes_on = |next: &Link| next.steps > 0 && !places.of(next.face).is_empty();
            let is_last = !self.links.get(number + 1).is_some_and(goes_on);
            self.norms[number] = [1.0; LANES];
            if !states.is_empty() && (is_last || number % SCALED == SCALED - 1) {
                self.norms[number] = scale_to_one(now, &mut product);
            }
            if number % LOGARITHM == LOGARITHM - 1 {
                take_logarithm(&mut product, &mut total, 1.0);
            }
            (before, began) = (states, start);
        }
        take_logarithm(&mut product, &mut total, 1.0);
        total
    }

    /// Room for the states of every link, one after another.
    fn lay_out(&mut self, places: &Places) {
        self.starts.clear();
        let mut start = 0;
        for link in &self.links {
            self.starts.push(start);
            start += places.of(link.face).len();
        }
        self.forward.resize(start, [0.0; LANES]);
        self.norms.resize(self.links.len(), [0.0; LANES]);
    }

    /// How often each slot is used, given all the rest.
    fn backward(&mut self, places: &Places) {
        self.used.clear();
        self.used.resize(places.slots.len(), [0.0; LANES]);
        self.backward.clear();
        let size = self.kernel.size;
        for number in (0..self.links.len()).rev() {
            let states = places.of(self.links[number].face);
            self.backward.resize(states.len(), [1.0; LANES]);
            let forward = &self.forward[self.starts[number]..];
            for ((state, chance), after) in states.iter().zip(forward).zip(&self.backward) {
                let used = &mut self.used[usize::from(state.slot)];
                for lane in 0..LANES {
                    used[lane] += chance[lane] * after[lane];
                }
            }
            let link = self.links[number];
            let table = self.kernel.table(link).filter(|_| !states.is_empty());
            let Some((table, last)) = table.zip(number.checked_sub(1)) else {
                self.backward.clear();
                continue;
            };
            // What follows, each with its own chance, as the link before sees it.
            let scale = 1.0 / places.expected[usize::from(link.face)].max(f32::MIN_POSITIVE);
            for (state, after) in states.iter().zip(&mut self.backward) {
                let (weight, emitted) = (&self.weights[usize::from(state.slot)], state.weight * scale);
                for lane in 0..LANES {
                    after[lane] *= weight[lane] * emitted * self.norms[number][lane];
                }
            }
            let earlier = places.of(self.links[last].face);
            self.further_back.resize(earlier.len(), [0.0; LANES]);
            let (after, sums) = (&self.backward, &mut self.further_back);
            reach(table, states, |to| to.at.into(), after, earlier, |from| size - usize::from(from.at), sums);
            let within = &self.kernel.within[usize::from(link.steps) - 1];
            for (from, sum) in earlier.iter().zip(sums).filter(|_| places.bins > 0) {
                stay_in_bin(places, from, states, after, within, sum);
            }
            std::mem::swap(&mut self.backward, &mut self.further_back);
        }
    }

    /// Weighs slots that are used too often down and the others up; the logarithm of what that adds to every likelihood.
    fn mend(&mut self, places: &Places, share: f32) -> [f64; LANES] {
        let mut total = [0.0; LANES];
        let mut product = [1.0_f64; LANES];
        let slots = self.weights.iter_mut().zip(&self.used).zip(&places.slots);
        for (number, ((weight, used), cards)) in slots.enumerate() {
            let due = share * cards;
            for lane in 0..LANES {
                // The power ¾ of what would put this slot right if no other changed.
                let off = (due.max(1e-3) / used[lane].max(1e-3)).sqrt();
                let factor = off * off.sqrt();
                weight[lane] *= factor;
                product[lane] *= f64::from(factor);
            }
            // Single cards share what they are due; a bin has its own.
            let bin_next = places.slots.get(number + 1).is_none_or(|next| *next > 1.0);
            if number % 8 == 7 || *cards > 1.0 || bin_next {
                let times = if *cards > 1.0 { due } else { share };
                take_logarithm(&mut product, &mut total, f64::from(times));
            }
        }
        total
    }

    /// How many cards a player would have guessed who believed this chain's lane, and always named the card next to the
    /// one the last card most probably was.
    pub(super) fn guesses(&self, places: &Places, order: &[u8], lane: usize) -> usize {
        let believed = |number: usize| {
            let states = places.of(self.links[number].face);
            let chances = self.forward[self.starts[number]..].iter();
            let likeliest = states.iter().zip(chances).max_by(|one, other| one.1[lane].total_cmp(&other.1[lane]));
            likeliest.map(|(state, _)| usize::from(state.at))
        };
        let next = |number: usize| order.get((believed(number)? + 1) % order.len().max(1)).copied();
        let pairs = self.links.windows(2).enumerate().filter(|(_, pair)| pair[1].steps == 1);
        pairs.filter(|(number, pair)| next(*number) == Some(pair[1].face)).count()
    }
}

/// For each of these states, the sum over the others of their chances times the spread of the distance between them. A
/// distance is where the one state lies plus where the other does, as `offset` and `base` tell it.
fn reach(
    table: &[Lanes],
    others: &[State],
    offset: impl Fn(&State) -> usize,
    chances: &[Lanes],
    states: &[State],
    base: impl Fn(&State) -> usize,
    sums: &mut [Lanes],
) {
    let chances = &chances[..others.len()];
    // Three abreast: none waits for another's sum.
    let mut threes = states.chunks_exact(3);
    let mut sums_of_three = sums.chunks_exact_mut(3);
    for (three, sums) in threes.by_ref().zip(sums_of_three.by_ref()) {
        let rows = (&table[base(&three[0])..], &table[base(&three[1])..], &table[base(&three[2])..]);
        let mut summed = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        for at in 0..others.len() {
            let offset = offset(&others[at]);
            add(&mut summed.0, &chances[at], &rows.0[offset]);
            add(&mut summed.1, &chances[at], &rows.1[offset]);
            add(&mut summed.2, &chances[at], &rows.2[offset]);
        }
        (sums[0], sums[1], sums[2]) = summed;
    }
    for (state, sum) in threes.remainder().iter().zip(sums_of_three.into_remainder()) {
        let row = &table[base(state)..];
        let mut summed = [0.0; LANES];
        for at in 0..others.len() {
            add(&mut summed, &chances[at], &row[offset(&others[at])]);
        }
        *sum = summed;
    }
}

#[inline]
fn add(sum: &mut Lanes, chance: &Lanes, row: &Lanes) {
    for lane in 0..LANES {
        sum[lane] += chance[lane] * row[lane];
    }
}

/// Adds what a state that is a bin has to expect of the same bin among the others.
fn stay_in_bin(places: &Places, state: &State, others: &[State], chances: &[Lanes], within: &Lanes, sum: &mut Lanes) {
    if let Some((same, fullness)) = places.same_bin(state, others) {
        for lane in 0..LANES {
            sum[lane] += chances[same][lane] * within[lane] * fullness;
        }
    }
}

/// Scales chances so that they come to one, and multiplies what they came to into the product; the scale.
fn scale_to_one(chances: &mut [Lanes], product: &mut [f64; LANES]) -> Lanes {
    let mut norm = [0.0_f32; LANES];
    for chance in &*chances {
        for lane in 0..LANES {
            norm[lane] += chance[lane];
        }
    }
    let inverse = norm.map(|norm| 1.0 / norm.max(f32::MIN_POSITIVE));
    for chance in chances {
        for lane in 0..LANES {
            chance[lane] *= inverse[lane];
        }
    }
    for lane in 0..LANES {
        product[lane] *= f64::from(norm[lane]);
    }
    inverse
}

fn take_logarithm(product: &mut [f64; LANES], total: &mut [f64; LANES], times: f64) {
    for lane in 0..LANES {
        total[lane] += times * product[lane].max(f64::MIN_POSITIVE).ln();
        product[lane] = 1.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_spread_over_the_whole_circle() {
        let means = [2.0, 8.0, 64.0, 300.0];
        for kernel in [Kernel::onward(104, means, true), Kernel::either_way(104, means)] {
            for circle in &kernel.steps {
                for lane in 0..LANES {
                    let mean: f32 = circle[..104].iter().map(|row| row[lane]).sum::<f32>() / 104.0;
                    assert!((mean - 1.0).abs() < 1e-2, "{mean}");
                }
            }
        }
    }

    #[test]
    fn two_steps_are_a_step_and_another() {
        let kernel = Kernel::onward(104, [2.0, 8.0, 64.0, 300.0], true);
        let (one, two) = (&kernel.steps[0], &kernel.steps[1]);
        for (ahead, found) in two.iter().enumerate().take(104) {
            for lane in 0..LANES {
                let summed: f32 = (0..104).map(|first| one[first][lane] * one[ahead + 104 - first][lane]).sum();
                let found = found[lane];
                assert!((summed / 104.0 - found).abs() < 0.02 * found.max(1.0), "{ahead}: {summed} {found}");
            }
        }
    }

    #[test]
    fn an_order_is_best_explained_by_the_steps_it_was_made_with() {
        let before: Vec<u8> = (0..52).collect();
        // Two packets interleaved card by card: every former neighbour lies two places on.
        let after: Vec<u8> = (0..26).flat_map(|at| [at, at + 26]).collect();
        let mut chain = Chain::new(Arc::new(Kernel::onward(52, [2.0, 8.0, 32.0, 128.0], false)));
        let mut places = Places::default();
        places.read(&after, 1);
        chain.walk(&before);
        let ratio = chain.ratio(&places);
        assert!(ratio[0] > 100.0 && ratio.is_sorted_by(|one, next| one > next), "{ratio:?}");
        let exclusive = chain.exclusive_ratio(&places, 2);
        assert!((0..LANES).all(|lane| (exclusive[lane] - ratio[lane]).abs() < 1.0), "{exclusive:?} {ratio:?}");
    }

    #[test]
    fn unread_cards_are_looked_for_where_they_may_be() {
        let before: Vec<u8> = (0..52).collect();
        let mut after = before.clone();
        after.rotate_left(20);
        let mut half_read = after.clone();
        half_read[10..36].fill(UNREAD);
        let mut chain = Chain::new(Arc::new(Kernel::onward(52, [2.0, 8.0, 32.0, 128.0], true)));
        chain.walk(&before);
        let mut places = Places::default();
        places.read(&after, 1);
        let whole = chain.ratio(&places);
        places.read(&half_read, 1);
        let half = chain.ratio(&places);
        assert!(half[0] > 0.3 * whole[0] && half[0] < 0.8 * whole[0], "{half:?} {whole:?}");
    }
}
