//! How cards are counted: tags without a check of their own, which go with the findings of checks that count a hand.

use arrayvec::ArrayVec;
use table::{Card, Rank, Total};

use super::CHECKS;
use crate::check::Check;
use crate::rulebook;

/// A short list of tags, the most specific first.
pub(super) type Tags<'t> = ArrayVec<&'t str, 18>;

/// The tags that say how cards are counted.
pub const COUNTS: [&str; 7] =
    ["count.ace", "count.court", "count.pip", "count.ten", "count.soft", "count.hard", "count"];

/// The checks that raise them beside their own, whatever the hand.
const OF_ANY_HAND: [&str; 11] = [
    "dealer_overdrew",
    "dealer_stood_short",
    "false_natural",
    "hit_on_21",
    "loser_not_taken",
    "loser_paid",
    "paid_a_push",
    "stood_short",
    "took_a_push",
    "win_not_paid",
    "win_paid_wrong",
];

/// Those that look at naturals alone, and so at an ace and a ten.
const OF_NATURALS: [&str; 3] = ["even_money_paid_wrong", "natural_paid_wrong", "natural_taken"];

/// These tags, and those that say how the cards concerned are counted: a hand settled or drawn to wrongly may have been
/// miscounted.
pub(super) fn counted<'t>(tags: &[&'t str], cards: &[Card]) -> Tags<'t> {
    let mut all: Tags<'t> = tags.iter().copied().take(10).collect();
    let has = |test: fn(Rank) -> bool| cards.iter().filter_map(|card| card.rank()).any(test);
    let soft = Total::of(cards.iter().copied()).is_some_and(|total| total.soft);
    let applies = [
        has(|rank| rank == Rank::Ace),
        has(|rank| rank > Rank::Ten),
        has(|rank| rank > Rank::Ace && rank < Rank::Ten),
        has(|rank| rank == Rank::Ten),
        soft,
        !soft,
        true,
    ];
    all.extend(COUNTS.iter().zip(applies).filter(|(_, applies)| *applies).map(|(tag, _)| *tag));
    all
}

/// The checks that can raise a tag, by name. None for a tag that is unknown.
pub fn raising(tag: &str) -> impl Iterator<Item = &'static Check> + use<'_> {
    let is_count = COUNTS.contains(&tag);
    let of_naturals = is_count && !["count.pip", "count.hard"].contains(&tag);
    CHECKS.iter().copied().filter(move |check| {
        check.tags.contains(&tag)
            || is_count && OF_ANY_HAND.contains(&check.name)
            || of_naturals && OF_NATURALS.contains(&check.name)
    })
}

/// Every tag a check can raise.
pub fn tags() -> rulebook::Tags {
    rulebook::Tags::new(CHECKS.iter().flat_map(|check| check.tags).copied().chain(COUNTS))
}
