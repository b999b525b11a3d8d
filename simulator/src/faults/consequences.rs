//! What follows from a wrong: stakes on hands that now count otherwise are settled by the cards as they lie.

use auditor::hand::{DealerHand, PlayerHand};
use auditor::model::random::{Shoe, prepare};
use auditor::settle::{Verdict, on_hand};
use table::layout::Chips;
use table::{
    Act, AtStake, BoxNo, Card, Face, Favours, Hand, Layout, Money, Place, Round, SideBet, Total, Turn, Wager, WagerKind,
};

use super::chips::{Outcome, decides, stands_on_hand};
use super::{Desk, Wrong};

/// A wrong on a hand that is a matter of procedure.
pub(super) fn on_hand_of(place: Place, tag: &'static str, says: String) -> Wrong {
    let hand = if let Place::Box(_, hand) = place { Some(hand) } else { None };
    Wrong { tag, box_no: place.box_no(), hand, money: None, says }
}

/// What was put right.
pub(super) fn put_right(says: String) -> Wrong {
    Wrong { tag: "", box_no: None, hand: None, money: None, says }
}

/// The first hand of a box.
pub(super) const fn first_hand(box_no: BoxNo) -> Place {
    Place::Box(box_no, Hand::A)
}

/// A card put to a hand as most cards are.
pub(super) const fn face_up(to: Place, card: Card) -> Act {
    Act::Card { to, card, face: Face::Up, turn: Turn::Upright }
}

/// Whom a step gives a card.
pub(super) const fn given(act: &Act) -> Option<Place> {
    if let Act::Card { to, .. } = act { Some(*to) } else { None }
}

/// The wager a step settles.
pub(super) const fn settles(act: &Act) -> Option<Wager> {
    match act {
        Act::Pay(wager, _) | Act::Take(wager, _) | Act::Push(wager) | Act::Return(wager) => Some(*wager),
        _ => None,
    }
}

/// What chips moved compared with before: to the players, and to the house.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moved {
    players: i64,
    house: i64,
}

impl Moved {
    /// The money of a label; none if nothing moved, or some of it one way and some the other.
    pub(super) fn at_stake(self) -> Option<AtStake> {
        match (self.players, self.house) {
            (players @ 1.., 0) => Some(AtStake { amount: Money::from_minor(players), favours: Favours::Player }),
            (0, house @ 1..) => Some(AtStake { amount: Money::from_minor(house), favours: Favours::House }),
            _ => None,
        }
    }

    fn add(&mut self, gain: i64) {
        if gain > 0 {
            self.players = self.players.saturating_add(gain);
        } else {
            self.house = self.house.saturating_sub(gain);
        }
    }
}

/// What the stakes on hands came to, compared between two ends of a round.
pub(super) fn moved(before: &Round, after: &Round) -> Moved {
    let net = |layout: &Layout, wager: &Wager| {
        let Some(chips) = layout.wagers.get(wager) else { return 0 };
        let taken = if chips.free { Money::ZERO } else { chips.taken.unwrap_or_default() };
        chips.paid.unwrap_or_default().minor().saturating_sub(taken.minor())
    };
    let (before, after) = (Layout::after(before), Layout::after(after));
    let mut moved = Moved::default();
    for wager in after.wagers.keys().filter(|wager| stands_on_hand(wager)) {
        moved.add(net(&after, wager).saturating_sub(net(&before, wager)));
    }
    moved
}

