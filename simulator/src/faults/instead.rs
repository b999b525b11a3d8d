//! A wager settled in another way than it should be.

use auditor::rules::Dealer22;
use table::{Act, Favours, Money, Place};

use super::chips::{Due, Outcome, Settled, any_settled, cited, on};
use super::{Desk, Wrong};

/// A settlement that goes another way: what is done instead, what that moves and for whom.
pub(super) struct Instead {
    /// What is done.
    pub(super) acts: Vec<Act>,
    /// What that moves beside what was due.
    pub(super) moved: Money,
    /// For whom.
    pub(super) favours: Favours,
}

/// Settles one of the wagers that fit in another way.
pub(super) fn otherwise(
    desk: &mut Desk<'_>,
    fits: impl Fn(&Outcome, &Settled) -> bool,
    tags: impl Fn(&Outcome, &Settled) -> Vec<&'static str>,
    how: impl Fn(&Settled) -> Option<Instead>,
) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let settled =
        any_settled(desk, &outcome, |settled| outcome.is_tied_to_hand(settled.wager) && fits(&outcome, settled))?;
    let tag = cited(desk, &tags(&outcome, &settled))?;
    let Instead { acts, moved, favours } = how(&settled)?;
    // A round in which nothing at all is settled does not show its payments.
    (!acts.is_empty() || outcome.settled.len() > 1).then_some(())?;
    let says = told(&settled, &acts);
    desk.replace(settled.step, acts);
    Some(on(settled.wager, tag, moved, favours, says))
}

/// What was done instead of what was due, in a sentence.
pub(super) fn told(settled: &Settled, acts: &[Act]) -> String {
    let due = match settled.due {
        Due::Paid(won) => format!("be paid {won}"),
        Due::Taken(lost) => format!("lose {lost}"),
        Due::Pushed => "stand off".to_owned(),
        Due::Returned => "be handed back".to_owned(),
    };
    let done = match acts {
        [] => "was left".to_owned(),
        [Act::Pay(_, paid)] => format!("was paid {paid}"),
        [Act::Take(_, Some(part))] => format!("lost {part}"),
        [Act::Take(..)] => "was taken".to_owned(),
        [Act::Push(_)] => "was pushed".to_owned(),
        [Act::Return(_)] => "was handed back".to_owned(),
        _ => "was paid twice".to_owned(),
    };
    format!("wager {} of {} should {due} and {done}", settled.wager, settled.chips)
}

pub(super) fn take_all(settled: &Settled) -> Option<Instead> {
    let lost = settled.chips.plus(settled.paid().unwrap_or_default())?;
    Some(Instead { acts: vec![settled.take()], moved: lost, favours: Favours::House })
}

pub(super) fn pay_even(settled: &Settled) -> Option<Instead> {
    let won = settled.chips.plus(settled.taken().unwrap_or_default())?;
    Some(Instead { acts: vec![Act::Pay(settled.wager, settled.chips)], moved: won, favours: Favours::Player })
}

pub(super) fn push(settled: &Settled) -> Option<Instead> {
    Some(kept(settled, vec![Act::Push(settled.wager)]))
}

pub(super) fn overlook(settled: &Settled) -> Option<Instead> {
    Some(kept(settled, Vec::new()))
}

/// The stake stays where it is: a winner misses the win, a loser keeps the stake.
pub(super) fn kept(settled: &Settled, acts: Vec<Act>) -> Instead {
    let (moved, favours) = match settled.due {
        Due::Paid(won) => (won, Favours::House),
        Due::Taken(lost) => (lost, Favours::Player),
        Due::Pushed | Due::Returned => (Money::ZERO, Favours::None),
    };
    Instead { acts, moved, favours }
}

/// Pays another amount than the one due.
pub(super) fn pay(settled: &Settled, amount: Money) -> Option<Instead> {
    let due = settled.paid().filter(|due| *due != amount && amount > Money::ZERO)?;
    let (moved, favours) = match amount > due {
        true => (amount.minus(due)?, Favours::Player),
        false => (due.minus(amount)?, Favours::House),
    };
    Some(Instead { acts: vec![Act::Pay(settled.wager, amount)], moved, favours })
}

pub(super) fn is_pushing_22(desk: &Desk<'_>, outcome: &Outcome) -> bool {
    desk.rules().dealer22 == Dealer22::Push && outcome.points(Place::Dealer) == Some(22)
}

/// Stands on a hand that lost and was not given up.
pub(super) fn is_loser(outcome: &Outcome, settled: &Settled) -> bool {
    settled.is_on_hand() && settled.due.is_taken() && !outcome.is_surrendered(settled.wager.place())
}

/// Stands on a hand that won as an ordinary hand does.
pub(super) fn is_winner(outcome: &Outcome, settled: &Settled) -> bool {
    let natural = outcome.is_natural(settled.wager.place());
    settled.is_on_hand() && settled.due.is_paid() && !natural && !settled.free
}

/// Why an ordinary hand won, as a tag.
pub(super) fn winning(outcome: &Outcome, _: &Settled) -> Vec<&'static str> {
    let why = if outcome.is_bust(Place::Dealer) { "win_not_paid.dealer_bust" } else { "win_not_paid.higher" };
    vec![why, "win_not_paid"]
}

/// The smallest chip in the tray.
pub(super) const CHIP: Money = Money::from_minor(100);
