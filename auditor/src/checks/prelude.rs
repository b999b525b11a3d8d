//! What every check needs: the words of the table, and the tags that name how a hand was counted.

use arrayvec::ArrayVec;
use table::{Card, Rank};

pub(super) use table::{Act, Bettor, FlagKind, Money, Place, SideBet, Wager, WagerKind};

pub(super) use crate::check::{ActKind, Check, EVERY_GAME, Finding, Judgement, Report, Run, Template, Wrong};
pub(super) use crate::replay::{Deal, Standing, Table};
pub(super) use crate::rules::Rules;
use crate::rules::SplitBy;
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

/// A template in a line.
pub(super) const fn template(
    tag: &'static str,
    fits: fn(&Rules) -> bool,
    options: &'static str,
    plan: &'static str,
    spoil: &'static str,
) -> Template {
    Template { tag, fits, options, plan, spoil }
}

/// A check's own tag for a side bet, or its plain name where it has none.
pub(super) fn side_tag(check: &'static Check, bet: SideBet) -> &'static str {
    let own = |tag: &&str| tag.strip_prefix(check.name).and_then(|rest| rest.strip_prefix('.')) == Some(bet.name());
    check.tags.iter().copied().find(own).unwrap_or(check.name)
}

/// The side bet a wager is on, if it is on one.
pub(super) const fn side_bet(wager: Wager) -> Option<SideBet> {
    match wager.kind {
        WagerKind::Side(bet) => Some(bet),
        _ => None,
    }
}

/// Every main wager of a player, tips aside, in the order placed.
pub(super) fn mains<'t>(table: &'t Table<'_>) -> impl Iterator<Item = &'t Standing> + use<'t> {
    table.wagers.iter().filter(|standing| standing.wager.kind == WagerKind::Main && !standing.wager.tip)
}

/// Every insurance wager that was let stand.
pub(super) fn insurances<'t>(table: &'t Table<'_>) -> impl Iterator<Item = &'t Standing> + use<'t> {
    table.wagers.iter().filter(|on| on.wager.kind == WagerKind::Insurance && !on.withdrawn && !on.fate.returned)
}

/// The most a bettor may insure for; `None` without a main wager to insure.
pub(super) fn insurance_most(table: &Table<'_>, wager: Wager) -> Option<Money> {
    let main = table.wagers.main_of(wager)?;
    let base = if table.rules.war_cap_in_insurance { main.stake.plus(main.cap)? } else { main.stake };
    base.at(table.rules.insurance_max).map(|most| most.whole)
}

/// Every ante on the table.
pub(super) fn antes<'t>(table: &'t Table<'_>) -> impl Iterator<Item = &'t Standing> + use<'t> {
    table.wagers.iter().filter(|standing| standing.wager.kind == WagerKind::Ante)
}

/// The most an ante may be at this table; `None` if the table minimum is not known.
pub(super) fn ante_cap(table: &Table<'_>) -> Option<Money> {
    table.table_min()?.at(table.rules.ante_max).map(|cap| cap.whole)
}

/// Main wagers that were dealt cards without the ante they owe, unless their hand was declared void for it.
pub(super) fn without_ante<'t>(table: &'t Table<'_>) -> impl Iterator<Item = &'t Standing> + use<'t> {
    let owes = |main: &&Standing| table.rules.ante && table.rules.ante_waive_at.is_none_or(|from| main.stake < from);
    mains(table).filter(owes).filter(|main| {
        let without = table.wagers.get(main.wager.of_kind(WagerKind::Ante)).is_none();
        without && !main.late && !main.fate.returned && table.is_live(main.wager.place())
    })
}

/// Whether an amount is a whole number of steps.
pub(super) const fn is_multiple(amount: Money, step: Money) -> bool {
    step.minor() <= 0 || amount.minor() % step.minor() == 0
}

/// Whether the further stake of a double was asked for lawfully, as far as the cards go.
pub(super) fn may_double(table: &Table<'_>, place: Place) -> bool {
    let rules = table.rules;
    let Some(hand) = table.hand(place) else { return false };
    let Some(total) = hand.play.total() else { return false };
    let cards = &hand.play.cards;
    let ace = cards.iter().any(|card| card.rank() == Some(Rank::Ace));
    let held = hand.split_ace && !rules.hit_split_aces;
    rules.double_cards.is_none_or(|most| cards.len() <= usize::from(most))
        && (rules.double_aces || !ace)
        && (rules.das || !hand.play.split)
        && total.points <= u16::from(rules.double_total_max)
        && !crate::hand::is_ace_and_ten(cards)
        && !held
}

/// Whether two cards that lay in one hand could be split, as far as the cards go.
pub(super) fn may_split(table: &Table<'_>, first: Card, second: Card, hands: usize) -> bool {
    let rules = table.rules;
    let alike = match rules.split_by {
        SplitBy::PointValue => first.rank().map(Rank::points) == second.rank().map(Rank::points),
        SplitBy::Rank => first.rank() == second.rank(),
    };
    let aces_again = hands > 1 && first.rank() == Some(Rank::Ace) && !rules.resplit_aces;
    first.is_known() && alike && !aces_again && rules.split_max_hands.is_none_or(|most| hands < usize::from(most))
}
