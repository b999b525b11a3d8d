//! Settlement of side bets: which tier the cards make, and what it pays.

use table::{Card, Money, Odds, Rank, SideBet, Suit, Total, Winnings};

use super::{Due, Net, Point, Ruling, Verdict};
use crate::hand::{DealerHand, is_ace_and_ten};
use crate::rules::{BlazingPays, MadnessFault, MatchBy, Rules, SsSplit};
use crate::sidebet::{Pay, Tier};

/// What decides a side bet.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'c> {
    /// The box's first two cards as dealt, as far as dealt.
    pub initial: &'c [Card],
    /// The next card the box's first hand got, if any.
    pub third: Option<Card>,
    /// Whether the first two cards were split.
    pub split: bool,
    /// Whether the box takes no more cards, so that a third will not come.
    pub complete: bool,
    /// The dealer's cards.
    pub dealer: DealerHand<'c>,
    /// Whether the dealer takes no more cards.
    pub dealer_complete: bool,
    /// The side stake.
    pub stake: Money,
}

/// What a side bet comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// It wins on this tier.
    Win(Tier),
    /// It loses.
    Lose,
    /// It is not decided yet, or a card that matters is not known.
    Open,
}

/// Judges a side bet on the cards so far.
pub fn judge(rules: &Rules, bet: SideBet, facts: &Facts<'_>) -> Judged {
    let judged = match bet {
        SideBet::PerfectPair => pair(facts.initial).map(|tier| tier.map_or(Judged::Lose, Judged::Win)),
        SideBet::AnyPair => {
            pair(facts.initial).map(|tier| if tier.is_some() { Judged::Win(Tier::Pair) } else { Judged::Lose })
        }
        SideBet::LuckyMatch => lucky_match(facts),
        SideBet::SuperSevens => super_sevens(rules, facts),
        SideBet::Madness21 => two(facts.initial)
            .map(|_| if is_ace_and_ten(facts.initial) { Judged::Win(Tier::Natural) } else { Judged::Lose }),
        SideBet::HouseMoney => house_money(facts),
        SideBet::LetItRide => let_it_ride(facts),
        SideBet::Push22 => push22(facts),
        SideBet::KingsBounty => kings_bounty(facts),
        SideBet::War => war(facts),
        SideBet::Blazing7 => blazing7(facts),
        SideBet::MatchDealer => match_dealer(rules, facts),
        SideBet::Over13 => sum(rules, facts).map(|sum| won(sum > 13)),
        SideBet::Under13 => sum(rules, facts).map(|sum| won(sum < 13)),
    };
    judged.unwrap_or(Judged::Open)
}

fn won(wins: bool) -> Judged {
    if wins { Judged::Win(Tier::Win) } else { Judged::Lose }
}

type Face = (Rank, Suit);

fn face(card: Card) -> Option<Face> {
    Some((card.rank()?, card.suit()?))
}

fn two(cards: &[Card]) -> Option<(Face, Face)> {
    Some((face(*cards.first()?)?, face(*cards.get(1)?)?))
}

/// The likeness of a pair by rank; `Some(None)` if the two are no pair.
fn pair(cards: &[Card]) -> Option<Option<Tier>> {
    let (a, b) = two(cards)?;
    Some(match (a.0 == b.0, a.1 == b.1, a.1.colour() == b.1.colour()) {
        (false, ..) => None,
        (true, true, _) => Some(Tier::Perfect),
        (true, false, true) => Some(Tier::Coloured),
        (true, false, false) => Some(Tier::Mixed),
    })
}

/// The third card if it decides: `Err(())` while it may still come or cannot be read.
fn third(facts: &Facts<'_>) -> Result<Option<Face>, ()> {
    match facts.third {
        Some(card) => face(card).map(Some).ok_or(()),
        None if facts.complete => Ok(None),
        None => Err(()),
    }
}

fn lucky_match(facts: &Facts<'_>) -> Option<Judged> {
    let tier = match pair(facts.initial)? {
        None => return Some(Judged::Lose),
        Some(Tier::Perfect) if !facts.split => match third(facts) {
            Ok(Some(next)) if Some(next) == face(facts.initial[0]) => Tier::Triple,
            Ok(_) => Tier::Perfect,
            Err(()) => return Some(Judged::Open),
        },
        Some(tier) => tier,
    };
    Some(Judged::Win(tier))
}

fn super_sevens(rules: &Rules, facts: &Facts<'_>) -> Option<Judged> {
    let first = face(*facts.initial.first()?)?;
    if first.0 != Rank::Seven {
        return Some(Judged::Lose);
    }
    let second = face(*facts.initial.get(1)?)?;
    if second.0 != Rank::Seven {
        return Some(Judged::Win(Tier::OneSeven));
    }
    let suited = first.1 == second.1;
    let two = if suited { Tier::TwoSuitedSevens } else { Tier::TwoSevens };
    if facts.split && rules.ss_split == SsSplit::TwoCard {
        return Some(Judged::Win(two));
    }
    Some(match third(facts) {
        Ok(Some((Rank::Seven, suit))) if suited && suit == first.1 => Judged::Win(Tier::ThreeSuitedSevens),
        Ok(Some((Rank::Seven, _))) => Judged::Win(Tier::ThreeSevens),
        Ok(_) => Judged::Win(two),
        Err(()) => Judged::Open,
    })
}

