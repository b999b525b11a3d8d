//! What went wrong with a side bet: one answer for each, so that one mistake is one check's.

use table::round::Device;

use super::prelude::*;
use crate::check::Rode;
use crate::replay::Standing;
use crate::settle::side::{Award, Equipment, Facts, Judged, award, judge};
use crate::sidebet::{MADNESS_PRIZES, Pay, Tier};

/// A wrong settlement of a side bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It was settled before the cards had decided it.
    Early,
    /// A winner was paid an amount no other fault explains.
    PaidWrong,
    /// A winner was paid what another scale of the rulebook gives.
    OtherScale,
    /// A winner was paid on two tiers.
    TwoTiers,
    /// A winner on split cards was paid as if the third card counted otherwise.
    Split,
    /// A winner was paid another share than the cap leaves.
    Cap,
    /// A bet for the dealer was paid wrongly.
    Tip,
    /// Another prize was paid than the button gave.
    OtherPrize,
    /// The equipment had failed, and another prize was paid than the rules set for that.
    FailurePrize,
    /// A loser was paid or left to the player.
    LoserPaid,
    /// A winner was taken or not paid.
    WinnerTaken,
    /// A winner went the way of the main wager.
    ByMain,
    /// A natural got no prize because the dealer had one too.
    PrizeRefused,
    /// The stake of a War bet was kept when its winnings went on the main wager.
    ParlayStake,
    /// Chips that had been taken down were settled again with the hand.
    StillPlayed,
}

/// The side bet a judgement is about, and what went wrong with it.
pub(super) fn fault(table: &Table<'_>, judgement: &Judgement<'_>, report: &Report<'_>) -> Option<(SideBet, Fault)> {
    let WagerKind::Side(bet) = judgement.wager().kind else { return None };
    let fate = &judgement.standing.fate;
    if is_early(table, judgement, bet, report) {
        return Some((bet, Fault::Early));
    }
    let rides = matches!(bet, SideBet::HouseMoney | SideBet::LetItRide);
    let kept = fate.pushed || fate.returned;
    let found = match judgement.wrong {
        Wrong::No if judgement.due.is_none() => prize_refused(table, judgement, bet, report)?,
        Wrong::LossPaid | Wrong::LossTakenWrong => Fault::LoserPaid,
        Wrong::LossLeft if kept || fate.paid.is_some() => Fault::LoserPaid,
        Wrong::WinPaidWrong | Wrong::WinTaken | Wrong::WinPushed | Wrong::WinLeft
            if rides && judgement.standing.ridden.is_none() && fate.steps > 1 =>
        {
            Fault::StillPlayed
        }
        Wrong::WinPaidWrong | Wrong::WinTaken | Wrong::WinPushed | Wrong::WinLeft
            if bet == SideBet::War && fate.taken.is_some() && is_parlayed(table, judgement) =>
        {
            Fault::ParlayStake
        }
        Wrong::WinPaidWrong => paid_wrong(table, judgement, bet, report),
        Wrong::WinTaken | Wrong::WinPushed => refused(table, judgement, bet, report),
        _ => return None,
    };
    Some((bet, found))
}

/// Whether a side bet was settled before it was decided, and another card came after.
fn is_early(table: &Table<'_>, judgement: &Judgement<'_>, bet: SideBet, report: &Report<'_>) -> bool {
    let standing = judgement.standing;
    let lost = matches!(judgement.due, Some(Due::Take(_)));
    standing.early
        && report.times_are_seen()
        && standing.fate.at < table.last_card_at
        && (standing.fate.paid.is_some() || lost)
        && cites(report, "side_bet_paid_early", bet, judgement.tier)
}

/// Whether a game cites a tag of a side bet, or of one of its tiers.
fn cites(report: &Report<'_>, check: &str, bet: SideBet, tier: Option<Tier>) -> bool {
    let [of_tier, own] = tags(check, bet, tier);
    report.cites(&own) || report.cites(&of_tier)
}

/// The tags of a check for a side bet: by tier, and plain.
pub(super) fn tags(check: &str, bet: SideBet, tier: Option<Tier>) -> [String; 2] {
    let own = format!("{check}.{}", bet.name());
    [tier.map_or_else(|| own.clone(), |tier| format!("{own}.{}", tier.name())), own]
}

/// A natural whose button was never pressed has no price, but it has won all the same.
fn prize_refused(table: &Table<'_>, judgement: &Judgement<'_>, bet: SideBet, report: &Report<'_>) -> Option<Fault> {
    let fate = &judgement.standing.fate;
    let refused = fate.paid.is_none() && (fate.is_settled() || !report.times_are_seen());
    if bet != SideBet::Madness21 || judgement.tier.is_none() || !refused {
        return None;
    }
    Some(if !table.dealer_hand().is_natural() || !fate.is_settled() {
        Fault::WinnerTaken
    } else if went_with_main(table, judgement) {
        Fault::ByMain
    } else {
        Fault::PrizeRefused
    })
}

