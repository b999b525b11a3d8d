//! The checks, one file each, named for the wrong they find.

#[macro_use]
mod prelude;
mod stakes;

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
    ante_above_cap,
    ante_amount_wrong,
    ante_late,
    ante_missing,
    ante_not_taken,
    ante_returned,
    ante_waived_wrongly,
    back_bet_not_allowed,
    back_bet_on_wrong_hand,
    back_bet_unfunded,
    back_bettor_raised_alone,
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
    even_money_not_allowed,
    excess_settled,
    exposed_card_misused,
    fault_not_handled,
    insurance_not_offered,
    insurance_off_multiple,
    insurance_on_natural,
    insurance_too_large,
    insurance_too_late,
    insurance_without_ace,
    late_wager,
    next_round_too_soon,
    no_ante_hand_settled,
    no_more_bets_not_called,
    not_from_the_shoe,
    opening_not_inspected,
    paid_a_push,
    past_cut_round_voided,
    peek_missing,
    player_card_face_wrong,
    refused_card_played,
    replacement_unchecked,
    request_refused,
    round_cut_short,
    settled_without_wager,
    shuffle_missing,
    shuffle_wrong,
    shuffled_in_final_rounds,
    side_bet_behind,
    side_bet_without_main,
    side_bets_incompatible,
    side_wager_off_limits,
    stood_short,
    table_minimum_too_high,
    tip_not_allowed,
    tip_on_wrong_hand,
    tip_paid_wrong,
    tip_rode_on,
    tip_without_main,
    too_many_bettors,
    too_many_boxes,
    too_many_of_a_card,
    too_many_side_bets,
    took_a_push,
    touched,
    under_minimum_again,
    wager_above_maximum,
    wager_altered,
    wager_below_minimum,
    wager_off_step,
    war_total_above_maximum,
    wrong_deck_count,
}

/// The check with a name.
pub fn find(name: &str) -> Option<&'static Check> {
    CHECKS.iter().copied().find(|check| check.name == name)
}
