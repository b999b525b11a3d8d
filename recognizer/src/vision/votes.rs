//! From the finder's map to cards: every cell that shows a card votes for its middle, and where votes meet lies one.
//!
//! A card that is mostly covered still gets the votes of what shows of it, so fanned hands come apart here.

use super::quad::{Pixel, Quad};

/// Pixels of the finder's input to a cell of its map.
pub(super) const STRIDE: usize = 4;
/// Cells less likely to show a card have no vote.
const LEAST_CARD: f32 = 0.35;
/// A middle needs the votes of so many cells: about what a corner index takes.
const LEAST_CELLS: f32 = 9.0;
/// And so much of the card's own area has to show.
const LEAST_PART: f32 = 0.035;
/// Half axes that no card at the working scale has, in pixels.
const AXES: (f32, f32) = (9.0, 220.0);
/// Bins beyond each edge of the map: the middle of a card that is cut off by the picture's edge lies outside.
const BEYOND: usize = 24;
/// Votes belong to a middle within this part of the card's width.
const REACH: f32 = 0.22;

/// The finder's answer to one picture: planes of cells, a row after another.
pub(super) struct Map<'m> {
    /// Cells across.
    pub(super) width: usize,
    /// Cells down.
    pub(super) height: usize,
    /// Background, face and back.
    pub(super) class: &'m [f32],
    /// To the card's middle.
    pub(super) centre: &'m [f32],
    /// Both half axes.
    pub(super) axes: &'m [f32],
    /// Corner indices.
    pub(super) index: &'m [f32],
    /// The class's temperature.
    pub(super) temperature: f32,
}

/// Where a card may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    /// Its outline.
    pub(crate) quad: Quad,
    /// The part of it that shows.
    pub(crate) visible: f32,
    /// How likely what shows is its face.
    pub(crate) face_up: f32,
    /// How sure the cells are that they show a card, on average.
    pub(crate) surety: f32,
    /// How many cells of a corner index can be seen.
    pub(crate) index: f32,
}

/// One cell's vote.
#[derive(Clone, Copy)]
struct Vote {
    /// The middle voted for, counted from the outermost bin.
    at: Pixel,
    weight: f32,
    up: f32,
    index: f32,
    axes: [f32; 6],
    taken: bool,
}

/// The cards of a map, the most visible first.
pub(super) fn count(map: &Map<'_>) -> Vec<Candidate> {
    let mut votes = cast(map);
    let heap = Heap::pile(&votes, map.width + 2 * BEYOND, map.height + 2 * BEYOND);
    let mut found = Vec::new();
    for top in heap.tops() {
        found.extend(candidate(&mut votes, &heap, top));
    }
    found.sort_by(|a, b| (b.visible * b.surety).total_cmp(&(a.visible * a.surety)));
    found
}

fn cast(map: &Map<'_>) -> Vec<Vote> {
    let cells = map.width * map.height;
    let plane = |of: &[f32], number: usize, cell: usize| of.get(number * cells + cell).copied().unwrap_or(0.0);
    let mut votes = Vec::new();
    for cell in 0..cells {
        let [none, up, down] = [0, 1, 2].map(|class| plane(map.class, class, cell) / map.temperature);
        let most = none.max(up).max(down);
        let [none, up, down] = [none, up, down].map(|logit| (logit - most).exp());
        let all = none + up + down;
        let weight = (up + down) / all;
        // A network gone mad, whose numbers are none, has no vote either.
        if weight.is_nan() || weight < LEAST_CARD {
            continue;
        }
        let (x, y) = (cell % map.width, cell / map.width);
        let middle = |at: usize| ((at + BEYOND) * STRIDE + STRIDE / 2) as f32;
        let at = [middle(x) + plane(map.centre, 0, cell), middle(y) + plane(map.centre, 1, cell)];
        let axes: [f32; 6] = std::array::from_fn(|number| plane(map.axes, number, cell));
        if at.iter().chain(&axes).all(|number| number.is_finite()) {
            let index = 1.0 / (1.0 + (-plane(map.index, 0, cell)).exp());
            votes.push(Vote { at, weight, up: up / (up + down), index, axes, taken: false });
        }
    }
    votes
}

