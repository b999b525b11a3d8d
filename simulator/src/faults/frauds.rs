//! What players do to win: chips that come late, grow or shrink, cards that are touched or change.

use auditor::rules::PlayerCards;
use table::round::Touched;
use table::{Act, Bettor, Card, Favours, Hand, Money, Place, SideBet, Total, Wager, WagerKind};

use super::chips::{Outcome, any_settled, at, cited, move_before, on};
use super::consequences::{face_up, given, on_hand_of, settles};
use super::raising::split_unequal;
use super::{Desk, Lived, Wrong, fraud};

pub(super) const FAULTS: &[Lived] = &[
    fraud("late_bet", "late_wager", "A wager comes when the first card is dealt.", late_bet),
    fraud("past_posting", "late_wager", "Chips join a hand behind its player once its cards are good.", past_posting),
    fraud("past_posted_winner", "late_wager", "Chips join a hand that has been paid.", past_posted_winner),
    fraud("late_side_bet", "late_wager", "A side bet comes after the first card.", late_side_bet),
    fraud("capping", "wager_altered", "A stake grows when the hand is good.", capping),
    fraud("pinching", "wager_altered", "A stake shrinks when the hand is bad.", pinching),
    fraud("stake_snatched", "wager_altered", "A stake disappears when the hand is bad.", snatched),
    fraud(
        "card_switch",
        "not_from_the_shoe",
        "A player holds a better card than the one that was dealt to him.",
        card_switch,
    ),
    fraud(
        "claimed_natural",
        "false_natural",
        "A 21 of several cards is claimed and paid as a natural.",
        claimed_natural,
    ),
    fraud(
        "false_split_claim",
        "split_unequal_cards",
        "A player claims two unlike cards as a pair, and is let split them.",
        split_unequal,
    ),
    fraud("cards_touched", "touched", "A player puts a hand to the cards.", cards_touched),
    fraud("wager_touched", "touched", "A player puts a hand to a wager that is in play.", wager_touched),
    fraud(
        "tip_claimed_on_better_hand",
        "tip_on_wrong_hand",
        "A tip on a split hand that lost is paid for the other.",
        tip_claimed,
    ),
];

/// The seated player's main wager of a box.
fn main_of(wager: Wager) -> bool {
    wager.kind == WagerKind::Main && wager.bettor == Bettor::SEATED && !wager.tip
}

fn late_bet(desk: &mut Desk<'_>) -> Option<Wrong> {
    let boxes = desk.boxes();
    let last = boxes.last().copied().filter(|_| boxes.len() > 1)?;
    let bets = desk.steps(|act| matches!(act, Act::Bet(wager, _) if wager.box_no == last));
    let [bet] = bets.as_slice() else { return None };
    let first = desk.steps(|act| given(act).is_some()).first().copied()?;
    move_before(desk, &[*bet], first + 1);
    Some(at(Wager::on(last, Hand::A), "late_wager", format!("box {last} bet after the first card")))
}

/// A place behind the player of a box that nobody has taken.
fn free_place(desk: &Desk<'_>, outcome: &Outcome, main: Wager) -> Option<Wager> {
    let most = desk.rules().bettors_per_box;
    (2..=most).filter_map(Bettor::new).map(|bettor| main.by(bettor)).find(|wager| !outcome.has(*wager))
}

fn past_posting(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let decision = desk.first_decision()?;
    let good = |desk: &Desk<'_>, wager: Wager| {
        let plain = desk.is_plain(wager.box_no) && !outcome.is_split(wager.box_no) && !outcome.is_zapped(wager.box_no);
        plain && !outcome.is_natural(wager.place()) && !outcome.is_doubled(wager.place()) && !desk.rules().ante
    };
    let settled = any_settled(desk, &outcome, |settled| {
        main_of(settled.wager) && settled.step > decision && settled.due.is_paid()
    })?;
    let behind = free_place(desk, &outcome, settled.wager).filter(|_| good(desk, settled.wager))?;
    let stake = settled.chips;
    desk.insert(settled.step + 1, [Act::Pay(behind, stake)]);
    desk.insert(decision, [Act::Bet(behind, stake)]);
    Some(at(behind, "late_wager", format!("{stake} joined box {} when its cards were dealt", behind.box_no)))
}

