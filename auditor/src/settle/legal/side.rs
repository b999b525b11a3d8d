//! Side bets the game knows, for stakes it takes, beside bets it lets them stand beside.

use table::{Money, SideBet, Winnings};

use super::super::case::CaseSide;
use super::super::side::{Award, Equipment, Judged, award, judge};
use super::super::{facts_of, scale_of};
use super::{Breach, Lawful, Matter, ensure};
use crate::sidebet::{MADNESS_PRIZES, SideRules};

/// Every side bet of the case may stand as it does.
pub(super) fn all(matter: Matter<'_>) -> Lawful {
    for side in &matter.case.side_bets {
        let Some(terms) = matter.rules.side(side.bet) else {
            return Err(Breach::malformed(format!("the game has no {}", side.bet)));
        };
        stake(matter, side, terms)?;
        company(matter, side, terms)?;
        ride(matter, side)?;
        prize(side)?;
    }
    war(matter)
}

fn stake(matter: Matter<'_>, side: &CaseSide, terms: &SideRules) -> Lawful {
    let (bet, stake, rules) = (side.bet, side.wager.0, matter.rules);
    if stake == Money::ZERO {
        return Err(Breach::malformed(format!("{bet} without a stake")));
    }
    let tag = format!("side_wager_off_limits.{bet}");
    ensure(terms.stake.is_none_or(|only| stake == only), &[&tag], || {
        format!("a {bet} wager of {stake}, only {} is taken", terms.stake.unwrap_or_default())
    })?;
    let within = rules.bet_min.is_none_or(|least| stake >= least) && rules.bet_max.is_none_or(|most| stake <= most);
    ensure(within, &[&tag], || format!("a {bet} wager of {stake} is outside the limits of the game"))?;
    let decks = terms.decks_min.unwrap_or(0);
    ensure(rules.decks >= decks, &[&format!("wrong_deck_count.{bet}")], || {
        format!("{bet} needs {decks} decks, there are {}", rules.decks)
    })?;
    let scale = scale_of(side, terms);
    if scale == 0 || scale > terms.scales.len() {
        return Err(Breach::of(&[&format!("pay_scale_mixed.{bet}")], format!("{bet} has no pay scale {scale}")));
    }
    Ok(())
}

/// What may not be offered beside what, and how many of a kind.
fn company(matter: Matter<'_>, side: &CaseSide, terms: &SideRules) -> Lawful {
    let sides = &matter.case.side_bets;
    if let Some(other) = sides.iter().find(|other| terms.excludes.contains(&other.bet)) {
        // What keeps the two apart may be a clause on either.
        let (bet, other) = (side.bet, other.bet);
        let tags = [format!("side_bets_incompatible.{bet}.{other}"), format!("side_bets_incompatible.{other}.{bet}")];
        return Err(Breach::of(&[&tags[0], &tags[1]], format!("{bet} may not stand beside {other}")));
    }
    let many = sides.iter().filter(|other| other.bet == side.bet).count();
    let most = terms.per_box.map_or(usize::MAX, usize::from);
    let tag = format!("too_many_side_bets.{}", side.bet);
    ensure(many <= most, &[&tag], || format!("{many} {} wagers on a box, {most} are allowed", side.bet))
}

/// What a side bet wins on the cards, before anything rides.
fn winnings(matter: Matter<'_>, side: &CaseSide) -> Option<Winnings> {
    let Judged::Win(tier) = judge(matter.rules, side.bet, &facts_of(matter, side)) else { return None };
    let scale = scale_of(side, matter.rules.side(side.bet)?);
    match award(matter.rules, side.bet, tier, scale, side.wager.0, &Equipment::default())? {
        Award::Beside(won) => Some(won),
        Award::Instead(_) => None,
    }
}

fn ride(matter: Matter<'_>, side: &CaseSide) -> Lawful {
    let ridden = side.ride.0;
    if ridden == Money::ZERO {
        return Ok(());
    }
    let bet = side.bet;
    ensure(matches!(bet, SideBet::HouseMoney | SideBet::LetItRide), &["taken_chips_still_played"], || {
        format!("{bet} does not ride")
    })?;
    let most = winnings(matter, side).and_then(|won| won.whole.plus(side.wager.0)).unwrap_or(Money::ZERO);
    ensure(ridden <= most, &[&format!("taken_chips_still_played.{bet}")], || {
        format!("{ridden} ridden, {bet} came to {most}")
    })?;
    let Some(limit) = matter.around.table_max else { return Ok(()) };
    let together = matter.ridden().and_then(|ridden| ridden.plus(matter.original()));
    ensure(together.is_some_and(|all| all <= limit), &[&format!("ride_above_maximum.{bet}")], || {
        format!("main wager and {ridden} ridden are above the maximum of {limit}")
    })
}

fn prize(side: &CaseSide) -> Lawful {
    let Some(prize) = side.prize_per_dollar else { return Ok(()) };
    if side.bet != SideBet::Madness21 {
        return Err(Breach::malformed(format!("{} has no button prize", side.bet)));
    }
    let on_table = MADNESS_PRIZES.iter().any(|(amount, _)| prize.0 == Money::from_minor(i64::from(*amount) * 100));
    ensure(on_table, &["madness_prize_off_table"], || format!("{} is no prize of the table", prize.0))
}

/// War's own limits: the table maximum for both wagers together, and all of the winnings or none onto the main stake.
fn war(matter: Matter<'_>) -> Lawful {
    let case = matter.case;
    if let (Some(war), Some(most)) = (matter.stake_on(SideBet::War), matter.around.table_max) {
        let both = matter.original().plus(war);
        ensure(both.is_some_and(|both| both <= most), &["war_total_above_maximum"], || {
            format!("main and War wager together are above the maximum of {most}")
        })?;
    }
    let cap = matter.first().map_or(Money::ZERO, |hand| hand.cap.0);
    let mut parlayed = Money::ZERO;
    for side in case.side_bets.iter().filter(|side| side.parlay) {
        let won = winnings(matter, side).filter(|_| side.bet == SideBet::War).map(|won| won.whole);
        parlayed = won.and_then(|won| parlayed.plus(won)).ok_or_else(|| {
            Breach::of(&["parlay_partial", "parlay_with_stake"], format!("{} won nothing to parlay", side.bet))
        })?;
    }
    ensure(cap == parlayed, &["parlay_partial", "parlay_with_stake"], || {
        format!("{cap} parlayed onto the stake, the winnings to parlay are {parlayed}")
    })
}