/// Votes heaped up over the picture, a bin for each cell.
struct Heap {
    width: usize,
    height: usize,
    high: Vec<f32>,
    /// The votes of each bin, by number: where each bin begins in the list.
    begins: Vec<u32>,
    list: Vec<u32>,
}

impl Heap {
    fn pile(votes: &[Vote], width: usize, height: usize) -> Self {
        let mut heap = Self { width, height, high: vec![0.0; width * height], begins: Vec::new(), list: Vec::new() };
        let bins: Vec<Option<usize>> = votes.iter().map(|vote| heap.bin(vote.at)).collect();
        let mut counts = vec![0_u32; width * height + 1];
        for (vote, bin) in votes.iter().zip(&bins) {
            if let Some(bin) = *bin {
                heap.high[bin] += vote.weight;
                counts[bin + 1] += 1;
            }
        }
        for at in 1..counts.len() {
            counts[at] += counts[at - 1];
        }
        let mut next = counts.clone();
        heap.list = vec![0; counts.last().copied().unwrap_or(0) as usize];
        for (number, bin) in bins.iter().enumerate() {
            if let Some(bin) = *bin {
                heap.list[next[bin] as usize] = number as u32;
                next[bin] += 1;
            }
        }
        heap.begins = counts;
        // Twice over neighbours: votes for one middle scatter by some pixels.
        heap.smooth();
        heap.smooth();
        heap
    }

    fn bin(&self, [x, y]: Pixel) -> Option<usize> {
        let along = |at: f32, most: usize| {
            let bin = (at / STRIDE as f32).floor();
            (bin >= 0.0 && bin < most as f32).then_some(bin as usize)
        };
        Some(along(y, self.height)? * self.width + along(x, self.width)?)
    }

    fn smooth(&mut self) {
        let (width, height) = (self.width, self.height);
        let mut across = vec![0.0; width * height];
        for (from, to) in self.high.chunks_exact(width).zip(across.chunks_exact_mut(width)) {
            for x in 0..width {
                let next = from.get(x + 1).copied().unwrap_or(0.0);
                let before = if x > 0 { from[x - 1] } else { 0.0 };
                to[x] = 0.5 * from[x] + 0.25 * (before + next);
            }
        }
        for y in 0..height {
            for x in 0..width {
                let row = |y: usize| across[y * width + x];
                let before = if y > 0 { row(y - 1) } else { 0.0 };
                let next = if y + 1 < height { row(y + 1) } else { 0.0 };
                self.high[y * width + x] = 0.5 * row(y) + 0.25 * (before + next);
            }
        }
    }

    /// Bins higher than those around them, the highest first.
    fn tops(&self) -> Vec<usize> {
        let mut tops = Vec::new();
        for (bin, &high) in self.high.iter().enumerate() {
            // The weight of few cells that agree, or of many that scatter.
            if high < 0.6 {
                continue;
            }
            let (x, y) = (bin % self.width, bin / self.width);
            let around = (y.saturating_sub(2)..(y + 3).min(self.height)).flat_map(|row| {
                (x.saturating_sub(2)..(x + 3).min(self.width)).map(move |column| row * self.width + column)
            });
            // Of equals the first is the top.
            let lower = |other: usize| self.high[other] < high || (self.high[other] <= high && other >= bin);
            if around.into_iter().all(lower) {
                tops.push(bin);
            }
        }
        tops.sort_by(|a, b| self.high[*b].total_cmp(&self.high[*a]).then(a.cmp(b)));
        tops
    }