/// Whether two ranks follow each other, the ace standing both below the two and above the king.
fn in_sequence(a: Rank, b: Rank) -> bool {
    let (low, high) = ((a as u8).min(b as u8), (a as u8).max(b as u8));
    high - low == 1 || (low, high) == (1, 13)
}

fn house_money(facts: &Facts<'_>) -> Option<Judged> {
    let (a, b) = two(facts.initial)?;
    let (suited, sequence) = (a.1 == b.1, in_sequence(a.0, b.0));
    let ace_king = matches!((a.0, b.0), (Rank::Ace, Rank::King) | (Rank::King, Rank::Ace));
    Some(match (suited, sequence) {
        (true, true) if ace_king => Judged::Win(Tier::AceKingSuited),
        (true, true) => Judged::Win(Tier::SuitedSequence),
        _ if a.0 == b.0 => Judged::Win(Tier::Pair),
        (false, true) => Judged::Win(Tier::Sequence),
        _ => Judged::Lose,
    })
}

fn let_it_ride(facts: &Facts<'_>) -> Option<Judged> {
    let (a, b) = two(facts.initial)?;
    Some(match (a.1 == b.1, in_sequence(a.0, b.0)) {
        (true, true) => Judged::Win(Tier::SuitedSequence),
        (true, false) => Judged::Win(Tier::Suited),
        (false, true) => Judged::Win(Tier::Sequence),
        (false, false) => Judged::Lose,
    })
}

fn push22(facts: &Facts<'_>) -> Option<Judged> {
    let cards = facts.dealer.cards;
    let total = Total::of(cards.iter().copied())?;
    if total.points != 22 {
        return Some(if total.points > 22 || facts.dealer_complete { Judged::Lose } else { Judged::Open });
    }
    let suits = cards.iter().map(|card| card.suit()).collect::<Option<arrayvec::ArrayVec<Suit, 26>>>()?;
    let first = *suits.first()?;
    let tier = if suits.iter().all(|suit| *suit == first) {
        Tier::SameSuit22
    } else if suits.iter().all(|suit| suit.colour() == first.colour()) {
        Tier::SameColour22
    } else {
        Tier::Other22
    };
    Some(Judged::Win(tier))
}

fn kings_bounty(facts: &Facts<'_>) -> Option<Judged> {
    let (a, b) = two(facts.initial)?;
    let twenty = Total::of(facts.initial.iter().take(2).copied())?.points == 20;
    if !twenty {
        return Some(Judged::Lose);
    }
    let (same_rank, suited) = (a.0 == b.0, a.1 == b.1);
    let kings = same_rank && a.0 == Rank::King;
    let tier = match (kings, suited, same_rank) {
        (true, true, _) if a.1 == Suit::Spades => {
            let up_known = facts.dealer.up().is_some_and(Card::is_known);
            let second_known = facts.dealer.cards.get(1).is_some_and(|card| card.is_known());
            let decided = second_known || !facts.dealer.shows_ace_or_ten() || facts.dealer_complete;
            if !up_known || !decided {
                return Some(Judged::Open);
            }
            let natural = facts.dealer.cards.get(..2).is_some_and(is_ace_and_ten);
            if natural { Tier::SpadeKingsDealerNatural } else { Tier::SpadeKings }
        }
        (true, true, _) => Tier::SuitedKings,
        (false, true, true) => Tier::SuitedTens,
        (_, true, _) => Tier::Suited20,
        (true, false, _) => Tier::Kings,
        (false, false, _) => Tier::Unsuited20,
    };
    Some(Judged::Win(tier))
}

fn war(facts: &Facts<'_>) -> Option<Judged> {
    let players = facts.initial.first()?.rank()?;
    let dealers = facts.dealer.up()?.rank()?;
    Some(won(players > dealers))
}

fn blazing7(facts: &Facts<'_>) -> Option<Judged> {
    let (a, b) = two(facts.initial)?;
    Some(match (a.0 == Rank::Seven, b.0 == Rank::Seven) {
        (false, false) => Judged::Lose,
        (true, true) => {
            let up = face(facts.dealer.up()?)?;
            Judged::Win(if up.0 != Rank::Seven {
                Tier::TwoSevens
            } else if a.1 == b.1 && b.1 == up.1 {
                Tier::ThreeSuitedSevens
            } else if a.1.colour() == b.1.colour() && b.1.colour() == up.1.colour() {
                Tier::ThreeColouredSevens
            } else {
                Tier::ThreeSevens
            })
        }
        _ => Judged::Win(Tier::OneSeven),
    })
}

