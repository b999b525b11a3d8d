//! On what a settlement turns: the tags under which a rulebook cites the clauses that decided it.

use table::{Card, Money, Odds, Rank, SideBet, Total};

use super::answer::SideResult;
use super::case::Action;
use super::legal::Matter;
use super::{HandDue, Point};
use crate::hand::{End, PlayerHand, is_ace_and_ten};
use crate::rules::{Dealer22, OverMax};
use crate::sidebet::Tier;

/// Tags in the order they were named, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turns(Vec<String>);

impl Turns {
    /// The tags, those of the hands first.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    fn name(&mut self, tags: &[&str]) {
        for tag in tags {
            self.name_one((*tag).to_owned());
        }
    }

    fn name_one(&mut self, tag: String) {
        if !self.0.contains(&tag) {
            self.0.push(tag);
        }
    }

    fn name_if(&mut self, applies: bool, tags: &[&str]) {
        if applies {
            self.name(tags);
        }
    }
}

pub(super) fn of(
    matter: Matter<'_>,
    hands: &[PlayerHand],
    dues: &[HandDue],
    sides: &[SideResult<'_>],
    unpaid_ante: bool,
) -> Turns {
    let mut turns = Turns::default();
    turns.name_if(unpaid_ante, &["no_ante_hand_settled"]);
    for (index, (hand, due)) in hands.iter().zip(dues).enumerate() {
        point(&mut turns, matter, hand, due);
        play(&mut turns, matter, index, hand);
        count(&mut turns, &hand.cards);
    }
    limits(&mut turns, matter);
    insurance(&mut turns, matter, hands);
    ante(&mut turns, matter);
    for side in sides {
        side_bet(&mut turns, matter, side, dues);
    }
    dealer(&mut turns, matter);
    turns
}

/// The point the hand's verdict turns on.
fn point(turns: &mut Turns, matter: Matter<'_>, hand: &PlayerHand, due: &HandDue) {
    let rules = matter.rules;
    let pushed_22 = rules.dealer22 == Dealer22::Push && dealers_points(matter) == Some(22);
    match due.ruling.point {
        Point::Surrender => {
            turns.name_if(pushed_22, &["surrender_settled_wrong.dealer22", "dealer22_exempt_pushed.surrender"]);
        }
        Point::DealerBust => turns.name_if(rules.dealer22 == Dealer22::Push, &["win_not_paid.twenty_three"]),
        _ => {}
    }
    match due.ruling.point {
        // How a natural is paid has a clause for each price.
        Point::Natural => natural(turns, matter, pushed_22),
        point => turns.name(point.tags()),
    }
    if due.ruling.point == Point::NaturalAlwaysWins {
        natural(turns, matter, false);
    }
    if matter.dealer().is_natural() && matches!(due.ruling.point, Point::DealerNatural | Point::Bust) {
        let raised: &[&str] = if rules.obo { &["extra_stake_taken"] } else { &["extra_stake_spared"] };
        turns.name_if(rules.obo && hand.doubled, &["extra_stake_taken.double"]);
        turns.name_if(rules.obo && hand.split, &["extra_stake_taken.split"]);
        turns.name_if(hand.doubled || hand.split, raised);
        let waited = due.ruling.point == Point::Bust && rules.bust_waits;
        turns.name_if(waited && hand.doubled, &["bust_taken_early.double"]);
        turns.name_if(waited && hand.split, &["bust_taken_early.split"]);
    }
}

fn natural(turns: &mut Turns, matter: Matter<'_>, pushed_22: bool) {
    let rules = matter.rules;
    turns.name_if(pushed_22, &["dealer22_exempt_pushed.natural"]);
    let printed = |pays, per| Odds::new(pays, per) == Some(rules.bj_pays);
    let odd_stake = rules.bj_pays_only_on.is_some_and(|only| only != matter.original());
    let tag = match () {
        () if odd_stake => "natural_paid_wrong.even_stake",
        () if printed(3, 2) => "natural_paid_wrong.3to2",
        () if printed(6, 5) => "natural_paid_wrong.6to5",
        () if printed(5, 4) => "natural_paid_wrong.5to4",
        () if printed(1, 1) => "natural_paid_wrong.1to1",
        () => "natural_paid_wrong",
    };
    turns.name(&[tag, "natural_paid_wrong", "win_not_paid.natural"]);
    let at_once = rules.bj_always_wins || !matter.dealer().shows_ace_or_ten();
    turns.name(&[if at_once { "natural_paid_late" } else { "natural_paid_early" }]);
}

/// How the hand was played, where the game has a rule about it.
fn play(turns: &mut Turns, matter: Matter<'_>, index: usize, hand: &PlayerHand) {
    let (rules, case) = (matter.rules, matter.case);
    let Some(told) = case.hands.get(index) else { return };
    turns.name_if(hand.doubled, &["win_paid_wrong.double"]);
    turns.name_if(hand.split, &["win_paid_wrong.split"]);
    turns.name_if(told.has(Action::FreeDouble), &["free_double_wrong_total"]);
    turns.name_if(told.has(Action::FreeSplit), &["free_split_of_tens"]);
    let lammer = told.free_base.0 != Money::ZERO || told.free_double.0 != Money::ZERO;
    turns.name_if(lammer, &["lammer_unpaid", "lammer_charged"]);
    turns.name_if(told.has(Action::Zap), &["zapped_wrong_total", "zap_wrong_cards.replaced"]);
    if told.has(Action::Double) {
        let less = told.double_wager.0 < told.wager.0;
        turns.name(&[if less { "double_stake_wrong.half" } else { "doubled_on_wrong_cards" }]);
        let as_dealt = hand.cards.get(..2).is_some_and(is_ace_and_ten);
        turns.name_if(as_dealt, &["false_natural.doubled", "doubled_a_natural"]);
        turns.name_if(rules.free_double.any(), &["request_refused.double"]);
        let down =
            if total(&hand.cards[..2]) <= 11 { "double_card_face_wrong.le11" } else { "double_card_face_wrong.ge12" };
        turns.name(&[down]);
    }
    let two_card_21 = is_ace_and_ten(&hand.cards);
    turns.name_if(two_card_21 && hand.split, &["false_natural.split"]);
    turns.name_if(two_card_21 && hand.zapped, &["false_natural.zapped"]);
    if hand.split {
        let ace = hand.cards.first().and_then(|card| card.rank()) == Some(Rank::Ace);
        turns.name(&["split_unequal_cards"]);
        turns.name_if(ace, &["split_ace_extra_card"]);
        turns.name_if(case.hands.len() > 2, &["too_many_hands"]);
        turns.name_if(told.has(Action::Split) && rules.free_split, &["request_refused.split", "split_stake_wrong"]);
    }
    let forced = (2..hand.cards.len()).any(|count| total(&hand.cards[..count]) < u16::from(rules.forced_hit_below));
    turns.name_if(forced && !hand.doubled && hand.end == End::Played, &["stood_short"]);
}

fn total(cards: &[Card]) -> u16 {
    Total::of(cards.iter().copied()).map_or(0, |total| total.points)
}

fn dealers_points(matter: Matter<'_>) -> Option<u16> {
    matter.dealer().total().map(|total| total.points)
}

/// The rules of counting that a hand rests on beyond its pips.
fn count(turns: &mut Turns, cards: &[Card]) {
    let ace = cards.iter().any(|card| card.rank() == Some(Rank::Ace));
    let soft = Total::of(cards.iter().copied()).is_some_and(|total| total.soft);
    turns.name_if(ace && !is_ace_and_ten(cards), &["count.ace"]);
    turns.name_if(soft && !is_ace_and_ten(cards), &["count.soft"]);
}

/// Wagers outside the limits that the book settles all the same.
fn limits(turns: &mut Turns, matter: Matter<'_>) {
    if matter.rules.over_max != OverMax::SettleToMax {
        return;
    }
    let stake = matter.original();
    turns.name_if(matter.around.table_max.is_some_and(|most| stake > most), &["excess_settled"]);
    turns.name_if(
        matter.around.table_min.is_some_and(|least| stake < least),
        &["under_minimum_again", "wager_below_minimum"],
    );
}

fn insurance(turns: &mut Turns, matter: Matter<'_>, hands: &[PlayerHand]) {
    if matter.case.insurance.0 == Money::ZERO {
        return;
    }
    let end = hands.first().map(|hand| hand.end);
    match end {
        Some(End::Void) => turns.name(&["void_insurance_settled"]),
        Some(End::EvenMoney) if matter.rules.even_money_refunds_insurance => {
            turns.name(&["insurance_settled_after_even_money"]);
        }
        _ if matter.dealer().is_natural() => {
            turns.name(&["insurance_paid_wrong.odds", "insurance_won_but_unpaid", "insurance_too_large"]);
            turns.name_if(hands.iter().any(PlayerHand::is_natural), &["insurance_on_natural"]);
        }
        _ => turns.name(&["insurance_lost_but_paid", "losing_insurance_left"]),
    }
}

fn ante(turns: &mut Turns, matter: Matter<'_>) {
    let paid = matter.case.ante.0 != Money::ZERO;
    turns.name_if(paid, &["ante_not_taken", "ante_returned", "ante_missing"]);
    turns.name_if(matter.rules.ante && !paid, &["ante_waived_wrongly"]);
}

fn side_bet(turns: &mut Turns, matter: Matter<'_>, result: &SideResult<'_>, dues: &[HandDue]) {
    let bet = result.side.bet;
    if result.void {
        turns.name(&["void_side_bet_settled"]);
        return;
    }
    match result.won {
        None => {
            let tie = dues.iter().any(|due| due.ruling.point == Point::Tie);
            let stands_off = match bet {
                SideBet::Push22 => tie,
                SideBet::Over13 | SideBet::Under13 => total(&matter.case.initial_cards) == 13,
                _ => false,
            };
            let aspect = if stands_off { ".tie" } else { "" };
            turns.name_one(format!("side_bet_loser_paid.{bet}{aspect}"));
        }
        Some(tier) => {
            turns.name_one(format!("side_bet_paid_wrong.{bet}.scale{}", result.scale));
            turns.name_one(format!("side_bet_paid_wrong.{bet}.{tier}"));
            turns.name_one(format!("side_bet_winner_taken.{bet}.{tier}"));
            turns.name_one(format!("side_bet_two_tiers_paid.{bet}"));
            turns.name_one(format!("side_bet_paid_late.{bet}.{tier}"));
            let lost = dues.iter().any(|due| matches!(due.ruling.verdict, super::Verdict::Lose | super::Verdict::Push));
            if lost {
                turns.name_one(format!("side_bet_judged_by_main.{bet}"));
            }
        }
    }
    if result.capped {
        turns.name_one(format!("side_cap_exceeded.{bet}"));
        turns.name_one(format!("side_cap_shared_unevenly.{bet}"));
    }
    turns.name_if(bet == SideBet::SuperSevens && matter.is_split(), &["super_sevens_split_misjudged"]);
    turns.name_if(bet == SideBet::LuckyMatch && matter.is_split(), &["lucky_match_split_misjudged"]);
    turns.name_if(bet == SideBet::Madness21 && result.side.equipment_failed, &["madness_fault_paid_wrong"]);
    turns.name_if(result.side.parlay, &["parlay_with_stake", "parlay_stake_not_returned", "parlay_partial"]);
    if result.side.ride.0 != Money::ZERO {
        turns.name_one(format!("ridden_settled_apart.{bet}"));
        if matter.dealer().is_natural() {
            turns.name_one(format!("ridden_taken_on_dealer_natural.{bet}"));
        }
    } else if matches!(bet, SideBet::HouseMoney | SideBet::LetItRide) && result.won.is_some() {
        turns.name_one(format!("taken_chips_still_played.{bet}"));
    }
    let bust = dues.iter().any(|due| due.ruling.point == Point::Bust);
    turns.name_if(bet == SideBet::Push22 && bust, &["bust_cards_cleared_early.push22"]);
    let aces = bet == SideBet::MatchDealer && result.won == Some(Tier::TwoSuitedMatches) && matter.dealer().shows_ace();
    turns.name_if(aces, &["side_bet_paid_wrong.match_dealer.three_suited_aces"]);
}

/// How far the dealer drew.
fn dealer(turns: &mut Turns, matter: Matter<'_>) {
    let (rules, cards) = (matter.rules, matter.dealer().cards);
    let Some(last) = matter.dealer().total() else { return };
    count(turns, cards);
    if crate::dealer::must_draw(rules, last) {
        turns.name(&["dealer_drew_for_nothing"]);
        return;
    }
    let soft_17 = (2..=cards.len())
        .filter_map(|count| Total::of(cards[..count].iter().copied()))
        .any(|total| total.soft && total.points == 17);
    if soft_17 {
        let drew = rules.dealer_hits_soft_17();
        turns.name(&[if drew { "dealer_stood_short.soft17" } else { "dealer_overdrew.soft17" }]);
    }
    turns.name_if(cards.len() > 2, &["dealer_stood_short.hard"]);
    turns.name_if(last.points == 17 && !last.soft, &["dealer_overdrew.hard17"]);
    turns.name_if(last.soft && last.points > 17, &["dealer_overdrew"]);
    let push22 = matter.case.side_bets.iter().any(|side| side.bet == SideBet::Push22);
    turns.name_if(push22, &["dealer_stopped_short_of_effect.push22"]);
}