    /// The votes within so many pixels of a place.
    fn near(&self, [x, y]: Pixel, reach: f32) -> impl Iterator<Item = usize> + '_ {
        let bins = |at: f32, most: usize| {
            let low = ((at - reach) / STRIDE as f32).floor().max(0.0) as usize;
            let high = (((at + reach) / STRIDE as f32).floor().max(0.0) as usize + 1).min(most);
            low.min(high)..high
        };
        let columns = bins(x, self.width);
        bins(y, self.height).flat_map(move |row| {
            let at = |column: usize| self.begins[row * self.width + column] as usize;
            if columns.is_empty() { &[] } else { &self.list[at(columns.start)..at(columns.end)] }
                .iter()
                .map(|n| *n as usize)
        })
    }
}

/// The card whose middle is near a top, unless too few votes are left for one.
fn candidate(votes: &mut [Vote], heap: &Heap, top: usize) -> Option<Candidate> {
    let bin = |at: usize| (at * STRIDE + STRIDE / 2) as f32;
    let mut middle = [bin(top % heap.width), bin(top / heap.width)];
    let mut sum = Sum::default();
    let mut reach = 1.5 * STRIDE as f32;
    // Widening as the card's size becomes known, and following the votes.
    for _ in 0..3 {
        sum = Sum::default();
        for number in heap.near(middle, reach) {
            let vote = &votes[number];
            if !vote.taken && distance(vote.at, middle) <= reach {
                sum.add(vote);
            }
        }
        if sum.weight <= 0.0 {
            return None;
        }
        middle = sum.middle();
        let (long, short) = sum.half_axes();
        reach = (REACH * 2.0 * length(long).min(length(short))).clamp(6.0, 60.0);
    }
    let (long, short) = sum.half_axes();
    let sizes = [length(long), length(short)];
    if sum.weight < LEAST_CELLS || sizes.iter().any(|size| !(AXES.0..AXES.1).contains(size)) {
        return None;
    }
    let beyond = (BEYOND * STRIDE) as f32;
    let quad = Quad::around(middle, long, short).scaled(1.0, [-beyond, -beyond]);
    let area = quad.area();
    // Axes that have come to lie on one line are no card.
    if area < 0.25 * 4.0 * sizes[0] * sizes[1] || !quad.is_convex() {
        return None;
    }
    let visible = sum.weight * (STRIDE * STRIDE) as f32 / area;
    if visible < LEAST_PART {
        return None;
    }
    for number in heap.near(middle, reach) {
        votes[number].taken |= distance(votes[number].at, middle) <= reach;
    }
    let surety = sum.weight / sum.count.max(1.0);
    Some(Candidate { quad, visible: visible.min(1.0), face_up: sum.up / sum.weight, surety, index: sum.index })
}

/// Votes added up.
#[derive(Default)]
struct Sum {
    count: f32,
    weight: f32,
    up: f32,
    index: f32,
    at: Pixel,
    axes: [f32; 6],
}

impl Sum {
    fn add(&mut self, vote: &Vote) {
        self.count += 1.0;
        self.weight += vote.weight;
        self.up += vote.weight * vote.up;
        self.index += vote.weight * vote.index * vote.up;
        self.at = [self.at[0] + vote.weight * vote.at[0], self.at[1] + vote.weight * vote.at[1]];
        for (sum, axis) in self.axes.iter_mut().zip(vote.axes) {
            *sum += vote.weight * axis;
        }
    }

    fn middle(&self) -> Pixel {
        self.at.map(|sum| sum / self.weight)
    }

    fn half_axes(&self) -> (Pixel, Pixel) {
        let [xx, xy, yy, vxx, vxy, vyy] = self.axes.map(|sum| sum / self.weight);
        (main_axis(xx, xy, yy), main_axis(vxx, vxy, vyy))
    }
}

/// The vector `a` of a matrix near `aaᵀ/|a|`: its length from the trace, its direction from the main eigenvector.
fn main_axis(xx: f32, xy: f32, yy: f32) -> Pixel {
    let long = (xx + yy).max(0.0);
    let angle = 0.5 * (2.0 * xy).atan2(xx - yy);
    [long * angle.cos(), long * angle.sin()]
}