fn refused(table: &Table<'_>, judgement: &Judgement<'_>, bet: SideBet, report: &Report<'_>) -> Fault {
    let with_main = went_with_main(table, judgement) && cites(report, "side_bet_judged_by_main", bet, None);
    match bet {
        _ if with_main => Fault::ByMain,
        SideBet::Madness21 if table.dealer_hand().is_natural() => Fault::PrizeRefused,
        _ => Fault::WinnerTaken,
    }
}

/// Whether a side bet was taken or pushed as the main wager beside it was, and only once that was settled.
fn went_with_main(table: &Table<'_>, judgement: &Judgement<'_>) -> bool {
    let Some(main) = table.wagers.main_of(judgement.wager()) else { return false };
    let (side, main) = (&judgement.standing.fate, &main.fate);
    let both_taken = side.taken.is_some() && main.taken.is_some();
    let both_pushed = (side.pushed || side.returned) && (main.pushed || main.returned);
    // The progressive's stake is in the tray from the start: what shows is that nothing came back.
    let after = judgement.wager().kind == WagerKind::Side(SideBet::Blazing7) || side.at > main.at;
    (both_taken || both_pushed) && after
}

fn is_parlayed(table: &Table<'_>, judgement: &Judgement<'_>) -> bool {
    table.wagers.main_of(judgement.wager()).is_some_and(|main| main.cap != Money::ZERO)
}

fn paid_wrong(table: &Table<'_>, judgement: &Judgement<'_>, bet: SideBet, report: &Report<'_>) -> Fault {
    let standing = judgement.standing;
    let (Some(tier), Some(terms)) = (judgement.tier, table.rules.side(bet)) else { return Fault::PaidWrong };
    if standing.wager.tip && cites(report, "tip_paid_wrong", bet, None) {
        return Fault::Tip;
    }
    if judgement.capped {
        return Fault::Cap;
    }
    if bet == SideBet::Madness21 {
        return match () {
            () if table.faults.contains(&Device::Button) => Fault::FailurePrize,
            () if prize_paid(standing).is_some_and(is_prize) => Fault::OtherPrize,
            () => Fault::PaidWrong,
        };
    }
    let seen = if standing.ridden.is_some() { standing.net_before_ride } else { standing.fate.net() };
    let is = |won: Option<Money>| won.is_some() && won == seen;
    let win = |tier, scale| win_of(table, standing, bet, tier, scale);
    if split_otherwise(table, standing, bet).is_some_and(|tier| is(win(tier, terms.scale)))
        && report.cites(&format!("{}_split_misjudged", bet.name()))
    {
        return Fault::Split;
    }
    let other_scale = (1..=terms.scales.len()).any(|scale| scale != terms.scale && is(win(tier, scale)));
    if other_scale && cites(report, "pay_scale_mixed", bet, None) {
        return Fault::OtherScale;
    }
    let tiers = terms.scales.get(terms.scale.wrapping_sub(1)).map_or(&[][..], Vec::as_slice);
    let sum = |other: Tier| win(tier, terms.scale)?.plus(win(other, terms.scale)?);
    let two_tiers = tiers.iter().any(|(other, _)| *other != tier && is(sum(*other)));
    if two_tiers && cites(report, "side_bet_two_tiers_paid", bet, None) {
        return Fault::TwoTiers;
    }
    Fault::PaidWrong
}

/// What a tier would win on a scale.
fn win_of(table: &Table<'_>, standing: &Standing, bet: SideBet, tier: Tier, scale: usize) -> Option<Money> {
    match award(table.rules, bet, tier, scale, standing.stake, &Equipment::default())? {
        Award::Beside(won) => Some(won.whole),
        Award::Instead(won) => won.whole.minus(standing.stake),
    }
}

/// The tier a split pair makes if its next card counts where it should not, or the other way round.
fn split_otherwise(table: &Table<'_>, standing: &Standing, bet: SideBet) -> Option<Tier> {
    let facts = table.side_facts(standing.wager);
    if !facts.split || !matches!(bet, SideBet::SuperSevens | SideBet::LuckyMatch) {
        return None;
    }
    let counted = Facts { split: false, complete: true, ..facts };
    let counts = bet == SideBet::SuperSevens && table.rules.ss_split == crate::rules::SsSplit::NextCard;
    let otherwise = if counts { Facts { third: None, ..counted } } else { counted };
    match judge(table.rules, bet, &otherwise) {
        Judged::Win(tier) => Some(tier),
        _ => None,
    }
}

/// The prize for every unit that a payment comes to, if it comes to one.
pub(super) fn prize_paid(standing: &Standing) -> Option<Money> {
    let (paid, stake) = (standing.fate.paid?.minor(), standing.stake.minor());
    let units = paid.checked_mul(100)?;
    (stake > 0 && units % stake == 0).then(|| Money::from_minor(units / stake))
}

