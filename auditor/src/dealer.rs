//! The dealer's own hand: when it must be drawn to.

use table::{Card, Total};

use crate::rules::Rules;

/// Whether the dealer draws on a total.
pub fn must_draw(rules: &Rules, total: Total) -> bool {
    match total.points {
        ..=15 => true,
        16 => rules.dealer_draws_on_16,
        17 => total.soft && rules.dealer_hits_soft_17(),
        _ => false,
    }
}

/// How many of the dealer's cards the rules allowed: those up to the first standing total. `None` if a card that
/// matters is not known.
pub fn lawful_cards(rules: &Rules, cards: &[Card]) -> Option<usize> {
    for count in 2..cards.len() {
        if !must_draw(rules, Total::of(cards[..count].iter().copied())?) {
            return Some(count);
        }
    }
    Some(cards.len())
}
