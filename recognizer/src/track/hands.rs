//! Which hand of its box a card belongs to.
//!
//! The cards of one hand lie on each other; the hands of a split box lie side by side. So a gap across the box divides
//! hands, and a hand keeps its letter for as long as one of its cards lies there.

use std::collections::BTreeSet;

use table::{BoxNo, Hand, Place};

use super::card::Track;

/// Millimetres between the middles of neighbouring cards that lie in different hands.
const GAP: f32 = 40.0;

/// A card of a box: how far across it lies, and where it was told to lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Across {
    /// Millimetres.
    pub(super) across: f32,
    /// Its hand and position as last told.
    pub(super) told: Option<(Hand, u8)>,
}

/// Whoever lays a card so far on another adds it to that one's hand.
const LAID_ON: f32 = 0.3;

/// The box that a card is known to be of: the one it was told at, or that of the card on which most of it lies.
pub(super) fn home(card: &Track, all: &[Track]) -> Option<BoxNo> {
    let told = |track: &Track| track.told?.at?.place.box_no();
    let below = || {
        let on = all.iter().filter(|other| other.id != card.id).map(|other| (other.quad.shared(&card.quad), other));
        let on = on.filter(|(shared, _)| *shared > LAID_ON * card.quad.area());
        on.max_by(|a, b| a.0.total_cmp(&b.0)).and_then(|(_, other)| told(other))
    };
    told(card).or_else(below)
}

/// The hand of each card of a box, in the order given. Hands that were put away are over: what is split after that is another.
pub(super) fn hands(box_no: BoxNo, cards: &[Across], put_away: &BTreeSet<Place>) -> Vec<Place> {
    let mut order: Vec<usize> = (0..cards.len()).collect();
    order.sort_by(|a, b| cards[*a].across.total_cmp(&cards[*b].across).then(a.cmp(b)));
    let mut columns: Vec<Vec<usize>> = Vec::new();
    let mut last = f32::NEG_INFINITY;
    for card in order {
        let across = cards[card].across;
        match columns.last_mut() {
            Some(column) if across - last < GAP => column.push(card),
            _ => columns.push(vec![card]),
        }
        last = across;
    }
    let over = |hand: Hand| put_away.contains(&Place::Box(box_no, hand));
    let letters = letters(cards, &columns, over);
    let mut places = vec![Place::Box(box_no, Hand::A); cards.len()];
    for (column, letter) in columns.iter().zip(letters) {
        for card in column {
            places[*card] = Place::Box(box_no, letter);
        }
    }
    places
}

/// A letter for each column: the one its cards have, whoever of two columns holds that hand's first card keeps it, and
/// new columns take the next free ones from left to right.
fn letters(cards: &[Across], columns: &[Vec<usize>], over: impl Fn(Hand) -> bool) -> Vec<Hand> {
    let mut claims: Vec<(Hand, u8, usize)> = Vec::new();
    for (number, column) in columns.iter().enumerate() {
        claims.extend(
            column.iter().filter_map(|card| cards[*card].told).map(|(hand, position)| (hand, position, number)),
        );
    }
    claims.sort();
    let mut letters: Vec<Option<Hand>> = vec![None; columns.len()];
    for (hand, _, column) in claims {
        if letters[column].is_none() && !letters.contains(&Some(hand)) {
            letters[column] = Some(hand);
        }
    }
    for column in 0..letters.len() {
        if letters[column].is_none() {
            letters[column] =
                (0..26).filter_map(Hand::new).find(|hand| !letters.contains(&Some(*hand)) && !over(*hand));
        }
    }
    letters.into_iter().map(|letter| letter.unwrap_or(Hand::A)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(cards: &[(f32, Option<(u8, u8)>)]) -> String {
        told_after(&[], cards)
    }

    /// The same after hands with these numbers were put away.
    fn told_after(put_away: &[u8], cards: &[(f32, Option<(u8, u8)>)]) -> String {
        let box_no = BoxNo::new(3).unwrap();
        let put_away = put_away.iter().map(|hand| Place::Box(box_no, Hand::new(*hand).unwrap())).collect();
        let cards: Vec<Across> = cards
            .iter()
            .map(|(across, told)| Across {
                across: *across,
                told: told.and_then(|(hand, at)| Some((Hand::new(hand)?, at))),
            })
            .collect();
        let places = hands(box_no, &cards, &put_away);
        places.iter().map(Place::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_hand_that_is_not_split_is_one_however_long() {
        assert_eq!(told(&[(58.0, None), (72.0, None), (86.0, None), (100.0, None), (114.0, None)]), "3 3 3 3 3");
    }

    #[test]
    fn a_split_opens_the_next_hand_and_the_first_card_keeps_its_own() {
        assert_eq!(told(&[(39.0, Some((0, 1))), (120.0, Some((0, 2)))]), "3 3b");
        assert_eq!(told(&[(120.0, Some((0, 2))), (39.0, Some((0, 1)))]), "3b 3");
        // A card to each.
        assert_eq!(told(&[(39.0, Some((0, 1))), (120.0, Some((1, 1))), (41.0, None), (121.0, None)]), "3 3b 3 3b");
    }

    #[test]
    fn a_second_split_moves_columns_and_not_letters() {
        assert_eq!(told(&[(0.0, Some((0, 1))), (81.0, Some((1, 1))), (162.0, Some((1, 2)))]), "3 3b 3c",);
        assert_eq!(told(&[(0.0, Some((0, 1))), (81.0, Some((0, 2))), (162.0, Some((1, 1)))]), "3 3c 3b");
    }
    #[test]
    fn a_hand_that_was_put_away_is_not_opened_again() {
        let split_again = [(81.0, Some((1, 1))), (162.0, Some((1, 2)))];
        assert_eq!(told_after(&[0], &split_again), "3b 3c");
        assert_eq!(told(&split_again), "3b 3", "lost from sight, it keeps its letter");
    }
}
