//! What every check needs: the words of the table, and the tags that name how a hand was counted.

/// For templates: a shoe made ready in the middle of a game, lawful for six decks in every book.
macro_rules! ready {
    () => {
        "shoe: shuffle offer-cut 3 cut 3 104 cut-card-in 52 burn XX; "
    };
}

/// For templates: six new decks brought to an opening table, checked, mixed and cut.
macro_rules! opening {
    () => {
        "shoe: cards new 6 inspect dealer inspect supervisor inspect players shuffle wash shuffle stack \
         shuffle riffle shuffle riffle offer-cut 3 cut 3 104 cut-card-in 52 burn XX; "
    };
}

/// For templates: a short round, the first of two.
macro_rules! one_round {
    () => {
        "3 $: TH 9C stand; 5 $: TD 8C stand; dealer: 9S 8D"
    };
}

/// For templates: a short round, the second of two.
macro_rules! another_round {
    () => {
        "3 $: TC 9H stand; 5 $: TS 8H stand; dealer: 9D 8S"
    };
}

use arrayvec::ArrayVec;
use table::{Card, Rank};

pub(super) use table::{Act, Bettor, FlagKind, Money, Place, SideBet, Wager, WagerKind};

use crate::dealer::must_draw;

pub(super) use crate::check::{ActKind, Check, EVERY_GAME, Finding, Judgement, Report, Run, Template, Wrong};
pub(super) use crate::replay::{Astray, Came, Deal, LooseBy, Misdeal, Standing, Table};
pub(super) use crate::rules::{PlayerCards, Rules};
pub(super) use crate::settle::Point;

pub(super) use super::stakes::*;

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

/// Whom a card goes to, in words.
pub(super) fn who(place: Place) -> String {
    match place {
        Place::Dealer => "the dealer".to_owned(),
        place => format!("box {place}"),
    }
}

/// The cards of the initial deal that went astray and were left there. Where the rulebook asks for a repair, one that
/// a supervisor was called for and that was not made is a wrong of its own.
pub(super) fn misdeals<'t>(table: &'t Table<'_>, report: &Report<'_>) -> impl Iterator<Item = &'t Misdeal> + use<'t> {
    let called = if report.cites("error_not_repaired") { table.supervisor_at } else { None };
    let put_right = table.repaired || table.void;
    let left = if put_right { [].iter() } else { table.watch.misdeals.iter() };
    left.filter(move |misdeal| called.is_none_or(|called| called < misdeal.step))
}

/// Whether a step deals the first card of a round.
pub(super) fn opens_round(table: &Table<'_>, act: &Act) -> bool {
    table.deal == Deal::Betting && matches!(act, Act::Card { .. })
}

/// For templates: the players' first cards lie face up.
pub(super) fn dealt_face_up(rules: &Rules) -> bool {
    rules.player_cards == PlayerCards::Up
}

/// For templates: the players' first cards lie face down.
pub(super) fn dealt_face_down(rules: &Rules) -> bool {
    rules.player_cards == PlayerCards::Down
}

/// Whether a round that is declared void has shown another reason for it.
pub(super) fn has_other_cause(table: &Table<'_>) -> bool {
    let loose = table.loose.is_some() || table.loosed.dropped || table.loosed.discarded.is_some();
    loose || table.repaired || !table.faults.is_empty() || !table.watch.misdeals.is_empty()
}

/// Whether cards are still to be dealt in the round, so that one drawn in error has a hand to go to.
pub(super) fn cards_are_due(table: &Table<'_>) -> bool {
    let dealer_waits = || {
        table.dealer_hand().total().is_none_or(|total| table.dealer.cards.len() < 2 || must_draw(table.rules, total))
    };
    !table.cleared && (table.deal != Deal::Done || table.turn().is_some() || dealer_waits())
}
