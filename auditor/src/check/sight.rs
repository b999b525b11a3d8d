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
    // Only chips show that a hand was doubled, so that its card may lie face down, or given up, so that it takes no more; and
    // whether a lammer stands for a stake.
    ("player_card_face_wrong.hit", Unseen::Wagers),
    ("stood_short", Unseen::Wagers),
    ("free_split_of_tens", Unseen::Wagers),
    ("free_double_wrong_total", Unseen::Wagers),
    ("double_stake_wrong", Unseen::Wagers),
    ("split_stake_wrong", Unseen::Wagers),
    // A burned card lies nowhere a camera looks.
    ("burn_missing", Unseen::Shoe),
];

/// Checks, or single tags of them, that find less where a source does not show something, and never accuse wrongly for it.
const FINDS_LESS: &[(&str, Unseen)] = &[
    // An offer that nobody heard may have been forgotten, and even money is asked for by word.
    ("insurance_too_late", Unseen::Calls),
    ("even_money_paid_wrong", Unseen::Calls),
    ("natural_paid_wrong.ace_up", Unseen::Calls),
    // When a hand stood shows only if another gets a card.
    ("dealer_drew_early", Unseen::Signals),
    ("losing_insurance_left", Unseen::Signals),
    ("played_on_after_dealer_natural", Unseen::Signals),
    ("ride_after_decision", Unseen::Signals),
    ("side_bet_taken_late", Unseen::Signals),
    // A bust is to be taken before the next hand plays, and a hand that stands shows nothing of it.
    ("bust_not_taken", Unseen::Signals),
    // A double without chips is a hit to whoever does not hear it.
    ("double_stake_wrong.missing", Unseen::Signals),
    // Whoever gives up a hand says so. Settled otherwise than by half it was void, or lost, to whoever does not hear it.
    ("surrender_settled_wrong", Unseen::Signals),
    ("dealer22_exempt_pushed.surrender", Unseen::Signals),
    // That a supervisor came and left an error as it was shows only as the error.
    ("error_not_repaired", Unseen::Calls),
    // A wager that does not stand there leaves no chips to be seen when it is taken or called a stand-off.
    ("settled_without_wager", Unseen::Procedure),
    // Whether the dealer has looked at his hole card is seen by nobody.
    ("natural_paid_early.insured", Unseen::Procedure),
    // After a mere pause, without a card burned, the cards may be those from before it.
    ("burn_missing", Unseen::Procedure),
    // The sign at the table is read by nobody, nor is a marker on a box.
    ("table_minimum_too_high", Unseen::Procedure),
    ("wager_above_maximum.box_total", Unseen::Procedure),
    // That a hand or a round is void is said. Settled as if it were not, it shows nothing of that.
    ("void_hand_settled", Unseen::Calls),
    // A wager that is handed back after the dealer's hand, instead of a stand-off, looks like one.
    ("void_side_bet_settled.super_sevens.wager", Unseen::Calls),
    // A third card after an exchange is one that was asked for, to whoever sees no signals.
    ("zap_wrong_cards.replaced", Unseen::Signals),
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
fn cannot_see(check: &str, unseen: &[Unseen]) -> bool {
    let blind = unseen.contains(&Unseen::Cards) && !WITHOUT_CARDS.contains(&check);
    blind || HANGS_ON.iter().any(|(hangs, on)| *hangs == check && unseen.contains(on))
}

/// Whether a check, or what one of its tags is about, may go unfound in rounds whose sources lack these. A tag's own tags hang on
/// what it hangs on.
pub fn may_miss(name: &str, unseen: &[Unseen]) -> bool {
    let of = |hangs: &str| name.strip_prefix(hangs).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let misses = |less: &[(&str, Unseen)]| less.iter().any(|(hangs, on)| of(hangs) && unseen.contains(on));
    cannot_see(name, unseen) || misses(FINDS_LESS)
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
        for name in HANGS_ON.iter().chain(FINDS_LESS).map(|(name, _)| name).chain(WITHOUT_CARDS) {
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
    fn what_a_tag_may_miss_its_own_tags_may_miss_too() {
        let unseen = [Unseen::Signals];
        assert!(may_miss("double_stake_wrong.missing.le11", &unseen));
        assert!(!may_miss("double_stake_wrong", &unseen) && !may_miss("double_stake_wrong.missing", &[]));
        assert!(!may_miss("bust_not_taken_at_all", &unseen));
    }

    #[test]
    fn only_what_is_asked_for_or_said_may_go_unfound_for_want_of_it() {
        assert!(may_miss("zap_wrong_cards.replaced", &[Unseen::Signals]));
        assert!(!may_miss("zap_wrong_cards.removed", &[Unseen::Signals]), "a card that stays is seen");
        assert!(may_miss("void_side_bet_settled.super_sevens.wager", &[Unseen::Calls]));
        assert!(!may_miss("void_side_bet_settled.super_sevens.hand", &[Unseen::Calls]), "chips go back in play");
    }

    #[test]
    fn without_chips_nobody_is_accused_of_what_only_chips_show() {
        let unseen = [Unseen::Wagers, Unseen::Payouts];
        assert!(is_blind("stood_short", &["stood_short"], &unseen));
        assert!(is_blind("player_card_face_wrong", &["player_card_face_wrong.hit", "player_card_face_wrong"], &unseen));
        let first = ["player_card_face_wrong.first", "player_card_face_wrong"];
        assert!(!is_blind("player_card_face_wrong", &first, &unseen), "how the first cards lie hangs on no chips");
        assert!(!is_blind("stood_short", &["stood_short"], &[Unseen::Shoe]));
    }

    #[test]
    fn without_cards_only_stakes_and_the_shoe_are_judged() {
        assert!(is_blind("loser_paid", &["loser_paid"], &[Unseen::Cards]));
        assert!(!is_blind("wager_below_minimum", &["wager_below_minimum"], &[Unseen::Cards]));
    }
}
