//! What every wager of a finished round should have come to.

use std::borrow::Cow;

use arrayvec::ArrayVec;
use table::{BoxNo, Hand, Money, Odds, SideBet, Wager, WagerKind, Winnings};

use super::compare::compare;
use crate::dealer::lawful_cards;
use crate::hand::{DealerHand, End, PlayerHand};
use crate::replay::{MOST_HANDS, Standing, Table};
use crate::settle::side::{self, Award, Equipment, Judged};
use crate::settle::{self, Due, HandDue, Point, Ruling, Stakes};
use crate::sidebet::{Pay, Tier};

/// One wager of a finished round.
#[derive(Clone, Copy, Debug)]
pub struct Judgement<'t> {
    /// The wager and what became of it.
    pub standing: &'t Standing,
    /// The ruling on the hand it stands on, for the hand's own stakes.
    pub ruling: Option<Ruling>,
    /// The tier a side bet made; `None` if it loses or is none.
    pub tier: Option<Tier>,
    /// What it is due with the dealer's hand as the rules allow it; `None` if not to be known.
    pub due: Option<Due>,
    /// What it would be due with every card the dealer took.
    pub due_as_dealt: Option<Due>,
    /// Whether a dealer's natural spares this stake because only the original is taken.
    pub spared: bool,
    /// What the other stake on the same hand is due: the double's for the hand's own, and the other way round.
    pub sibling: Option<Due>,
    /// What all stakes of the same bettor on the box win or lose together, where a dealer's natural takes only one.
    pub box_due: Option<Money>,
    /// Whether the most the house pays for a side bet in a round cuts this win.
    pub capped: bool,
    /// What of a won side bet rode on the hand.
    pub rode: Option<Rode>,
    /// How what was seen differs from what is due. For a side bet that rode, this is about its own win alone.
    pub wrong: Wrong,
    /// What the player has too much (positive) or too little (negative).
    pub gain: Money,
}

/// Chips of a won side bet that rode on the hand.
#[derive(Clone, Copy, Debug)]
pub struct Rode {
    /// How much rode.
    pub amount: Money,
    /// What that was due with the hand.
    pub due: Due,
    /// What was paid (positive) or taken for it.
    pub seen: Money,
    /// What the player has too much (positive) or too little (negative) by it.
    pub gain: Money,
}

/// How a wager was settled wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// Not at all, as far as can be seen.
    No,
    /// As the dealer's own wrong hand asked: the dealer's mistake, not a further one.
    ByDealersHand,
    /// A stand-off was paid.
    PushPaid,
    /// A stand-off was taken.
    PushTaken,
    /// A winner was paid nothing and left.
    WinLeft,
    /// A winner was left to the player without pay, called a stand-off.
    WinPushed,
    /// A winner was taken.
    WinTaken,
    /// A winner was paid another amount.
    WinPaidWrong,
    /// A loser was paid.
    LossPaid,
    /// A loser was left to the player.
    LossLeft,
    /// A loser was taken by another amount.
    LossTakenWrong,
    /// A wager that should have been handed back was settled.
    VoidSettled,
    /// A wager that should have been handed back was not.
    VoidLeft,
    /// It was settled more than once.
    Twice,
    /// What stood over the maximum was settled too.
    ExcessSettled,
    /// It was settled by another hand than the one it stands on.
    ByOtherHand,
    /// It was settled as if even money had not been asked for.
    AsIfNotAsked,
}

impl Judgement<'_> {
    /// The hand it stands on.
    pub const fn wager(&self) -> Wager {
        self.standing.wager
    }

    /// What it should have won or lost, in words.
    pub fn expected(&self) -> String {
        self.due.map_or_else(|| "not to be known".to_owned(), due_in_words)
    }

    /// What became of it, in words.
    pub fn observed(&self) -> String {
        let fate = &self.standing.fate;
        match (fate.paid, fate.taken) {
            (Some(paid), Some(taken)) => format!("paid {paid} and taken {taken}"),
            (Some(paid), None) => format!("paid {paid}"),
            (None, Some(taken)) => format!("taken {taken}"),
            (None, None) if fate.returned => "handed back".to_owned(),
            (None, None) if fate.pushed => "pushed".to_owned(),
            (None, None) => "left without a result".to_owned(),
        }
    }
}

