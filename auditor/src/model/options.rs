//! What a hand may do next under the rules of its game.

use table::{Card, Rank};

use super::seat::HandInPlay;
use crate::rules::{Hit21, Rules, SplitBy, Surrender};

/// What a hand may do next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Take a card.
    pub hit: bool,
    /// Take no more.
    pub stand: bool,
    /// Double.
    pub double: bool,
    /// Double on a free bet.
    pub free_double: bool,
    /// Split.
    pub split: bool,
    /// Split on a free bet.
    pub free_split: bool,
    /// Surrender.
    pub surrender: bool,
    /// Exchange both cards.
    pub zap: bool,
}

impl Options {
    /// Whether there is anything to decide.
    pub fn any(self) -> bool {
        self.hit || self.double || self.split || self.surrender || self.zap
    }
}

/// What a hand of a box that holds `hands` hands may do.
pub(super) fn options(rules: &Rules, at: &HandInPlay, hands: usize) -> Options {
    let (hand, total) = (&at.hand, at.total());
    if at.done || hand.doubled || total.is_bust() {
        return Options::default();
    }
    let cards = hand.cards.len();
    let split_ace = hand.split && hand.cards.first().and_then(|card| card.rank()) == Some(Rank::Ace);
    let held = split_ace && !rules.hit_split_aces && cards >= 2;
    let full = rules.max_cards.is_some_and(|most| cards >= usize::from(most));
    let dealt = cards == 2 && !hand.split && !hand.zapped;
    let double = !held && !full && may_double(rules, at);
    let split = may_split(rules, at, hands, split_ace);
    Options {
        hit: !held && !full && may_hit(rules, at),
        stand: held || full || total.points >= u16::from(rules.forced_hit_below),
        double,
        free_double: double && is_free_double(rules, at),
        split,
        free_split: split && is_free_split(rules, at),
        surrender: dealt && rules.surrender != Surrender::None && !hand.is_natural(),
        zap: dealt && rules.zap.has(total.points) && (!total.soft || rules.zap_soft),
    }
}

fn may_hit(rules: &Rules, at: &HandInPlay) -> bool {
    let total = at.total();
    match rules.hit_21 {
        _ if total.points < 21 => true,
        _ if at.hand.is_natural() => false,
        Hit21::Forbidden => false,
        Hit21::SoftOnly => total.soft,
        Hit21::Allowed => true,
    }
}

fn may_double(rules: &Rules, at: &HandInPlay) -> bool {
    let (hand, total) = (&at.hand, at.total());
    let aces = hand.cards.iter().any(|card| card.rank() == Some(Rank::Ace));
    let count = rules.double_cards.is_none_or(|most| hand.cards.len() <= usize::from(most));
    let zapped_21 = hand.zapped && hand.cards.len() == 2 && total.points == 21;
    if hand.is_natural() {
        return rules.double_bj;
    }
    hand.cards.len() >= 2
        && count
        && (rules.das || !hand.split)
        && (rules.double_aces || !aces)
        && total.points <= u16::from(rules.double_total_max)
        && (rules.double_zapped_21 || !zapped_21)
}

fn is_free_double(rules: &Rules, at: &HandInPlay) -> bool {
    let total = at.total();
    at.hand.cards.len() == 2
        && rules.free_double.has(total.points)
        && !(rules.free_double_hard && total.soft)
        && (rules.free_double_after_split || !at.hand.split)
}

fn may_split(rules: &Rules, at: &HandInPlay, hands: usize, split_ace: bool) -> bool {
    let [a, b] = at.hand.cards.as_slice() else { return false };
    let alike = match rules.split_by {
        SplitBy::PointValue => points(*a) == points(*b),
        SplitBy::Rank => a.rank() == b.rank(),
    };
    let room = rules.split_max_hands.is_none_or(|most| hands < usize::from(most)) && hands < LETTERS;
    alike && room && (rules.resplit_aces || !split_ace)
}

/// Hands are named by letters.
const LETTERS: usize = 26;

fn is_free_split(rules: &Rules, at: &HandInPlay) -> bool {
    let tens = at.hand.cards.first().copied().and_then(points) == Some(10);
    rules.free_split && !tens && (rules.free_resplit || !at.hand.split)
}

fn points(card: Card) -> Option<u8> {
    card.rank().map(Rank::points)
}
