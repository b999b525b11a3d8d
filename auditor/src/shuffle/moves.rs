//! What hands and machines do to a pack, card by card. The first card of a pack is its top, and the first to be dealt.
//!
//! Nothing here looks at a face, so a test may shuffle numbers and know every single card again.

use std::collections::VecDeque;

use table::round::Mix;

use super::Continuous;
use crate::model::random::Dice;

/// Cards in half a deck, the packet that one pair of hands riffles.
const HALF_DECK: usize = 26;
/// How far from half a deck a dealer's packet may be, in cards.
const PACKET_WOBBLE: usize = 3;
/// Packets that a box is made of, least and most.
const BOXED: (usize, usize) = (3, 5);
/// Packets that a strip is made of, least and most.
const STRIPPED: (usize, usize) = (8, 14);
/// Pushes of a wash for each card of the spread; every push moves up to [`PUSHED_MOST`] cards.
const PUSHES_PER_CARD: usize = 3;
/// The most cards that lie under the palm at once.
const PUSHED_MOST: usize = 4;

/// One thing done to the whole pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Parted near the middle and riffled together.
    Riffle,
    /// A few large packets put in the opposite order.
    Box,
    /// Many small packets pulled off the top, one on the other.
    Strip,
    /// Spread face down, stirred, gathered.
    Wash,
    /// Squared up: no card changes its place.
    Stack,
    /// Half-deck packets of two halves riffled into a pile between them, and on into that pile.
    FirstPass,
    /// Half-deck packets of two halves riffled pairwise.
    SecondPass,
    /// Dealt one by one to so many shelves, above or below what lies there.
    Shelves(u8),
    /// Every order equally likely.
    Uniform,
    /// Through a continuous shuffler once.
    Continuous,
}

impl Move {
    /// The pack after the move.
    pub fn make<T>(self, cards: Vec<T>, dice: &mut Dice) -> Vec<T> {
        match self {
            Self::Riffle => riffle_whole(cards, dice),
            Self::Box => turn_over_packets(cards, BOXED, dice),
            Self::Strip => turn_over_packets(cards, STRIPPED, dice),
            Self::Wash => wash(cards, dice),
            Self::Stack => cards,
            Self::FirstPass => first_pass(cards, dice),
            Self::SecondPass => second_pass(cards, dice),
            Self::Shelves(shelves) => shelve(cards, usize::from(shelves), dice),
            Self::Uniform => uniform(cards, dice),
            Self::Continuous => through_continuous(cards, dice),
        }
    }

    /// What is seen of the move on a pack of this size, and how often.
    pub fn seen(self, cards: usize) -> (Mix, usize) {
        let packets = packets_per_half(cards);
        match self {
            Self::Riffle => (Mix::Riffle, 1),
            Self::Box => (Mix::Box, 1),
            Self::Strip => (Mix::Strip, 1),
            Self::Wash => (Mix::Wash, 1),
            Self::Stack => (Mix::Stack, 1),
            Self::FirstPass => (Mix::Riffle, 2 * packets - 1),
            Self::SecondPass => (Mix::Riffle, packets),
            Self::Shelves(_) | Self::Uniform | Self::Continuous => (Mix::Machine, 1),
        }
    }

    /// Whether it riffles, so that leaving it out leaves a pass of the shuffle out.
    pub const fn riffles(self) -> bool {
        matches!(self, Self::Riffle | Self::FirstPass | Self::SecondPass)
    }
}

/// A Gilbert–Shannon–Reeds riffle: parted as coins fall, dropped from either packet in proportion to what it still holds.
fn riffle_whole<T>(mut cards: Vec<T>, dice: &mut Dice) -> Vec<T> {
    let depth = (0..cards.len()).filter(|_| dice.once_in(2)).count();
    let under = cards.split_off(depth);
    riffle(cards, under, dice)
}

/// Two packets riffled together, every interleaving equally likely.
fn riffle<T>(left: Vec<T>, right: Vec<T>, dice: &mut Dice) -> Vec<T> {
    let mut riffled = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    while left.len() + right.len() > 0 {
        let from_left = dice.below(left.len() + right.len()) < left.len();
        riffled.extend(if from_left { left.next() } else { right.next() });
    }
    riffled
}

/// Packets taken off the top and put one on the other, so that their order turns over and that within each stays.
fn turn_over_packets<T>(cards: Vec<T>, (least, most): (usize, usize), dice: &mut Dice) -> Vec<T> {
    let count = least + dice.below(most + 1 - least);
    let size = cards.len() / count;
    let mut packets = packets(cards, count, size / 3, dice);
    packets.reverse();
    packets.into_iter().flatten().collect()
}

