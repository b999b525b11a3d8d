//! The checks, one file each, named for the wrong they find.

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
    dealer22_exempt_pushed,
    dealer_overdrew,
    dealer_stood_short,
    dealt_out_of_order,
    even_money_paid_wrong,
    extra_stake_spared,
    extra_stake_taken,
    false_natural,
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
    paid_a_push,
    parlay_partial,
    parlay_stake_not_returned,
    parlay_with_stake,
    pay_scale_mixed,
    progressive_out_of_order,
    progressive_paid_early,
    ridden_settled_apart,
    ridden_taken_on_dealer_natural,
    ride_above_maximum,
    ride_after_decision,
    settled_twice,
    settled_without_wager,
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
}

/// The check with a name.
pub fn find(name: &str) -> Option<&'static Check> {
    CHECKS.iter().copied().find(|check| check.name == name)
}
