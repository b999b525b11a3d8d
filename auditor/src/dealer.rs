//! The dealer's own hand: when it must be drawn to.

use table::{Card, Total};

use crate::rules::Rules;

/// Whether a dealer who holds this must take another card, as long as any wager depends on it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dealer_draws_to_seventeen_and_on_soft_seventeen_where_the_game_says_so() {
        let mut rules = Rules::blank();
        rules.dealer_draws_on_16 = true;
        let draws = |rules: &Rules, points, soft| must_draw(rules, Total { points, soft });
        assert!(draws(&rules, 16, false));
        assert!(!draws(&rules, 17, false));
        assert!(!draws(&rules, 17, true));
        rules.h17 = true;
        assert!(draws(&rules, 17, true));
        assert!(!draws(&rules, 17, false));
        assert!(!draws(&rules, 18, true));
        rules.dealer_draws_on_16 = false;
        assert!(!draws(&rules, 16, false));
        assert!(draws(&rules, 15, false));
    }
}
