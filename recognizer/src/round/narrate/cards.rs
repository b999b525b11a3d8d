//! What happens to cards, as steps.

use table::round::Stake;
use table::{Act, BoxNo, Card, EventId, Face, Hand, Money, Place, Total, Wager, WagerKind};

use super::{Narrator, ONE_SPLIT, Seat, TO_HAND, Told};
use crate::round::book::{ChipAct, Did};
use crate::round::guess::Happening;

/// Nobody moves a card behind those of another hand of its box. A camera that errs put it to the wrong one of two just split, if it has it
/// there within this, in microseconds.
const PUT_RIGHT: i64 = 3_000_000;

impl Narrator<'_> {
    pub(super) fn laid(&mut self, at: i64, piece: usize, mut shown: Vec<EventId>) {
        let laid = &self.guess.laid[piece];
        // Where it lay at first, not where it was moved to later.
        let (place, first) = self.first_spot(piece);
        let face = if self.came_up(piece) { Face::Up } else { laid.came };
        let turn = first.map_or(table::Turn::Upright, |spot| spot.turn);
        let (card, likely) = self.faces[piece];
        if let Some(draw) = laid.draw.map(|draw| &self.evidence.beam.draws[draw]) {
            shown.insert(0, draw.id);
            if face == Face::Up && draw.card.is_some_and(|told| told != card) && self.is_certain(piece, card) {
                self.tell(at - 1, Act::Drawn(draw.card.unwrap_or(Card::UNREAD)), vec![draw.id]);
            }
        }
        self.before_card(at, place);
        // The hole card is nobody's to know before it is turned; a player looks at his own.
        let hidden = face == Face::Down && (self.is_hole(piece, place) || !card.is_known());
        let shows = if hidden { Card::HIDDEN } else { card };
        let act = Act::Card { to: place, card: shows, face, turn };
        self.told.push(Told { at, act, face: if hidden { 1.0 } else { likely }, events: shown, piece: Some(piece) });
        let seat = self.seats.entry(place).or_default();
        seat.cards.push((piece, shows));
        if std::mem::take(&mut seat.doubling) {
            seat.done = true;
        }
        if !self.order.contains(&place) && place != Place::Dealer {
            self.order.push(place);
            self.order.sort_unstable();
        }
    }

    /// Whether a card of the dealer's lies face down as it should: it is his second, or it is turned up later.
    fn is_hole(&self, piece: usize, place: Place) -> bool {
        let second = || self.seats.get(&place).is_some_and(|seat| seat.cards.len() == 1);
        place == Place::Dealer && (self.evidence.grammar.hole_card && second() || self.is_turned(piece))
    }

    /// Whether a card is turned up later.
    fn is_turned(&self, piece: usize) -> bool {
        self.guess.log.iter().any(|(_, _, happening)| *happening == Happening::Turned(piece))
    }

    /// The first spot a card was seen at, and the hand it was put to.
    pub(super) fn first_spot(&self, piece: usize) -> (Place, Option<table::CardAt>) {
        let laid = &self.guess.laid[piece];
        let put_right = |at: i64, from: Place| {
            let behind = laid.position > 1 && laid.place.box_no() == from.box_no();
            self.evidence.beam.errs() && behind && at.saturating_sub(laid.at) <= PUT_RIGHT
        };
        let from = self.guess.first_move(piece).filter(|(at, from)| !put_right(*at, *from)).map(|(_, from)| from);
        let spot = laid.sights.first().map(|sight| self.evidence.beam.sights[*sight].spot);
        (from.unwrap_or(laid.place), spot)
    }

    /// Whether a camera saw this face and no other is at all likely.
    pub(super) fn is_certain(&self, piece: usize, card: Card) -> bool {
        let sights = self.guess.laid[piece].sights.iter().map(|sight| &self.evidence.beam.sights[*sight]);
        sights.into_iter().any(|sight| sight.card.card == card && sight.card.chance.millionths() >= 999_900)
    }

    pub(super) fn turned(&mut self, at: i64, piece: usize, shown: Vec<EventId>) {
        let (card, likely) = self.faces[piece];
        let holds = |(_, seat): &(&Place, &Seat)| seat.cards.iter().any(|(of, _)| *of == piece);
        let place = self.seats.iter().find(holds).map_or(self.guess.laid[piece].place, |(place, _)| *place);
        if place != Place::Dealer {
            // A hand that is turned up to be played has its turn; a natural is turned up at once.
            let cards: Vec<Card> = self
                .seats
                .get(&place)
                .map(|seat| seat.cards.iter().map(|(_, card)| *card).collect())
                .unwrap_or_default();
            if !self.natural && !self.evidence.grammar.is_full(&cards, false) {
                self.pass(at, Some(place));
            }
        } else {
            let up = self.seats.get(&place).map(|seat| seat.cards.clone()).unwrap_or_default();
            let cards = up.iter().map(|(of, shown)| if *of == piece { card } else { *shown });
            let natural = up.len() == 2 && Total::of(cards).is_some_and(|total| total.points == 21);
            self.natural = natural && !self.played;
            if !self.natural {
                self.pass(at, None);
            }
        }
        if let Some(seat) = self.seats.get_mut(&place) {
            seat.cards.iter_mut().filter(|(of, _)| *of == piece).for_each(|(_, shown)| *shown = card);
        }
        let act = Act::TurnUp(place, card);
        self.told.push(Told { at, act, face: likely, events: shown, piece: Some(piece) });
    }

    pub(super) fn gone(&mut self, at: i64, piece: usize, shown: Vec<EventId>) {
        let place = self.guess.laid[piece].place;
        match self.collected.get(&place) {
            Some(collected) if at >= *collected => {
                let seat = self.seats.entry(place).or_default();
                if !std::mem::replace(&mut seat.collected, true) {
                    self.tell(at, Act::Collect(place), shown);
                } else if let Some(told) = self.told.iter_mut().rev().find(|told| told.act == Act::Collect(place)) {
                    told.events.extend(shown);
                }
            }
            // A camera that errs took a neighbour's card for one of this hand: no hand is broken up by then.
            Some(_) if self.evidence.beam.errs() && at > self.dealer_done => {}
            _ => {
                let (card, likely) = self.faces[piece];
                self.exchange(at, place);
                if let Some(seat) = self.seats.get_mut(&place) {
                    seat.cards.retain(|(of, _)| *of != piece);
                }
                self.told.push(Told { at, act: Act::Discard(card), face: likely, events: shown, piece: Some(piece) });
            }
        }
    }

    /// Two cards that go away while their hand plays on are exchanged, even if others of it stay.
    pub(super) fn exchange(&mut self, at: i64, place: Place) {
        let of_hand = self.seats.get(&place).map_or(0, |seat| seat.cards.len());
        let again = self.guess.laid.iter().filter(|laid| laid.place == place && laid.at > at).count();
        let go = self.guess.log.iter().filter(|(when, _, happening)| {
            let of_place = |piece: usize| self.guess.laid[piece].place == place;
            matches!(happening, Happening::Gone(piece) if of_place(*piece)) && (at..=at + TO_HAND).contains(when)
        });
        let two = of_hand == 2 || of_hand > 2 && go.count() == 2;
        let under_way = |told: &Told| told.act == Act::Zap(place) && at.saturating_sub(told.at) < TO_HAND;
        // Whoever puts chips down for another hand parts his cards and keeps them, whatever was seen of the one that moved.
        let splits = |act: &ChipAct| {
            let here = matches!(act.did, Did::Split(wager, _) if Some(wager.box_no) == place.box_no());
            here && act.at.abs_diff(at) <= ONE_SPLIT.unsigned_abs()
        };
        let begins = two && !self.told.iter().rev().take(4).any(under_way) && !self.evidence.chips.iter().any(splits);
        if self.evidence.grammar.exchange && place != Place::Dealer && begins && again > 0 {
            self.played = true;
            self.pass(at, Some(place));
            // Cards are turned sideways because they are to be exchanged, not the other way round.
            let mut recent = self.told.iter().filter(|told| at.saturating_sub(told.at) < TO_HAND);
            let turned = recent.find(|told| told.act == Act::TurnSideways(place)).map_or(at, |told| told.at);
            self.tell(turned - 1, Act::Zap(place), Vec::new());
            self.seats.entry(place).or_default().exchanged = true;
        }
    }

    pub(super) fn moved(&mut self, at: i64, piece: usize, from: Place, shown: Vec<EventId>) {
        let to = self.guess.laid[piece].place;
        if self.seats.get(&to).is_some_and(|seat| seat.cards.iter().any(|(of, _)| *of == piece)) {
            return;
        }
        if let (Place::Box(one, hand), Place::Box(other, opened)) = (from, to)
            && one == other
            && hand < opened
            && self.seats.get(&to).is_none_or(|seat| seat.cards.is_empty())
        {
            let (by, stake, events) = self.split_stake(at, other, opened);
            let wager = Wager { hand, kind: WagerKind::stake(hand), ..by };
            self.split(at, wager, to, stake, [shown, events].concat());
            self.part(wager.place(), to);
            return;
        }
        let (card, likely) = self.faces[piece];
        for seat in self.seats.values_mut() {
            seat.cards.retain(|(of, _)| *of != piece);
        }
        self.seats.entry(to).or_default().cards.push((piece, card));
        let act = Act::Move { card, from, to };
        self.told.push(Told { at, act, face: likely, events: shown, piece: Some(piece) });
    }

    /// What was staked on a hand that a split opened, and by whom: a player who put down nothing did not split, whoever bets behind
    /// did.
    fn split_stake(&self, at: i64, box_no: BoxNo, opened: Hand) -> (Wager, Stake, Vec<EventId>) {
        let own = Wager::on(box_no, opened);
        let staked = |by: &dyn Fn(Wager) -> bool| {
            let near = |act: &&ChipAct| act.at.abs_diff(at) <= ONE_SPLIT.unsigned_abs();
            self.evidence.chips.iter().filter(near).find_map(|act| match act.did {
                Did::Split(wager, stake) if wager.place() == own.place() && by(wager) => {
                    Some((wager, stake, act.events.clone()))
                }
                _ => None,
            })
        };
        let none = if self.evidence.chips_heard && !self.evidence.lines_lost {
            Stake::Chips(Money::ZERO)
        } else {
            Stake::Full
        };
        staked(&|wager| wager == own).or_else(|| staked(&|_| true)).unwrap_or((own, none, Vec::new()))
    }

    /// The cards of a hand part.
    fn part(&mut self, from: Place, opened: Place) {
        if !self.parted.insert(opened) {
            return;
        }
        let seat = self.seats.entry(from).or_default();
        (seat.split, seat.exchanged) = (true, false);
        let moved = if seat.cards.len() > 1 { seat.cards.split_off(1) } else { Vec::new() };
        self.seats.insert(opened, Seat { cards: moved, split: true, ..Seat::default() });
        let after = self.order.iter().position(|place| *place == from).map_or(self.order.len(), |at| at + 1);
        self.order.insert(after, opened);
    }

    pub(super) fn split(&mut self, at: i64, wager: Wager, opened: Place, stake: Stake, events: Vec<EventId>) {
        if stake == Stake::Free {
            self.free.extend(opened.box_no().map(|box_no| match opened {
                Place::Box(_, hand) => Wager { box_no, hand, kind: WagerKind::stake(hand), ..wager },
                Place::Dealer => wager,
            }));
        }
        if !self.split_told.insert((opened, wager.bettor, wager.tip)) {
            return;
        }
        self.played = true;
        self.pass(at, Some(wager.place()));
        self.tell(at, Act::Split(wager, stake), events);
        // Where a camera looks on, cards that stay together were not split, whatever was put down for it.
        let parts = !self.evidence.beam.saw_cards() || self.guess.laid.iter().any(|laid| laid.place == opened);
        if parts && wager.bettor == table::Bettor::SEATED && !wager.tip {
            self.part(wager.place(), opened);
        }
    }
}
