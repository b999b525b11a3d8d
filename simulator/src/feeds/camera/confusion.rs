//! What a recogniser takes a card for: the faces it confuses, and how sure it says it is.
//!
//! Its confidence is honest. A sighting is as doubtful as its light and angle make it; with that chance it names a face
//! that looks alike, and that chance is what it leaves open. So of all cards read with 90 % nine in ten are right.

use auditor::model::random::Dice;
use table::chance::Spread;
use table::{Card, Chance, Rank, Reading, Suit};

use crate::feeds::weighted;

/// Ranks that look alike in a corner index or by their picture, and how often one is taken for the other.
const RANKS: &[(Rank, Rank, u32)] = &[
    (Rank::Ace, Rank::Four, 6),
    (Rank::Two, Rank::Seven, 3),
    (Rank::Three, Rank::Eight, 5),
    (Rank::Three, Rank::Five, 3),
    (Rank::Five, Rank::Six, 4),
    (Rank::Six, Rank::Nine, 7),
    (Rank::Six, Rank::Eight, 4),
    (Rank::Eight, Rank::Nine, 3),
    (Rank::Ten, Rank::Queen, 2),
    (Rank::Jack, Rank::King, 6),
    (Rank::Queen, Rank::King, 6),
    (Rank::Jack, Rank::Queen, 4),
    (Rank::Seven, Rank::Jack, 2),
    (Rank::Ace, Rank::Ten, 1),
];

/// Suits that look alike; those of one colour far more than others.
const SUITS: &[(Suit, Suit, u32)] = &[
    (Suit::Spades, Suit::Clubs, 9),
    (Suit::Hearts, Suit::Diamonds, 9),
    (Suit::Spades, Suit::Hearts, 1),
    (Suit::Clubs, Suit::Diamonds, 1),
];

/// The part of wrong readings in which the rank is wrong.
const RANK_PART: f64 = 0.6;
const MILLION: f64 = 1e6;

/// Looks at a card that is read wrongly with this probability.
pub(super) fn look(card: Card, doubt: f64, dice: &mut Dice) -> Reading {
    let (Some(rank), Some(suit)) = (card.rank(), card.suit()) else { return Reading::certain(card) };
    if doubt <= 0.0 {
        return Reading::certain(card);
    }
    let of_rank = doubt * RANK_PART;
    let of_suit = 1.0 - (1.0 - doubt) / (1.0 - of_rank);
    let ranks = guess(rank as usize - 1, of_rank, &alike(RANKS, |rank| *rank as usize - 1), dice);
    let suits = guess(suit as usize, of_suit, &alike(SUITS, |suit| *suit as usize), dice);
    Reading::from_spread(Spread { ranks, suits })
}

/// A table of pairs as a square: how easily each is taken for each.
fn alike<T, const N: usize>(pairs: &[(T, T, u32)], number: impl Fn(&T) -> usize) -> [[u32; N]; N] {
    let mut square = [[0; N]; N];
    for (one, other, weight) in pairs {
        let (one, other) = (number(one), number(other));
        square[one][other] = *weight;
        square[other][one] = *weight;
    }
    square
}

/// What one part of a card is taken for, and what is left open around it.
fn guess<const N: usize>(truth: usize, doubt: f64, alike: &[[u32; N]; N], dice: &mut Dice) -> [Chance; N] {
    let mut best = truth;
    if dice.chance(doubt) {
        let row: Vec<(usize, usize)> = alike[truth].iter().map(|weight| *weight as usize).enumerate().collect();
        best = weighted(dice, &row).unwrap_or(truth);
    }
    let row = &alike[best];
    let all: u32 = row.iter().sum();
    let open = doubt * MILLION;
    let part = |weight: u32| (open * f64::from(weight) / f64::from(all.max(1))) as u32;
    let mut parts = row.map(part);
    let left: u32 = parts.iter().sum();
    parts[best] = 1_000_000_u32.saturating_sub(left);
    parts.map(|millionths| Chance::from_millionths(millionths).unwrap_or(Chance::CERTAIN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_face_can_be_taken_for_another() {
        let ranks: [[u32; 13]; 13] = alike(RANKS, |rank| *rank as usize - 1);
        let suits: [[u32; 4]; 4] = alike(SUITS, |suit| *suit as usize);
        assert!(ranks.iter().all(|row| row.iter().sum::<u32>() > 0));
        assert!(suits.iter().all(|row| row.iter().sum::<u32>() > 0));
        assert!(RANKS.iter().all(|(one, other, _)| one != other));
    }

    #[test]
    fn a_spread_is_a_distribution_whose_best_guess_is_the_card_named() {
        let mut dice = Dice::new(3);
        for card in Card::faces() {
            let reading = look(card, 0.4, &mut dice);
            let spread = reading.spread.clone().unwrap();
            assert_eq!(spread.ranks.iter().map(|chance| chance.millionths()).sum::<u32>(), 1_000_000);
            assert_eq!(spread.suits.iter().map(|chance| chance.millionths()).sum::<u32>(), 1_000_000);
            assert!((reading.chance.as_f64() - 0.6).abs() < 1e-4, "{reading:?}");
        }
    }

    #[test]
    fn it_is_right_as_often_as_it_says() {
        for doubt in [0.02, 0.1, 0.3] {
            let mut dice = Dice::new(7);
            let looks = 400;
            let right = |card: Card| (0..looks).filter(|_| look(card, doubt, &mut dice).card == card).count();
            let rate = Card::faces().map(right).sum::<usize>() as f64 / (52.0 * f64::from(looks));
            assert!((rate - (1.0 - doubt)).abs() < 0.01, "says {}, is {rate}", 1.0 - doubt);
        }
    }

    #[test]
    fn without_doubt_the_card_is_certain() {
        let seven: Card = "7H".parse().unwrap();
        assert_eq!(look(seven, 0.0, &mut Dice::new(1)), Reading::certain(seven));
        assert_eq!(look(Card::HIDDEN, 0.5, &mut Dice::new(1)), Reading::certain(Card::HIDDEN));
    }
}
