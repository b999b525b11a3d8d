//! What goes on after a side bet is decided, gone wrong: War winnings on the hand, chips that ride, the prize button
//! and the progressive meter.

use auditor::sidebet::MADNESS_PRIZES;
use table::{Act, Favours, Money, SideBet, Wager, WagerKind};

use super::chips::{Due, Outcome, Settled, any_settled, at, cited, decides, move_before, on, on_table};
use super::{Desk, Lived, Wrong, mistake};

pub(super) const FAULTS: &[Lived] = &[
    mistake(
        "war_settled_left_to_right",
        "war_settled_left_to_right",
        "War is settled from the dealer's left.",
        war_from_left,
    ),
    mistake("war_paid_late", "war_paid_late", "War is settled only after second cards are dealt.", war_late),
    mistake(
        "parlay_with_stake",
        "parlay_with_stake",
        "The War stake goes on the main wager with its winnings.",
        parlay_with_stake,
    ),
    mistake(
        "parlay_partial",
        "parlay_partial",
        "Only half of the War winnings goes on the main wager.",
        parlay_partial,
    ),
    mistake(
        "parlay_stake_not_returned",
        "parlay_stake_not_returned",
        "War winnings go on the main wager, and the stake is kept by the house.",
        parlay_stake_kept,
    ),
    mistake(
        "ridden_pushed",
        "ridden_settled_apart",
        "Chips that ride are pushed although their hand won or lost.",
        ridden_pushed,
    ),
    mistake(
        "ridden_lost_hand_paid",
        "ridden_settled_apart",
        "Chips that ride are paid although their hand lost.",
        ridden_paid,
    ),
    mistake(
        "ride_after_decision",
        "ride_after_decision",
        "Chips are let ride after the hand has begun to play.",
        ride_late,
    ),
    mistake(
        "taken_chips_still_played",
        "taken_chips_still_played",
        "Chips that were taken down are paid with the hand as if they rode.",
        taken_chips_played,
    ),
    mistake(
        "madness_other_prize_paid",
        "madness_display_differs",
        "Another prize is paid than the button shows.",
        other_prize,
    ),
    mistake(
        "madness_prize_unread",
        "madness_display_differs",
        "A prize is paid and the display showed none.",
        unread_prize,
    ),
    mistake(
        "madness_prize_off_table",
        "madness_prize_off_table",
        "The button shows a prize it cannot give.",
        prize_off_table,
    ),
    mistake("meter_not_fed", "meter_growth_wrong", "The meter does not grow by the stakes.", meter_not_fed),
    mistake(
        "blazing_stake_left",
        "blazing_stake_left",
        "A progressive stake is still down when the deal begins.",
        stake_left,
    ),
];

fn is_war(settled: &Settled) -> bool {
    settled.wager.kind == WagerKind::Side(SideBet::War)
}

fn war_from_left(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let wars: Vec<&Settled> = outcome.settled.iter().filter(|on| is_war(on)).collect();
    let (first, last) = (wars.first()?, wars.last()?);
    (first.wager.box_no != last.wager.box_no).then_some(())?;
    let of_last = |act: &Act| match act {
        Act::Pay(wager, _) | Act::Take(wager, _) => wager.kind == last.wager.kind && wager.box_no == last.wager.box_no,
        Act::Parlay(wager, _) => wager.box_no == last.wager.box_no,
        _ => false,
    };
    let steps = desk.steps(of_last);
    move_before(desk, &steps, first.step);
    let says = format!("War on box {} was settled before box {}", last.wager.box_no, first.wager.box_no);
    Some(on_table(cited(desk, &["war_settled_left_to_right"])?, says))
}

fn war_late(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let lowest = outcome.settled.iter().filter(|on| is_war(on)).map(|on| on.wager.box_no).min()?;
    let war = any_settled(desk, &outcome, |on| {
        let alone = !outcome.has(on.wager.for_dealer()) && !on.wager.tip;
        is_war(on) && alone && on.wager.box_no == lowest && !outcome.is_parlayed(on.wager)
    })?;
    let second = desk.steps(|act| matches!(act, Act::Card { .. })).into_iter().find(|step| *step > war.step)?;
    move_before(desk, &[war.step], second + 1);
    let says = format!("War on box {} was settled after second cards had come", war.wager.box_no);
    Some(on_table(cited(desk, &["war_paid_late"])?, says))
}

