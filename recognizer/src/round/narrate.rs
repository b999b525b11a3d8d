//! One reading of the cards and all that was done with chips, told as the steps of a round.
//!
//! What nobody heard is told from what came of it: a card to a hand that could stand was asked for, a hand that could
//! draw and was passed stood, half a stake taken was a surrender.

use std::collections::{BTreeMap, BTreeSet};

use table::round::Stake;
use table::{Act, Card, EventId, Face, Grammar, Hand, Money, Place, Rank, SideBet, Total, Wager, WagerKind};

use super::beam::Beam;
use super::book::{ChipAct, Did};
use super::guess::{Guess, Happening};

/// Cards of a hand that leave within this were collected together, in microseconds.
const TOGETHER: i64 = 700_000;
/// From the shoe to the hand, in microseconds.
const TO_HAND: i64 = 2_500_000;
/// Chips and cards of one split may be told this far apart, in microseconds.
const ONE_SPLIT: i64 = 4_000_000;

/// What happened beside cards and chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aside {
    /// A card was burned.
    Burn,
    /// The cutting card came out.
    CutCard,
}

/// A step with its time and what shows it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Told {
    pub(super) at: i64,
    pub(super) act: Act,
    /// How likely the face it names is.
    pub(super) face: f64,
    pub(super) events: Vec<EventId>,
    /// The card it names, as the reading numbers them.
    pub(super) piece: Option<usize>,
}

/// What is told of a round.
pub(super) struct Evidence<'e> {
    pub(super) beam: &'e Beam,
    pub(super) chips: &'e [ChipAct],
    pub(super) asides: &'e [(i64, EventId, Aside)],
    pub(super) grammar: &'e Grammar,
    /// Whether a chip sensor told of the round.
    pub(super) chips_heard: bool,
    pub(super) over: i64,
}

#[derive(Clone, Copy, Debug)]
enum Item {
    Aside(usize),
    Chip(usize),
    Card(usize),
}

#[derive(Clone, Debug, Default)]
struct Seat {
    cards: Vec<(usize, Card)>,
    split: bool,
    doubling: bool,
    done: bool,
    collected: bool,
}

/// The steps of a round as one reading has them.
pub(super) fn narrate(guess: &Guess, evidence: &Evidence<'_>) -> Vec<Told> {
    let mut narrator = Narrator::new(guess, evidence);
    for (at, item) in narrator.items() {
        match item {
            Item::Aside(number) => narrator.aside(at, number),
            Item::Chip(number) => narrator.chip(at, number),
            Item::Card(number) => narrator.card(at, number),
        }
    }
    narrator.end()
}

struct Narrator<'e> {
    guess: &'e Guess,
    evidence: &'e Evidence<'e>,
    faces: Vec<(Card, f64)>,
    seats: BTreeMap<Place, Seat>,
    /// The hands of each box in the order they are played.
    order: Vec<Place>,
    told: Vec<Told>,
    stakes: BTreeMap<Wager, Money>,
    free: BTreeSet<Wager>,
    paid: BTreeSet<Wager>,
    given_up: BTreeSet<Wager>,
    split_told: BTreeSet<Place>,
    /// When the cards of each hand go to the rack together.
    collected: BTreeMap<Place, i64>,
    /// When the dealer's hand was complete.
    dealer_done: i64,
    played: bool,
    /// Whether every stake was handed back before the dealer's hand was complete.
    void: bool,
    /// Chips taken up by bettors who neither won nor lost.
    stood_off: Vec<(i64, Wager, Vec<EventId>)>,
}

impl<'e> Narrator<'e> {
    fn new(guess: &'e Guess, evidence: &'e Evidence<'e>) -> Self {
        let likely = |laid| evidence.beam.faces(laid).posterior(&evidence.beam.prior).first().copied();
        let faces = guess.laid.iter().map(|laid| {
            let known = laid.draw.is_some_and(|draw| evidence.beam.draws[draw].card.is_some())
                || laid.sights.iter().any(|sight| evidence.beam.sights[*sight].card.card.is_known());
            if known { likely(laid).unwrap_or((Card::UNREAD, 1.0)) } else { (Card::UNREAD, 1.0) }
        });
        let mut narrator = Self {
            faces: faces.collect(),
            guess,
            evidence,
            seats: BTreeMap::new(),
            order: Vec::new(),
            told: Vec::new(),
            stakes: BTreeMap::new(),
            free: BTreeSet::new(),
            paid: BTreeSet::new(),
            given_up: BTreeSet::new(),
            split_told: BTreeSet::new(),
            collected: BTreeMap::new(),
            dealer_done: i64::MIN,
            played: false,
            void: false,
            stood_off: Vec::new(),
        };
        narrator.look_ahead();
        narrator
    }

