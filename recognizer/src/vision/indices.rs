//! Corner indices as the finder sees them: cells side by side that show one and vote for the same card.
//!
//! Of a covered card little more than its index shows, and the votes of so few cells seldom heap up to a top. But an index
//! is a thing that one can see, and a card belongs to it.

use std::collections::BTreeMap;

use super::votes::{STRIDE, Vote, distance};

/// A cell is likely enough part of an index.
const LIKELY: f32 = 0.5;
/// Fewer cells are a speck.
const FEWEST: usize = 4;
/// Neighbours belong together if they vote for middles this near to each other, in parts of a card's width.
const ALIKE: f32 = 0.15;

/// The indices among votes, each as the numbers of its votes.
pub(super) fn groups(votes: &[Vote]) -> Vec<Vec<usize>> {
    let likely = votes.iter().enumerate().filter(|(_, vote)| vote.index_seen() >= LIKELY);
    let mut open: BTreeMap<(i32, i32), usize> = likely.map(|(number, vote)| (cell_of(vote), number)).collect();
    let mut groups = Vec::new();
    while let Some((_, first)) = open.pop_first() {
        let mut group = vec![first];
        let mut next = 0;
        while let Some(vote) = group.get(next).map(|number| &votes[*number]) {
            let (x, y) = cell_of(vote);
            for beside in (-1..=1).flat_map(|down| (-1..=1).map(move |right| (x + right, y + down))) {
                let alike = |other: &usize| distance(votes[*other].at, vote.at) <= ALIKE * vote.width();
                if open.get(&beside).is_some_and(alike) {
                    group.extend(open.remove(&beside));
                }
            }
            next += 1;
        }
        if group.len() >= FEWEST {
            groups.push(group);
        }
    }
    groups
}

/// The cell that a vote is from.
fn cell_of(vote: &Vote) -> (i32, i32) {
    let along = |at: f32| (at / STRIDE as f32) as i32;
    (along(vote.from[0]), along(vote.from[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cells of an index at a corner, a row after another, that vote for a middle.
    fn index(corner: (usize, usize), size: (usize, usize), middle: [f32; 2]) -> Vec<Vote> {
        let cell = |at: usize| (at * STRIDE + STRIDE / 2) as f32;
        let rows = corner.1..corner.1 + size.1;
        rows.flat_map(|y| (corner.0..corner.0 + size.0).map(move |x| [cell(x), cell(y)]))
            .map(|from| Vote::of_index(from, middle, 40.0))
            .collect()
    }

    #[test]
    fn an_index_is_one_and_those_of_two_cards_that_touch_are_two() {
        let one = index((10, 10), (4, 6), [100.0, 120.0]);
        assert_eq!(groups(&one).len(), 1);
        let below = index((10, 16), (4, 6), [100.0, 144.0]);
        let both: Vec<Vote> = one.iter().chain(&below).copied().collect();
        let found = groups(&both);
        assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [24, 24]);
    }

    #[test]
    fn a_speck_is_no_index() {
        assert!(groups(&index((3, 3), (3, 1), [40.0, 60.0])).is_empty());
    }
}
