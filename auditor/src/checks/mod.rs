//! The checks, one file each, named for the wrong they find.

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
    aces_resplit,
    acted_out_of_turn,
    bust_cards_cleared_early,
    bust_not_taken,
    bust_taken_early,
    card_after_double,
    card_without_request,
    cards_not_revealed,
    dealer_drew_early,
    dealer_drew_for_nothing,
    dealer_overdrew,
    dealer_stood_short,
    dealer_stopped_short_of_effect,
    dealt_out_of_order,
    double_card_face_wrong,
    double_card_not_sideways,
    double_stake_wrong,
    doubled_a_natural,
    doubled_on_an_ace,
    doubled_on_wrong_cards,
    free_double_wrong_total,
    free_split_of_tens,
    hit_not_dealt,
    hit_on_21,
    late_wager,
    losing_insurance_left,
    natural_cards_cleared_early,
    natural_cards_left,
    natural_paid_early,
    natural_paid_late,
    not_tucked,
    paid_a_push,
    passed_without_stand,
    played_on_after_dealer_natural,
    settled_out_of_order,
    split_ace_extra_card,
    split_ace_not_sideways,
    split_hand_left_short,
    split_stake_wrong,
    split_too_late,
    split_unequal_cards,
    stood_short,
    surrender_not_allowed,
    too_many_cards,
    too_many_hands,
    took_a_push,
    wager_altered,
    winner_left_waiting,
    zap_not_sideways,
    zap_wrong_cards,
    zapped_21_not_turned,
    zapped_wrong_total,
}

/// The check with a name.
pub fn find(name: &str) -> Option<&'static Check> {
    CHECKS.iter().copied().find(|check| check.name == name)
}