fn distance(a: Pixel, b: Pixel) -> f32 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

fn length(a: Pixel) -> f32 {
    a[0].hypot(a[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws the map that a perfect finder would give of these cards, the lowest first.
    fn perfect(cards: &[(Pixel, Pixel, Pixel, bool)], width: usize, height: usize) -> [Vec<f32>; 4] {
        let cells = width * height;
        let (mut class, mut centre) = (vec![0.0; 3 * cells], vec![0.0; 2 * cells]);
        let (mut axes, index) = (vec![0.0; 6 * cells], vec![-9.0; cells]);
        for cell in 0..cells {
            let at = [(cell % width * STRIDE + 2) as f32, (cell / width * STRIDE + 2) as f32];
            class[cell] = 9.0;
            for (middle, long, short, up) in cards {
                if !Quad::around(*middle, *long, *short).holds(at) {
                    continue;
                }
                class[cell] = 0.0;
                class[cells + cell] = if *up { 9.0 } else { 0.0 };
                class[2 * cells + cell] = if *up { 0.0 } else { 9.0 };
                centre[cell] = middle[0] - at[0];
                centre[cells + cell] = middle[1] - at[1];
                for (number, axis) in [long, short].into_iter().enumerate() {
                    let size = length(*axis);
                    let parts = [axis[0] * axis[0], axis[0] * axis[1], axis[1] * axis[1]].map(|part| part / size);
                    for (part, value) in parts.into_iter().enumerate() {
                        axes[(3 * number + part) * cells + cell] = value;
                    }
                }
            }
        }
        [class, centre, axes, index]
    }

    fn cards(of: &[(Pixel, Pixel, Pixel, bool)]) -> Vec<Candidate> {
        let (width, height) = (96, 80);
        let [class, centre, axes, index] = perfect(of, width, height);
        count(&Map { width, height, class: &class, centre: &centre, axes: &axes, index: &index, temperature: 1.0 })
    }

    #[test]
    fn a_card_is_where_its_cells_say() {
        let card = ([150.0, 140.0], [20.0, -52.0], [37.0, 14.0], true);
        let found = cards(&[card]);
        assert_eq!(found.len(), 1);
        let truth = Quad::around(card.0, card.1, card.2);
        assert!(found[0].quad.overlap(&truth) > 0.97, "{found:?}");
        assert!(found[0].visible > 0.9 && found[0].face_up > 0.99);
    }

    #[test]
    fn a_fanned_hand_comes_apart() {
        let fan: Vec<_> = (0..4)
            .map(|card| ([100.0 + 18.0 * card as f32, 190.0 - 24.0 * card as f32], [0.0, -56.0], [40.0, 0.0], true))
            .collect();
        let found = cards(&fan);
        assert_eq!(found.len(), 4, "{found:?}");
        for (middle, long, short, _) in &fan {
            let truth = Quad::around(*middle, *long, *short);
            assert!(found.iter().any(|card| card.quad.overlap(&truth) > 0.95));
        }
        assert!(found.iter().filter(|card| card.visible < 0.7).count() == 3);
    }

    #[test]
    fn a_back_is_told_from_a_face_and_felt_from_both() {
        assert!(cards(&[]).is_empty());
        let found = cards(&[([120.0, 120.0], [50.0, 0.0], [0.0, 36.0], false)]);
        assert!(found.len() == 1 && found[0].face_up < 0.01);
    }

    #[test]
    fn numbers_that_are_none_find_nothing_and_harm_nothing() {
        let wild = vec![f32::NAN; 6 * 400];
        let map =
            Map { width: 20, height: 20, class: &wild, centre: &wild, axes: &wild, index: &wild, temperature: 1.0 };
        assert!(count(&map).is_empty());
        let far = vec![f32::MAX; 6 * 400];
        let map = Map { width: 20, height: 20, class: &far, centre: &far, axes: &far, index: &far, temperature: 1.0 };
        assert!(count(&map).is_empty());
    }
}