fn match_dealer(rules: &Rules, facts: &Facts<'_>) -> Option<Judged> {
    let (a, b) = two(facts.initial)?;
    let up = face(facts.dealer.up()?)?;
    let aces = [a.0, b.0, up.0].iter().all(|rank| *rank == Rank::Ace);
    let full_stake = rules.bet_max.is_none_or(|most| facts.stake >= most);
    if aces && a.1 == up.1 && b.1 == up.1 && full_stake {
        return Some(Judged::Win(Tier::ThreeSuitedAces));
    }
    let matches = |card: Face| match rules.match_by {
        MatchBy::Rank => card.0 == up.0,
        MatchBy::Value => card.0.points() == up.0.points(),
    };
    let count = |suited: bool| [a, b].iter().filter(|card| matches(**card) && (card.1 == up.1) == suited).count();
    Some(match (count(true), count(false)) {
        (2, _) => Judged::Win(Tier::TwoSuitedMatches),
        (1, 1) => Judged::Win(Tier::SuitedAndUnsuitedMatch),
        (0, 2) => Judged::Win(Tier::TwoUnsuitedMatches),
        (1, 0) => Judged::Win(Tier::OneSuitedMatch),
        (0, 1) => Judged::Win(Tier::OneUnsuitedMatch),
        _ => Judged::Lose,
    })
}

fn sum(rules: &Rules, facts: &Facts<'_>) -> Option<u8> {
    let (a, b) = two(facts.initial)?;
    let count = |rank: Rank| if rank == Rank::Ace { rules.overunder_ace } else { rank.points() };
    count(a.0).checked_add(count(b.0))
}

/// What the equipment says beside the cards.
#[derive(Clone, Copy, Debug, Default)]
pub struct Equipment {
    /// The progressive meter as displayed.
    pub meter: Money,
    /// The button's prize for every unit staked.
    pub prize: Option<Money>,
    /// Whether the equipment failed in the round.
    pub failed: bool,
}

/// What a winning side bet is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Award {
    /// So much beside the stake.
    Beside(Winnings),
    /// So much in place of the stake.
    Instead(Winnings),
}

const UNIT: i64 = 100;
const MADNESS_FAULT_PRIZE: Money = Money::from_minor(2500);

/// What a tier pays on a stake; `None` if the scale does not pay it, a prize is not known, or an amount overflows.
pub fn award(
    rules: &Rules,
    bet: SideBet,
    tier: Tier,
    scale: usize,
    stake: Money,
    equipment: &Equipment,
) -> Option<Award> {
    let units = Odds::new(u32::try_from(stake.minor()).ok()?, UNIT as u32)?;
    let fixed = |award: Winnings| match rules.blazing_pays {
        BlazingPays::ForOne => Award::Instead(award),
        BlazingPays::ToOne => Award::Beside(award),
    };
    Some(match rules.side(bet)?.pay(scale, tier)? {
        Pay::Odds(odds) => Award::Beside(stake.at(odds)?),
        Pay::Award(amount) => fixed(amount.at(units)?),
        Pay::Meter(percent) => fixed(equipment.meter.at(Odds::new(u32::from(percent), 100)?)?),
        Pay::Prize => {
            let prize = if equipment.failed {
                match rules.madness_fault {
                    MadnessFault::Flat => MADNESS_FAULT_PRIZE.at(Odds::EVEN)?,
                    MadnessFault::PerDollar => MADNESS_FAULT_PRIZE.at(units)?,
                }
            } else {
                equipment.prize?.at(units)?
            };
            if rules.madness_stake_returned { Award::Beside(prize) } else { Award::Instead(prize) }
        }
    })
}

/// What ridden chips come to with the hand they ride on: those still in play stand off against a dealer's natural.
pub fn on_ridden(rules: &Rules, ridden: Money, ruling: Ruling, dealer: DealerHand<'_>) -> Option<Due> {
    let settled_before = matches!(
        ruling.point,
        Point::EvenMoney | Point::Bust | Point::Void | Point::NaturalAlwaysWins | Point::TwentyOne | Point::FiveCards
    );
    Some(match ruling.verdict {
        _ if dealer.is_natural() && !settled_before => Due::Push,
        Verdict::Win => Due::Pay(ridden.at(Odds::EVEN)?),
        Verdict::Natural => Due::Pay(ridden.at(rules.bj_pays)?),
        Verdict::Push => Due::Push,
        Verdict::Lose => Due::Take(ridden.at(Odds::EVEN)?),
        Verdict::LoseHalf => Due::Take(ridden.at(Odds::new(1, 2)?)?),
        Verdict::Void => Due::Return,
    })
}

/// A player's share when all wins of a side bet together exceed what the house pays in a round.
pub fn capped(win: Winnings, all: Money, cap: Money) -> Option<Winnings> {
    if all <= cap {
        return Some(win);
    }
    Net::from(win).share(cap, Net::won(all))?.winnings()
}
