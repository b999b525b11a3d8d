//! The settlement of a lawful case: what each of its wagers wins or loses, and the tags it turns on.

use table::{Money, SideBet, Total};

use super::case::{Case, CaseSide, Circumstances};
use super::legal::{self, Breach, Matter, third_card};
use super::net::Net;
use super::side::{Award, Equipment, Facts, Judged, award, judge, on_ridden};
use super::turns::{self, Turns};
use super::{Due, Dues, HandDue, Stakes, on_box, on_insurance};
use crate::hand::{End, PlayerHand};
use crate::rules::Rules;
use crate::sidebet::{SideRules, Tier};

/// What every wager of a case wins (positive) or loses, and on what it turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// By hand, doubles included.
    pub hands: Vec<Net>,
    /// By side bet, ridden chips included.
    pub side_bets: Vec<Net>,
    /// The insurance.
    pub insurance: Net,
    /// The ante.
    pub ante: Net,
    /// All of it.
    pub total: Net,
    /// The tags under which a rulebook cites the clauses the result turns on.
    pub turns_on: Turns,
}

/// A side bet with what the cards make of it.
pub(super) struct SideResult<'c> {
    pub(super) side: &'c CaseSide,
    pub(super) scale: usize,
    pub(super) won: Option<Tier>,
    pub(super) capped: bool,
    pub(super) void: bool,
    net: Net,
}

/// Settles a case under the rules of its game, or tells how it breaks them.
pub fn settle(rules: &Rules, case: &Case, around: &Circumstances) -> Result<Settlement, Breach> {
    let matter = Matter { rules, case, around };
    let mut hands = legal::hands(matter)?;
    let unpaid_ante = lacks_ante(matter);
    if unpaid_ante {
        for hand in &mut hands {
            hand.end = End::Void;
        }
    }
    let void = hands.iter().all(|hand| hand.end == End::Void);
    let dues = dues(matter, &hands)?;
    let by_hand = dues.iter().map(net_of_hand).collect::<Option<Vec<_>>>().ok_or_else(too_large)?;
    let sides = sides(matter, &dues, void)?;
    let insurance = insurance(matter, &hands)?;
    let ante = if void { Net::ZERO } else { Net::lost(case.ante.0) };
    let by_side: Vec<Net> = sides.iter().map(|side| side.net).collect();
    let total = by_hand
        .iter()
        .chain(&by_side)
        .chain([&insurance, &ante])
        .try_fold(Net::ZERO, |sum, net| sum.plus(*net))
        .ok_or_else(too_large)?;
    let turns_on = turns::of(matter, &hands, &dues, &sides, unpaid_ante);
    Ok(Settlement { hands: by_hand, side_bets: by_side, insurance, ante, total, turns_on })
}

fn too_large() -> Breach {
    Breach::malformed("the amounts are too large to settle")
}

/// Whether the box was dealt to without the ante it owed, which voids every wager on it.
fn lacks_ante(matter: Matter<'_>) -> bool {
    let waived = matter.rules.ante_waive_at.is_some_and(|from| matter.original() >= from);
    matter.rules.ante && matter.case.ante.0 == Money::ZERO && !waived
}

fn dues(matter: Matter<'_>, hands: &[PlayerHand]) -> Result<Dues, Breach> {
    let staked: Vec<_> = hands
        .iter()
        .zip(&matter.case.hands)
        .map(|(hand, case)| {
            let stakes = Stakes {
                base: case.wager.0,
                double: case.double_wager.0,
                free_base: case.free_base.0,
                free_double: case.free_double.0,
                cap: case.cap.0,
            };
            (hand, stakes)
        })
        .collect();
    on_box(matter.rules, matter.dealer(), &staked, matter.around.table_max).ok_or_else(too_large)
}

fn net(due: Due) -> Net {
    match due {
        Due::Pay(won) => Net::from(won),
        Due::Take(lost) => Net::from(lost).reversed(),
        Due::Push | Due::Return => Net::ZERO,
    }
}

fn net_of_hand(due: &HandDue) -> Option<Net> {
    net(due.base).plus(due.double.map_or(Net::ZERO, net))
}

fn insurance(matter: Matter<'_>, hands: &[PlayerHand]) -> Result<Net, Breach> {
    let stake = matter.case.insurance.0;
    let bust = hands.iter().find(|hand| hand.total().is_some_and(Total::is_bust));
    let Some(hand) = bust.or(hands.first()).filter(|_| stake != Money::ZERO) else { return Ok(Net::ZERO) };
    on_insurance(matter.rules, matter.dealer(), stake, hand)
        .map(net)
        .ok_or_else(|| Breach::malformed("insurance: the dealer's second card is missing"))
}

/// The pay scale a side bet is settled on: the case's, or the one the house displays.
pub(super) fn scale_of(side: &CaseSide, terms: &SideRules) -> usize {
    side.scale.unwrap_or(terms.scale)
}

