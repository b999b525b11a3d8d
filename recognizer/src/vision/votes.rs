//! From the finder's map to cards: every cell that shows a card votes for its middle, and where votes meet lies one.
//!
//! A card that is mostly covered still gets the votes of what shows of it, so fanned hands come apart here.

use super::heap::Heap;
use super::quad::{Pixel, Quad};
use super::shows::{self, Shown};

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
/// Votes belong to the nearest middle within this part of the card's width.
const REACH: f32 = 0.22;
/// A middle is first looked for among the votes within this part.
const CLOSE: f32 = 0.12;
/// Middles no further apart than this part may be one card's.
const NEIGHBOUR: f32 = 0.3;

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
#[derive(Clone, Debug)]
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
    /// What shows of it.
    pub(crate) shown: Shown,
    /// How well its size suits the scale at which it was found, at most one.
    pub(crate) fit: f32,
}

/// One cell's vote.
#[derive(Clone, Copy)]
pub(super) struct Vote {
    /// The middle voted for, counted from the outermost bin.
    pub(super) at: Pixel,
    /// Where the cell itself is, counted likewise.
    from: Pixel,
    pub(super) weight: f32,
    up: f32,
    index: f32,
    axes: [f32; 6],
}

/// The cards of a map, the most visible first.
pub(super) fn count(map: &Map<'_>) -> Vec<Candidate> {
    let votes = cast(map);
    let heap = Heap::pile(&votes, map.width + 2 * BEYOND, map.height + 2 * BEYOND);
    let meetings = joined(&votes, meetings(&votes, &heap));
    let mut found: Vec<Candidate> = meetings.iter().filter_map(|meeting| candidate(&votes, meeting)).collect();
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
        let from = [middle(x), middle(y)];
        let at = [from[0] + plane(map.centre, 0, cell), from[1] + plane(map.centre, 1, cell)];
        let axes: [f32; 6] = std::array::from_fn(|number| plane(map.axes, number, cell));
        if at.iter().chain(&axes).all(|number| number.is_finite()) {
            let index = 1.0 / (1.0 + (-plane(map.index, 0, cell)).exp());
            votes.push(Vote { at, from, weight, up: up / (up + down), index, axes });
        }
    }
    votes
}

/// A place where votes meet, and those that are its own.
struct Meeting {
    sum: Sum,
    votes: Vec<usize>,
}

impl Meeting {
    fn of(all: &[Vote], votes: Vec<usize>) -> Option<Self> {
        let mut sum = Sum::default();
        votes.iter().for_each(|vote| sum.add(&all[*vote]));
        (sum.weight > 0.0).then_some(Self { sum, votes })
    }

    /// How far around its middle votes may belong to it, in parts of a card's width.
    fn reach(&self, part: f32) -> f32 {
        (part * self.sum.width()).clamp(6.0, 60.0)
    }

    fn quad(&self) -> Quad {
        let (long, short) = self.sum.half_axes();
        Quad::around(self.sum.middle(), long, short)
    }

    fn shown(&self, all: &[Vote]) -> Shown {
        Shown { cells: self.votes.iter().map(|vote| all[*vote].from).collect(), side: STRIDE as f32 }
    }
}

/// Where votes meet: each belongs to the nearest place, and places are where the mean of their votes is.
fn meetings(votes: &[Vote], heap: &Heap) -> Vec<Meeting> {
    let mut meetings: Vec<Meeting> = heap.tops().into_iter().filter_map(|top| climb(votes, heap, top)).collect();
    for _ in 0..2 {
        let mut nearest: Vec<Option<(f32, usize)>> = vec![None; votes.len()];
        for (number, meeting) in meetings.iter().enumerate() {
            let (middle, reach) = (meeting.sum.middle(), meeting.reach(REACH));
            for vote in heap.near(middle, reach) {
                let away = distance(votes[vote].at, middle);
                if away <= reach && nearest[vote].is_none_or(|(least, _)| away < least) {
                    nearest[vote] = Some((away, number));
                }
            }
        }
        let mut of: Vec<Vec<usize>> = vec![Vec::new(); meetings.len()];
        for (vote, nearest) in nearest.iter().enumerate() {
            if let Some((_, number)) = *nearest {
                of[number].push(vote);
            }
        }
        meetings = of.into_iter().filter_map(|own| Meeting::of(votes, own)).collect();
    }
    meetings
}