fn past_posted_winner(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let begins = desk.settlement_begins()?;
    let settled = any_settled(desk, &outcome, |settled| {
        main_of(settled.wager) && settled.step >= begins && settled.due.is_paid()
    })?;
    let wager = settled.wager;
    let raised = outcome.is_split(wager.box_no) || outcome.is_zapped(wager.box_no) || outcome.is_doubled(wager.place());
    if raised || outcome.is_natural(wager.place()) || desk.rules().ante || settled.capped {
        return None;
    }
    let behind = free_place(desk, &outcome, wager)?;
    desk.insert(settled.step + 1, [Act::Bet(behind, settled.chips), Act::Pay(behind, settled.chips)]);
    Some(at(behind, "late_wager", format!("{} joined box {} once it was paid", settled.chips, wager.box_no)))
}

/// What a book that speaks of a side bet by name cites for one that comes late.
const LATE: [(SideBet, &str); 8] = [
    (SideBet::PerfectPair, "late_wager.perfect_pair"),
    (SideBet::AnyPair, "late_wager.any_pair"),
    (SideBet::LuckyMatch, "late_wager.lucky_match"),
    (SideBet::SuperSevens, "late_wager.super_sevens"),
    (SideBet::Madness21, "late_wager.madness21"),
    (SideBet::HouseMoney, "late_wager.house_money"),
    (SideBet::LetItRide, "late_wager.let_it_ride"),
    (SideBet::Push22, "late_wager.push22"),
];

fn late_side_bet(desk: &mut Desk<'_>) -> Option<Wrong> {
    // War and the progressive are settled while the cards still come: a late one would be late for that too.
    let in_time = [SideBet::War, SideBet::Blazing7];
    let bet = desk.any(|act| match act {
        Act::Bet(wager, _) => matches!(wager.kind, WagerKind::Side(bet) if !in_time.contains(&bet)) && !wager.tip,
        _ => false,
    })?;
    let Some(Act::Bet(wager, _)) = desk.act(bet).cloned() else { return None };
    let tipped = !desk.steps(|act| matches!(act, Act::Bet(other, _) if *other == wager.for_dealer())).is_empty();
    let first = desk.steps(|act| given(act).is_some()).first().copied()?;
    if tipped {
        return None;
    }
    move_before(desk, &[bet], first + 1);
    let own = LATE.iter().find(|(bet, _)| wager.kind == WagerKind::Side(*bet)).map(|(_, tag)| *tag);
    let tag = cited(desk, &[own.unwrap_or("late_wager.side"), "late_wager.side", "late_wager"])?;
    Some(at(wager, tag, format!("a side bet on box {} came after the first card", wager.box_no)))
}

/// A seated player's stake that is settled at the end, on a hand neither split nor raised, with nothing on top.
fn plain_stake(desk: &mut Desk<'_>, won: bool) -> Option<(Wager, Money, usize)> {
    let outcome = Outcome::of(&desk.round);
    let begins = desk.settlement_begins().filter(|_| desk.dealers_cards().len() > 1)?;
    let fits = |wager: Wager| {
        let raised =
            outcome.is_split(wager.box_no) || outcome.is_zapped(wager.box_no) || outcome.is_doubled(wager.place());
        let stacked =
            outcome.is_parlayed(wager) || outcome.has_ride(wager.box_no) || outcome.is_surrendered(wager.place());
        main_of(wager) && !raised && !stacked && !outcome.is_natural(wager.place()) && !outcome.is_insured(wager.box_no)
    };
    let settled = any_settled(desk, &outcome, |settled| {
        let due = if won { settled.due.is_paid() } else { settled.due.is_taken() };
        due && settled.step >= begins && fits(settled.wager)
    })?;
    let limit = desk.setup.limits.iter().find(|limit| limit.on == WagerKind::Main);
    let room = limit.is_none_or(|limit| settled.chips.plus(settled.chips).is_some_and(|twice| twice <= limit.max));
    (room || !won).then_some((settled.wager, settled.chips, settled.step))
}

