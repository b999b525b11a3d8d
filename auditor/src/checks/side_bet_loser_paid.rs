//! A losing side bet was paid or left to the player.

use super::prelude::*;
use super::sides::{BC_SHOE, Fault, NH, NZ_ACT, fault, tags};
use crate::settle::side::Facts;

pub(super) static CHECK: Check = Check {
    name: "side_bet_loser_paid",
    kind: FlagKind::WrongPayout,
    finds: "A side bet lost by its cards and was paid, pushed, handed back or taken only in part.",
    matters: "The house was owed the stake; repeated at one table it is worth a closer look.",
    tags: &[
        "side_bet_loser_paid.perfect_pair",
        "side_bet_loser_paid.any_pair",
        "side_bet_loser_paid.lucky_match",
        "side_bet_loser_paid.super_sevens",
        "side_bet_loser_paid.madness21",
        "side_bet_loser_paid.house_money",
        "side_bet_loser_paid.let_it_ride",
        "side_bet_loser_paid.push22",
        "side_bet_loser_paid.push22.tie",
        "side_bet_loser_paid.kings_bounty",
        "side_bet_loser_paid.war",
        "side_bet_loser_paid.war.tie",
        "side_bet_loser_paid.blazing7",
        "side_bet_loser_paid.match_dealer",
        "side_bet_loser_paid.over13",
        "side_bet_loser_paid.over13.tie",
        "side_bet_loser_paid.under13",
        "side_bet_loser_paid.under13.tie",
    ],
    runs: &[Run::SideBet(look)],
    templates: &[
        some("side_bet_loser_paid.perfect_pair", NZ_ACT, "3 $ perfect_pair $: TH QC stand; dealer: 9S 8D", "take 3 perfect_pair => pay 3 perfect_pair 5$"),
        with("side_bet_loser_paid.perfect_pair", NH, "perfect_pair=on", "3 $ perfect_pair $: TH QC stand; dealer: 9S 8D", "take 3 perfect_pair => pay 3 perfect_pair 5$"),
        every("side_bet_loser_paid.any_pair", "3 $ any_pair $: TH QC stand; dealer: 9S 8D", "take 3 any_pair => pay 3 any_pair 11$"),
        every("side_bet_loser_paid.lucky_match", "3 $ lucky_match $: TH QC stand; dealer: 9S 8D", "take 3 lucky_match => pay 3 lucky_match 5$"),
        some("side_bet_loser_paid.super_sevens", NZ_ACT, "3 $ super_sevens $: TH 7C stand; dealer: 9S 8D", "take 3 super_sevens => pay 3 super_sevens 3$"),
        with("side_bet_loser_paid.super_sevens", NH, "super_sevens=on", "3 $ super_sevens $: TH 7C stand; dealer: 9S 8D", "take 3 super_sevens => pay 3 super_sevens 3$"),
        every("side_bet_loser_paid.madness21", "3 $ madness21 $: TH 7C stand; dealer: 9S 8D", "take 3 madness21 => pay 3 madness21 5$"),
        every("side_bet_loser_paid.house_money", "3 $ house_money $: TH 7C stand; dealer: 9S 8D", "take 3 house_money => pay 3 house_money $"),
        every("side_bet_loser_paid.let_it_ride", "3 $ let_it_ride $: TH 7C stand; dealer: 9S 8D", "take 3 let_it_ride => pay 3 let_it_ride $"),
        every("side_bet_loser_paid.push22", "3 $ push22 $: TH 9C stand; dealer: 9S 8D", "take 3 push22 => pay 3 push22 7$"),
        every("side_bet_loser_paid.push22.tie", "3 $ push22 $: TH 7C stand; dealer: 9S 8D", "take 3 push22 => push 3 push22"),
        some("side_bet_loser_paid.kings_bounty", BC_SHOE, "3 $ kings_bounty $: TH 9C stand; dealer: 9S 8D", "take 3 kings_bounty => pay 3 kings_bounty 4$"),
        with("side_bet_loser_paid.war", BC_SHOE, "war=on", "3 $ war $: 8H 9C stand; dealer: 9S 8D", "take 3 war => pay 3 war $"),
        with("side_bet_loser_paid.war.tie", BC_SHOE, "war=on", "3 $ war $: 9H 9C stand; dealer: 9S 8D", "take 3 war => push 3 war"),
        with("side_bet_loser_paid.blazing7", EVERY_GAME, "blazing7=on", "3 $ blazing7 1: TH 9C stand; dealer: 7S TD", "stand 3 => pay 3 blazing7 2 | stand 3"),
        with("side_bet_loser_paid.match_dealer", EVERY_GAME, "match_dealer=on", "3 $ match_dealer $: TH 7C stand; dealer: 9S 8D", "take 3 match_dealer => pay 3 match_dealer 3$"),
        with("side_bet_loser_paid.over13", EVERY_GAME, "over13=on", "3 $ over13 $: 5H 6C stand; dealer: 9S 8D", "take 3 over13 => pay 3 over13 $"),
        with("side_bet_loser_paid.over13.tie", EVERY_GAME, "over13=on", "3 $ over13 $: 9H 4C stand; dealer: 9S 8D", "take 3 over13 => push 3 over13"),
        with("side_bet_loser_paid.under13", EVERY_GAME, "under13=on", "3 $ under13 $: AH 6C stand; dealer: 9S 8D", "take 3 under13 => pay 3 under13 $"),
        with("side_bet_loser_paid.under13.tie", EVERY_GAME, "under13=on", "3 $ under13 $: 9H 4C stand; dealer: 9S 8D", "take 3 under13 => push 3 under13"),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let Some((bet, Fault::LoserPaid)) = fault(table, judgement, report) else { return };
    let [own, _] = tags(CHECK.name, bet, None);
    let tie = format!("{own}.tie");
    let tags = [tie.as_str(), own.as_str()];
    report.raise(settlement(judgement, if is_tie(table, judgement, bet) { &tags } else { &tags[1..] }));
}

/// Whether the bet lost by a tie, which somebody may have taken for a stand-off.
fn is_tie(table: &Table<'_>, judgement: &Judgement<'_>, bet: SideBet) -> bool {
    let Facts { initial, dealer, .. } = table.side_facts(judgement.wager());
    let rank = |card: Option<table::Card>| card.and_then(table::Card::rank);
    match bet {
        SideBet::War => rank(initial.first().copied()) == rank(dealer.up()),
        SideBet::Push22 => {
            let players = table.hand(judgement.wager().place()).and_then(|hand| hand.points());
            players.is_some() && players == dealer.total().map(|total| total.points)
        }
        SideBet::Over13 | SideBet::Under13 => {
            let count = |rank: table::Rank| match rank {
                table::Rank::Ace => table.rules.overunder_ace,
                rank => rank.points(),
            };
            let points = initial.iter().filter_map(|card| card.rank()).map(count);
            points.fold(0, u8::saturating_add) == 13
        }
        _ => false,
    }
}