/// What decides a side bet of a case. Cases are told when the round is over, so no card is still to come.
pub(super) fn facts_of<'c>(matter: Matter<'c>, side: &CaseSide) -> Facts<'c> {
    Facts {
        initial: &matter.case.initial_cards,
        third: third_card(matter),
        split: matter.is_split(),
        complete: true,
        dealer: matter.dealer(),
        dealer_complete: true,
        stake: side.wager.0,
    }
}

fn sides<'c>(matter: Matter<'c>, dues: &[HandDue], void: bool) -> Result<Vec<SideResult<'c>>, Breach> {
    let mut results = Vec::with_capacity(matter.case.side_bets.len());
    for side in &matter.case.side_bets {
        let void_bet = SideResult { side, scale: 0, won: None, capped: false, void: true, net: Net::ZERO };
        results.push(if void { void_bet } else { judged(matter, side)? });
    }
    share_caps(matter, &mut results)?;
    let Some(first) = dues.first() else { return Ok(results) };
    for result in results.iter_mut().filter(|result| !result.void && result.side.ride.0 != Money::ZERO) {
        let ridden = on_ridden(matter.rules, result.side.ride.0, first.ruling, matter.dealer());
        result.net = ridden.and_then(|due| result.net.plus(net(due))).ok_or_else(too_large)?;
    }
    Ok(results)
}

/// A side bet by the cards alone, before caps and before anything rides.
fn judged<'c>(matter: Matter<'c>, side: &'c CaseSide) -> Result<SideResult<'c>, Breach> {
    let (rules, stake) = (matter.rules, side.wager.0);
    let terms = rules.side(side.bet).ok_or_else(|| Breach::malformed(format!("the game has no {}", side.bet)))?;
    let scale = scale_of(side, terms);
    let won = match judge(rules, side.bet, &facts_of(matter, side)) {
        Judged::Win(tier) => terms.pay(scale, tier).map(|_| tier),
        Judged::Lose => None,
        Judged::Open => return Err(Breach::malformed(format!("{} is not decided by these cards", side.bet))),
    };
    let Some(tier) = won else {
        return Ok(SideResult { side, scale, won, capped: false, void: false, net: Net::lost(stake) });
    };
    let equipment = equipment(matter, side, tier)?;
    let net = match award(rules, side.bet, tier, scale, stake, &equipment).ok_or_else(too_large)? {
        Award::Beside(won) => Net::from(won),
        Award::Instead(won) => Net::from(won).plus(Net::lost(stake)).ok_or_else(too_large)?,
    };
    Ok(SideResult { side, scale, won, capped: false, void: false, net })
}

/// What the equipment showed, as far as the tier is paid by it.
fn equipment(matter: Matter<'_>, side: &CaseSide, tier: Tier) -> Result<Equipment, Breach> {
    let progressive =
        side.bet == SideBet::Blazing7 && matches!(tier, Tier::ThreeSuitedSevens | Tier::ThreeColouredSevens);
    if progressive && matter.around.meter.is_none() {
        return Err(Breach::malformed(format!("{tier} is paid from the meter: options.meter is missing")));
    }
    if side.bet == SideBet::Madness21 && side.prize_per_dollar.is_none() && !side.equipment_failed {
        return Err(Breach::malformed("madness21 won the button's prize: prize_per_dollar is missing"));
    }
    Ok(Equipment {
        meter: matter.around.meter.unwrap_or_default(),
        prize: side.prize_per_dollar.map(|prize| prize.0),
        failed: side.equipment_failed,
    })
}

/// Where all wins of a round together are above what the house pays, each win is its share of that.
fn share_caps(matter: Matter<'_>, results: &mut [SideResult<'_>]) -> Result<(), Breach> {
    let shares = results.iter().map(|result| share(matter, result, results)).collect::<Result<Vec<_>, _>>()?;
    for (result, share) in results.iter_mut().zip(shares) {
        if let Some(share) = share {
            result.net = share;
            result.capped = true;
        }
    }
    Ok(())
}

/// What is left of a win under its cap; `None` if the cap does not touch it.
fn share(matter: Matter<'_>, win: &SideResult<'_>, all: &[SideResult<'_>]) -> Result<Option<Net>, Breach> {
    let terms = |result: &SideResult<'_>| matter.rules.side(result.side.bet).filter(|_| result.won.is_some());
    let Some((cap, joint)) = terms(win).and_then(|terms| Some((terms.cap?, terms.cap_joint))) else { return Ok(None) };
    let counts = |other: &&SideResult<'_>| match joint {
        true => terms(other).is_some_and(|terms| terms.cap_joint),
        false => terms(other).is_some() && other.side.bet == win.side.bet,
    };
    let real = all
        .iter()
        .filter(counts)
        .try_fold(Net::won(matter.around.other_real_side_wins), |sum, other| sum.plus(other.net))
        .ok_or_else(too_large)?;
    if !real.exceeds(cap) {
        return Ok(None);
    }
    win.net.share(cap, real).map(Some).ok_or_else(too_large)
}
