//! What happens to cards, as steps.

use table::round::Stake;
use table::{Act, Card, EventId, Face, Place, Total, Wager, WagerKind};

use super::{Narrator, ONE_SPLIT, Seat, Told};
use crate::round::book::Did;
use crate::round::guess::Happening;

impl Narrator<'_> {
    pub(super) fn laid(&mut self, at: i64, piece: usize, mut shown: Vec<EventId>) {
        let laid = &self.guess.laid[piece];
        // Where it lay at first, not where it was moved to later.
        let (place, first) = self.first_spot(piece);
        let (face, turn) = first.map_or((Face::Up, table::Turn::Upright), |spot| (spot.face, spot.turn));
        let (card, likely) = self.faces[piece];
        if let Some(draw) = laid.draw.map(|draw| &self.evidence.beam.draws[draw]) {
            shown.insert(0, draw.id);
            if face == Face::Up && draw.card.is_some_and(|told| told != card) && self.is_certain(piece, card) {
                self.tell(at - 1, Act::Drawn(draw.card.unwrap_or(Card::UNREAD)), vec![draw.id]);
            }
        }
        self.before_card(at, place);
        // The dealer's card is nobody's to know before it is turned; a player looks at his own.
        let hidden = face == Face::Down && (place == Place::Dealer || !card.is_known());
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

    /// The first spot a card was seen at, and the hand it was put to.
    pub(super) fn first_spot(&self, piece: usize) -> (Place, Option<table::CardAt>) {
        let laid = &self.guess.laid[piece];
        let moved = self.guess.log.iter().find_map(|(_, _, happening)| match happening {
            Happening::Moved(other, from) if *other == piece => Some(*from),
            _ => None,
        });
        let spot = laid.sights.first().map(|sight| self.evidence.beam.sights[*sight].spot);
        (moved.unwrap_or(laid.place), spot)
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

    /// Two cards that go away while their hand plays on are exchanged.
    pub(super) fn exchange(&mut self, at: i64, place: Place) {
        let of_hand = self.seats.get(&place).map_or(0, |seat| seat.cards.len());
        let again = self.guess.laid.iter().filter(|laid| laid.place == place && laid.at > at).count();
        if self.evidence.grammar.exchange && place != Place::Dealer && of_hand == 2 && again > 0 {
            self.played = true;
            self.pass(at, Some(place));
            self.tell(at - 1, Act::Zap(place), Vec::new());
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
            let chips = self.evidence.chips.iter().find_map(|act| match act.did {
                Did::Split(wager, stake)
                    if wager == Wager::on(other, opened) && act.at.abs_diff(at) <= ONE_SPLIT.unsigned_abs() =>
                {
                    Some((stake, act.events.clone()))
                }
                _ => None,
            });
            let (stake, events) = chips.unwrap_or((Stake::Full, Vec::new()));
            self.split(at, Wager::on(one, hand), to, stake, [shown, events].concat());
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

    pub(super) fn split(&mut self, at: i64, wager: Wager, opened: Place, stake: Stake, events: Vec<EventId>) {
        if stake == Stake::Free {
            self.free.extend(opened.box_no().map(|box_no| match opened {
                Place::Box(_, hand) => Wager { box_no, hand, kind: WagerKind::stake(hand), ..wager },
                Place::Dealer => wager,
            }));
        }
        let seated = wager.bettor == table::Bettor::SEATED && !wager.tip;
        if seated && !self.split_told.insert(opened) {
            return;
        }
        if seated {
            self.played = true;
            self.pass(at, Some(wager.place()));
        }
        self.tell(at, Act::Split(wager, stake), events);
        if !seated {
            return;
        }
        let seat = self.seats.entry(wager.place()).or_default();
        (seat.split, seat.exchanged) = (true, false);
        let moved = if seat.cards.len() > 1 { seat.cards.split_off(1) } else { Vec::new() };
        self.seats.insert(opened, Seat { cards: moved, split: true, ..Seat::default() });
        let after = self.order.iter().position(|place| *place == wager.place()).map_or(self.order.len(), |at| at + 1);
        self.order.insert(after, opened);
    }
}