/// From a top to the mean of the votes around it, widening as the card's size becomes known.
fn climb(votes: &[Vote], heap: &Heap, top: usize) -> Option<Meeting> {
    let bin = |at: usize| (at * STRIDE + STRIDE / 2) as f32;
    let (mut middle, mut reach) = ([bin(top % heap.width), bin(top / heap.width)], 1.5 * STRIDE as f32);
    let mut meeting = None;
    for _ in 0..2 {
        let near = heap.near(middle, reach).filter(|vote| distance(votes[*vote].at, middle) <= reach);
        let found = Meeting::of(votes, near.collect())?;
        (middle, reach) = (found.sum.middle(), found.reach(CLOSE));
        meeting = Some(found);
    }
    meeting
}

/// Votes for one card scatter and meet at several places near each other. They are one card's unless what shows of the
/// one lies beyond the other.
fn joined(votes: &[Vote], mut meetings: Vec<Meeting>) -> Vec<Meeting> {
    meetings.sort_by(|a, b| b.sum.weight.total_cmp(&a.sum.weight));
    let mut joined: Vec<Meeting> = Vec::new();
    for meeting in meetings {
        let (middle, quad, shown) = (meeting.sum.middle(), meeting.quad(), meeting.shown(votes));
        let same = joined.iter_mut().find(|other| {
            distance(other.sum.middle(), middle) <= other.reach(NEIGHBOUR)
                && !shows::two((&quad, &shown), (&other.quad(), &other.shown(votes)))
        });
        match same {
            Some(other) => {
                meeting.votes.iter().for_each(|vote| other.sum.add(&votes[*vote]));
                other.votes.extend(meeting.votes);
            }
            None => joined.push(meeting),
        }
    }
    joined
}

/// The card whose votes meet at a place, unless they are too few for one.
fn candidate(votes: &[Vote], meeting: &Meeting) -> Option<Candidate> {
    let sum = &meeting.sum;
    let (long, short) = sum.half_axes();
    let sizes = [length(long), length(short)];
    if sum.weight < LEAST_CELLS || sizes.iter().any(|size| !(AXES.0..AXES.1).contains(size)) {
        return None;
    }
    let beyond = (BEYOND * STRIDE) as f32;
    let quad = meeting.quad().scaled(1.0, [-beyond, -beyond]);
    let mut shown = meeting.shown(votes);
    shown.cells.iter_mut().for_each(|cell| *cell = cell.map(|along| along - beyond));
    let area = quad.area();
    // Axes that have come to lie on one line are no card.
    if area < 0.25 * 4.0 * sizes[0] * sizes[1] || !quad.is_convex() {
        return None;
    }
    let visible = sum.weight * (STRIDE * STRIDE) as f32 / area;
    if visible < LEAST_PART {
        return None;
    }
    Some(Candidate {
        quad,
        visible: visible.min(1.0),
        face_up: sum.up / sum.weight,
        surety: sum.weight / sum.count.max(1.0),
        index: sum.index,
        shown,
        fit: 1.0,
    })
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

    /// How wide the card is, or how high if it is foreshortened more.
    fn width(&self) -> f32 {
        let (long, short) = self.half_axes();
        2.0 * length(long).min(length(short))
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
    fn a_column_of_which_a_seventh_shows_each_comes_apart() {
        let column: Vec<_> =
            (0..4).map(|card| ([180.0, 120.0 + 16.0 * card as f32], [0.0, -56.0], [40.0, 0.0], true)).collect();
        let found = cards(&column);
        assert_eq!(found.len(), 4, "{found:?}");
        for (middle, long, short, _) in &column {
            let truth = Quad::around(*middle, *long, *short);
            assert!(found.iter().any(|card| card.quad.overlap(&truth) > 0.95));
        }
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
