//! Wagers paid, taken and left the wrong way.

use table::{Act, AtStake, Favours, Money, Place, Wager, WagerKind};

use super::{Desk, Lived, Wrong};
use crate::truth::Kind;

pub(super) const FAULTS: &[Lived] = &[Lived {
    name: "paid_a_push",
    kind: Kind::Dealer,
    what: "A hand that stood off is paid as if it had won.",
    check: Some("paid_a_push"),
    spoil: paid_a_push,
}];

/// Whether a wager stands on the hand itself, not beside it.
fn is_on_hand(wager: &Wager) -> bool {
    matches!(wager.kind, WagerKind::Main | WagerKind::Double | WagerKind::Split) && !wager.tip
}

/// A wrong on one wager that moved chips.
fn on(wager: Wager, tag: &'static str, amount: Money, favours: Favours, says: String) -> Wrong {
    let money = Some(AtStake { amount, favours });
    Wrong { tag, box_no: Some(wager.box_no), hand: Some(wager.hand), money, says }
}

fn paid_a_push(desk: &mut Desk<'_>) -> Option<Wrong> {
    let step = desk.any(|act| matches!(act, Act::Push(wager) if is_on_hand(wager)))?;
    let Some(Act::Push(wager)) = desk.act(step).cloned() else { return None };
    let layout = desk.before(step);
    // A natural sends extra stakes back: that is no stand-off.
    if layout.hands.get(&Place::Dealer)?.cards.len() == 2 && wager.kind != WagerKind::Main {
        return None;
    }
    let stake = layout.wagers.get(&wager)?.stake;
    desk.replace(step, [Act::Pay(wager, stake)]);
    let says = format!("box {} was paid {stake} for a stand-off", wager.box_no);
    Some(on(wager, "paid_a_push", stake, Favours::Player, says))
}
