//! What shows of a card tells two cards that lie on each other from one card seen twice.
//!
//! Outlines alone cannot: in a column of cards of which a fifth shows each, neighbours share two thirds. But what shows of
//! the lower one lies beyond the upper one, whereas an echo has nothing to show beyond the card that it echoes.

use super::quad::{Pixel, Quad};

/// So much of what shows of one of two cards lies beyond the other.
const BEYOND: f32 = 0.5;
/// An outline moved keeps at least this part of what showed within it.
const KEPT: f32 = 0.8;

/// Whether two outlines, each with the cells that show it, are two cards.
pub(super) fn two(one: (&Quad, &[Pixel]), other: (&Quad, &[Pixel])) -> bool {
    beyond(one, other.0) || beyond(other, one.0)
}

/// Whether what shows of a card lies within its own outline and mostly beyond another.
pub(super) fn beyond((own, cells): (&Quad, &[Pixel]), other: &Quad) -> bool {
    let beyond = cells.iter().filter(|cell| own.holds(**cell) && !other.holds(**cell)).count();
    beyond as f32 >= BEYOND * cells.len().max(1) as f32
}

/// The outline as moved, unless it has slid off what shows of the card, onto its neighbour.
pub(super) fn moved(from: Quad, to: Quad, cells: &[Pixel]) -> Quad {
    let within = |quad: &Quad| cells.iter().filter(|cell| quad.holds(**cell)).count() as f32;
    if within(&to) >= KEPT * within(&from) { to } else { from }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(x: f32, y: f32) -> Quad {
        Quad::around([x, y], [0.0, -56.0], [40.0, 0.0])
    }

    /// The cells of a card from one height to another.
    fn cells(quad: &Quad, from: f32, to: f32) -> Vec<Pixel> {
        let [left, top, right, bottom] = quad.bounds();
        let rows = (0..).map(|row| top + 2.0 + 4.0 * row as f32).take_while(|y| *y < bottom);
        let rows = rows.filter(|y| (from..to).contains(&((y - top) / (bottom - top))));
        rows.flat_map(|y| (0..).map(move |at| [left + 2.0 + 4.0 * at as f32, y]).take_while(|at| at[0] < right))
            .collect()
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
        assert!(!two((&sure, &[]), (&echo, &[])));
    }

    #[test]
    fn an_outline_does_not_slide_onto_the_neighbour() {
        let (upper, lower) = (card(100.0, 122.0), card(100.0, 100.0));
        assert_eq!(moved(lower, upper, &cells(&lower, 0.0, 0.19)), lower);
        assert_eq!(moved(lower, card(101.0, 97.0), &cells(&lower, 0.0, 0.19)), card(101.0, 97.0));
    }
}
