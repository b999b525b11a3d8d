//! What shows of a card tells two cards that lie on each other from one card seen twice.
//!
//! Outlines alone cannot: in a column of cards of which a fifth shows each, neighbours share two thirds. But what shows of
//! the lower one lies beyond the upper one, whereas an echo has nothing to show beyond the card that it echoes.

use std::collections::HashSet;

use super::quad::{Pixel, Quad};

/// So much of what shows of one of two cards lies beyond the other.
const BEYOND: f32 = 0.5;
/// Two cards show at places of their own; what has so much in common with another is the same card, found at another scale.
const IN_COMMON: f32 = 0.4;
/// An outline moved keeps at least this part of what showed within it.
const KEPT: f32 = 0.8;

/// What shows of a card: the cells of the finder's map that voted for it, in pixels of the picture.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shown {
    /// Their middles.
    pub(super) cells: Vec<Pixel>,
    /// How wide each of them is.
    pub(super) side: f32,
}

impl Shown {
    /// Whether another outline is shown by the same part of the picture. A look gives each cell to one card, so that only cards
    /// found at different scales, or in two tiles, can have any in common.
    pub(super) fn is_shared_with(&self, other: &Self) -> bool {
        let side = self.side.max(other.side).max(1.0);
        let squares = |shown: &Self| -> HashSet<[i32; 2]> {
            shown.cells.iter().map(|cell| cell.map(|along| (along / side).floor() as i32)).collect()
        };
        let (own, others) = (squares(self), squares(other));
        let both = own.intersection(&others).count();
        both as f32 >= IN_COMMON * own.len().min(others.len()).max(1) as f32
    }
}

/// Whether two outlines, each with what shows of it, are two cards.
pub(super) fn two(one: (&Quad, &Shown), other: (&Quad, &Shown)) -> bool {
    beyond(one, other.0) || beyond(other, one.0)
}

/// Whether what shows of a card lies within its own outline and mostly beyond another.
pub(super) fn beyond((own, shown): (&Quad, &Shown), other: &Quad) -> bool {
    let beyond = shown.cells.iter().filter(|cell| own.holds(**cell) && !other.holds(**cell)).count();
    beyond as f32 >= BEYOND * shown.cells.len().max(1) as f32
}

/// The outline as moved, unless it has slid off what shows of the card, onto its neighbour.
pub(super) fn moved(from: Quad, to: Quad, shown: &Shown) -> Quad {
    let within = |quad: &Quad| shown.cells.iter().filter(|cell| quad.holds(**cell)).count() as f32;
    if within(&to) >= KEPT * within(&from) { to } else { from }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(x: f32, y: f32) -> Quad {
        Quad::around([x, y], [0.0, -56.0], [40.0, 0.0])
    }

    /// The cells of a card from one height to another.
    fn cells(quad: &Quad, from: f32, to: f32) -> Shown {
        let [left, top, right, bottom] = quad.bounds();
        let rows = (0..).map(|row| top + 2.0 + 4.0 * row as f32).take_while(|y| *y < bottom);
        let rows = rows.filter(|y| (from..to).contains(&((y - top) / (bottom - top))));
        let along = |y: f32| (0..).map(move |at| [left + 2.0 + 4.0 * at as f32, y]).take_while(move |at| at[0] < right);
        Shown { cells: rows.flat_map(along).collect(), side: 4.0 }
    }

    #[test]
    fn a_column_is_as_many_cards_as_show() {
        let (upper, lower) = (card(100.0, 122.0), card(100.0, 100.0));
        assert!(upper.overlap(&lower) > 0.65);
        let (whole, strip) = (cells(&upper, 0.0, 1.0), cells(&lower, 0.0, 0.19));
        assert!(two((&upper, &whole), (&lower, &strip)) && two((&lower, &strip), (&upper, &whole)));
    }

    #[test]
    fn a_card_found_twice_is_one() {
        let (sure, echo) = (card(100.0, 100.0), card(106.0, 112.0));
        assert!(!two((&sure, &cells(&sure, 0.0, 0.7)), (&echo, &cells(&sure, 0.7, 1.0))));
        assert!(!two((&sure, &cells(&sure, 0.0, 1.0)), (&echo, &cells(&sure, 0.0, 1.0))));
        assert!(!two((&sure, &Shown::default()), (&echo, &Shown::default())));
    }

    #[test]
    fn an_outline_does_not_slide_onto_the_neighbour() {
        let (upper, lower) = (card(100.0, 122.0), card(100.0, 100.0));
        assert_eq!(moved(lower, upper, &cells(&lower, 0.0, 0.19)), lower);
        assert_eq!(moved(lower, card(101.0, 97.0), &cells(&lower, 0.0, 0.19)), card(101.0, 97.0));
    }

    #[test]
    fn only_what_is_shown_by_the_same_part_of_the_picture_is_shared() {
        let (upper, lower) = (card(100.0, 122.0), card(100.0, 100.0));
        let (whole, strip) = (cells(&upper, 0.0, 1.0), cells(&lower, 0.0, 0.19));
        assert!(!whole.is_shared_with(&strip) && !strip.is_shared_with(&whole));
        let coarse = Shown { cells: whole.cells.iter().step_by(4).copied().collect(), side: 8.0 };
        assert!(coarse.is_shared_with(&whole) && whole.is_shared_with(&coarse) && !coarse.is_shared_with(&strip));
        assert!(!whole.is_shared_with(&Shown::default()), "nothing is shared with nothing");
    }
}
