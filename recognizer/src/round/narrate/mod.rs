//! One reading of the cards and all that was done with chips, told as the steps of a round.
//!
//! What nobody heard is told from what came of it: a card to a hand that could stand was asked for, a hand that could
//! draw and was passed stood, half a stake taken was a surrender.

mod cards;
mod chips;
mod decide;
mod times;

use std::collections::{BTreeMap, BTreeSet};

use table::round::Mix;
use table::{Act, Bettor, Card, EventId, Grammar, Money, Place, Wager, WagerKind};

use super::beam::Beam;
use super::book::{ChipAct, Did};
use super::guess::{Guess, Happening};

pub(super) use times::SEEN_AT_ONCE;

/// Cards of a hand that leave within this were collected together, in microseconds.
pub(super) const TOGETHER: i64 = 700_000;
/// From the shoe to the hand, in microseconds.
const TO_HAND: i64 = 2_500_000;
/// Chips and cards of one split may be told this far apart, in microseconds.
const ONE_SPLIT: i64 = 4_000_000;

/// What happened beside cards and chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aside {
    /// The cards were shuffled, as the pause and the new shoe show.
    Shuffle,
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
    /// Whether a shuffling machine stands at the table.
    pub(super) shuffler: bool,
    /// Whether a chip sensor told of the round.
    pub(super) chips_heard: bool,
    /// Whether lines of the chip sensor were lost.
    pub(super) lines_lost: bool,
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
    /// Its cards were exchanged for others.
    exchanged: bool,
    doubling: bool,
    done: bool,
    collected: bool,
}

/// When the cards of a hand went to the rack together, by when each of them went: the last of them, or the most of them after this
/// time, from which on hands are only cleared away, so that single ones are most likely a neighbour's.
fn cleared_away(times: &[i64], since: i64) -> Option<i64> {
    let with = |first: i64| times.iter().filter(|at| (first..=first.saturating_add(TOGETHER)).contains(*at)).count();
    let most = times.iter().copied().filter(|at| *at > since).max_by_key(|first| (with(*first), *first));
    let last = times.iter().copied().max()?;
    most.or_else(|| times.iter().copied().filter(|at| last.saturating_sub(*at) <= TOGETHER).min())
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
    split_told: BTreeSet<(Place, Bettor, bool)>,
    /// Hands whose cards came from another.
    parted: BTreeSet<Place>,
    /// Doubles that were told with their card, ahead of their chips.
    doubled: BTreeSet<Wager>,
    /// When the cards of each hand go to the rack together.
    collected: BTreeMap<Place, i64>,
    /// When the dealer's hand was complete.
    dealer_done: i64,
    played: bool,
    /// Whether the dealer showed a natural before anybody played: hands are turned up to be taken then.
    natural: bool,
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
            parted: BTreeSet::new(),
            doubled: BTreeSet::new(),
            collected: BTreeMap::new(),
            dealer_done: i64::MIN,
            played: false,
            natural: false,
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
            if !stays {
                let errs = self.evidence.beam.errs();
                let cleared = cleared_away(&times, if errs { self.dealer_done } else { i64::MAX });
                self.collected.extend(cleared.map(|at| (place, at)));
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

    /// Whether every main stake that saw a card went back to its bettor, and neither the dealer's hand was finished nor all others.
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
        let mut hands: BTreeMap<Place, Vec<Card>> = BTreeMap::new();
        for (laid, (card, _)) in self.guess.laid.iter().zip(&self.faces) {
            hands.entry(laid.place).or_default().push(*card);
        }
        let dealer = hands.remove(&Place::Dealer).unwrap_or_default();
        let waits = hands.values().any(|cards| !self.evidence.grammar.is_full(cards, false)) || hands.is_empty();
        back > 0 && waits && (dealer.len() < 2 || self.evidence.grammar.dealer_draws(&dealer))
    }

    /// Everything in order of time; of what happened at once chips come first. Players turn their cards up once they have them all and as
    /// they lie, the dealer before he draws.
    fn items(&self) -> Vec<(i64, Item)> {
        let asides = self.evidence.asides.iter().enumerate().map(|(number, (at, ..))| (*at, 0, Item::Aside(number)));
        let chips = self.evidence.chips.iter().enumerate().map(|(number, act)| (act.at, 1, Item::Chip(number)));
        let times = self.times();
        let turned = |number: usize| match self.guess.log[number].2 {
            Happening::Turned(piece) => Some(&self.guess.laid[piece]).filter(|laid| laid.place != Place::Dealer),
            _ => None,
        };
        let cards = times.into_iter().enumerate();
        let cards =
            cards.map(|(number, at)| (at, turned(number).map_or(2, |laid| 2 + laid.position), Item::Card(number)));
        let mut items: Vec<(i64, u8, Item)> = asides.chain(chips).chain(cards).collect();
        items.sort_by_key(|(at, kind, _)| (*at, *kind));
        items.into_iter().map(|(at, _, item)| (at, item)).collect()
    }

    fn tell(&mut self, at: i64, act: Act, events: Vec<EventId>) {
        self.told.push(Told { at, act, face: 1.0, events, piece: None });
    }

    fn aside(&mut self, at: i64, number: usize) {
        let (_, id, aside) = self.evidence.asides[number];
        let act = match aside {
            Aside::Shuffle => Act::Shuffle(if self.evidence.shuffler { Mix::Machine } else { Mix::Whole }),
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
            Happening::Turned(piece) if self.came_up(piece) => {}
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
                if self.guess.loose.contains(&draw) && !replaced && self.evidence.beam.saw_cards() {
                    self.tell(at.saturating_add(1), Act::Discard(card), Vec::new());
                }
            }
        }
    }

    fn end(mut self) -> Vec<Told> {
        self.put_rack_in_order();
        self.place_stand_offs();
        // What the dealer settled after the last card was gone is still of this round.
        let settled = self.told.iter().filter(|told| matches!(told.act, Act::Pay(..) | Act::Take(..)));
        let over = settled.map(|told| told.at).max().map_or(self.evidence.over, |last| last.max(self.evidence.over));
        self.tell(over, Act::End, Vec::new());
        // Steps found out later belong where they happened; of those at one time the first told comes first.
        self.told.sort_by_key(|told| told.at);
        self.told
    }
}
