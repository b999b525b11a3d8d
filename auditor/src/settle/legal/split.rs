//! Splits: how many hands, of which cards, for which stakes.

use table::{Card, Money, Rank};

use super::super::case::Action;
use super::{Lawful, Matter, ensure};
use crate::rules::SplitBy;

const SPLITS: [Action; 2] = [Action::Split, Action::FreeSplit];

/// The hands were formed by splits that the game allows.
pub(super) fn all(matter: Matter<'_>) -> Lawful {
    let (rules, case) = (matter.rules, matter.case);
    let hands = case.hands.len();
    let splits: usize = case.hands.iter().map(|hand| hand.count(&SPLITS)).sum();
    ensure(splits + 1 == hands, &["split_stake_wrong.missing"], || {
        format!("{splits} splits make {} hands, not {hands}", splits + 1)
    })?;
    if hands == 1 {
        return Ok(());
    }
    let most = rules.split_max_hands.map_or(usize::MAX, usize::from);
    ensure(hands <= most, &["too_many_hands"], || format!("{hands} hands, {most} are allowed"))?;
    equal_cards(matter)?;
    let aces = case.hands[0].cards.first().and_then(|card| card.rank()) == Some(Rank::Ace);
    ensure(!aces || hands == 2 || rules.resplit_aces, &["aces_resplit"], || "aces may be split once only".to_owned())?;
    for hand in &case.hands {
        ensure(hand.cards.len() >= 2, &["split_hand_left_short"], || {
            "every split hand gets a card at least".to_owned()
        })?;
        let drawn = hand.cards.len() > 2;
        ensure(!(aces && drawn) || rules.hit_split_aces, &["split_ace_extra_card"], || {
            "a split ace gets one card only".to_owned()
        })?;
    }
    stakes(matter)
}

fn equal_cards(matter: Matter<'_>) -> Lawful {
    let alike = |a: Card, b: Card| match matter.rules.split_by {
        SplitBy::PointValue => a.rank().map(Rank::points) == b.rank().map(Rank::points),
        SplitBy::Rank => a.rank() == b.rank(),
    };
    let pair = match matter.is_zapped() {
        true => None,
        false => matter.case.initial_cards.get(1),
    };
    let starts: Vec<Card> = matter.case.hands.iter().filter_map(|hand| hand.cards.first().copied()).collect();
    for other in starts.iter().chain(pair) {
        ensure(starts.first().is_some_and(|first| alike(*first, *other)), &["split_unequal_cards"], || {
            format!("{} and {other} may not be split", starts.first().map(Card::to_string).unwrap_or_default())
        })?;
    }
    Ok(())
}

/// Each new hand carries a stake as large as the first, in chips or on a lammer where splits are free.
fn stakes(matter: Matter<'_>) -> Lawful {
    let (rules, case) = (matter.rules, matter.case);
    let free: usize = case.hands.iter().map(|hand| hand.count(&[Action::FreeSplit])).sum();
    let lammers = case.hands.iter().filter(|hand| hand.free_base.0 != Money::ZERO).count();
    let tens = case.hands[0].cards.first().and_then(|card| card.rank()).map(Rank::points) == Some(10);
    ensure(free == 0 || rules.free_split, &["free_split_of_tens", "split_stake_wrong.missing"], || {
        "the game has no free splits".to_owned()
    })?;
    ensure(free == 0 || !tens, &["free_split_of_tens"], || "tens are split for chips only".to_owned())?;
    ensure(free <= 1 || rules.free_resplit, &["free_split_of_tens"], || "only the first split is free".to_owned())?;
    ensure(free == lammers, &["split_stake_wrong.missing"], || format!("{free} free splits, {lammers} lammers"))?;
    let first = &case.hands[0];
    ensure(first.free_base.0 == Money::ZERO, &["free_split_of_tens.charged"], || {
        "the first hand keeps the stake it was dealt on".to_owned()
    })?;
    let original = matter.original();
    let raised = matter.ridden().and_then(|ridden| original.plus(ridden)?.plus(first.cap.0));
    for hand in &case.hands[1..] {
        let (chips, lammer) = (hand.wager.0, hand.free_base.0);
        let paid =
            lammer == Money::ZERO && (Some(chips) == raised || (chips == original && first.cap.0 != Money::ZERO));
        let free = lammer == original && chips == Money::ZERO;
        ensure(paid || free, &[&matter.tag_if_ridden("split_stake_wrong", "missing")], || {
            let due = raised.unwrap_or(original);
            format!("a split takes another stake of {due}, not {}", if free { lammer } else { chips })
        })?;
        ensure(hand.cap.0 == Money::ZERO, &["parlay_partial"], || {
            "War winnings go onto the stake the box was dealt on".to_owned()
        })?;
    }
    Ok(())
}

/// The card that came third to the box: after a split, the first one dealt to the first of its hands.
///
/// A hand split again pushes the others along, so the second of the two first cards then starts the last hand.
pub(in super::super) fn third_card(matter: Matter<'_>) -> Option<Card> {
    let hands = &matter.case.hands;
    match hands.len() {
        0 => None,
        1 => hands[0].cards.get(2).copied(),
        2 => hands[0].cards.get(1).copied(),
        _ => {
            let second = matter.case.initial_cards.get(1);
            let last = hands.last().and_then(|hand| hand.cards.first());
            if last == second { hands[1].cards.first().copied() } else { hands[0].cards.get(1).copied() }
        }
    }
}
