//! What became of a wager, held against what it was due.

use table::{Money, SideBet, Wager, WagerKind, Winnings};

use super::due::{Judgement, Wrong};
use super::explained;
use crate::hand::DealerHand;
use crate::replay::{Standing, Table};
use crate::settle::{Due, Verdict};

/// Says how what was seen differs from what is due, and by how much.
pub(super) fn compare(judgement: &mut Judgement<'_>, table: &Table<'_>, dealer: DealerHand<'_>) {
    let Some(due) = judgement.due else { return };
    let standing = judgement.standing;
    let wrong = wrong(due, standing, table);
    if wrong == Wrong::No {
        return;
    }
    let excused = standing.fate.returned && is_nothing(standing) && may_be_returned(table, standing);
    let right = excused || is_right_together(judgement, table) || is_right_on_the_box(judgement, table);
    if right || went_with_war(table, standing) {
        return;
    }
    let as_dealt = judgement.due_as_dealt.map(|due| self::wrong(due, standing, table));
    judgement.wrong = match as_dealt {
        Some(Wrong::No) => Wrong::ByDealersHand,
        _ if standing.fate.steps > settlements(standing) && !matches!(standing.wager.kind, WagerKind::Side(_)) => {
            Wrong::Twice
        }
        _ => explained::by(table, standing, dealer).unwrap_or(wrong),
    };
    if judgement.wrong == Wrong::No {
        return;
    }
    judgement.gain = due.net().and_then(|owed| own_net(standing).minus(owed)).unwrap_or_default();
}

/// How many steps it lawfully takes to settle a wager.
const fn settlements(standing: &Standing) -> u8 {
    match standing.wager.kind {
        WagerKind::Side(SideBet::Blazing7) => 2,
        _ if standing.ridden.is_some() => 2,
        _ => 1,
    }
}

/// What was won or lost by the wager itself: chips that rode on are another matter, and so is a progressive stake that
/// was not moved to the tray in time.
fn own_net(standing: &Standing) -> Money {
    let net = match standing.wager.kind {
        WagerKind::Side(SideBet::Blazing7) => standing.fate.paid.unwrap_or_default().minus(standing.stake),
        _ if standing.ridden.is_some() => standing.net_before_ride,
        _ => standing.fate.net(),
    };
    net.unwrap_or_default()
}

fn is_nothing(standing: &Standing) -> bool {
    standing.fate.paid.is_none() && standing.fate.taken.is_none()
}

/// Whether the rules give a reason to hand a wager back: it came late, is outside the limits, stands alone, or the fee
/// for it was not paid.
pub(super) fn may_be_returned(table: &Table<'_>, standing: &Standing) -> bool {
    let wager = standing.wager;
    let Some(main) = table.wagers.main_of(wager) else { return true };
    let first = matches!(wager.kind, WagerKind::Main | WagerKind::Side(_));
    let outside = table.limit(wager.kind).is_some_and(|limit| standing.stake < limit.min || standing.stake > limit.max);
    (first && standing.late) || main.late || outside || table.box_at(wager.box_no).misdealt || lacks_ante(table, main)
}

fn lacks_ante(table: &Table<'_>, main: &Standing) -> bool {
    let rules = table.rules;
    let ante = Wager { tip: false, ..main.wager.of_kind(WagerKind::Ante) };
    let waived = rules.ante_waive_at.is_some_and(|from| main.stake >= from);
    rules.ante && !waived && table.wagers.get(ante).is_none()
}

/// Whether one stake of a split or doubled box went to the dealer's natural, as it should, though it was not the one
/// we take for the original.
fn is_right_on_the_box(judgement: &Judgement<'_>, table: &Table<'_>) -> bool {
    let wager = judgement.wager();
    let stakes = table.wagers.on_box(wager.box_no).filter(|standing| {
        let other = standing.wager;
        let on_hand = matches!(other.kind, WagerKind::Main | WagerKind::Split | WagerKind::Double);
        on_hand && other.bettor == wager.bettor && other.tip == wager.tip
    });
    let seen = stakes.map(|standing| standing.fate.net()).try_fold(Money::ZERO, |sum, net| sum.plus(net?));
    judgement.box_due.is_some() && judgement.box_due == seen
}

/// Whether a doubled hand's two stakes were settled as one: the sum is right though one of them was not touched. Half of
/// a doubled hand may be given up as one of its two stakes.
fn is_right_together(judgement: &Judgement<'_>, table: &Table<'_>) -> bool {
    let (Some(due), Some(sibling_due)) = (judgement.due, judgement.sibling) else { return false };
    let standing = judgement.standing;
    let wager = standing.wager;
    let kind = if wager.kind == WagerKind::Double { WagerKind::stake(wager.hand) } else { WagerKind::Double };
    let Some(sibling) = table.wagers.get(wager.of_kind(kind)) else { return false };
    let halved = judgement.ruling.is_some_and(|ruling| ruling.verdict == Verdict::LoseHalf);
    let as_one = standing.fate.is_settled() != sibling.fate.is_settled();
    let sum = |a: Option<Money>, b: Option<Money>| a?.plus(b?);
    let seen = sum(standing.fate.net(), sibling.fate.net());
    (as_one || halved) && seen.is_some() && seen == sum(due.net(), sibling_due.net())
}

/// Whether a main wager was taken together with a lost War bet, before its hand was even dealt: that is a wrong of its
/// own, whatever the hand came to.
fn went_with_war(table: &Table<'_>, standing: &Standing) -> bool {
    let war = standing.wager.of_kind(WagerKind::Side(SideBet::War));
    standing.wager.kind == WagerKind::Main
        && standing.fate.in_deal
        && standing.fate.taken.is_some()
        && table.wagers.get(war).is_some()
}

/// Whether an amount seen is the exact one, or the next minor unit where the exact one is none.
fn is_amount(seen: Money, exact: Winnings) -> bool {
    seen == exact.whole || (!exact.is_exact() && Some(seen) == exact.whole.plus(Money::from_minor(1)))
}

/// How what was seen differs from a due.
pub(super) fn wrong(due: Due, standing: &Standing, table: &Table<'_>) -> Wrong {
    let fate = &standing.fate;
    let net = own_net(standing);
    let nothing = net == Money::ZERO;
    let costless = |exact: Winnings| exact.whole == Money::ZERO && exact.is_exact();
    match due {
        Due::Pay(won) if is_amount(net, won) => Wrong::No,
        // Winnings stacked on their stake and let ride may go unmentioned.
        Due::Pay(_) if standing.ridden.is_some() && standing.net_before_ride.is_none() => Wrong::No,
        Due::Pay(_) if net.is_negative() => Wrong::WinTaken,
        Due::Pay(_) if nothing && (fate.pushed || fate.returned) => Wrong::WinPushed,
        Due::Pay(_) if nothing => Wrong::WinLeft,
        Due::Pay(_) => Wrong::WinPaidWrong,
        Due::Take(lost)
            if is_amount(Money::ZERO.minus(net).unwrap_or_default(), lost) && (!nothing || costless(lost)) =>
        {
            Wrong::No
        }
        Due::Take(_) if net > Money::ZERO => Wrong::LossPaid,
        Due::Take(_) if nothing => Wrong::LossLeft,
        Due::Take(_) => Wrong::LossTakenWrong,
        Due::Push if nothing => Wrong::No,
        Due::Push if net.is_negative() => Wrong::PushTaken,
        Due::Push => Wrong::PushPaid,
        Due::Return if !nothing => Wrong::VoidSettled,
        Due::Return if fate.returned || fate.pushed || !table.ended => Wrong::No,
        Due::Return => Wrong::VoidLeft,
    }
}
