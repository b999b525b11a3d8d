//! The dealer's hand, drawn by the engine's own rule through every order of values.

use std::collections::BTreeMap;

use auditor::dealer::must_draw;
use auditor::hand::DealerHand;
use auditor::settle::side::{Facts, Judged, judge};
use auditor::{Rules, Tier};
use num_rational::BigRational;
use table::{Card, Money, Rank, SideBet, Suit, Total};

use super::deal::{Odds, chance};
use super::{float, fraction, ratio, rows, rules};

/// How a dealer's hand ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ending {
    Natural,
    Points(u16),
}

/// Ways to draw a finished hand, by the number of cards: from all suits, from two, from one.
type Ways = BTreeMap<(Ending, usize), [u128; 3]>;

struct Draw<'r> {
    rules: &'r Rules,
    /// Cards of each value left, ace to ten, in all suits, in two and in one.
    left: [[u64; 10]; 3],
    ways: Ways,
}

impl<'r> Draw<'r> {
    fn from_fresh_shoe(rules: &'r Rules, decks: u64) -> Self {
        let in_suits = |suits: u64| {
            let mut left = [suits * decks; 10];
            left[9] *= 4;
            left
        };
        Self { rules, left: [in_suits(4), in_suits(2), in_suits(1)], ways: BTreeMap::new() }
    }

    fn go_on(&mut self, values: &mut Vec<u8>, ways: [u128; 3], drawn: usize) {
        let total = total(values);
        if values.len() < 2 || must_draw(self.rules, total) {
            for value in 1..=10u8 {
                let at = usize::from(value - 1);
                let next: [u128; 3] = std::array::from_fn(|suits| ways[suits] * u128::from(self.left[suits][at]));
                if next[0] == 0 {
                    continue;
                }
                let before = self.left;
                for left in &mut self.left {
                    left[at] = left[at].saturating_sub(1);
                }
                values.push(value);
                self.go_on(values, next, drawn + 1);
                values.pop();
                self.left = before;
            }
            return;
        }
        let natural = values.len() == 2 && total.points == 21;
        let ending = if natural { Ending::Natural } else { Ending::Points(total.points) };
        let sum = self.ways.entry((ending, drawn)).or_default();
        for (sum, ways) in sum.iter_mut().zip(ways) {
            *sum += ways;
        }
        if total.points == 22 {
            judged_alike(self.rules, values);
        }
    }
}

fn total(values: &[u8]) -> Total {
    Total::of(cards(values, |_| Suit::Spades)).unwrap()
}

fn cards(values: &[u8], suit: impl Fn(usize) -> Suit) -> Vec<Card> {
    let card = |(index, value): (usize, &u8)| Card::new(Rank::from_number(*value).unwrap(), suit(index));
    values.iter().enumerate().map(card).collect()
}

/// The engine tells a 22 of one suit, of one colour and of both colours apart, whatever the values.
fn judged_alike(rules: &Rules, values: &[u8]) {
    let judged = |second: Suit| {
        let cards = cards(values, |index| if index == 0 { Suit::Spades } else { second });
        let dealer = DealerHand { cards: &cards };
        let facts = Facts {
            initial: &[],
            third: None,
            split: false,
            complete: true,
            dealer,
            dealer_complete: true,
            stake: Money::from_minor(100),
        };
        judge(rules, SideBet::Push22, &facts)
    };
    assert_eq!(judged(Suit::Spades), Judged::Win(Tier::SameSuit22));
    assert_eq!(judged(Suit::Clubs), Judged::Win(Tier::SameColour22));
    assert_eq!(judged(Suit::Hearts), Judged::Win(Tier::Other22));
}

fn fresh(rules: &Rules, decks: u64) -> Ways {
    let mut draw = Draw::from_fresh_shoe(rules, decks);
    draw.go_on(&mut Vec::new(), [1; 3], 0);
    draw.ways
}

/// The chance of an ending from a shoe of so many cards, with all cards in some of so many suits.
fn of(ways: &Ways, shoe: u64, suits: usize, wanted: impl Fn(Ending) -> bool) -> BigRational {
    let found = ways.iter().filter(|((ending, _), _)| wanted(*ending));
    found.map(|((_, cards), ways)| chance(ways[suits], shoe, *cards)).sum()
}

/// The odds of Push 22 when the dealer's hand is always completed.
pub(super) fn push22(rules: &Rules, decks: u64) -> Odds {
    let ways = fresh(rules, decks);
    let at = |suits: usize| of(&ways, 52 * decks, suits, |ending| ending == Ending::Points(22));
    let (all, colour, suit) = (at(0), at(1) * ratio(2, 1), at(2) * ratio(4, 1));
    let lost = ratio(1, 1) - &all;
    let tiers =
        [(Tier::SameSuit22, suit.clone()), (Tier::SameColour22, &colour - &suit), (Tier::Other22, &all - &colour)];
    Odds { tiers: tiers.into(), lost }
}

fn of_soft_17(name: &str) -> Rules {
    rules(if name == "H17" { "nz-styleA" } else { "nz-base" }, "")
}

#[test]
fn the_dealers_hand_from_a_fresh_shoe_ends_as_often_as_known() {
    for row in rows("dealer_fresh_shoe.tsv") {
        let (rules, decks): (_, u64) = (of_soft_17(&row["soft17"]), row["decks"].parse().unwrap());
        let ways = fresh(&rules, decks);
        let chance = |wanted: &dyn Fn(Ending) -> bool| of(&ways, 52 * decks, 0, wanted);
        assert_eq!(chance(&|ending| ending == Ending::Points(22)), fraction(&row["p22"]));
        let near = |column: &str, found: BigRational| {
            let wanted: f64 = row[column].parse().unwrap();
            assert!((float(&found) - wanted).abs() < 1e-12, "{decks} {column}: {found}, expected {wanted}");
        };
        for points in 17..=22 {
            near(&points.to_string(), chance(&|ending| ending == Ending::Points(points)));
        }
        near("23_or_more", chance(&|ending| matches!(ending, Ending::Points(23..))));
        near("natural", chance(&|ending| ending == Ending::Natural));
    }
}

#[test]
fn the_dealers_hand_ends_as_often_as_known_for_every_up_card() {
    let rows = rows("dealer_by_up_card.tsv");
    assert_eq!(rows.len(), 80);
    let mut furthest = 0f64;
    for row in &rows {
        let (rules, decks): (_, u64) = (of_soft_17(&row["soft17"]), row["decks"].parse().unwrap());
        let up: u8 = row["up"].parse().unwrap();
        let mut draw = Draw::from_fresh_shoe(&rules, decks);
        for left in &mut draw.left {
            left[usize::from(up - 1)] -= 1;
        }
        draw.go_on(&mut vec![up], [1; 3], 0);
        let chance = |wanted: &dyn Fn(Ending) -> bool| of(&draw.ways, 52 * decks - 1, 0, wanted);
        let mut near = |column: &str, found: BigRational| {
            let wanted: f64 = row[column].parse().unwrap();
            let apart = (float(&found) - wanted).abs();
            assert!(apart <= 1e-6, "{row:?} {column}: {found}");
            furthest = furthest.max(apart);
        };
        for points in 17..=21 {
            near(&points.to_string(), chance(&|ending| ending == Ending::Points(points)));
        }
        near("bust", chance(&|ending| matches!(ending, Ending::Points(22..))));
        near("natural", chance(&|ending| ending == Ending::Natural));
    }
    println!("furthest from the table: {furthest:e}");
}
