//! What every check needs: the words of the table, and short ways to write templates and findings.

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

use table::Card;

pub(super) use table::{Act, Bettor, FlagKind, Money, Place, SideBet, Wager, WagerKind};

use crate::dealer::must_draw;

pub(super) use crate::check::{ActKind, Check, EVERY_GAME, Finding, Judgement, Report, Run, Template, Wrong};
pub(super) use crate::replay::{Astray, Came, Deal, HandState, LooseBy, Misdeal, Standing, Table};
pub(super) use crate::rules::{PlayerCards, Rules};
pub(super) use crate::settle::{Due, Point};

pub(super) use super::counts::{Tags, counted};
pub(super) use super::stakes::*;

/// The cards of the hand a wager stands on.
pub(super) fn cards_of<'t>(table: &'t Table<'_>, wager: Wager) -> &'t [Card] {
    table.hand(wager.place()).map_or(&[], |hand| hand.play.cards.as_slice())
}

/// A wager as people name it: `the wager`, `the double`, `Super Sevens`, and whose if not the seated player's.
pub(super) fn name(wager: Wager) -> String {
    let (the, what) = match wager.kind {
        WagerKind::Main => ("the ", "wager"),
        WagerKind::Split => ("the ", "split wager"),
        WagerKind::Double => ("the ", "double"),
        WagerKind::Insurance => ("", "insurance"),
        WagerKind::Ante => ("the ", "ante"),
        WagerKind::Side(bet) => ("", spoken(bet)),
    };
    match (wager.tip, wager.bettor.number()) {
        (true, _) => format!("the tip on {the}{what}"),
        (false, 1) => format!("{the}{what}"),
        (false, bettor) => format!("bettor {bettor}'s {what}"),
    }
}

/// A side bet as it is called at the table.
pub(super) const fn spoken(bet: SideBet) -> &'static str {
    match bet {
        SideBet::PerfectPair => "Perfect Pair",
        SideBet::AnyPair => "Any Pair",
        SideBet::LuckyMatch => "Lucky Match",
        SideBet::SuperSevens => "Super Sevens",
        SideBet::Madness21 => "Madness 21",
        SideBet::HouseMoney => "House Money",
        SideBet::LetItRide => "Let it Ride",
        SideBet::Push22 => "Push 22",
        SideBet::KingsBounty => "King's Bounty",
        SideBet::War => "War",
        SideBet::Blazing7 => "Blazing 7s",
        SideBet::MatchDealer => "Match the Dealer",
        SideBet::Over13 => "Over 13",
        SideBet::Under13 => "Under 13",
    }
}

/// A number of things: `1 card`, `2 cards`.
pub(super) fn several(count: impl std::fmt::Display, what: &str) -> String {
    let count = count.to_string();
    if count == "1" { format!("1 {what}") } else { format!("{count} {what}s") }
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
    let called = table.supervisor_at.filter(|_| report.cites("error_not_repaired"));
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

/// What a settlement concerned: the wager's hand, what it was due, what became of it and what that is worth.
pub(super) fn settlement<'f>(judgement: &Judgement<'_>, tags: &'f [&'f str]) -> Finding<'f> {
    let wager = judgement.wager();
    let stake = judgement.standing.stake;
    let what = name(wager);
    let expected = match judgement.due {
        Some(Due::Pay(won)) => format!("{what} of {stake} is paid {won}"),
        Some(Due::Take(lost)) => format!("{what} of {stake} loses {lost}"),
        Some(Due::Push) => format!("{what} of {stake} stands off"),
        Some(Due::Return) => format!("{what} of {stake} is handed back"),
        None => format!("{what} of {stake} is settled by the cards"),
    };
    let observed = format!("{what} was {}", judgement.observed());
    Finding::at(wager.place(), tags, expected, observed).worth(judgement.gain)
}

/// Whether the house put the wager up, a lammer standing for it.
pub(super) const fn is_free(judgement: &Judgement<'_>) -> bool {
    judgement.standing.free
}

/// Whether more stands there than is settled: the excess is then what went wrong.
pub(super) fn is_over_maximum(table: &Table<'_>, judgement: &Judgement<'_>) -> bool {
    table.rules.over_max == crate::rules::OverMax::SettleToMax
        && table.table_max(judgement.wager().box_no).is_some_and(|most| judgement.standing.stake > most)
}

/// The point on which the wager's hand turned.
pub(super) fn point(judgement: &Judgement<'_>) -> Option<Point> {
    judgement.ruling.map(|ruling| ruling.point)
}

/// Whether a stake is one that came to the hand's first: a double, or the stake of a hand opened by a split.
pub(super) const fn is_further(wager: Wager) -> bool {
    matches!(wager.kind, WagerKind::Double | WagerKind::Split)
}

/// A template for every game that cites its tag.
pub(super) const fn every(tag: &'static str, plan: &'static str, spoil: &'static str) -> Template {
    with(tag, EVERY_GAME, "", plan, spoil)
}

/// A template for some games.
pub(super) const fn some(
    tag: &'static str,
    fits: fn(&Rules) -> bool,
    plan: &'static str,
    spoil: &'static str,
) -> Template {
    with(tag, fits, "", plan, spoil)
}

/// A template for some games with house options.
pub(super) const fn with(
    tag: &'static str,
    fits: fn(&Rules) -> bool,
    options: &'static str,
    plan: &'static str,
    spoil: &'static str,
) -> Template {
    Template { tag, fits, options, plan, spoil }
}

/// Whether naturals pay these odds at the table.
const fn naturals_pay(rules: &Rules, win: u32, stake: u32) -> bool {
    rules.bj_pays.pays() == win && rules.bj_pays.per() == stake
}

/// Whether naturals pay 3:2.
pub(super) const PAYS_3_TO_2: fn(&Rules) -> bool = |rules| naturals_pay(rules, 3, 2);
/// Whether naturals pay 6:5.
pub(super) const PAYS_6_TO_5: fn(&Rules) -> bool = |rules| naturals_pay(rules, 6, 5);
/// Whether naturals pay 5:4.
pub(super) const PAYS_5_TO_4: fn(&Rules) -> bool = |rules| naturals_pay(rules, 5, 4);

/// Whether the dealer made a 22 in a game where that is a stand-off.
pub(super) fn dealer_made_a_pushing_22(table: &Table<'_>) -> bool {
    table.rules.dealer22 == crate::rules::Dealer22::Push
        && table.dealer_hand().total().is_some_and(|total| total.points == 22)
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
