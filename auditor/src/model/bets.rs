//! The wagers before the first card: the ante the game asks for, and what the rules do not let stand.

use table::{Bettor, Limit, Money, SideBet, Wager, WagerKind};

use super::error::PlanError;
use super::script::Opening;
use crate::rules::{OverMax, Rules};

/// The sign of a kind of wager.
pub(super) fn limit(limits: &[Limit], on: WagerKind) -> Option<&Limit> {
    limits.iter().find(|limit| limit.on == on)
}

/// The stake of a player who has no reason to bet more or less.
pub(super) fn usual(rules: &Rules) -> Money {
    const USUAL: Money = Money::from_minor(1000);
    rules.bet_max.map_or(USUAL, |most| most.min(USUAL))
}

/// Puts the ante behind every main wager that owes one.
pub(super) fn with_ante(rules: &Rules, limits: &[Limit], opening: &mut Opening) {
    if !rules.ante {
        return;
    }
    let ante = ante(rules, limits);
    let mut bets = Vec::with_capacity(opening.bets.len() * 2);
    for (wager, amount) in &opening.bets {
        bets.push((*wager, *amount));
        let own = wager.of_kind(WagerKind::Ante);
        let placed = opening.bets.iter().any(|(other, _)| *other == own) || opening.no_ante.contains(&own);
        let waived = rules.ante_waive_at.is_some_and(|from| *amount >= from);
        if wager.kind == WagerKind::Main && !wager.tip && !placed && !waived {
            bets.push((own, ante));
        }
    }
    opening.bets = bets;
}

/// The ante on the sign, or a tenth of the table minimum.
fn ante(rules: &Rules, limits: &[Limit]) -> Money {
    let posted = rules.ante_posted.or_else(|| limit(limits, WagerKind::Ante).map(|limit| limit.min));
    posted.unwrap_or_else(|| {
        let least = limit(limits, WagerKind::Main).map_or_else(|| usual(rules), |limit| limit.min);
        Money::from_minor(least.minor() / 10)
    })
}

/// Refuses wagers that the rules do not let stand.
pub(super) fn check(rules: &Rules, limits: &[Limit], bets: &[(Wager, Money)]) -> Result<(), PlanError> {
    for (wager, amount) in bets {
        let wrong = |why| Err(PlanError::Wager { wager: *wager, why });
        if *amount <= Money::ZERO {
            return wrong("nothing is staked");
        }
        if wager.box_no.number() > rules.boxes_max {
            return wrong("the table has no such box");
        }
        if wager.bettor.number() > rules.bettors_per_box {
            return wrong("too many bettors on the box");
        }
        let seated = Wager::on(wager.box_no, wager.hand);
        let own = Wager { tip: false, ..wager.of_kind(WagerKind::Main) };
        let stands = |main: Wager| bets.iter().any(|(other, _)| *other == main);
        let needs_own = wager.tip || wager.kind == WagerKind::Ante;
        if !stands(seated) || (needs_own && !stands(own)) {
            return wrong("there is no main wager it could stand beside");
        }
        if wager.tip && !rules.tips {
            return wrong("nothing is played for the dealer here");
        }
        if bets.iter().filter(|(other, _)| other == wager).count() > 1 {
            return wrong("it is placed twice");
        }
        match wager.kind {
            WagerKind::Main => main(rules, limits, *wager, *amount)?,
            WagerKind::Ante if !rules.ante => return wrong("the game has no ante"),
            WagerKind::Side(bet) => side(rules, limits, bets, *wager, bet, *amount)?,
            _ => {}
        }
    }
    Ok(())
}

fn main(rules: &Rules, limits: &[Limit], wager: Wager, amount: Money) -> Result<(), PlanError> {
    let wrong = |why| Err(PlanError::Wager { wager, why });
    let sign = limit(limits, WagerKind::Main);
    let (least, most) = (rules.bet_min.or(sign.map(|limit| limit.min)), rules.bet_max.or(sign.map(|limit| limit.max)));
    // Where the book settles a wager off the limits all the same, it can be dealt.
    if wager.tip || rules.over_max == OverMax::SettleToMax {
        return Ok(());
    }
    match () {
        () if least.is_some_and(|least| amount < least) => wrong("it is below the minimum"),
        () if most.is_some_and(|most| amount > most) => wrong("it is above the maximum"),
        () => Ok(()),
    }
}

fn side(
    rules: &Rules,
    limits: &[Limit],
    bets: &[(Wager, Money)],
    wager: Wager,
    bet: SideBet,
    amount: Money,
) -> Result<(), PlanError> {
    let wrong = |why| Err(PlanError::Wager { wager, why });
    let Some(terms) = rules.side(bet) else { return wrong("the game does not offer it") };
    let sides = |(other, _): &&(Wager, Money)| matches!(other.kind, WagerKind::Side(_));
    let main = bets.iter().find(|(other, _)| *other == Wager { tip: false, ..wager.of_kind(WagerKind::Main) });
    let same = |other: &Wager| other.kind == wager.kind && other.box_no == wager.box_no;
    let beside = |other: &Wager| matches!(other.kind, WagerKind::Side(other) if terms.excludes.contains(&other));
    let most = limit(limits, WagerKind::Main).map(|limit| limit.max);
    if wager.bettor != Bettor::SEATED && !terms.behind {
        return wrong("bettors behind may not make it");
    }
    if wager.tip && !terms.tips {
        return wrong("it may not be played for the dealer");
    }
    if terms.stake.is_some_and(|only| amount != only) {
        return wrong("the rulebook fixes another stake");
    }
    if terms.own_main && main.is_none() {
        return wrong("it needs a main wager of one's own on the box");
    }
    if terms.decks_min.is_some_and(|least| rules.decks < least) {
        return wrong("it needs more decks");
    }
    if terms.per_box.is_some_and(|most| bets.iter().filter(|(other, _)| same(other)).count() > usize::from(most)) {
        return wrong("the box has too many of them");
    }
    if bets.iter().filter(sides).any(|(other, _)| beside(other)) {
        return wrong("it may not stand beside another side bet on the table");
    }
    if bet == SideBet::War {
        let both = main.and_then(|(_, main)| main.plus(amount));
        if both.zip(most).is_some_and(|(both, most)| both > most) {
            return wrong("main and War together are above the maximum");
        }
    }
    Ok(())
}