impl Desk<'_> {
    /// The steps that give the dealer a card, or turn one up.
    pub(super) fn dealers_cards(&self) -> Vec<usize> {
        self.steps(|act| matches!(act, Act::Card { to: Place::Dealer, .. } | Act::TurnUp(Place::Dealer, _)))
    }

    /// A card that a player asked for: the step, whose and which.
    pub(super) fn any_hit(&mut self) -> Option<(usize, Place, Card)> {
        let hit = self.any(|act| matches!(act, Act::Hit(_)))?;
        match self.act(hit + 1)? {
            Act::Card { to, card, .. } => Some((hit + 1, *to, *card)),
            _ => None,
        }
    }

    /// The first decision of a player.
    pub(super) fn first_decision(&self) -> Option<usize> {
        self.steps(|act| decides(act).is_some()).first().copied()
    }

    /// The steps of the initial deal that give a card: first cards, up card, second cards, hole card.
    pub(super) fn initial_cards(&self) -> Vec<usize> {
        let boxes = self.boxes().len();
        let all = 2 * boxes + if self.rules().hole_card { 2 } else { 1 };
        let mut cards = self.steps(|act| given(act).is_some());
        cards.truncate(all);
        cards
    }

    /// The boxes with a main wager, in order.
    pub(super) fn boxes(&self) -> Vec<BoxNo> {
        let mut boxes: Vec<BoxNo> = self
            .round
            .steps
            .iter()
            .filter_map(|step| match &step.act {
                Act::Bet(wager, _) if wager.kind == WagerKind::Main => Some(wager.box_no),
                _ => None,
            })
            .collect();
        boxes.sort_unstable();
        boxes.dedup();
        boxes
    }

    /// Whether neither side bet nor insurance was bet on a box.
    pub(super) fn is_plain(&self, box_no: BoxNo) -> bool {
        let beside = |kind| matches!(kind, WagerKind::Side(_) | WagerKind::Insurance);
        self.steps(|act| matches!(act, Act::Bet(wager, _) if wager.box_no == box_no && beside(wager.kind))).is_empty()
    }

    /// What a hand counts before a step.
    pub(super) fn total_before(&self, step: usize, place: Place) -> Option<Total> {
        self.before(step).hands.get(&place)?.total()
    }

    /// The step at which the final settlement begins: the one after the dealer's last card.
    pub(super) fn settlement_begins(&self) -> Option<usize> {
        self.dealers_cards().last().map(|last| last + 1)
    }

    /// Settles the stakes on hands anew from a step on. `None` where it is not only a matter of comparing totals: the
    /// dealer has a natural, chips ride on a hand, or a side bet turns on the dealer's total.
    pub(super) fn settle_anew(&mut self, from: usize) -> Option<Moved> {
        let old = self.round.clone();
        let outcome = Outcome::of(&self.round);
        let layout = Layout::after(&self.round);
        let dealer = outcome.cards(Place::Dealer);
        let rides = !self.steps(|act| matches!(act, Act::Parlay(..) | Act::Ride(..))).is_empty();
        if outcome.dealer_has_natural() || rides {
            return None;
        }
        for step in from..self.round.steps.len() {
            let Some(wager) = self.act(step).and_then(settles) else { continue };
            if wager.kind == WagerKind::Side(SideBet::Push22) {
                return None;
            }
            let place = wager.place();
            if !stands_on_hand(&wager) || outcome.is_natural(place) || outcome.is_surrendered(place) {
                continue;
            }
            let hand = hand_of(&outcome, place)?;
            let stake = layout.wagers.get(&wager)?.stake;
            let settled = match on_hand(self.rules(), &hand, DealerHand { cards: &dealer })?.verdict {
                Verdict::Win => Act::Pay(wager, stake),
                Verdict::Push => Act::Push(wager),
                Verdict::Lose => Act::Take(wager, None),
                Verdict::Natural | Verdict::LoseHalf | Verdict::Void => return None,
            };
            self.replace(step, [settled]);
        }
        Some(moved(&old, &self.round))
    }

    /// A hand went over 21 at a step before which it is now taken and cleared; what was done with it later is left out.
    pub(super) fn bust_at(&mut self, step: usize, place: Place) {
        let later = |act: &Act| {
            settles(act).is_some_and(|wager| wager.place() == place && stands_on_hand(&wager))
                || *act == Act::Collect(place)
        };
        let gone: Vec<usize> = self.steps(later).into_iter().filter(|at| *at >= step).collect();
        let mut acts: Vec<Act> = Vec::new();
        for at in gone.iter().rev() {
            acts.extend(self.act(*at).and_then(settles).map(|wager| Act::Take(wager, None)));
            self.replace(*at, []);
        }
        acts.reverse();
        acts.push(Act::Collect(place));
        self.insert(step, acts);
    }

    /// Breaks the round off at a step: what is still open is handed back and the cards are cleared.
    pub(super) fn break_off(&mut self, step: usize) {
        let layout = self.before(step);
        let is_open = |chips: &Chips| chips.paid.is_none() && chips.taken.is_none() && !chips.pushed && !chips.returned;
        let open = layout.wagers.iter().rev().filter(|(_, chips)| is_open(chips)).map(|(wager, _)| *wager);
        let gone = |place: &Place| self.round.steps.iter().take(step).any(|step| step.act == Act::Collect(*place));
        let left = layout.hands.keys().rev().filter(|place| !gone(place)).map(|place| Act::Collect(*place));
        let acts: Vec<Act> = open.map(Act::Return).chain(left).chain([Act::End]).collect();
        self.round.steps.truncate(step);
        self.insert(step, acts);
    }

    /// Makes a shoe ready after the round, as the rules ask once the last one is over.
    pub(super) fn make_ready(&mut self, cutter: BoxNo) {
        // Where the cut is made is a matter of luck; the cards themselves come from the table's own shoe.
        let mut stack = Shoe::shuffled(self.rules().decks, &mut self.dice.fork("make ready"));
        let acts = prepare(self.rules(), cutter, self.dice, &mut stack);
        for _ in acts.iter().filter(|act| matches!(act, Act::Burn(_))) {
            self.draw();
        }
        self.insert(self.round.steps.len(), acts);
    }

    /// Whether any stake waits for the dealer's total: one on a hand still open when the dealer's last card comes.
    pub(super) fn is_contested(&self) -> bool {
        let Some(from) = self.settlement_begins() else { return false };
        let outcome = Outcome::of(&self.round);
        let waits = |wager: &Wager| {
            let place = wager.place();
            stands_on_hand(wager)
                && !outcome.is_natural(place)
                && !outcome.is_surrendered(place)
                && !outcome.is_bust(place)
        };
        let later = self.round.steps.iter().skip(from);
        later.filter_map(|step| settles(&step.act)).any(|wager| waits(&wager))
    }
}

/// A hand as the rules look at it. `None` for one of a split that could be taken for a natural by those behind.
fn hand_of(outcome: &Outcome, place: Place) -> Option<PlayerHand> {
    let box_no = place.box_no()?;
    let mut hand = PlayerHand {
        split: outcome.is_split(box_no),
        zapped: outcome.is_zapped(box_no),
        doubled: outcome.is_doubled(place),
        ..PlayerHand::default()
    };
    let cards = outcome.cards(place);
    if super::chips::is_ace_and_ten(&cards) {
        return None;
    }
    for card in cards {
        hand.cards.try_push(card).ok()?;
    }
    Some(hand)
}
