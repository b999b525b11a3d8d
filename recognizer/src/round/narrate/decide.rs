//! Decisions nobody heard, told from what came of them.

use std::collections::BTreeSet;

use table::round::Stake;
use table::{Act, Card, Hand, Money, Place, Rank, Wager, WagerKind};

use super::{Narrator, Seat, TO_HAND};
use crate::round::book::Did;

impl Narrator<'_> {
    /// When something was decided that led to a card at this time: before the card left the shoe, and so before a cutting
    /// card that lay in front of it.
    pub(super) fn decided(&self, at: i64) -> i64 {
        let last = self.told.iter().rev().find(|told| matches!(told.act, Act::CutCardOut | Act::Card { .. }));
        match last {
            Some(last) if last.act == Act::CutCardOut && at.saturating_sub(last.at) < TO_HAND => last.at - 1,
            _ => at - 1,
        }
    }

    /// A card is about to come to a hand: what must have been decided for that.
    pub(super) fn before_card(&mut self, at: i64, place: Place) {
        let seat = self.seats.get(&place).cloned().unwrap_or_default();
        let hole = usize::from(self.evidence.grammar.hole_card);
        let unserved = |(place, seat): (&Place, &Seat)| {
            matches!(place, Place::Box(_, Hand::A)) && !seat.split && seat.cards.len() == 1
        };
        let in_deal = !seat.split
            && match place {
                Place::Dealer => seat.cards.len() <= hole || !self.played && self.seats.iter().any(unserved),
                Place::Box(_, hand) => hand == Hand::A && seat.cards.len() < 2,
            };
        if in_deal {
            return;
        }
        self.played = true;
        self.pass(at, Some(place));
        let cards: Vec<Card> = seat.cards.iter().map(|(_, card)| *card).collect();
        let sideways = self.comes_sideways(place, seat.cards.len());
        let Place::Box(box_no, hand) = place else { return };
        if seat.cards.len() < 2 || seat.doubling {
            return;
        }
        let split_ace = seat.split && cards.first().and_then(|card| card.rank()) == Some(Rank::Ace);
        // Chips whose line was lost are told of later; a double for nothing has none.
        let on = Wager::on(box_no, hand).of_kind(WagerKind::Double);
        let chips = self.evidence.chips.iter().find_map(|act| match act.did {
            Did::Double(wager, stake) if wager == on && act.at >= at => Some((stake, act.events.clone())),
            _ => None,
        });
        let last = self.guess.laid.iter().filter(|laid| laid.place == place).count() == seat.cards.len() + 1;
        let told_late = self.evidence.lines_lost && chips.is_some() && seat.cards.len() == 2 && last;
        if (sideways || told_late) && !split_ace {
            let none = if self.evidence.chips_heard && !self.evidence.lines_lost {
                Stake::Chips(Money::ZERO)
            } else {
                Stake::Full
            };
            let (stake, events) = chips.unwrap_or((none, Vec::new()));
            self.doubled.insert(on);
            self.tell(self.decided(at), Act::Double(Wager::on(box_no, hand), stake), events);
            self.seats.entry(place).or_default().doubling = true;
        } else {
            self.tell(self.decided(at), Act::Hit(place), Vec::new());
        }
    }

    /// Whether the next card of a hand comes sideways.
    pub(super) fn comes_sideways(&self, place: Place, position: usize) -> bool {
        let next = self.guess.laid.iter().filter(|laid| laid.place == place).nth(position);
        next.is_some_and(|laid| laid.turn == table::Turn::Sideways)
    }

    /// Play comes to a hand, or to the dealer: the open hands before it have stood, or were given up.
    pub(super) fn pass(&mut self, at: i64, to: Option<Place>) {
        let before = self.decided(at) - 1;
        for place in self.order.clone() {
            if Some(place) == to {
                break;
            }
            let Some(seat) = self.seats.get_mut(&place) else { continue };
            let cards: Vec<Card> = seat.cards.iter().map(|(_, card)| *card).collect();
            let open = !seat.done && !seat.collected && cards.len() >= 2;
            seat.done = true;
            let grammar = self.evidence.grammar;
            let full = match seat.exchanged {
                true => grammar.is_full_by_total(&cards),
                false => grammar.is_full(&cards, seat.split),
            };
            if !open || full {
                continue;
            }
            let Place::Box(box_no, hand) = place else { continue };
            if self.given_up.contains(&Wager::on(box_no, hand)) {
                self.give_up(before, place);
            } else {
                self.tell(before, Act::Stand(place), Vec::new());
            }
        }
    }

    /// Everybody who gives up a hand does so at its turn.
    pub(super) fn give_up(&mut self, at: i64, place: Place) {
        let (here, others) = std::mem::take(&mut self.given_up).into_iter().partition(|wager| wager.place() == place);
        self.given_up = others;
        let here: BTreeSet<Wager> = here;
        here.into_iter().for_each(|wager| self.tell(at, Act::Surrender(wager), Vec::new()));
    }
}
