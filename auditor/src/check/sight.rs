//! What only somebody at the table would notice, so that a round rebuilt from devices accuses nobody of it.

use table::Unseen;

/// Checks, or single tags of them, that hang on something a source may not show.
const HANGS_ON: &[(&str, Unseen)] = &[
    ("no_more_bets_not_called", Unseen::Calls),
    ("insurance_not_offered", Unseen::Calls),
    ("dropped_card_without_supervisor", Unseen::Calls),
    ("large_payout_unverified", Unseen::Calls),
    ("jackpot_unverified", Unseen::Calls),
    ("fault_not_handled", Unseen::Calls),
    ("passed_without_stand", Unseen::Signals),
    ("card_without_request", Unseen::Signals),
    ("hit_not_dealt", Unseen::Signals),
    ("request_refused", Unseen::Signals),
    ("acted_out_of_turn", Unseen::Signals),
    ("side_bet_paid_early", Unseen::Signals),
    ("side_bet_paid_late", Unseen::Signals),
    ("peek_missing", Unseen::Procedure),
    ("opening_not_inspected", Unseen::Procedure),
    ("replacement_unchecked", Unseen::Procedure),
    ("cut_missing", Unseen::Procedure),
    ("cut_not_completed", Unseen::Procedure),
    ("cut_too_near_end", Unseen::Procedure),
    ("cut_card_misplaced", Unseen::Procedure),
    ("cut_card_missing", Unseen::Procedure),
    ("cards_not_mixed", Unseen::Procedure),
    ("shuffle_missing", Unseen::Procedure),
    ("shuffle_wrong", Unseen::Procedure),
    ("shuffled_in_final_rounds", Unseen::Procedure),
    ("surrender_not_allowed.before_peek", Unseen::Procedure),
    ("zap_not_sideways", Unseen::Procedure),
    ("error_card_burned", Unseen::Procedure),
    ("exposed_card_misused", Unseen::Procedure),
    ("boxed_card_played", Unseen::Procedure),
    ("damaged_card_kept", Unseen::Procedure),
    ("refused_card_played", Unseen::Procedure),
    ("dropped_card_no_choice", Unseen::Procedure),
    ("madness_display_differs", Unseen::Procedure),
    ("madness_prize_refused", Unseen::Procedure),
    ("madness_fault_paid_wrong", Unseen::Procedure),
    ("touched", Unseen::Procedure),
    ("not_tucked", Unseen::Procedure),
];

/// What can still be judged where nobody saw where the cards went: stakes by themselves, and what left the shoe.
const WITHOUT_CARDS: &[&str] = &[
    "burned_too_many",
    "side_wager_off_limits",
    "too_many_bettors",
    "too_many_of_a_card",
    "wager_above_maximum",
    "wager_below_minimum",
    "wager_off_step",
];

/// Whether a check can find nothing in rounds whose sources lack these.
pub fn cannot_see(check: &str, unseen: &[Unseen]) -> bool {
    let blind = unseen.contains(&Unseen::Cards) && !WITHOUT_CARDS.contains(&check);
    blind || HANGS_ON.iter().any(|(hangs, on)| *hangs == check && unseen.contains(on))
}

/// Whether a finding hangs on something that the sources of its round cannot show.
pub(super) fn is_blind(check: &str, tags: &[&str], unseen: &[Unseen]) -> bool {
    let hangs = |(tag, on): &(&str, Unseen)| unseen.contains(on) && tags.first().is_some_and(|first| first == tag);
    !unseen.is_empty() && (cannot_see(check, unseen) || HANGS_ON.iter().any(hangs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::CHECKS;

    #[test]
    fn every_name_is_a_check_or_a_tag() {
        for name in HANGS_ON.iter().map(|(name, _)| name).chain(WITHOUT_CARDS) {
            assert!(CHECKS.iter().any(|check| check.name == *name || check.tags.contains(name)), "{name}");
        }
    }

    #[test]
    fn a_round_of_which_everything_was_seen_is_judged_by_everything() {
        assert!(!is_blind("peek_missing", &["peek_missing"], &[]));
        assert!(is_blind("peek_missing", &["peek_missing"], &[Unseen::Procedure]));
        assert!(!is_blind("peek_missing", &["peek_missing"], &[Unseen::Calls]));
        assert!(!is_blind("loser_paid", &["loser_paid"], &[Unseen::Signals, Unseen::Calls, Unseen::Procedure]));
    }

    #[test]
    fn without_cards_only_stakes_and_the_shoe_are_judged() {
        assert!(is_blind("loser_paid", &["loser_paid"], &[Unseen::Cards]));
        assert!(!is_blind("wager_below_minimum", &["wager_below_minimum"], &[Unseen::Cards]));
    }
}
