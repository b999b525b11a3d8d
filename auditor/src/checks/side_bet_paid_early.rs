//! A side bet was settled before its time.

use super::prelude::*;
use super::sides::{BC, BC_SHOE, Fault, NZ, fault, tags};
use crate::sidebet::Tier;

pub(super) static CHECK: Check = Check {
    name: "side_bet_paid_early",
    kind: FlagKind::DealerError,
    finds: "A side bet was settled while cards that decide it, or that must come first, were still to come.",
    matters: "A bet settled before all its cards have come may be paid too much, too little or for nothing.",
    tags: &[
        "side_bet_paid_early.super_sevens",
        "side_bet_paid_early.super_sevens.three_suited_sevens",
        "side_bet_paid_early.lucky_match.perfect",
        "side_bet_paid_early.lucky_match.triple",
        "side_bet_paid_early.push22",
        "side_bet_paid_early.kings_bounty",
        "side_bet_paid_early.blazing7",
    ],
    runs: &[Run::SideBet(look)],
    templates: &[
        every("side_bet_paid_early.super_sevens", "3 $ super_sevens $: 7H 7C hit 2D stand; dealer: 9S 8D", "pay 3 super_sevens 50$ => ; hit 3 => pay 3 super_sevens 50$ | hit 3"),
        every("side_bet_paid_early.super_sevens.three_suited_sevens", "3 $ super_sevens $: 7H 7H hit 7H; 5 $: TD 8C stand; dealer: 9S 8D", "pay 3 super_sevens 5000$ => ; stand 5 => pay 3 super_sevens 5000$ | stand 5"),
        every("side_bet_paid_early.lucky_match.perfect", "3 $ lucky_match $: 7H 7H hit 5D stand; dealer: 9S 8D", "pay 3 lucky_match 25$ => ; hit 3 => pay 3 lucky_match 25$ | hit 3"),
        every("side_bet_paid_early.lucky_match.triple", "3 $ lucky_match $: 7H 7H hit 7H; 5 $: TD 8C stand; dealer: 9S 8D", "pay 3 lucky_match 100$ => ; hit 3 => pay 3 lucky_match 25$ | hit 3"),
        some("side_bet_paid_early.push22", NZ, "3 $ push22 $: TH 8C stand; dealer: 9S 8D", "take 3 push22 => ; card dealer 8D => take 3 push22 | card dealer 8D"),
        some("side_bet_paid_early.kings_bounty", BC_SHOE, "3 $ kings_bounty $: KS KS stand; dealer: AC 8D", "pay 3 kings_bounty 100$ => ; stand 3 => pay 3 kings_bounty 100$ | stand 3"),
        with("side_bet_paid_early.blazing7", BC, "blazing7=on", "3 $ blazing7 1: 7H TC stand; 5 $: TD 8C stand; dealer: 9S 8D", "pay 3 blazing7 2 => ; card dealer 9S => pay 3 blazing7 2 | card dealer 9S"),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let WagerKind::Side(bet) = judgement.wager().kind else { return };
    let early = matches!(fault(table, judgement, report), Some((_, Fault::Early)));
    if !early && !is_before_the_end(table, judgement, bet, report) {
        return;
    }
    let wager = judgement.wager();
    let [of_tier, own] = tags(CHECK.name, bet, judgement.tier);
    let tags = [of_tier.as_str(), own.as_str()];
    let finding = Finding::at(
        wager.place(),
        &tags,
        format!("{} is settled when its result is known and its time has come", name(wager)),
        format!("{} was {} before its time", name(wager), judgement.observed()),
    );
    report.raise(finding.worth(judgement.gain));
}

/// Three suited sevens are paid after the round where the rulebook says so.
fn is_before_the_end(table: &Table<'_>, judgement: &Judgement<'_>, bet: SideBet, report: &Report<'_>) -> bool {
    bet == SideBet::SuperSevens
        && judgement.tier == Some(Tier::ThreeSuitedSevens)
        && judgement.standing.fate.paid.is_some()
        && judgement.standing.fate.at < table.last_card_at
        && report.cites("side_bet_paid_early.super_sevens.three_suited_sevens")
}