/// Puts another amount of War winnings on a main wager, and lets the hand be settled for what then stands there.
fn parlay(desk: &mut Desk<'_>, tag: &'static str, amount: impl Fn(Money, Money) -> Option<Money>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let main = any_settled(desk, &outcome, |on| {
        let (place, box_no) = (on.wager.place(), on.wager.box_no);
        let whole = !outcome.is_split(box_no) && !outcome.is_doubled(place) && !outcome.is_surrendered(place);
        on.is_on_hand() && on.capped && whole && !outcome.is_natural(place) && !outcome.is_insured(box_no)
    })?;
    let stake = outcome.stake(main.wager.of_kind(WagerKind::Side(SideBet::War)))?;
    let step = desk.steps(|act| matches!(act, Act::Parlay(wager, _) if *wager == main.wager)).first().copied()?;
    let Some(Act::Parlay(_, won)) = desk.act(step).cloned() else { return None };
    let put = amount(won, stake).filter(|put| *put > Money::ZERO)?;
    let stands = main.chips.minus(won)?.plus(put)?;
    match main.due {
        Due::Paid(_) => desk.replace(main.step, [Act::Pay(main.wager, stands)]),
        Due::Taken(_) => desk.replace(main.step, [Act::Take(main.wager, Some(stands))]),
        Due::Pushed | Due::Returned => {}
    }
    desk.replace(step, [Act::Parlay(main.wager, put)]);
    Some(at(main.wager, cited(desk, &[tag])?, format!("War won {won} and {put} went on the main wager")))
}

fn parlay_with_stake(desk: &mut Desk<'_>) -> Option<Wrong> {
    parlay(desk, "parlay_with_stake", |won, stake| won.plus(stake))
}

fn parlay_partial(desk: &mut Desk<'_>) -> Option<Wrong> {
    parlay(desk, "parlay_partial", |won, _| Some(Money::from_minor(won.minor() / 2)))
}

fn parlay_stake_kept(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let war = any_settled(desk, &outcome, |on| {
        is_war(on) && on.due.is_paid() && !on.wager.tip && outcome.is_parlayed(on.wager)
    })?;
    desk.insert(war.step + 1, [Act::Take(war.wager, None)]);
    let says = format!("the War stake of {} on box {} was kept", war.chips, war.wager.box_no);
    Some(on(war.wager, cited(desk, &["parlay_stake_not_returned"])?, war.chips, Favours::House, says))
}