fn due_in_words(due: Due) -> String {
    match due {
        Due::Pay(won) => format!("pay {won}"),
        Due::Take(lost) => format!("take {lost}"),
        Due::Push => "push".to_owned(),
        Due::Return => "hand back".to_owned(),
    }
}

/// Judges every wager of a finished round in the order placed, and hands each to `look`.
pub(super) fn judge_all<'t>(table: &'t Table<'_>, mut look: impl FnMut(&Judgement<'t>)) {
    let cards = &table.dealer.cards;
    let lawful = lawful_cards(table.rules, cards).unwrap_or(cards.len());
    let as_dealt = table.dealer_hand();
    let by_law = DealerHand { cards: &cards[..lawful] };
    for standing in table.wagers.iter().filter(|standing| !standing.withdrawn) {
        let mut judgement = judge(table, standing, by_law);
        if lawful < cards.len() {
            judgement.due_as_dealt = judge(table, standing, as_dealt).due;
        }
        if table.seen.payouts {
            compare(&mut judgement, table, by_law);
        }
        look(&judgement);
    }
}

fn judge<'t>(table: &'t Table<'_>, standing: &'t Standing, dealer: DealerHand<'_>) -> Judgement<'t> {
    let mut judgement = Judgement {
        standing,
        ruling: None,
        tier: None,
        due: None,
        due_as_dealt: None,
        spared: false,
        sibling: None,
        box_due: None,
        capped: false,
        rode: None,
        wrong: Wrong::No,
        gain: Money::ZERO,
    };
    let wager = standing.wager;
    match wager.kind {
        WagerKind::Main | WagerKind::Split | WagerKind::Double => {
            if let Some((due, box_due)) = hand_due(table, wager, dealer, table.table_max(wager.box_no)) {
                judgement.box_due = box_due;
                judgement.ruling = Some(due.ruling);
                judgement.spared = due.spared;
                let is_double = wager.kind == WagerKind::Double;
                judgement.due = if is_double { due.double } else { Some(due.base) };
                judgement.sibling = if is_double { Some(due.base) } else { due.double };
                if settle::is_kept_tip(table.rules, wager.tip, standing.stake, due.ruling.point) {
                    judgement.due = Some(Due::Push);
                }
            }
        }
        WagerKind::Insurance => {
            if let Some(hand) = table.hand(wager.place()) {
                let play = held(table, wager, &hand.play);
                judgement.due = settle::on_insurance(table.rules, dealer, standing.stake, &play);
            }
        }
        WagerKind::Ante => {
            let void = is_void(table, wager.box_no);
            judgement.due = if void { Some(Due::Return) } else { standing.stake.at(Odds::EVEN).map(Due::Take) };
        }
        WagerKind::Side(bet) => judge_side(table, &mut judgement, bet, dealer),
    }
    judgement
}

fn is_void(table: &Table<'_>, box_no: BoxNo) -> bool {
    table.box_at(box_no).hands.first().is_some_and(|hand| hand.play.end == End::Void)
}

/// What the hand's own stakes of a wager's bettor are due, with no more than `most` of each settled, and what all his
/// stakes on the box come to.
pub(super) fn hand_due(
    table: &Table<'_>,
    wager: Wager,
    dealer: DealerHand<'_>,
    most: Option<Money>,
) -> Option<(HandDue, Option<Money>)> {
    let (hand, stakes) = staked_hand(table, wager, wager.hand)?;
    let (index, of) = if table.box_at(wager.box_no).hands.len() == 1 { (0, 1) } else { among_staked(table, wager)? };
    let due = settle::on_one(table.rules, dealer, (&hand, stakes), (index, of), most)?;
    let by_totals =
        matches!(due.ruling.point, Point::Higher | Point::Lower | Point::Tie | Point::DealerBust | Point::Dealer22);
    // A hand against an up card alone has no result, and one card is no hand.
    let complete = dealer.cards.len() >= 2 && hand.cards.len() >= 2;
    let all = if table.rules.obo && dealer.is_natural() { box_net(table, wager, dealer, most) } else { None };
    (complete || !by_totals).then_some((due, all))
}