fn changed(wager: Wager, how: &'static str, amount: Money, says: String) -> Wrong {
    on(wager, how, amount, Favours::Player, says)
}

fn capping(desk: &mut Desk<'_>) -> Option<Wrong> {
    let (wager, stake, step) = plain_stake(desk, true)?;
    let twice = stake.plus(stake)?;
    desk.replace(step, [Act::Pay(wager, twice)]);
    let decision = desk.first_decision()?;
    desk.insert(decision, [Act::Alter(wager, twice)]);
    let tag = cited(desk, &["wager_altered.raised", "wager_altered"])?;
    Some(changed(wager, tag, stake, format!("the stake on box {} grew from {stake} to {twice}", wager.box_no)))
}

fn pinching(desk: &mut Desk<'_>) -> Option<Wrong> {
    let (wager, stake, _) = plain_stake(desk, false)?;
    let half = Money::from_minor(stake.minor() / 200 * 100);
    if half == Money::ZERO {
        return None;
    }
    // Some have seen enough with the up card, some wait for their second.
    let seen = desk.initial_cards().into_iter().nth(desk.boxes().len())?;
    let when = if desk.dice.once_in(2) { seen + 1 } else { desk.first_decision()? };
    desk.insert(when, [Act::Alter(wager, half)]);
    let tag = cited(desk, &["wager_altered.lowered", "wager_altered"])?;
    Some(changed(
        wager,
        tag,
        stake.minus(half)?,
        format!("the stake on box {} shrank from {stake} to {half}", wager.box_no),
    ))
}

fn snatched(desk: &mut Desk<'_>) -> Option<Wrong> {
    let (wager, stake, step) = plain_stake(desk, false)?;
    let begins = desk.settlement_begins()?;
    desk.replace(step, []);
    desk.insert(begins, [Act::Alter(wager, Money::ZERO)]);
    let tag = cited(desk, &["wager_altered.removed", "wager_altered"])?;
    Some(changed(wager, tag, stake, format!("the stake of {stake} on box {} was taken back", wager.box_no)))
}

/// A card that makes a better hand of two.
fn better(held: Card, other: Card, than: Total) -> bool {
    Total::of([held, other]).is_some_and(|total| total.points > than.points && total.points < 21)
}

fn card_switch(desk: &mut Desk<'_>) -> Option<Wrong> {
    let stand = desk.any(|act| matches!(act, Act::Stand(_)))?;
    let Some(Act::Stand(place)) = desk.act(stand).cloned() else { return None };
    let outcome = Outcome::of(&desk.round);
    let no = place.box_no().filter(|no| desk.is_plain(*no) && !outcome.is_split(*no) && !outcome.is_zapped(*no))?;
    let [first, dealt] = outcome.cards(place)[..] else { return None };
    let than = Total::of([first, dealt])?;
    let sleeve = Card::from_index(desk.dice.below(Card::faces().count()));
    let held = sleeve.filter(|card| better(first, *card, than))?;
    let step = desk.steps(|act| given(act) == Some(place)).get(1).copied()?;
    let later = desk.steps(|act| matches!(act, Act::Card { card, .. } | Act::TurnUp(_, card) if *card == dealt));
    // Should the same face come again, nobody could tell that it was not this card; and a card face down may be any.
    if desk.rules().player_cards != PlayerCards::Up
        || desk.rules().hole_card
        || later.last().is_none_or(|last| *last > step)
    {
        return None;
    }
    desk.replace(step, [Act::Drawn(dealt), face_up(place, held)]);
    desk.settle_anew(step)?;
    let says = format!("box {no} was dealt {} and held {} instead", dealt.pretty(), held.pretty());
    Some(on_hand_of(place, "not_from_the_shoe", says))
}