/// The settlement of chips that rode, with the first of these tags that names the bet.
fn any_ridden(
    desk: &mut Desk<'_>,
    outcome: &Outcome,
    tags: [&'static str; 2],
    fits: impl Fn(&Settled) -> bool,
) -> Option<(Settled, &'static str)> {
    let rode = any_settled(desk, outcome, |on| outcome.rides(on.wager) && on.before == 1 && fits(on))?;
    let [house_money, let_it_ride] = tags;
    let tag = if rode.wager.kind == WagerKind::Side(SideBet::HouseMoney) { house_money } else { let_it_ride };
    Some((rode, cited(desk, &[tag])?))
}

const APART: [&str; 2] = ["ridden_settled_apart.house_money", "ridden_settled_apart.let_it_ride"];

fn ridden_pushed(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let (rode, tag) = any_ridden(desk, &outcome, APART, |on| on.due != Due::Pushed)?;
    desk.replace(rode.step, [Act::Push(rode.wager)]);
    let says = format!("{} rode on a hand that was decided and was pushed", rode.wager);
    Some(match rode.due {
        Due::Paid(won) => on(rode.wager, tag, won, Favours::House, says),
        _ => on(rode.wager, tag, rode.taken()?, Favours::Player, says),
    })
}

fn ridden_paid(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let surrendered = |on: &Settled| outcome.is_surrendered(on.wager.place());
    let (rode, tag) = any_ridden(desk, &outcome, APART, |on| on.due.is_taken() && !surrendered(on))?;
    let lost = rode.taken()?;
    desk.replace(rode.step, [Act::Pay(rode.wager, lost)]);
    let says = format!("{} rode on a lost hand and was paid {lost}", rode.wager);
    Some(on(rode.wager, tag, lost.plus(lost)?, Favours::Player, says))
}

/// The stake of a side bet and what it won.
fn all_won(outcome: &Outcome, wager: Wager) -> Option<Money> {
    let won = outcome.settled.iter().find(|on| on.wager == wager)?;
    won.chips.plus(won.paid()?)
}

fn ride_late(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let tags = ["ride_after_decision.house_money", "ride_after_decision.let_it_ride"];
    let (rode, tag) = any_ridden(desk, &outcome, tags, |on| {
        let (place, box_no) = (on.wager.place(), on.wager.box_no);
        !outcome.is_split(box_no) && !outcome.is_doubled(place) && !outcome.is_surrendered(place)
    })?;
    let ride = desk.steps(|act| matches!(act, Act::Ride(wager, _) if *wager == rode.wager)).first().copied()?;
    let decision = desk.steps(|act| decides(act) == Some(rode.wager.place())).first().copied()?;
    (decision > ride && decision < rode.step).then_some(())?;
    // A card that was asked for comes before anything else.
    let after = if matches!(desk.act(decision), Some(Act::Hit(_))) { decision + 2 } else { decision + 1 };
    (after < rode.step).then_some(())?;
    move_before(desk, &[ride], after);
    Some(at(rode.wager, tag, format!("{} was let ride after a decision", rode.wager)))
}

fn taken_chips_played(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let main_of =
        |on: &Settled| outcome.settlement(on.wager.of_kind(WagerKind::Main)).filter(|main| main.due.is_paid());
    let taken_down = any_settled(desk, &outcome, |on| {
        let rides = matches!(on.wager.kind, WagerKind::Side(SideBet::HouseMoney | SideBet::LetItRide));
        rides && on.due.is_paid() && !outcome.rides(on.wager) && main_of(on).is_some_and(|main| main.step > on.step)
    })?;
    let all = all_won(&outcome, taken_down.wager)?;
    let main = main_of(&taken_down)?;
    let house_money = taken_down.wager.kind == WagerKind::Side(SideBet::HouseMoney);
    let tag = if house_money { "taken_chips_still_played.house_money" } else { "taken_chips_still_played.let_it_ride" };
    desk.insert(main.step + 1, [Act::Pay(taken_down.wager, all)]);
    let says = format!("{} was taken down and {all} was paid with the hand", taken_down.wager);
    Some(on(taken_down.wager, cited(desk, &[tag])?, all, Favours::Player, says))
}

/// A Madness 21 win with the step that shows its prize.
fn any_prize(desk: &mut Desk<'_>, outcome: &Outcome) -> Option<(Settled, usize, Money)> {
    let kind = WagerKind::Side(SideBet::Madness21);
    let won = any_settled(desk, outcome, |on| on.wager.kind == kind && on.due.is_paid())?;
    let shown = won.step.checked_sub(1)?;
    match desk.act(shown) {
        Some(Act::Prize(_, prize)) => Some((won, shown, *prize)),
        _ => None,
    }
}

/// A prize for every unit of a stake.
fn prize_on(stake: Money, prize: Money) -> Option<Money> {
    Some(Money::from_minor(stake.minor().checked_mul(prize.minor())? / 100))
}

fn other_prize(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let (won, _, prize) = any_prize(desk, &outcome)?;
    let prizes = MADNESS_PRIZES.map(|(units, _)| Money::from_minor(i64::from(units) * 100));
    let other: Vec<Money> = prizes.into_iter().filter(|other| *other != prize).collect();
    let other = prize_on(won.chips, *desk.dice.pick(&other)?)?;
    let paid = won.paid()?;
    let (moved, favours) = match other > paid {
        true => (other.minus(paid)?, Favours::Player),
        false => (paid.minus(other)?, Favours::House),
    };
    desk.replace(won.step, [Act::Pay(won.wager, other)]);
    let says = format!("the button gave {prize} for every unit and {other} was paid on {}", won.chips);
    Some(on(won.wager, cited(desk, &["madness_display_differs"])?, moved, favours, says))
}

fn unread_prize(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let (won, shown, _) = any_prize(desk, &outcome)?;
    desk.replace(shown, []);
    let says = format!("{} was paid and the display showed no prize", won.wager);
    Some(at(won.wager, cited(desk, &["madness_display_differs.unread", "madness_display_differs"])?, says))
}

fn prize_off_table(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let (won, shown, _) = any_prize(desk, &outcome)?;
    let prize = Money::from_minor(6000);
    desk.replace(won.step, [Act::Pay(won.wager, prize_on(won.chips, prize)?)]);
    desk.replace(shown, [Act::Prize(won.wager, prize)]);
    Some(at(won.wager, cited(desk, &["madness_prize_off_table"])?, format!("the button gave {prize} for every unit")))
}

fn meter_not_fed(desk: &mut Desk<'_>) -> Option<Wrong> {
    let shown = desk.steps(|act| matches!(act, Act::Meter(_)));
    let [before, after, ..] = shown[..] else { return None };
    let Some(Act::Meter(old)) = desk.act(before).cloned() else { return None };
    // A share of a meter that did not grow would be another amount too.
    (shown.len() == 2 && desk.steps(|act| matches!(act, Act::Supervisor)).is_empty()).then_some(())?;
    desk.replace(after, [Act::Meter(old)]);
    Some(on_table(cited(desk, &["meter_growth_wrong"])?, format!("stakes were taken and the meter stayed at {old}")))
}

fn stake_left(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let kind = WagerKind::Side(SideBet::Blazing7);
    let stake = any_settled(desk, &outcome, |on| on.wager.kind == kind && on.before == 0)?;
    let first = desk.steps(|act| matches!(act, Act::Card { .. })).first().copied()?;
    move_before(desk, &[stake.step], first + 1);
    let says = format!("the progressive stake of box {} was taken after the first card", stake.wager.box_no);
    Some(Wrong { hand: None, ..at(stake.wager, cited(desk, &["blazing_stake_left"])?, says) })
}
