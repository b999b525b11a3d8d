//! Situations too rare to wait for: rounds of our own in which faults are staged that else would have to be lived.

use auditor::check::{EVERY_GAME, Template};

/// Faults that are lived, by name, with a round in which each happens.
pub(super) static STAGED: &[(&str, Template)] = &[
    staged(
        "ride_after_decision",
        "ride_after_decision.house_money",
        "4 $ house_money $: TD JD ride house_money 5$ stand; dealer: 9C 9S",
        "ride 4 house_money 5$ => ; stand 4 => stand 4 | ride 4 house_money 5$",
    ),
    staged(
        "ride_after_decision",
        "ride_after_decision.let_it_ride",
        "4 $ let_it_ride $: TD JD ride let_it_ride 3$ stand; dealer: 9C 9S",
        "ride 4 let_it_ride 3$ => ; stand 4 => stand 4 | ride 4 let_it_ride 3$",
    ),
    staged(
        "ridden_lost_hand_paid",
        "ridden_settled_apart.house_money",
        "2 $ house_money $: 8D 9D ride house_money 5$ stand; 4 $: TH 9S stand; dealer: TC 8S",
        "take 2 house_money 5$ => pay 2 house_money 5$",
    ),
    staged(
        "ridden_lost_hand_paid",
        "ridden_settled_apart.let_it_ride",
        "2 $ let_it_ride $: 8D 9D ride let_it_ride 3$ stand; 4 $: TH 9S stand; dealer: TC 8S",
        "take 2 let_it_ride 3$ => pay 2 let_it_ride 3$",
    ),
    staged(
        "ridden_pushed",
        "ridden_settled_apart.house_money",
        "2 $ house_money $: 8D 9D ride house_money 5$ stand; dealer: TC 8S",
        "take 2 house_money 5$ => push 2 house_money",
    ),
    staged(
        "ridden_pushed",
        "ridden_settled_apart.let_it_ride",
        "2 $ let_it_ride $: TD JD ride let_it_ride 3$ stand; dealer: TC 8S",
        "pay 2 let_it_ride 3$ => push 2 let_it_ride",
    ),
    staged(
        "taken_chips_still_played",
        "taken_chips_still_played.house_money",
        "4 $ house_money $: TD JD stand; dealer: 9C 9S",
        "pay 4 $ => pay 4 $ | pay 4 house_money 5$",
    ),
    staged(
        "taken_chips_still_played",
        "taken_chips_still_played.let_it_ride",
        "4 $ let_it_ride $: TD JD stand; dealer: 9C 9S",
        "pay 4 $ => pay 4 $ | pay 4 let_it_ride 3$",
    ),
    staged(
        "tip_claimed_on_better_hand",
        "tip_on_wrong_hand",
        "4 $ tip 1: QH QC split [7D stand] [9C stand]; dealer: TS 8D",
        "take 4 tip => pay 4 tip 1",
    ),
];

const fn staged(
    name: &'static str,
    tag: &'static str,
    plan: &'static str,
    spoil: &'static str,
) -> (&'static str, Template) {
    (name, Template { tag, fits: EVERY_GAME, options: "", plan, spoil })
}
