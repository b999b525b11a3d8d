//! A winning side bet was paid on two tiers.

use super::prelude::*;
use super::sides::{ACT, BC, BC_SHOE, Fault, NZ, NZ_ACT, fault, tags};

pub(super) static CHECK: Check = Check {
    name: "side_bet_two_tiers_paid",
    kind: FlagKind::WrongPayout,
    finds: "A side bet was paid the sum of two tiers of its scale.",
    matters: "Only the best tier counts; the player was paid the other one too much.",
    tags: &[
        "side_bet_two_tiers_paid.perfect_pair",
        "side_bet_two_tiers_paid.lucky_match",
        "side_bet_two_tiers_paid.super_sevens",
        "side_bet_two_tiers_paid.house_money",
        "side_bet_two_tiers_paid.let_it_ride",
        "side_bet_two_tiers_paid.push22",
        "side_bet_two_tiers_paid.kings_bounty",
    ],
    runs: &[Run::SideBet(look)],
    templates: &[
        some("side_bet_two_tiers_paid.perfect_pair", NZ, "3 $ perfect_pair $: TH TH stand; dealer: 9S 8D", "pay 3 perfect_pair 30$ => pay 3 perfect_pair 35$"),
        some("side_bet_two_tiers_paid.perfect_pair", ACT, "3 $ perfect_pair $: TH TH stand; dealer: 9S 8D", "pay 3 perfect_pair 25$ => pay 3 perfect_pair 31$"),
        every("side_bet_two_tiers_paid.lucky_match", "3 $ lucky_match $: 7H 7H hit 7H; dealer: 9S 8D", "pay 3 lucky_match 100$ => pay 3 lucky_match 100$ | pay 3 lucky_match 25$"),
        some("side_bet_two_tiers_paid.super_sevens", NZ_ACT, "3 $ super_sevens $: 7H 7C stand; dealer: 9S 8D", "pay 3 super_sevens 50$ => pay 3 super_sevens 53$"),
        every("side_bet_two_tiers_paid.house_money", "3 $ house_money $: 9H TH stand; dealer: 9S 8D", "pay 3 house_money 4$ => pay 3 house_money 5$"),
        every("side_bet_two_tiers_paid.let_it_ride", "3 $ let_it_ride $: 9H TH stand; dealer: 9S 8D", "pay 3 let_it_ride 2$ => pay 3 let_it_ride 3$"),
        some("side_bet_two_tiers_paid.push22", NZ, "3 $ push22 $: TH 9C stand; dealer: 6S TC 6S", "pay 3 push22 20$ => pay 3 push22 28$"),
        some("side_bet_two_tiers_paid.push22", BC, "3 $ push22 $: TH 9C stand; dealer: 6S TC 6S", "pay 3 push22 20$ => pay 3 push22 27$"),
        some("side_bet_two_tiers_paid.kings_bounty", BC_SHOE, "3 $ kings_bounty $: KH KC stand; dealer: 9S 8D", "pay 3 kings_bounty 6$ => pay 3 kings_bounty 10$"),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let Some((bet, Fault::TwoTiers)) = fault(table, judgement, report) else { return };
    let [own, _] = tags(CHECK.name, bet, None);
    report.raise(settlement(judgement, &[&own]));
}
