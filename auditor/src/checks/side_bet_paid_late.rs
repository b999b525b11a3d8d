//! A winning side bet was paid after its time.

use super::prelude::*;
use super::sides::{ACT, BC, BC_SHOE, NZ, fault, has_its_time, is_from_meter, is_late, tags};
use crate::sidebet::Tier;

pub(super) static CHECK: Check = Check {
    name: "side_bet_paid_late",
    kind: FlagKind::DealerError,
    finds: "A side bet had won, and play went on before it was paid, or it never was.",
    matters: "A winner left on the layout may be taken for a wager on something else, or forgotten.",
    tags: &[
        "side_bet_paid_late.perfect_pair",
        "side_bet_paid_late.any_pair",
        "side_bet_paid_late.super_sevens",
        "side_bet_paid_late.super_sevens.one_seven",
        "side_bet_paid_late.madness21",
        "side_bet_paid_late.house_money",
        "side_bet_paid_late.let_it_ride",
        "side_bet_paid_late.push22",
        "side_bet_paid_late.kings_bounty",
        "side_bet_paid_late.blazing7",
    ],
    runs: &[Run::SideBet(look)],
    templates: &[
        some("side_bet_paid_late.perfect_pair", NZ, "3 $ perfect_pair $: TH TC stand; dealer: 9S 8D", "pay 3 perfect_pair 5$ => ; stand 3 => stand 3 | pay 3 perfect_pair 5$"),
        some("side_bet_paid_late.perfect_pair", ACT, "3 $ perfect_pair $: TH TC stand; dealer: 9S 8D", "pay 3 perfect_pair 6$ => ; stand 3 => stand 3 | pay 3 perfect_pair 6$"),
        every("side_bet_paid_late.any_pair", "3 $ any_pair $: TH TC stand; dealer: 9S 8D", "pay 3 any_pair 11$ => ; stand 3 => stand 3 | pay 3 any_pair 11$"),
        every("side_bet_paid_late.super_sevens", "3 $ super_sevens $: 7H 7C hit 2D stand; dealer: 9S 8D", "pay 3 super_sevens 50$ => ; stand 3 => stand 3 | pay 3 super_sevens 50$"),
        every("side_bet_paid_late.super_sevens.one_seven", "3 $ super_sevens $: 7H TC stand; dealer: 9S 8D", "pay 3 super_sevens 3$ => ; stand 3 => stand 3 | pay 3 super_sevens 3$"),
        every("side_bet_paid_late.madness21", "prize 3 24; 3 $ madness21 $: AH KC; 5 $: TD 8C stand; dealer: 9S 8D", "pay 3 madness21 24$ => ; stand 5 => stand 5 | pay 3 madness21 24$"),
        every("side_bet_paid_late.house_money", "3 $ house_money $: TH TC stand; dealer: 9S 8D", "pay 3 house_money 3$ => ; stand 3 => stand 3 | pay 3 house_money 3$"),
        every("side_bet_paid_late.let_it_ride", "3 $ let_it_ride $: 9H TC stand; dealer: 9S 8D", "pay 3 let_it_ride $ => ; stand 3 => stand 3 | pay 3 let_it_ride $"),
        every("side_bet_paid_late.push22", "3 $ push22 $: TH 9C stand; dealer: 6S TD 6C", "pay 3 push22 8$ => ; collect dealer => collect dealer | pay 3 push22 8$"),
        some("side_bet_paid_late.kings_bounty", BC_SHOE, "3 $ kings_bounty $: TH QC stand; dealer: 9S 8D", "pay 3 kings_bounty 4$ => ; stand 3 => stand 3 | pay 3 kings_bounty 4$"),
        with("side_bet_paid_late.blazing7", BC, "blazing7=on", "3 $ blazing7 1: 7H TC stand; dealer: 9S 8D", "pay 3 blazing7 2 => ; stand 3 => stand 3 | pay 3 blazing7 2"),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let WagerKind::Side(bet) = judgement.wager().kind else { return };
    let standing = judgement.standing;
    let won = judgement.tier.is_some() && matches!(judgement.wrong, Wrong::No | Wrong::WinLeft);
    if !won || !is_late(table, standing, bet) || fault(table, judgement, report).is_some() {
        return;
    }
    let waits = is_from_meter(table, bet, judgement.tier) || is_paid_after_the_round(judgement, bet, report);
    let settled = standing.fate.is_settled() || has_its_time(report, bet, judgement.tier, true);
    if waits || !settled {
        return;
    }
    let [of_tier, own] = tags(CHECK.name, bet, judgement.tier);
    let observed = match standing.fate.paid {
        Some(paid) => format!("{} was paid {paid} when play had gone on", name(standing.wager)),
        None => format!("{} was never paid", name(standing.wager)),
    };
    let expected = format!("{} is paid as soon as it has won", name(standing.wager));
    let tags = [of_tier.as_str(), own.as_str()];
    let finding = Finding::at(standing.wager.place(), &tags, expected, observed);
    report.raise(finding.worth(judgement.gain));
}

/// Three suited sevens are paid last where the rulebook says so.
fn is_paid_after_the_round(judgement: &Judgement<'_>, bet: SideBet, report: &Report<'_>) -> bool {
    bet == SideBet::SuperSevens
        && judgement.tier == Some(Tier::ThreeSuitedSevens)
        && report.cites("side_bet_paid_early.super_sevens.three_suited_sevens")
}
