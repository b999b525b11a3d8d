//! The checks, one file each, named for the wrong they find.

#[macro_use]
mod prelude;

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
    exposed_card_misused,
    fault_not_handled,
    late_wager,
    next_round_too_soon,
    not_from_the_shoe,
    opening_not_inspected,
    paid_a_push,
    past_cut_round_voided,
    player_card_face_wrong,
    refused_card_played,
    replacement_unchecked,
    round_cut_short,
    shuffle_missing,
    shuffle_wrong,
    shuffled_in_final_rounds,
    stood_short,
    too_many_of_a_card,
    took_a_push,
    wager_altered,
    wrong_deck_count,
}

/// The check with a name.
pub fn find(name: &str) -> Option<&'static Check> {
    CHECKS.iter().copied().find(|check| check.name == name)
}
