//! A winning side bet went the way of the main wager.

use super::prelude::*;
use super::sides::{ACT, BC, BC_SHOE, Fault, NZ, NZ_ACT, fault, tags};

pub(super) static CHECK: Check = Check {
    name: "side_bet_judged_by_main",
    kind: FlagKind::WrongPayout,
    finds: "A side bet had won by its own cards and was taken or pushed with the main wager.",
    matters: "The two have nothing to do with each other; the player is owed the side bet's win.",
    tags: &[
        "side_bet_judged_by_main.perfect_pair",
        "side_bet_judged_by_main.any_pair",
        "side_bet_judged_by_main.lucky_match",
        "side_bet_judged_by_main.super_sevens",
        "side_bet_judged_by_main.madness21",
        "side_bet_judged_by_main.house_money",
        "side_bet_judged_by_main.let_it_ride",
        "side_bet_judged_by_main.push22",
        "side_bet_judged_by_main.kings_bounty",
        "side_bet_judged_by_main.war",
        "side_bet_judged_by_main.blazing7",
    ],
    runs: &[Run::SideBet(look)],
    templates: &[
        some("side_bet_judged_by_main.perfect_pair", NZ, "3 $ perfect_pair $: 9H 9C stand; dealer: TS 9D", "pay 3 perfect_pair 5$ => ; take 3 => take 3 | take 3 perfect_pair"),
        some("side_bet_judged_by_main.perfect_pair", ACT, "3 $ perfect_pair $: 9H 9C stand; dealer: TS 9D", "pay 3 perfect_pair 6$ => ; take 3 => take 3 | take 3 perfect_pair"),
        every("side_bet_judged_by_main.any_pair", "3 $ any_pair $: 9H 9C stand; dealer: TS 9D", "pay 3 any_pair 11$ => ; take 3 => take 3 | take 3 any_pair"),
        every("side_bet_judged_by_main.lucky_match", "3 $ lucky_match $: 9H 9C stand; dealer: TS 9D", "pay 3 lucky_match 5$ => ; take 3 => take 3 | take 3 lucky_match"),
        some("side_bet_judged_by_main.super_sevens", NZ_ACT, "3 $ super_sevens $: 7H TC stand; dealer: TS 9D", "pay 3 super_sevens 3$ => ; take 3 => take 3 | take 3 super_sevens"),
        every("side_bet_judged_by_main.madness21", "prize 3 24; 3 $ madness21 $: AH KC; dealer: TS AD", "prize 3 madness21 24 => ; pay 3 madness21 24$ => ; push 3 => push 3 | push 3 madness21"),
        every("side_bet_judged_by_main.house_money", "3 $ house_money $: 9H 9C stand; dealer: TS 9D", "pay 3 house_money 3$ => ; take 3 => take 3 | take 3 house_money"),
        every("side_bet_judged_by_main.let_it_ride", "3 $ let_it_ride $: 9H 8C stand; dealer: TS 9D", "pay 3 let_it_ride $ => ; take 3 => take 3 | take 3 let_it_ride"),
        some("side_bet_judged_by_main.push22", NZ, "3 $ push22 $: TH 7C hit 9D; dealer: 6S TD 6C", "pay 3 push22 8$ => take 3 push22"),
        some("side_bet_judged_by_main.push22", BC, "3 $ push22 $: TH 7C hit 9D; dealer: 6S TD 6C", "pay 3 push22 7$ => take 3 push22"),
        some("side_bet_judged_by_main.kings_bounty", BC_SHOE, "3 $ kings_bounty $: TH QC stand; dealer: 9S 5D 7C", "pay 3 kings_bounty 4$ => ; take 3 => take 3 | take 3 kings_bounty"),
        with("side_bet_judged_by_main.war", BC_SHOE, "war=on", "3 $ war $: TH 8C stand; dealer: 9S TD", "pay 3 war $ => ; take 3 => take 3 | take 3 war"),
        with("side_bet_judged_by_main.blazing7", BC, "blazing7=on", "3 $ blazing7 1: 7H TC stand; dealer: TS 9D", "pay 3 blazing7 2 =>"),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let Some((bet, Fault::ByMain)) = fault(table, judgement, report) else { return };
    let [own, _] = tags(CHECK.name, bet, None);
    report.raise(settlement(judgement, &[&own]));
}