    /// What later events say about earlier steps.
    fn look_ahead(&mut self) {
        let mut gone: BTreeMap<Place, Vec<i64>> = BTreeMap::new();
        for (at, _, happening) in &self.guess.log {
            match happening {
                Happening::Gone(piece) => gone.entry(self.guess.laid[*piece].place).or_default().push(*at),
                Happening::Laid(piece) | Happening::Turned(piece) if self.guess.laid[*piece].place == Place::Dealer => {
                    self.dealer_done = self.dealer_done.max(*at);
                }
                _ => {}
            }
        }
        for (place, times) in gone {
            let stays = self.guess.laid.iter().any(|laid| laid.place == place && !laid.gone && !laid.sights.is_empty());
            if let (Some(last), false) = (times.iter().max(), stays) {
                let together = times.iter().filter(|at| last.saturating_sub(**at) <= TOGETHER);
                self.collected.extend(together.min().map(|at| (place, *at)));
            }
        }
        self.void = self.is_void();
        let mut stakes: BTreeMap<Wager, Money> = BTreeMap::new();
        for act in self.evidence.chips {
            match act.did {
                Did::Bet(wager, amount) | Did::Alter(wager, amount) => drop(stakes.insert(wager, amount)),
                Did::Parlay(wager, amount) => {
                    let stake = stakes.entry(wager).or_default();
                    *stake = stake.plus(amount).unwrap_or(*stake);
                }
                Did::Take(wager, Some(part)) if self.evidence.grammar.surrender || act.at < self.dealer_done => {
                    let stake = stakes.get(&wager).map_or(0, |stake| stake.minor());
                    let half = (part.minor().saturating_mul(2) - stake).abs() <= 100;
                    if half && matches!(wager.kind, WagerKind::Main | WagerKind::Split) {
                        self.given_up.insert(wager);
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether every main stake that saw a card went back to its bettor, and the dealer's hand was never finished.
    fn is_void(&self) -> bool {
        let first_card = self.guess.laid.iter().map(|laid| laid.at).min().unwrap_or(i64::MAX);
        let mut back = 0;
        for act in self.evidence.chips {
            match act.did {
                Did::Pay(wager, _) | Did::Take(wager, _) if wager.kind == WagerKind::Main => return false,
                Did::TakenUp(wager) if wager.kind == WagerKind::Main && act.at > first_card => back += 1,
                _ => {}
            }
        }
        let dealer = self.guess.laid.iter().zip(&self.faces).filter(|(laid, _)| laid.place == Place::Dealer);
        let dealer: Vec<Card> = dealer.map(|(_, (card, _))| *card).collect();
        back > 0 && (dealer.len() < 2 || self.evidence.grammar.dealer_draws(&dealer))
    }

    /// Everything in order of time; of what happened at once chips come first.
    fn items(&self) -> Vec<(i64, Item)> {
        let asides = self.evidence.asides.iter().enumerate().map(|(number, (at, ..))| (*at, 0, Item::Aside(number)));
        let chips = self.evidence.chips.iter().enumerate().map(|(number, act)| (act.at, 1, Item::Chip(number)));
        let times = self.times();
        let cards = times.into_iter().enumerate().map(|(number, at)| (at, 2, Item::Card(number)));
        let mut items: Vec<(i64, u8, Item)> = asides.chain(chips).chain(cards).collect();
        items.sort_by_key(|(at, kind, _)| (*at, *kind));
        items.into_iter().map(|(at, _, item)| (at, item)).collect()
    }

    /// When each thing happened to a card. A card seen late lay there before the next that left the shoe.
    fn times(&self) -> Vec<i64> {
        let mut times: Vec<i64> = self.guess.log.iter().map(|(at, ..)| *at).collect();
        let mut drawn: Vec<(usize, usize)> = Vec::new();
        for (number, (_, _, happening)) in self.guess.log.iter().enumerate() {
            if let Happening::Laid(piece) = happening {
                drawn.extend(self.guess.laid[*piece].draw.map(|draw| (draw, number)));
            }
        }
        drawn.sort_unstable();
        let mut next = i64::MAX;
        for (draw, number) in drawn.into_iter().rev() {
            let waited = times[number].saturating_sub(self.evidence.beam.draws[draw].at);
            if waited <= 3_000_000 {
                times[number] = times[number].min(next.saturating_sub(1));
                next = times[number];
            }
        }
        times
    }

    fn tell(&mut self, at: i64, act: Act, events: Vec<EventId>) {
        self.told.push(Told { at, act, face: 1.0, events, piece: None });
    }

    fn aside(&mut self, at: i64, number: usize) {
        let (_, id, aside) = self.evidence.asides[number];
        let act = match aside {
            Aside::Burn => Act::Burn(Card::HIDDEN),
            Aside::CutCard => Act::CutCardOut,
        };
        self.tell(at, act, vec![id]);
    }

    fn card(&mut self, at: i64, number: usize) {
        let (_, id, happening) = self.guess.log[number];
        let shown: Vec<EventId> = id.into_iter().collect();
        match happening {
            Happening::Laid(piece) => self.laid(at, piece, shown),
            Happening::Turned(piece) => self.turned(at, piece, shown),
            Happening::Sideways(piece) => {
                let place = self.guess.laid[piece].place;
                let act = Act::TurnSideways(place);
                if self.told.last().is_none_or(|last| last.act != act) {
                    self.tell(at, act, shown);
                }
            }
            Happening::Gone(piece) => self.gone(at, piece, shown),
            Happening::Moved(piece, from) => self.moved(at, piece, from, shown),
            Happening::Loose(draw) => {
                let card = self.evidence.beam.draws[draw].card.unwrap_or(Card::UNREAD);
                self.tell(at, Act::Drawn(card), shown);
                // Unless a card of which the shoe said nothing came in its stead, it was put away.
                let replaced = self.guess.laid.iter().any(|laid| laid.draw.is_none() && laid.at > at);
                if self.guess.loose.contains(&draw) && !replaced {
                    self.tell(at.saturating_add(1), Act::Discard(card), Vec::new());
                }
            }
        }
    }

    fn laid(&mut self, at: i64, piece: usize, mut shown: Vec<EventId>) {
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
    fn first_spot(&self, piece: usize) -> (Place, Option<table::CardAt>) {
        let laid = &self.guess.laid[piece];
        let moved = self.guess.log.iter().find_map(|(_, _, happening)| match happening {
            Happening::Moved(other, from) if *other == piece => Some(*from),
            _ => None,
        });
        let spot = laid.sights.first().map(|sight| self.evidence.beam.sights[*sight].spot);
        (moved.unwrap_or(laid.place), spot)
    }

    /// Whether a camera saw this face and no other is at all likely.
    fn is_certain(&self, piece: usize, card: Card) -> bool {
        let sights = self.guess.laid[piece].sights.iter().map(|sight| &self.evidence.beam.sights[*sight]);
        sights.into_iter().any(|sight| sight.card.card == card && sight.card.chance.millionths() >= 999_900)
    }

    /// When something was decided that led to a card at this time: before the card left the shoe, and so before a cutting
    /// card that lay in front of it.
    fn decided(&self, at: i64) -> i64 {
        let last = self.told.iter().rev().find(|told| matches!(told.act, Act::CutCardOut | Act::Card { .. }));
        match last {
            Some(last) if last.act == Act::CutCardOut && at.saturating_sub(last.at) < TO_HAND => last.at - 1,
            _ => at - 1,
        }
    }

    /// A card is about to come to a hand: what must have been decided for that.
    fn before_card(&mut self, at: i64, place: Place) {
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
        let sideways = !self.evidence.chips_heard && self.comes_sideways(place, seat.cards.len());
        let Place::Box(box_no, hand) = place else { return };
        if seat.cards.len() < 2 || seat.doubling {
            return;
        }
        let split_ace = seat.split && cards.first().and_then(|card| card.rank()) == Some(Rank::Ace);
        if sideways && !split_ace {
            self.tell(self.decided(at), Act::Double(Wager::on(box_no, hand), Stake::Full), Vec::new());
            self.seats.entry(place).or_default().doubling = true;
        } else {
            self.tell(self.decided(at), Act::Hit(place), Vec::new());
        }
    }

    /// Whether the next card of a hand comes sideways.
    fn comes_sideways(&self, place: Place, position: usize) -> bool {
        let next = self.guess.laid.iter().filter(|laid| laid.place == place).nth(position);
        next.is_some_and(|laid| laid.turn == table::Turn::Sideways)
    }

    /// Play comes to a hand, or to the dealer: the open hands before it have stood, or were given up.
    fn pass(&mut self, at: i64, to: Option<Place>) {
        let before = self.decided(at) - 1;
        for place in self.order.clone() {
            if Some(place) == to {
                break;
            }
            let Some(seat) = self.seats.get_mut(&place) else { continue };
            let cards: Vec<Card> = seat.cards.iter().map(|(_, card)| *card).collect();
            let open = !seat.done && !seat.collected && cards.len() >= 2;
            seat.done = true;
            if !open || self.evidence.grammar.is_full(&cards, seat.split) {
                continue;
            }
            let Place::Box(box_no, hand) = place else { continue };
            if cards.len() == 2 && self.given_up.contains(&Wager::on(box_no, hand)) {
                self.give_up(before, place);
            } else {
                self.tell(before, Act::Stand(place), Vec::new());
            }
        }
    }

    /// Everybody who gives up a hand does so at its turn.
    fn give_up(&mut self, at: i64, place: Place) {
        let (here, others) = std::mem::take(&mut self.given_up).into_iter().partition(|wager| wager.place() == place);
        self.given_up = others;
        let here: BTreeSet<Wager> = here;
        here.into_iter().for_each(|wager| self.tell(at, Act::Surrender(wager), Vec::new()));
    }

    fn turned(&mut self, at: i64, piece: usize, shown: Vec<EventId>) {
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
            if !self.evidence.grammar.is_full(&cards, false) {
                self.pass(at, Some(place));
            }
        } else {
            let up = self.seats.get(&place).map(|seat| seat.cards.clone()).unwrap_or_default();
            let cards = up.iter().map(|(of, shown)| if *of == piece { card } else { *shown });
            let natural = up.len() == 2 && Total::of(cards).is_some_and(|total| total.points == 21);
            if !natural || self.played {
                self.pass(at, None);
            }
        }
        if let Some(seat) = self.seats.get_mut(&place) {
            seat.cards.iter_mut().filter(|(of, _)| *of == piece).for_each(|(_, shown)| *shown = card);
        }
        let act = Act::TurnUp(place, card);
        self.told.push(Told { at, act, face: likely, events: shown, piece: Some(piece) });
    }

    fn gone(&mut self, at: i64, piece: usize, shown: Vec<EventId>) {
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
    fn exchange(&mut self, at: i64, place: Place) {
        let of_hand = self.seats.get(&place).map_or(0, |seat| seat.cards.len());
        let again = self.guess.laid.iter().filter(|laid| laid.place == place && laid.at > at).count();
        if self.evidence.grammar.exchange && place != Place::Dealer && of_hand == 2 && again > 0 {
            self.played = true;
            self.pass(at, Some(place));
            self.tell(at - 1, Act::Zap(place), Vec::new());
        }
    }

    fn moved(&mut self, at: i64, piece: usize, from: Place, shown: Vec<EventId>) {
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

    fn split(&mut self, at: i64, wager: Wager, opened: Place, stake: Stake, events: Vec<EventId>) {
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
        seat.split = true;
        let moved = if seat.cards.len() > 1 { seat.cards.split_off(1) } else { Vec::new() };
        self.seats.insert(opened, Seat { cards: moved, split: true, ..Seat::default() });
        let after = self.order.iter().position(|place| *place == wager.place()).map_or(self.order.len(), |at| at + 1);
        self.order.insert(after, opened);
    }

    fn chip(&mut self, at: i64, number: usize) {
        let act = &self.evidence.chips[number];
        let events = act.events.clone();
        match act.did {
            Did::Bet(wager, amount) => {
                self.stakes.insert(wager, amount);
                // A box that had a card before its chips were seen had its chips before its card.
                let dealt = self.told.iter().find(|told| matches!(told.act, Act::Card { .. })).map(|first| first.at);
                let has = wager.kind == WagerKind::Main && self.seats.contains_key(&wager.place());
                let at = dealt.filter(|_| has).map_or(at, |first| first - 1);
                self.tell(at, Act::Bet(wager, amount), events);
            }
            Did::Alter(wager, amount) => {
                self.stakes.insert(wager, amount);
                self.tell(at, Act::Alter(wager, amount), events);
            }
            Did::Double(wager, stake) => self.double(at, wager, stake, events),
            Did::Split(wager, stake) => self.split_by_chips(at, wager, stake, events),
            Did::Pay(wager, amount) => self.pay(at, wager, amount, events),
            Did::Take(wager, part) => self.take(at, wager, part, events),
            Did::TakenUp(wager) => self.taken_up(at, wager, events),
            Did::Parlay(wager, amount) => self.tell(at, Act::Parlay(wager, amount), events),
            Did::Ride(wager, amount) => self.tell(at, Act::Ride(wager, amount), events),
        }
    }

    fn double(&mut self, at: i64, wager: Wager, stake: Stake, events: Vec<EventId>) {
        let place = wager.place();
        let on = wager.of_kind(WagerKind::stake(wager.hand));
        if stake == Stake::Free {
            self.free.insert(wager);
        }
        if wager.bettor == table::Bettor::SEATED && !wager.tip {
            self.played = true;
            self.pass(at, Some(place));
            let seat = self.seats.entry(place).or_default();
            seat.doubling = true;
        }
        self.tell(at, Act::Double(on, stake), events);
    }

    /// A stake on a new hand. Where the camera saw the cards part, it is told there which hand was split.
    fn split_by_chips(&mut self, at: i64, wager: Wager, stake: Stake, events: Vec<EventId>) {
        let opened = wager.place();
        let parted = self.guess.log.iter().find_map(|(_, _, happening)| match happening {
            Happening::Moved(piece, from) if self.guess.laid[*piece].place == opened => Some(*from),
            _ => None,
        });
        let from = parted.and_then(|from| match from {
            Place::Box(box_no, hand) if box_no == wager.box_no => Some(hand),
            _ => None,
        });
        let hand = from.unwrap_or(Hand::A);
        let on = Wager { hand, kind: WagerKind::stake(hand), ..wager };
        self.split(at, on, opened, stake, events);
    }

    fn pay(&mut self, at: i64, wager: Wager, amount: Money, events: Vec<EventId>) {
        self.paid.insert(wager);
        let natural = self.seats.get(&wager.place()).is_some_and(|seat| {
            let cards: Vec<Card> = seat.cards.iter().map(|(_, card)| *card).collect();
            !seat.split && cards.len() == 2 && Total::of(cards).is_some_and(|total| total.points == 21)
        });
        let dealer = self.seats.get(&Place::Dealer).map(|seat| seat.cards.clone()).unwrap_or_default();
        let shows: Vec<Card> = dealer.iter().map(|(_, card)| *card).filter(|card| card.is_known()).collect();
        let ace = matches!(shows[..], [up] if up.rank() == Some(Rank::Ace));
        let even = self.stakes.get(&wager) == Some(&amount);
        if self.evidence.grammar.even_money && wager.kind == WagerKind::Main && natural && ace && even {
            self.tell(at - 1, Act::EvenMoney(wager), Vec::new());
        }
        self.complete(at, wager);
        self.tell(at, Act::Pay(wager, amount), events);
    }

    /// Lucky Match looks at a third card: settled in the middle of play, its hand is complete.
    fn complete(&mut self, at: i64, wager: Wager) {
        let place = wager.place();
        let more = self.guess.laid.iter().any(|laid| laid.place == place && laid.at > at);
        if wager.kind == WagerKind::Side(SideBet::LuckyMatch) && self.played && !more && at < self.dealer_done {
            let next = self.order.iter().skip_while(|other| **other != place).nth(1).copied();
            self.pass(at, next);
        }
    }

    fn take(&mut self, at: i64, wager: Wager, part: Option<Money>, events: Vec<EventId>) {
        if self.given_up.contains(&wager) {
            self.played = true;
            self.pass(at, Some(wager.place()));
            self.seats.entry(wager.place()).or_default().done = true;
            self.give_up(at - 1, wager.place());
        }
        self.complete(at, wager);
        if part.is_some() {
            self.paid.insert(wager);
        }
        self.tell(at, Act::Take(wager, part), events);
    }

    /// Chips that went back to their bettor: won and taken up, stood off, or handed back.
    fn taken_up(&mut self, at: i64, wager: Wager, events: Vec<EventId>) {
        if self.paid.remove(&wager) {
            return;
        }
        if self.void || !self.seats.values().any(|seat| !seat.cards.is_empty()) {
            // Taken back before the deal, or handed back because nobody plays.
            if self.void && !self.told.iter().any(|told| told.act == Act::VoidRound) {
                self.tell(at - 1, Act::VoidRound, Vec::new());
            }
            self.tell(at, Act::Return(wager), events);
            return;
        }
        let on_hand = matches!(wager.kind, WagerKind::Main | WagerKind::Split | WagerKind::Double);
        let collected = self.collected.get(&wager.place()).copied().unwrap_or(i64::MAX);
        if self.free.contains(&wager) && !self.stands_off(wager.place()) {
            self.tell(at, Act::Take(wager, None), events);
        } else if on_hand && collected < self.dealer_done && at < self.dealer_done {
            let void = Act::Void(wager.place());
            if !self.told.iter().any(|told| told.act == void) {
                self.tell(at.min(collected) - 2, void, Vec::new());
            }
            self.tell(at.min(collected) - 1, Act::Return(wager), events);
        } else if matches!(wager.kind, WagerKind::Insurance | WagerKind::Ante) {
            self.tell(at, Act::Return(wager), events);
        } else {
            self.stood_off.push((at, wager, events));
        }
    }

    /// Whether a lammer is no matter of winning or losing: the hand counts as much as the dealer's, or the dealer has 22 or
    /// a natural.
    fn stands_off(&self, place: Place) -> bool {
        let total = |place: Place| {
            let seat = self.seats.get(&place)?;
            Total::of(seat.cards.iter().map(|(_, card)| *card))
        };
        let (Some(hand), Some(dealer)) = (total(place), total(Place::Dealer)) else { return false };
        let natural = dealer.points == 21 && self.seats.get(&Place::Dealer).is_some_and(|seat| seat.cards.len() == 2);
        dealer.points == 22 || natural || hand.points == dealer.points
    }

    /// A stand-off shows only when the chips are taken up. It was called in its turn: before the next wager of the box
    /// was settled, and before the hand went to the rack.
    fn place_stand_offs(&mut self) {
        let turn = |wager: Wager| {
            let side = !matches!(wager.kind, WagerKind::Main | WagerKind::Split | WagerKind::Double);
            (side, wager.hand, wager.bettor, wager.tip, wager.kind)
        };
        self.stood_off.sort_by_key(|(_, wager, _)| std::cmp::Reverse((wager.box_no, turn(*wager))));
        for (at, wager, events) in std::mem::take(&mut self.stood_off) {
            let next = self.told.iter().filter(|told| told.at > self.dealer_done && told.at < at).filter(|told| {
                match told.act {
                    Act::Pay(other, _) | Act::Take(other, _) | Act::Push(other) => {
                        let later = other.kind != WagerKind::Insurance && turn(other) > turn(wager);
                        other.box_no == wager.box_no && later
                    }
                    Act::Collect(place) => place.box_no() == Some(wager.box_no),
                    _ => false,
                }
            });
            let when = next.map(|told| told.at).min().map_or(at, |next| next - 1);
            self.tell(when, Act::Push(wager), events);
        }
    }

    fn end(mut self) -> Vec<Told> {
        self.place_stand_offs();
        self.tell(self.evidence.over, Act::End, Vec::new());
        // Steps found out later belong where they happened; of those at one time the first told comes first.
        self.told.sort_by_key(|told| told.at);
        self.told
    }
}
