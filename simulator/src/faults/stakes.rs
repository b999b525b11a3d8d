//! Doubles and splits for another stake than the rules ask, or on the house where it should be the player's.

use table::round::Stake;
use table::{Act, Bettor, Hand, Money, Place, Wager, WagerKind};

use super::chips::{Due, Outcome, Settled, any_settled, at, cited};
use super::{Desk, Lived, Wrong, mistake};

pub(super) const FAULTS: &[Lived] = &[
    mistake(
        "double_for_too_much",
        "double_stake_wrong",
        "A hand is doubled for more than its stake.",
        double_for_too_much,
    ),
    mistake(
        "double_for_too_little",
        "double_stake_wrong",
        "A hand is doubled for less than the rules allow.",
        double_for_too_little,
    ),
    mistake(
        "double_for_nothing",
        "double_stake_wrong",
        "A hand is doubled and no chips are put down.",
        double_for_nothing,
    ),
    mistake("split_for_half", "split_stake_wrong", "A hand is split for half its stake.", split_for_half),
    mistake("split_for_nothing", "split_stake_wrong", "A hand is split and no chips are put down.", split_for_nothing),
    mistake("free_split_of_tens", "free_split_of_tens", "Tens are split on a free bet.", free_split_of_tens),
    mistake("free_split_charged", "free_split_of_tens", "A split that is free is paid for in chips.", charged_split),
];

/// Settles a further stake for another amount than the lawful one; nothing is left of it if there were no chips.
fn resettle(desk: &mut Desk<'_>, settled: &Settled, amount: Money) {
    match settled.due {
        _ if amount == Money::ZERO => desk.replace(settled.step, []),
        Due::Paid(_) => desk.replace(settled.step, [Act::Pay(settled.wager, amount)]),
        Due::Taken(_) | Due::Pushed | Due::Returned => {}
    }
}

/// Doubles one hand for another amount than in the lawful round.
fn double_for(desk: &mut Desk<'_>, tags: &[&'static str], amount: impl Fn(Money) -> Option<Money>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let double = any_settled(desk, &outcome, |on| {
        on.wager.kind == WagerKind::Double && on.is_on_hand() && !on.free && on.wager.bettor == Bettor::SEATED
    })?;
    let own = double.wager.of_kind(WagerKind::stake(double.wager.hand));
    let step = desk.steps(|act| matches!(act, Act::Double(wager, _) if *wager == own)).first().copied()?;
    let amount = amount(double.chips)?;
    resettle(desk, &double, amount);
    desk.replace(step, [Act::Double(own, Stake::Chips(amount))]);
    Some(at(own, cited(desk, tags)?, format!("{amount} was put down to double {}", double.chips)))
}

fn double_for_too_much(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    // The lawful double may have been for less than the hand's stake: this is more than any hand plays for.
    let most = outcome.wagers().map(|(_, stake)| stake).max()?;
    double_for(desk, &["double_stake_wrong.over", "double_stake_wrong"], |stake| stake.plus(most)?.plus(most))
}

fn double_for_too_little(desk: &mut Desk<'_>) -> Option<Wrong> {
    double_for(desk, &["double_stake_wrong.under", "double_stake_wrong"], |_| Some(Money::from_minor(50)))
}

fn double_for_nothing(desk: &mut Desk<'_>) -> Option<Wrong> {
    double_for(desk, &["double_stake_wrong.missing", "double_stake_wrong"], |_| Some(Money::ZERO))
}

/// The stake of the second hand of a box that was split once and not doubled.
fn any_split(desk: &mut Desk<'_>, outcome: &Outcome, fits: impl Fn(&Settled) -> bool) -> Option<(Settled, usize)> {
    let third = Hand::new(2)?;
    let second = Hand::new(1)?;
    let split = any_settled(desk, outcome, |on| {
        let (wager, box_no) = (on.wager, on.wager.box_no);
        let once = wager.hand == second && outcome.cards(Place::Box(box_no, third)).is_empty();
        let own = wager.kind == WagerKind::Split && wager.bettor == Bettor::SEATED && !wager.tip;
        once && own && !outcome.is_doubled(wager.place()) && fits(on)
    })?;
    let first = Wager::on(split.wager.box_no, Hand::A);
    let step = desk.steps(|act| matches!(act, Act::Split(wager, _) if *wager == first)).first().copied()?;
    Some((split, step))
}

fn split_for(desk: &mut Desk<'_>, tags: &[&'static str], amount: impl Fn(Money) -> Money) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let (split, step) = any_split(desk, &outcome, |on| !on.free)?;
    let first = Wager::on(split.wager.box_no, Hand::A);
    let amount = amount(split.chips);
    resettle(desk, &split, amount);
    desk.replace(step, [Act::Split(first, Stake::Chips(amount))]);
    Some(at(first, cited(desk, tags)?, format!("{amount} was put down to split {}", split.chips)))
}

fn split_for_half(desk: &mut Desk<'_>) -> Option<Wrong> {
    split_for(desk, &["split_stake_wrong"], |stake| Money::from_minor(stake.minor() / 2))
}

fn split_for_nothing(desk: &mut Desk<'_>) -> Option<Wrong> {
    split_for(desk, &["split_stake_wrong.missing", "split_stake_wrong"], |_| Money::ZERO)
}

/// Splits for chips what was split free, or the other way round.
fn split_by(desk: &mut Desk<'_>, from_free: bool, to: Stake, tag: &'static str) -> Option<Wrong> {
    desk.rules().free_split.then_some(())?;
    let outcome = Outcome::of(&desk.round);
    let (split, step) = any_split(desk, &outcome, |on| on.free == from_free && !on.capped)?;
    let first = Wager::on(split.wager.box_no, Hand::A);
    // Parlayed winnings and chips that ride make the stake of a split more than the hand's own.
    (outcome.stake(first) == Some(split.chips)).then_some(())?;
    desk.replace(step, [Act::Split(first, to)]);
    let put = if from_free { "chips were" } else { "a lammer was" };
    Some(at(first, cited(desk, &[tag])?, format!("{put} put down to split box {}", first.box_no)))
}

fn free_split_of_tens(desk: &mut Desk<'_>) -> Option<Wrong> {
    split_by(desk, false, Stake::Free, "free_split_of_tens")
}

fn charged_split(desk: &mut Desk<'_>) -> Option<Wrong> {
    split_by(desk, true, Stake::Full, "free_split_of_tens.charged")
}
