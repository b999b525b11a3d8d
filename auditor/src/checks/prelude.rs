//! What every check needs: the words of the table, and the tags that name how a hand was counted.

use arrayvec::ArrayVec;
use table::{Card, Rank};

pub(super) use table::{Act, FlagKind, Money, Place, SideBet, Wager, WagerKind};

pub(super) use crate::check::{ActKind, Check, EVERY_GAME, Finding, Judgement, Report, Run, Template, Wrong};
pub(super) use crate::replay::{Deal, HandState, Table};
pub(super) use crate::settle::Point;

/// A short list of tags, the most specific first.
pub(super) type Tags<'t> = ArrayVec<&'t str, 18>;

/// These tags, and those that say how the cards concerned are counted: a hand settled or drawn to wrongly may have been
/// miscounted.
pub(super) fn counted<'t>(tags: &[&'t str], cards: &[Card]) -> Tags<'t> {
    let mut all: Tags<'t> = tags.iter().copied().take(10).collect();
    let has = |test: fn(Rank) -> bool| cards.iter().filter_map(|card| card.rank()).any(test);
    let soft = table::Total::of(cards.iter().copied()).is_some_and(|total| total.soft);
    let counts = [
        (has(|rank| rank == Rank::Ace), "count.ace"),
        (has(|rank| rank > Rank::Ten), "count.court"),
        (has(|rank| rank > Rank::Ace && rank < Rank::Ten), "count.pip"),
        (has(|rank| rank == Rank::Ten), "count.ten"),
        (soft, "count.soft"),
        (!soft, "count.hard"),
        (true, "count"),
    ];
    all.extend(counts.iter().filter(|(applies, _)| *applies).map(|(_, tag)| *tag));
    all
}

/// The cards of the hand a wager stands on.
pub(super) fn cards_of<'t>(table: &'t Table<'_>, wager: Wager) -> &'t [Card] {
    table.hand(wager.place()).map_or(&[], |hand| hand.play.cards.as_slice())
}

/// A wager as people name it: `the main wager`, `the double`, `super sevens`, of whom if not the seated player.
pub(super) fn name(wager: Wager) -> String {
    let what = match wager.kind {
        WagerKind::Main => "the wager".to_owned(),
        WagerKind::Split => "the split wager".to_owned(),
        WagerKind::Double => "the double".to_owned(),
        WagerKind::Insurance => "insurance".to_owned(),
        WagerKind::Ante => "the ante".to_owned(),
        WagerKind::Side(bet) => bet.name().replace('_', " "),
    };
    match (wager.tip, wager.bettor.number()) {
        (true, _) => format!("the dealer's tip on {what}"),
        (false, 1) => what,
        (false, bettor) => format!("{what} of bettor {bettor}"),
    }
}

/// Whether a judgement is about the hand's own stakes.
pub(super) const fn is_hand_stake(wager: Wager) -> bool {
    matches!(wager.kind, WagerKind::Main | WagerKind::Split | WagerKind::Double)
}

/// Whose hand a step of play is about: a decision, or a card to a player.
pub(super) const fn played(act: &Act) -> Option<Place> {
    match act {
        Act::Hit(place) | Act::Stand(place) | Act::Zap(place) => Some(*place),
        Act::Double(wager, _) | Act::Split(wager, _) => Some(wager.place()),
        Act::Card { to: Place::Box(box_no, hand), .. } => Some(Place::Box(*box_no, *hand)),
        _ => None,
    }
}

/// The hand a card goes to once the initial deal is over, leaving out the new cards of an exchange.
pub(super) fn drawing<'t>(table: &'t Table<'_>, act: &Act) -> Option<(Place, &'t HandState)> {
    let Act::Card { to, .. } = act else { return None };
    let exchanging = table.box_at(to.box_no()?).zap.is_some_and(|zap| zap.came < 2);
    let hand = table.hand(*to)?;
    (table.deal == Deal::Done && !exchanging).then_some((*to, hand))
}

/// A hand as people name it.
pub(super) fn whose(place: Place) -> String {
    match place {
        Place::Dealer => "the dealer".to_owned(),
        Place::Box(box_no, table::Hand::A) => format!("box {box_no}"),
        Place::Box(box_no, hand) => format!("hand {hand} of box {box_no}"),
    }
}

/// Cards as they are read out.
pub(super) fn shown(cards: &[Card]) -> String {
    cards.iter().map(|card| card.pretty()).collect::<Vec<_>>().join(" ")
}

/// What of a won side bet rides on a bettor's first hand, and which bet it is.
pub(super) fn riding(table: &Table<'_>, wager: Wager) -> Option<(SideBet, Money)> {
    if wager.hand != table::Hand::A {
        return None;
    }
    table.wagers.on_box(wager.box_no).find_map(|standing| match standing.wager.kind {
        WagerKind::Side(bet) if standing.wager.bettor == wager.bettor && !wager.tip => Some((bet, standing.ridden?)),
        _ => None,
    })
}

/// Whether a game pays naturals 3:2, so that templates can name the amount.
pub(super) fn pays_three_to_two(rules: &crate::Rules) -> bool {
    Some(rules.bj_pays) == table::Odds::new(3, 2)
}

/// Whether a game pays naturals 6:5.
pub(super) fn pays_six_to_five(rules: &crate::Rules) -> bool {
    Some(rules.bj_pays) == table::Odds::new(6, 5)
}