fn claimed_natural(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let fits = |wager: Wager| {
        let made = outcome.points(wager.place()) == Some(21) && !outcome.is_natural(wager.place());
        let stacked = outcome.is_parlayed(wager) || outcome.has_ride(wager.box_no);
        made && main_of(wager) && !stacked && !outcome.is_split(wager.box_no) && !outcome.is_doubled(wager.place())
    };
    let settled = any_settled(desk, &outcome, |settled| settled.due.is_paid() && fits(settled.wager))?;
    let won = settled.chips.at(desk.rules().bj_pays).filter(|won| won.is_exact())?.whole;
    let over = won.minus(settled.paid()?)?;
    let how =
        if outcome.is_zapped(settled.wager.box_no) { "false_natural.zapped" } else { "false_natural.three_cards" };
    desk.replace(settled.step, [Act::Pay(settled.wager, won)]);
    let tag = cited(desk, &[how, "false_natural"])?;
    Some(on(
        settled.wager,
        tag,
        over,
        Favours::Player,
        format!("a 21 of box {} was paid as a natural", settled.wager.box_no),
    ))
}

fn cards_touched(desk: &mut Desk<'_>) -> Option<Wrong> {
    let stand = desk.any(|act| matches!(act, Act::Stand(_)))?;
    let Some(Act::Stand(Place::Box(no, _))) = desk.act(stand).cloned() else { return None };
    if desk.rules().players_touch_cards {
        return None;
    }
    desk.insert(stand, [Act::Touch(no, Touched::Cards)]);
    Some(on_hand_of(Place::Box(no, Hand::A), "touched.cards", format!("the player of box {no} touched the cards")))
}

fn wager_touched(desk: &mut Desk<'_>) -> Option<Wrong> {
    let stand = desk.any(|act| matches!(act, Act::Stand(_)))?;
    let Some(Act::Stand(place @ Place::Box(no, _))) = desk.act(stand).cloned() else { return None };
    let settled =
        desk.steps(|act| settles(act).is_some_and(|wager| wager.box_no == no && wager.kind == WagerKind::Main));
    if settled.first().is_none_or(|first| *first < stand) || Outcome::of(&desk.round).is_split(no) {
        return None;
    }
    desk.insert(stand, [Act::Touch(no, Touched::Wager)]);
    Some(on_hand_of(place, "touched.wager", format!("the player of box {no} touched the wager")))
}

fn tip_claimed(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let won = |wager: Wager| {
        outcome.settled.iter().any(|other| {
            other.wager.box_no == wager.box_no
                && other.wager.hand != wager.hand
                && other.due.is_paid()
                && other.wager.kind == WagerKind::Split
        })
    };
    let other_tips =
        |wager: Wager| outcome.wagers().filter(|(other, _)| other.tip && other.box_no == wager.box_no).count() > 1;
    let settled = any_settled(desk, &outcome, |settled| {
        let tip = settled.wager.tip && settled.wager.kind == WagerKind::Main && settled.wager.bettor == Bettor::SEATED;
        tip && settled.due.is_taken() && won(settled.wager) && !other_tips(settled.wager)
    })?;
    if outcome.dealer_has_natural() || outcome.is_bust(settled.wager.place()) {
        return None;
    }
    desk.replace(settled.step, [Act::Pay(settled.wager, settled.chips)]);
    let moved = settled.chips.plus(settled.taken()?)?;
    let says = format!("the tip on box {} was paid for a hand it did not stand on", settled.wager.box_no);
    Some(on(settled.wager, "tip_on_wrong_hand", moved, Favours::Player, says))
}