/// Whether the button can give a prize.
pub(super) fn is_prize(prize: Money) -> bool {
    MADNESS_PRIZES.iter().any(|(listed, _)| i64::from(*listed) * 100 == prize.minor())
}

/// Whether a tier is paid from the meter.
pub(super) fn is_from_meter(table: &Table<'_>, bet: SideBet, tier: Option<Tier>) -> bool {
    let terms = table.rules.side(bet);
    terms.zip(tier).is_some_and(|(terms, tier)| matches!(terms.pay(terms.scale, tier), Some(Pay::Meter(_))))
}

/// Whether a side bet's time had passed when it was settled, if it was.
pub(super) fn is_late(table: &Table<'_>, standing: &Standing, bet: SideBet) -> bool {
    if bet != SideBet::Push22 {
        return standing.overdue;
    }
    match (standing.fate.at, table.dealer_collected_at) {
        (Some(settled), Some(cleared)) => settled > cleared,
        (settled, _) => settled.is_none(),
    }
}

/// Whether the game says when a side bet that wins or loses is settled.
pub(super) fn has_its_time(report: &Report<'_>, bet: SideBet, tier: Option<Tier>, wins: bool) -> bool {
    cites(report, if wins { "side_bet_paid_late" } else { "side_bet_taken_late" }, bet, tier.filter(|_| wins))
}

/// What a side bet on a box is judged to be as things stand.
pub(super) fn judged(table: &Table<'_>, wager: Wager, bet: SideBet) -> Option<Tier> {
    match judge(table.rules, bet, &table.side_facts(wager)) {
        Judged::Win(tier) => Some(tier),
        _ => None,
    }
}

/// A wrong settlement of chips that rode on a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ridden {
    /// Otherwise than the hand.
    Apart,
    /// Taken by a dealer's natural.
    TakenOnNatural,
    /// More than rode: what had been taken down was settled too.
    StillPlayed,
}

/// Chips that rode and were settled wrongly.
pub(super) struct RiddenChips<'j, 't> {
    bet: SideBet,
    judgement: &'j Judgement<'t>,
    rode: Rode,
}

/// What went wrong with the chips that rode, if anything.
pub(super) fn ridden<'j, 't>(table: &Table<'_>, judgement: &'j Judgement<'t>) -> Option<(RiddenChips<'j, 't>, Ridden)> {
    let WagerKind::Side(bet) = judgement.wager().kind else { return None };
    let rode = judgement.rode.filter(|rode| rode.gain != Money::ZERO && table.seen.payouts)?;
    let won = judgement.due.and_then(Due::net)?;
    let all = judgement.standing.stake.plus(won)?;
    let whole = rode.seen == all || Money::ZERO.minus(rode.seen) == Some(all);
    let how = match () {
        () if rode.seen.is_negative() && table.dealer_hand().is_natural() => Ridden::TakenOnNatural,
        () if whole && rode.amount < all => Ridden::StillPlayed,
        () => Ridden::Apart,
    };
    Some((RiddenChips { bet, judgement, rode }, how))
}

impl RiddenChips<'_, '_> {
    /// Raises it as the finding of a check.
    pub(super) fn raise(&self, check: &str, report: &mut Report<'_>) {
        let Rode { amount, due, seen, gain } = self.rode;
        let expected = match due {
            Due::Pay(won) => format!("{amount} that rode is paid {won}"),
            Due::Take(_) => format!("{amount} that rode is lost"),
            Due::Push | Due::Return => format!("{amount} that rode stands off"),
        };
        let observed = match seen.minor() {
            0 => "the chips that rode were left".to_owned(),
            1.. => format!("the chips that rode were paid {seen}"),
            _ => format!("{} that rode was taken", Money::ZERO.minus(seen).unwrap_or_default()),
        };
        let [own, _] = tags(check, self.bet, None);
        report.raise(Finding::at(self.judgement.wager().place(), &[&own], expected, observed).worth(gain));
    }
}

/// Games of New Zealand, for templates: a natural spares further stakes, and busts do not wait for it.
pub(super) const NZ: fn(&Rules) -> bool = |rules| rules.obo && !rules.bust_waits;
/// The game of the Australian Capital Territory.
pub(super) const ACT: fn(&Rules) -> bool = |rules| !rules.obo && !rules.hole_card;
/// Games of New Hampshire.
pub(super) const NH: fn(&Rules) -> bool = |rules| rules.hole_card;
/// Games of New Hampshire in which a card can come twice.
pub(super) const NH_SHOE: fn(&Rules) -> bool = |rules| rules.hole_card && rules.decks > 2;
/// Games of British Columbia.
pub(super) const BC: fn(&Rules) -> bool = |rules| rules.bust_waits;
/// Games of British Columbia from six decks.
pub(super) const BC_SHOE: fn(&Rules) -> bool = |rules| rules.bust_waits && rules.decks >= 6;
/// New Zealand and the Capital Territory.
pub(super) const NZ_ACT: fn(&Rules) -> bool = |rules| !rules.hole_card && !rules.bust_waits;
