//! Which findings hang on a reading of an ambiguous clause.
//!
//! Where a house reads a clause otherwise than the reading of record, what is found by that reading is worth knowing
//! and no more: it is capped at `info`.

/// A parameter that settles an ambiguity, and the tags whose findings depend on it, aspects included.
const DEPENDS: &[(&str, &[&str])] = &[
    ("bj_timing", &["natural_paid_late", "natural_paid_early", "natural_cards_left", "natural_cards_cleared_early"]),
    ("blazing_pays", &["side_bet_paid_wrong.blazing7"]),
    ("burn", &["burn_missing", "burned_too_many"]),
    ("cap_counts_for_blackjack", &["natural_paid_wrong"]),
    ("das", &["doubled_on_wrong_cards", "request_refused.on_split_hand"]),
    ("dealer_draws_on_16", &["dealer_stood_short", "dealer_overdrew"]),
    ("double_aces", &["doubled_on_an_ace"]),
    ("double_cards", &["doubled_on_wrong_cards"]),
    ("double_stake", &["double_stake_wrong"]),
    ("double_total_max", &["doubled_on_wrong_cards"]),
    ("double_zapped_21", &["doubled_a_natural"]),
    ("even_money_refunds_insurance", &["insurance_settled_after_even_money"]),
    ("forced_hit_below", &["stood_short"]),
    ("free_double_after_split", &["free_double_wrong_total"]),
    ("free_resplit", &["free_split_of_tens"]),
    ("h17", &["dealer_stood_short", "dealer_overdrew"]),
    ("hit_21", &["hit_on_21"]),
    ("insurance_on_bj", &["insurance_on_natural"]),
    ("insurance_survives_bust", &["insurance_lost_but_paid", "insurance_won_but_unpaid"]),
    ("madness_fault", &["madness_fault_paid_wrong"]),
    ("madness_stake_returned", &["side_bet_paid_wrong.madness21"]),
    ("match_by", &["side_bet_paid_wrong.match_dealer", "side_bet_loser_paid.match_dealer"]),
    ("nh_bj_mode", &["paid_a_push.natural", "took_a_push.natural", "natural_taken", "win_not_paid.natural_v_natural"]),
    ("obo", &["extra_stake_taken", "extra_stake_spared"]),
    ("obo_bust", &["extra_stake_taken", "extra_stake_spared"]),
    ("overunder_ace", &["side_bet_loser_paid.over13", "side_bet_loser_paid.under13", "side_bet_winner_taken"]),
    ("players_touch_cards", &["touched.cards"]),
    ("rounding", &["natural_paid_wrong", "surrender_settled_wrong"]),
    ("split_by", &["split_unequal_cards", "request_refused.split"]),
    ("split_max_hands", &["too_many_hands"]),
    ("ss_split", &["super_sevens_split_misjudged", "side_bet_paid_wrong.super_sevens"]),
    ("surrender", &["surrender_not_allowed"]),
    ("surrender_mode", &["surrender_not_allowed", "surrender_settled_wrong"]),
    ("surrender_vs_dealer_bj", &["surrender_settled_wrong"]),
    ("table_min_max", &["table_minimum_too_high"]),
    ("war_cap_in_insurance", &["insurance_too_large"]),
    ("zap_soft", &["zapped_wrong_total"]),
];

/// Whether a finding under these tags hangs on a parameter.
pub(super) fn depends(tags: &[&str], parameter: &str) -> bool {
    let hangs = |tag: &str, on: &str| tag.strip_prefix(on).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let depends = DEPENDS.iter().filter(|(key, _)| *key == parameter).flat_map(|(_, on)| *on);
    depends.into_iter().any(|on| tags.iter().any(|tag| hangs(tag, on)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rulebook::books;

    #[test]
    fn every_reading_of_every_book_has_findings_that_hang_on_it() {
        for book in books::all().unwrap() {
            for reading in book.games.iter().flat_map(|game| &game.readings) {
                let known = DEPENDS.iter().any(|(parameter, _)| *parameter == reading.parameter);
                assert!(known, "{}: no finding hangs on {} ({})", book.id, reading.parameter, reading.ambiguity);
            }
        }
    }

    #[test]
    fn an_aspect_hangs_on_what_its_check_hangs_on() {
        assert!(depends(&["dealer_overdrew.soft17"], "h17"));
        assert!(depends(&["count", "paid_a_push.natural.ten"], "nh_bj_mode"));
        assert!(!depends(&["paid_a_push"], "nh_bj_mode"));
        assert!(!depends(&["dealer_overdrew_x"], "h17"));
    }
}
