//! Patterns that no single round shows: a dealer who is generous to a friend.

use table::{Act, AtStake, Favours, WagerKind};

use super::{Desk, Lived, Wrong};
use crate::truth::Kind;

pub(super) const FAULTS: &[Lived] = &[Lived {
    name: "friend_overpaid",
    kind: Kind::Collusion,
    what: "One dealer pays the winning hands of one box too much, shift after shift.",
    check: Some("win_paid_wrong"),
    spoil: friend_overpaid,
}];

fn friend_overpaid(desk: &mut Desk<'_>) -> Option<Wrong> {
    let friend = desk.friend?;
    let is_it = |act: &Act| matches!(act, Act::Pay(wager, _) if wager.box_no == friend && wager.kind == WagerKind::Main && !wager.tip);
    let step = desk.any(is_it)?;
    let Some(Act::Pay(wager, amount)) = desk.act(step).cloned() else { return None };
    let layout = desk.before(step);
    // A natural is paid at odds of its own: too much for that is another fault.
    if layout.wagers.get(&wager)?.stake != amount || layout.hands.get(&wager.place())?.total()?.points == 21 {
        return None;
    }
    desk.replace(step, [Act::Pay(wager, amount.plus(amount)?)]);
    Some(Wrong {
        tag: "win_paid_wrong",
        box_no: Some(friend),
        hand: Some(wager.hand),
        money: Some(AtStake { amount, favours: Favours::Player }),
        says: format!("the dealer paid a friend on box {friend} {amount} too much"),
    })
}