/// Which of the hands on its box that a wager's bettor has a stake on it stands on, counting from nought, and of how
/// many.
fn among_staked(table: &Table<'_>, wager: Wager) -> Option<(usize, usize)> {
    let mut staked = letters(table, wager.box_no).filter(|letter| stake_on(table, wager, *letter).is_some());
    let index = staked.position(|letter| letter == wager.hand)?;
    Some((index, index + 1 + staked.count()))
}

/// What all stakes of a wager's bettor on its box come to.
fn box_net(table: &Table<'_>, wager: Wager, dealer: DealerHand<'_>, most: Option<Money>) -> Option<Money> {
    let hands = letters(table, wager.box_no).filter_map(|letter| staked_hand(table, wager, letter));
    let hands: ArrayVec<(Cow<'_, PlayerHand>, Stakes), MOST_HANDS> = hands.collect();
    let plays: ArrayVec<(&PlayerHand, Stakes), MOST_HANDS> = hands.iter().map(|(hand, on)| (&**hand, *on)).collect();
    let dues = settle::on_box(table.rules, dealer, &plays, most)?;
    let stakes = dues.iter().flat_map(|due| [Some(due.base), due.double]).flatten();
    stakes.map(Due::net).try_fold(Money::ZERO, |sum, net| sum.plus(net?))
}

/// The letters of a box's hands.
fn letters(table: &Table<'_>, box_no: BoxNo) -> impl Iterator<Item = Hand> {
    (0u8..).take(table.box_at(box_no).hands.len()).map_while(Hand::new)
}

/// What a wager's bettor staked on a hand of its box and did not get back at once.
fn stake_on<'t>(table: &'t Table<'_>, wager: Wager, letter: Hand) -> Option<&'t Standing> {
    let stake = Wager { tip: wager.tip, ..Wager::on(wager.box_no, letter).by(wager.bettor) };
    table.wagers.get(stake).filter(|standing| !standing.withdrawn)
}

/// A hand on which a wager's bettor has a stake, with all he has on it.
fn staked_hand<'t>(table: &'t Table<'_>, wager: Wager, letter: Hand) -> Option<(Cow<'t, PlayerHand>, Stakes)> {
    let base = stake_on(table, wager, letter)?;
    let mut stakes = Stakes { cap: base.cap, ..Stakes::default() };
    *(if base.free { &mut stakes.free_base } else { &mut stakes.base }) = base.stake;
    let doubled = table.wagers.has_kind(WagerKind::Double);
    let double = doubled.then(|| table.wagers.get(base.wager.of_kind(WagerKind::Double))).flatten();
    if let Some(double) = double.filter(|standing| !standing.withdrawn) {
        *(if double.free { &mut stakes.free_double } else { &mut stakes.double }) = double.stake;
    }
    let state = table.box_at(wager.box_no).hands.get(letter.index())?;
    Some((held(table, wager, &state.play), stakes))
}

/// The hand as a wager's bettor holds it: he alone may have asked for even money.
fn held<'t>(table: &Table<'_>, wager: Wager, play: &'t PlayerHand) -> Cow<'t, PlayerHand> {
    let asked = || play.is_natural() && table.wagers.main_of(wager).is_some_and(|main| main.even_money.is_some());
    match play.end {
        End::Played if asked() => Cow::Owned(PlayerHand { end: End::EvenMoney, ..play.clone() }),
        End::EvenMoney if !asked() => Cow::Owned(PlayerHand { end: End::Played, ..play.clone() }),
        _ => Cow::Borrowed(play),
    }
}

