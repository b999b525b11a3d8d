//! A side bet was not for an amount the sign or the rulebook allows.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "side_wager_off_limits",
    kind: FlagKind::Irregularity,
    finds: "A side bet was less or more than the limits on the sign, or another amount than the only one allowed.",
    matters: "Side bets pay long odds: the limits are what bounds the loss on a single card.",
    tags: &[
        "side_wager_off_limits.perfect_pair",
        "side_wager_off_limits.any_pair",
        "side_wager_off_limits.lucky_match",
        "side_wager_off_limits.super_sevens",
        "side_wager_off_limits.madness21",
        "side_wager_off_limits.house_money",
        "side_wager_off_limits.let_it_ride",
        "side_wager_off_limits.push22",
        "side_wager_off_limits.kings_bounty",
        "side_wager_off_limits.war",
        "side_wager_off_limits.blazing7",
    ],
    runs: &[Run::Dealt(look)],
    templates: &[
        every("side_wager_off_limits.perfect_pair", "3 $ perfect_pair $: KH 8C stand; dealer: 9S 8D",
            "bet 3 perfect_pair $ => bet 3 perfect_pair 9000",
        ),
        every("side_wager_off_limits.any_pair", "3 $ any_pair $: KH 8C stand; dealer: 9S 8D",
            "bet 3 any_pair $ => bet 3 any_pair 9000",
        ),
        every("side_wager_off_limits.lucky_match", "3 $ lucky_match $: KH 8C stand; dealer: 9S 8D",
            "bet 3 lucky_match $ => bet 3 lucky_match 9000",
        ),
        every("side_wager_off_limits.super_sevens", "3 $ super_sevens $: KH 8C stand; dealer: 9S 8D",
            "bet 3 super_sevens $ => bet 3 super_sevens 9000",
        ),
        every("side_wager_off_limits.madness21", "3 $ madness21 $: KH 8C stand; dealer: 9S 8D",
            "bet 3 madness21 $ => bet 3 madness21 9000",
        ),
        every("side_wager_off_limits.house_money", "3 $ house_money $: KH 8C stand; dealer: 9S 8D",
            "bet 3 house_money $ => bet 3 house_money 9000",
        ),
        every("side_wager_off_limits.let_it_ride", "3 $ let_it_ride $: KH 8C stand; dealer: 9S 8D",
            "bet 3 let_it_ride $ => bet 3 let_it_ride 9000",
        ),
        every("side_wager_off_limits.push22", "3 $ push22 $: KH 8C stand; dealer: 9S 8D",
            "bet 3 push22 $ => bet 3 push22 9000",
        ),
        with(
            "side_wager_off_limits.kings_bounty",
            |rules| rules.decks >= 6,
            "kings_bounty=on",
            "3 $ kings_bounty $: KH 8C stand; dealer: 9S 8D",
            "bet 3 kings_bounty $ => bet 3 kings_bounty 9000",
        ),
        with(
            "side_wager_off_limits.war",
            |rules| rules.decks >= 6,
            "war=on",
            "3 $ war $: 8H KC stand; dealer: 9S 8D",
            "bet 3 war $ => bet 3 war 0.10",
        ),
        with(
            "side_wager_off_limits.blazing7",
            EVERY_GAME,
            "blazing7=on",
            "3 $ blazing7 1: KH 8C stand; dealer: 9S 8D",
            "bet 3 blazing7 1 => bet 3 blazing7 5",
        ),
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    for standing in table.wagers.sides().filter(|standing| !standing.wager.tip && !standing.fate.returned) {
        let Some(bet) = side_bet(standing.wager) else { continue };
        let Some(expected) = broken_limit(table, bet, standing.stake) else { continue };
        let tags = [side_tag(&CHECK, bet)];
        let finding = Finding::at(
            standing.wager.place(),
            &tags,
            expected,
            format!("{} was {}", name(standing.wager), standing.stake),
        );
        report.raise(finding.shown_by(standing.at));
    }
}

/// The limit a stake breaks, in words.
fn broken_limit(table: &Table<'_>, bet: SideBet, stake: Money) -> Option<String> {
    if let Some(only) = table.rules.side(bet).and_then(|terms| terms.stake) {
        return (stake != only).then(|| format!("the stake is {only}"));
    }
    let limit = table.limit(WagerKind::Side(bet))?;
    if stake < limit.min || stake > limit.max {
        return Some(format!("the stake is from {} to {}", limit.min, limit.max));
    }
    let step = limit.step.filter(|step| !is_multiple(stake, *step))?;
    Some(format!("the stake is a multiple of {step}"))
}
