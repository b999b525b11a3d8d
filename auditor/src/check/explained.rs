//! Settlements that are wrong in one particular way, which a check of its own looks for.

use table::{Bettor, Hand, Wager, WagerKind};

use super::compare::wrong;
use super::due::{Wrong, hand_due};
use crate::hand::{DealerHand, End, PlayerHand};
use crate::replay::{Standing, Table};
use crate::rules::{BackSplit, OverMax};
use crate::settle::{self, Due, Stakes};

/// What explains a wrong settlement of a hand's stake, if one of these does.
pub(super) fn by(table: &Table<'_>, standing: &Standing, dealer: DealerHand<'_>) -> Option<Wrong> {
    if !matches!(standing.wager.kind, WagerKind::Main | WagerKind::Split | WagerKind::Double) {
        return None;
    }
    let fits = |due: Option<Due>| due.is_some_and(|due| wrong(due, standing, table) == Wrong::No);
    if fits(without_maximum(table, standing, dealer)) {
        return Some(Wrong::ExcessSettled);
    }
    if fits(without_even_money(table, standing, dealer)) {
        return Some(Wrong::AsIfNotAsked);
    }
    let follows = standing.wager.bettor != Bettor::SEATED || standing.wager.tip;
    let is_free_to_choose = table.rules.back_split == BackSplit::Either && !standing.wager.tip;
    // Whoever doubled with a hand has chosen that one.
    let doubled = table.wagers.get(standing.wager.of_kind(WagerKind::Double)).is_some();
    let may_follow = follows && standing.wager.kind == WagerKind::Main && !doubled;
    let by_other = may_follow && other_hands(table, standing, dealer).any(fits);
    by_other.then_some(if is_free_to_choose { Wrong::No } else { Wrong::ByOtherHand })
}

/// What an over-limit wager would be due if there were no limit.
fn without_maximum(table: &Table<'_>, standing: &Standing, dealer: DealerHand<'_>) -> Option<Due> {
    let most = table.table_max(standing.wager.box_no)?;
    if table.rules.over_max != OverMax::SettleToMax || standing.stake <= most {
        return None;
    }
    let (due, _) = hand_due(table, standing.wager, dealer, None)?;
    if standing.wager.kind == WagerKind::Double { due.double } else { Some(due.base) }
}

/// What a natural that asked for even money would be due if it had not.
fn without_even_money(table: &Table<'_>, standing: &Standing, dealer: DealerHand<'_>) -> Option<Due> {
    // What is paid otherwise on the spot is a wrong amount; only later it is as if nobody had asked.
    if standing.even_money.is_none() || !standing.fate.after_draw {
        return None;
    }
    let hand = table.hand(standing.wager.place())?;
    on_play(table, standing, &PlayerHand { end: End::Played, ..hand.play.clone() }, dealer)
}

/// What a wager that stayed on the first hand would be due on the other hands of its box, or on the cards exchanged.
fn other_hands<'t>(
    table: &'t Table<'_>,
    standing: &'t Standing,
    dealer: DealerHand<'t>,
) -> impl Iterator<Item = Option<Due>> + 't {
    let state = table.box_at(standing.wager.box_no);
    let splits = (1..u8::try_from(state.hands.len()).unwrap_or(1)).filter_map(Hand::new);
    let unsplit = splits.clone().all(|hand| {
        let stake = Wager { hand, kind: WagerKind::Split, ..standing.wager };
        table.wagers.get(stake).is_none_or(|stake| stake.withdrawn)
    });
    let others = splits.filter(move |_| unsplit).filter_map(|hand| state.hands.get(hand.index()));
    let others = others.map(move |hand| on_play(table, standing, &hand.play, dealer));
    let exchanged = state.zap.map(|_| {
        let cards = state.initial.iter().copied().collect();
        on_play(table, standing, &PlayerHand { cards, ..PlayerHand::default() }, dealer)
    });
    others.chain(exchanged)
}

fn on_play(table: &Table<'_>, standing: &Standing, play: &PlayerHand, dealer: DealerHand<'_>) -> Option<Due> {
    let stakes = Stakes { base: standing.stake, cap: standing.cap, ..Stakes::default() };
    let most = table.table_max(standing.wager.box_no);
    settle::on_box(table.rules, dealer, &[(play, stakes)], most)?.first().map(|due| due.base)
}
