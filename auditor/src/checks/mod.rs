//! The checks, one file each, named for the wrong they find.

#[macro_use]
mod prelude;
mod sides;

use crate::check::Check;

/// Declares the files and the registry in one list.
macro_rules! checks {
    ($($name:ident,)+) => {
        $(mod $name;)+

        /// Every check there is, by name.
        pub static CHECKS: &[&Check] = &[$(&$name::CHECK,)+];
    };
}

checks! {
    blazing_stake_left,
    box_skipped,
    boxed_card_played,
    burn_missing,
    burned_too_many,
    cards_collected_out_of_order,
    cards_not_mixed,
    cut_card_misplaced,
    cut_card_missing,
    cut_missing,
    cut_not_completed,
    cut_too_near_end,
    damaged_card_kept,
    dealer22_exempt_pushed,
    dealer_card_early,
    dealer_card_face_wrong,
    dealer_overdrew,
    dealer_stood_short,
    dealt_out_of_order,
    dropped_card_no_choice,
    dropped_card_without_supervisor,
    empty_box_dealt,
    error_card_burned,
    error_not_repaired,
    even_money_paid_wrong,
    exposed_card_misused,
    extra_stake_spared,
    extra_stake_taken,
    false_natural,
    fault_not_handled,
    insurance_lost_but_paid,
    insurance_paid_wrong,
    insurance_settled_after_even_money,
    insurance_won_but_unpaid,
    jackpot_cards_cleared_early,
    jackpot_unverified,
    lammer_charged,
    lammer_unpaid,
    large_payout_unverified,
    late_wager,
    loser_not_taken,
    loser_paid,
    lucky_match_split_misjudged,
    madness_display_differs,
    madness_fault_paid_wrong,
    madness_prize_off_table,
    madness_prize_refused,
    main_judged_by_side,
    meter_growth_wrong,
    meter_not_reseeded,
    natural_paid_wrong,
    natural_taken,
    next_round_too_soon,
    not_from_the_shoe,
    opening_not_inspected,
    paid_a_push,
    parlay_partial,
    parlay_stake_not_returned,
    parlay_with_stake,
    past_cut_round_voided,
    pay_scale_mixed,
    player_card_face_wrong,
    progressive_out_of_order,
    progressive_paid_early,
    refused_card_played,
    replacement_unchecked,
    ridden_settled_apart,
    ridden_taken_on_dealer_natural,
    ride_above_maximum,
    ride_after_decision,
    round_cut_short,
    settled_twice,
    settled_without_wager,
    shuffle_missing,
    shuffle_wrong,
    shuffled_in_final_rounds,
    side_bet_judged_by_main,
    side_bet_loser_paid,
    side_bet_paid_early,
    side_bet_paid_late,
    side_bet_paid_wrong,
    side_bet_taken_late,
    side_bet_two_tiers_paid,
    side_bet_winner_taken,
    side_cap_exceeded,
    side_cap_shared_unevenly,
    stood_short,
    super_sevens_split_misjudged,
    surrender_settled_wrong,
    taken_chips_still_played,
    too_many_of_a_card,
    took_a_push,
    void_hand_settled,
    void_insurance_settled,
    void_not_refunded,
    void_side_bet_settled,
    wager_altered,
    wager_left,
    war_paid_late,
    war_settled_left_to_right,
    win_not_paid,
    win_paid_wrong,
    wrong_deck_count,
}

/// The check with a name.
pub fn find(name: &str) -> Option<&'static Check> {
    CHECKS.iter().copied().find(|check| check.name == name)
}