/// A pack in so many packets of about the same size, each boundary off by at most `wobble`.
fn packets<T>(mut cards: Vec<T>, count: usize, wobble: usize, dice: &mut Dice) -> Vec<Vec<T>> {
    let whole = cards.len();
    let mut packets: Vec<Vec<T>> = (1..count)
        .rev()
        .map(|boundary| {
            let at = (whole * boundary / count + dice.below(2 * wobble + 1)).saturating_sub(wobble);
            cards.split_off(at.min(cards.len()))
        })
        .collect();
    packets.push(cards);
    packets.reverse();
    packets
}

/// Palms push clumps about the spread: most a little way, some far. Cards that lay apart come together and the reverse,
/// yet where a card went in still says a little about where it comes out.
fn wash<T>(mut cards: Vec<T>, dice: &mut Dice) -> Vec<T> {
    let whole = cards.len();
    for _ in 0..whole * PUSHES_PER_CARD {
        let from = dice.below(whole);
        let clump = (1 + dice.below(PUSHED_MOST)).min(whole - from);
        let pushed: Vec<T> = cards.drain(from..from + clump).collect();
        let reach = dice.normal() * whole as f64 / 5.0;
        let to = (from as f64 + reach).clamp(0.0, cards.len() as f64) as usize;
        cards.splice(to..to, pushed);
    }
    cards
}

/// Packets of about half a deck in each half of a pack.
fn packets_per_half(cards: usize) -> usize {
    ((cards / 2 + HALF_DECK / 2) / HALF_DECK).max(1)
}

/// A pack parted in two halves, each in packets of about half a deck.
fn halves<T>(mut cards: Vec<T>, dice: &mut Dice) -> (Vec<Vec<T>>, Vec<Vec<T>>) {
    let count = packets_per_half(cards.len());
    let wobble = PACKET_WOBBLE.min(cards.len() / (4 * count));
    let right = cards.split_off(cards.len() / 2);
    (packets(cards, count, wobble, dice), packets(right, count, wobble, dice))
}

/// The first packets of both halves make a pile between them; after that a packet from one side, then one from the
/// other, is riffled with the half deck on top of the pile and put back there.
fn first_pass<T>(cards: Vec<T>, dice: &mut Dice) -> Vec<T> {
    let (left, right) = halves(cards, dice);
    let mut sides = left.into_iter().zip(right);
    let mut pile = sides.next().map_or_else(Vec::new, |(left, right)| riffle(left, right, dice));
    for packet in sides.flat_map(|(left, right)| [left, right]) {
        let wobble = dice.below(2 * PACKET_WOBBLE + 1);
        let lifted = (HALF_DECK + wobble).saturating_sub(PACKET_WOBBLE).min(pile.len());
        let rest = pile.split_off(lifted);
        pile = riffle(packet, pile, dice);
        pile.extend(rest);
    }
    pile
}

/// A packet from each half at a time, riffled together, on top of those before.
fn second_pass<T>(cards: Vec<T>, dice: &mut Dice) -> Vec<T> {
    let (left, right) = halves(cards, dice);
    let mut riffled: Vec<Vec<T>> = left.into_iter().zip(right).map(|(left, right)| riffle(left, right, dice)).collect();
    riffled.reverse();
    riffled.into_iter().flatten().collect()
}

/// A shelf machine: each card goes above or below those on a random shelf, and the shelves are unloaded in random order.
fn shelve<T>(cards: Vec<T>, shelves: usize, dice: &mut Dice) -> Vec<T> {
    let mut loaded: Vec<VecDeque<T>> = (0..shelves.max(1)).map(|_| VecDeque::new()).collect();
    for card in cards {
        let shelf = &mut loaded[dice.below(shelves)];
        if dice.once_in(2) {
            shelf.push_front(card);
        } else {
            shelf.push_back(card);
        }
    }
    uniform(loaded, dice).into_iter().flatten().collect()
}

/// Every order equally likely.
fn uniform<T>(mut cards: Vec<T>, dice: &mut Dice) -> Vec<T> {
    for last in (1..cards.len()).rev() {
        cards.swap(last, dice.below(last + 1));
    }
    cards
}

fn through_continuous<T>(cards: Vec<T>, dice: &mut Dice) -> Vec<T> {
    let mut shuffler = Continuous::load(cards, dice);
    std::iter::from_fn(|| shuffler.draw()).collect()
}