fn judge_side(table: &Table<'_>, judgement: &mut Judgement<'_>, bet: SideBet, dealer: DealerHand<'_>) {
    let standing = judgement.standing;
    if is_void(table, standing.wager.box_no) || (bet == SideBet::SuperSevens && main_was_void(table, standing, dealer))
    {
        judgement.due = Some(Due::Return);
        return;
    }
    let facts = side::Facts { dealer, dealer_complete: true, complete: true, ..table.side_facts(standing.wager) };
    match side::judge(table.rules, bet, &facts) {
        Judged::Open => {}
        Judged::Lose => judgement.due = standing.stake.at(Odds::EVEN).map(Due::Take),
        Judged::Win(tier) => {
            judgement.tier = Some(tier);
            let Some((won, capped)) = side_win(table, standing, bet, tier) else { return };
            judgement.due = Some(Due::Pay(won));
            judgement.capped = capped;
            judgement.rode = standing.ridden.and_then(|amount| rode(table, standing, amount, dealer));
        }
    }
}

/// Whether the main wager beside a side bet was handed back as void: not as the stake of a hand that won or lost.
fn main_was_void(table: &Table<'_>, standing: &Standing, dealer: DealerHand<'_>) -> bool {
    let Some(main) = table.wagers.main_of(standing.wager).filter(|main| main.fate.returned) else { return false };
    let stands_off = hand_due(table, main.wager, dealer, None).is_some_and(|(due, _)| due.base == Due::Push);
    stands_off || super::compare::may_be_returned(table, main)
}

/// What a side bet wins, and whether a cap cuts it.
fn side_win(table: &Table<'_>, standing: &Standing, bet: SideBet, tier: Tier) -> Option<(Winnings, bool)> {
    let terms = table.rules.side(bet)?;
    let meter = standing.meter.or(table.meter);
    if matches!(terms.pay(terms.scale, tier), Some(Pay::Meter(_))) && meter.is_none() {
        return None;
    }
    let equipment = Equipment {
        meter: meter.unwrap_or_default(),
        prize: standing.prize,
        failed: table.faults.contains(&table::round::Device::Button),
    };
    let won = match side::award(table.rules, bet, tier, terms.scale, standing.stake, &equipment)? {
        Award::Beside(won) => won,
        Award::Instead(won) => Winnings { whole: won.whole.minus(standing.stake)?, ..won },
    };
    let share = capped(table, standing, bet, won)?;
    Some((share, share != won))
}

/// What chips that rode on the first hand were due, and what became of them.
fn rode(table: &Table<'_>, standing: &Standing, amount: Money, dealer: DealerHand<'_>) -> Option<Rode> {
    let main = Wager { hand: Hand::A, kind: WagerKind::Main, ..standing.wager };
    let ruling = hand_due(table, main, dealer, table.table_max(main.box_no))?.0.ruling;
    let due = side::on_ridden(table.rules, amount, ruling, dealer)?;
    let seen = standing.fate.net()?.minus(standing.net_before_ride.unwrap_or_default())?;
    let gain = seen.minus(due.net()?)?;
    Some(Rode { amount, due, seen, gain })
}

/// A winner's share where the house pays no more than so much for a side bet in a round.
fn capped(table: &Table<'_>, standing: &Standing, bet: SideBet, won: Winnings) -> Option<Winnings> {
    let terms = table.rules.side(bet)?;
    let Some(cap) = terms.cap else { return Some(won) };
    let mut all = Money::ZERO;
    for other in table.wagers.iter() {
        let WagerKind::Side(other_bet) = other.wager.kind else { continue };
        // The cap is on what players are paid: a bet for the dealer takes no part in it.
        if other.wager.tip {
            continue;
        }
        let counts = other_bet == bet || terms.cap_joint;
        let Some(other_terms) = table.rules.side(other_bet).filter(|terms| counts && terms.cap.is_some()) else {
            continue;
        };
        let facts = side::Facts { dealer_complete: true, complete: true, ..table.side_facts(other.wager) };
        let Judged::Win(tier) = side::judge(table.rules, other_bet, &facts) else { continue };
        let award = side::award(table.rules, other_bet, tier, other_terms.scale, other.stake, &Equipment::default());
        if let Some(Award::Beside(win)) = award {
            all = all.plus(win.whole)?;
        }
    }
    // A bet for the dealer is paid even money when the cap bites.
    if all > cap && standing.wager.tip {
        return standing.stake.at(Odds::EVEN);
    }
    side::capped(won, all, cap)
}
