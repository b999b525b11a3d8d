//! Stakes as checks look at them: which there are, what they may be, and what may be asked for on top of them.

use table::{Card, Money, Place, Rank, SideBet, Wager, WagerKind};

use crate::check::Check;
use crate::replay::{Standing, Table};
use crate::rules::SplitBy;

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
    table.wagers.of_kind(WagerKind::Main).filter(|standing| !standing.wager.tip)
}

/// Every insurance wager that was let stand.
pub(super) fn insurances<'t>(table: &'t Table<'_>) -> impl Iterator<Item = &'t Standing> + use<'t> {
    table.wagers.of_kind(WagerKind::Insurance).filter(|on| !on.withdrawn && !on.fate.returned)
}

/// The most a bettor may insure for; `None` without a main wager to insure.
pub(super) fn insurance_most(table: &Table<'_>, wager: Wager) -> Option<Money> {
    let main = table.wagers.main_of(wager)?;
    let base = if table.rules.war_cap_in_insurance { main.stake.plus(main.cap)? } else { main.stake };
    base.at(table.rules.insurance_max).map(|most| most.whole)
}

/// Every ante on the table.
pub(super) fn antes<'t>(table: &'t Table<'_>) -> impl Iterator<Item = &'t Standing> + use<'t> {
    table.wagers.of_kind(WagerKind::Ante)
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
