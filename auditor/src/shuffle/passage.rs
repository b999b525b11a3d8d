//! The cards' way through rack and shuffle: what went in and what came out, as the rounds of a table show it.
//!
//! Cards come out of the shoe in the order of play and go to the rack in the order of collection. The rack, and on it
//! what was never dealt, is what goes into the next shuffle; so two shoes that follow each other show both orders of the
//! shuffle between them, as far as they were dealt.

use table::round::Mix;
use table::{Act, Card, Place, Round};

use super::chain::UNREAD;
use super::gauge::Gauges;
use super::returns::Stretch;
use super::slugs::Runs;
use super::{DECK, Inventory, LEAST_READ, Missing, Null, Orders, Procedure, Report, Slug, Terms, judge};
use crate::replay::{Deal, Table};
use crate::rules::Rules;

/// A run of so many cards is told of as soon as it has come. No procedure done properly leaves one: after two riffles
/// eleven neighbours all stay together once in four million times.
const TOLD_AT_ONCE: usize = 12;

/// What was found in a shoe.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// A run of cards that came through together.
    Slug(Slug),
    /// The order as a whole.
    Order(Box<Report>),
    /// What a continuous shuffler gave back.
    Returned(Box<Report>),
}

/// The cards of one table between rack and shoe.
#[derive(Clone, Debug, Default)]
pub struct Passage {
    /// What went into the last shuffle; empty if that was not seen.
    before: Vec<u8>,
    /// What came out since.
    after: Vec<u8>,
    /// What went to the rack since.
    rack: Vec<u8>,
    /// Cards that came face down, by their number among those that came out.
    hidden: Vec<(Place, usize)>,
    /// Whether the cards are being mixed.
    mixing: bool,
    /// Whether a machine did it.
    machine: bool,
    /// Whether the shoe has been judged, or a slug of it told of.
    judged: bool,
    told: bool,
    runs: Runs,
    /// Cards in which runs have been looked for.
    looked: usize,
    /// What was found and not told yet.
    found: Option<Found>,
    /// The cards of the table over many shoes.
    inventory: Inventory,
    missing: Option<Missing>,
    /// How often other cards may have come to the table.
    exchanges: u32,
    /// Rounds at a continuous shuffler that were not judged yet.
    stretch: Stretch,
}

pub(super) fn face(card: Card) -> u8 {
    card.index().map_or(UNREAD, |index| index as u8)
}

impl Passage {
    /// The orders of the shoe as far as it was dealt; none if nothing is known of what went in.
    pub fn orders(&self, id: String, decks: u8) -> Option<Orders> {
        let card = |face: &u8| Card::from_index(usize::from(*face)).unwrap_or(Card::UNREAD);
        let known = !self.before.is_empty() && !self.after.is_empty();
        known.then(|| Orders {
            id,
            decks,
            before: self.before.iter().map(card).collect(),
            after: self.after.iter().map(card).collect(),
        })
    }

    /// Whether a machine made the last shuffle.
    pub const fn by_machine(&self) -> bool {
        self.machine
    }

    /// Which cards are in use: another number where others may have come to the table since.
    pub const fn cards(&self) -> u32 {
        self.exchanges
    }

    /// The last rounds at a continuous shuffler: how many, and themselves once they are enough to judge it by.
    pub(super) fn take_stretch(&mut self) -> (usize, Option<Stretch>) {
        let rounds = self.stretch.turns.len();
        (rounds, self.stretch.is_enough().then(|| std::mem::take(&mut self.stretch)))
    }

    /// The card that is missing from the cards of the table, told once.
    pub(crate) const fn take_missing(&mut self) -> Option<Missing> {
        self.missing.take()
    }

    /// Another shoe came into use, and nothing was seen of its cards.
    pub fn forget(&mut self) {
        self.inventory.exchanged();
        self.exchanges = self.exchanges.saturating_add(1);
        self.before.clear();
        self.after.clear();
        self.rack.clear();
        self.hidden.clear();
        self.stretch.clear();
        self.looked = 0;
        (self.judged, self.told, self.mixing, self.machine) = (false, false, false, false);
    }

    /// Follows a step; the table is as it was before it.
    pub(crate) fn follow(&mut self, table: &Table<'_>, act: &Act, gauges: Option<&Gauges>) {
        match act {
            Act::Cards { .. } => self.forget(),
            // Loaded anew, perhaps with other cards.
            Act::Shuffle(_) if table.rules.csm => self.forget(),
            Act::Shuffle(mix) => self.shuffle(*mix, table, gauges),
            Act::Card { to, card, .. } => {
                let came = self.come(table, act);
                if came && !card.is_known() {
                    self.hidden.push((*to, self.after.len() - 1));
                }
            }
            Act::TurnUp(place, card) => self.turn_up(*place, *card),
            Act::Burn(card) => {
                self.come(table, act);
                self.rack.push(face(*card));
            }
            Act::Discard(card) => self.rack.push(face(*card)),
            Act::Drawn(_) | Act::Exposed(_) | Act::Dropped(_) | Act::Boxed(_) => {
                self.come(table, act);
            }
            Act::Collect(place) | Act::Zap(place) => self.collect(table, *place),
            _ => {}
        }
    }

    /// A card left the shoe with this step, unless it had done so before.
    fn come(&mut self, table: &Table<'_>, act: &Act) -> bool {
        let Some(card) = table.shows(act) else { return false };
        self.mixing = false;
        self.after.push(face(card));
        true
    }

    fn turn_up(&mut self, place: Place, card: Card) {
        let Some(at) = self.hidden.iter().position(|(hidden, _)| *hidden == place) else { return };
        let (_, came) = self.hidden.remove(at);
        if let Some(there) = self.after.get_mut(came) {
            *there = face(card);
        }
    }

    fn collect(&mut self, table: &Table<'_>, place: Place) {
        match place {
            Place::Dealer if !table.dealer.collected => self.rack.extend(table.dealer.cards.iter().copied().map(face)),
            Place::Dealer => {}
            place => {
                let hand = table.hand(place).filter(|hand| !hand.collected);
                self.rack.extend(hand.iter().flat_map(|hand| hand.play.cards.iter().copied().map(face)));
            }
        }
    }

    /// The rack, and what was left of the shoe, go into a shuffle.
    fn shuffle(&mut self, mix: Mix, table: &Table<'_>, gauges: Option<&Gauges>) {
        if table.deal != Deal::Betting {
            // Discards shuffled to finish a round leave an order that nobody can follow.
            self.forget();
            return;
        }
        if !self.mixing {
            let half = usize::from(table.rules.decks) * DECK / 2;
            if self.after.len() > half {
                self.judge(table.rules, gauges);
                if let Some(gauges) = gauges {
                    let flow = gauges.flow(table.rules, &proper(table.rules, self.machine));
                    self.missing = self.inventory.count(flow, table.rules.decks, &self.before, &self.after);
                }
            }
            let rack = std::mem::take(&mut self.rack);
            let before = std::mem::replace(&mut self.before, rack);
            self.forget_shoe(before);
            self.runs.read(&self.before);
        }
        self.mixing = true;
        self.machine |= mix == Mix::Machine;
    }

    /// Forgets the shoe and keeps what goes into the next; `room` is for its rack.
    fn forget_shoe(&mut self, mut room: Vec<u8>) {
        room.clear();
        self.rack = room;
        self.after.clear();
        self.hidden.clear();
        self.looked = 0;
        (self.judged, self.told, self.machine) = (false, false, false);
    }

    /// The round is over: cards that nobody collected are in the rack now, and the shoe may be over too. What was found
    /// since the last round is told.
    pub(crate) fn round_ends(&mut self, table: &Table<'_>, gauges: Option<&Gauges>) -> Option<Found> {
        self.hidden.clear();
        for (_, hand) in table.hands().filter(|(_, hand)| !hand.collected) {
            self.rack.extend(hand.play.cards.iter().copied().map(face));
        }
        if !table.dealer.collected {
            self.rack.extend(table.dealer.cards.iter().copied().map(face));
        }
        if table.rules.csm {
            self.turn(table.rules.decks, gauges);
            return self.found.take();
        }
        let size = usize::from(table.rules.decks) * DECK;
        if self.rack.len() > 2 * size {
            // Rounds go on and no shuffle is ever seen.
            self.forget();
        }
        self.look_for_slug();
        if table.shoe.cut_card_out.is_some() {
            self.judge(table.rules, gauges);
        }
        self.found.take()
    }

    /// A continuous shuffler takes the cards back. It is judged by some fifty rounds at a time: at a glance, and closely
    /// only where that shows something.
    fn turn(&mut self, decks: u8, gauges: Option<&Gauges>) {
        self.stretch.add(decks, &self.after, &self.rack);
        self.after.clear();
        self.rack.clear();
        if gauges.is_none() {
            return;
        }
        let odd = self.take_stretch().1.filter(Stretch::is_odd);
        let terms = Terms::default();
        let report = odd.map(|stretch| stretch.judge(&terms)).filter(|report| Stretch::kept_order(report, &terms));
        self.found = report.map(|report| Found::Returned(Box::new(report)));
    }

    fn look_for_slug(&mut self) {
        let enough = self.before.len() >= TOLD_AT_ONCE;
        while enough && self.looked < self.after.len() {
            let longest = self.runs.longest_at(&self.after, self.looked);
            self.looked += 1;
            if let Some((_, slug)) = longest.filter(|(read, _)| *read >= TOLD_AT_ONCE && !self.told) {
                self.told = true;
                self.found = Some(Found::Slug(slug));
            }
        }
    }

    /// Judges the order of a shoe that is over. Most shoes are cleared by a glance; only what is out of the ordinary is
    /// looked at closely.
    fn judge(&mut self, rules: &Rules, gauges: Option<&Gauges>) {
        let Some(gauges) = gauges else { return };
        if std::mem::replace(&mut self.judged, true) {
            return;
        }
        let read = |order: &[u8]| order.iter().filter(|face| **face < UNREAD).count();
        let little = read(&self.before) < LEAST_READ || read(&self.after) < LEAST_READ;
        let too_many = self.before.len().max(self.after.len()) > usize::from(rules.decks) * DECK;
        // A slug is told of already, and a card too many by the check that counts.
        if little || too_many || self.told {
            return;
        }
        let null = proper(rules, self.machine);
        if !gauges.is_odd(rules, &null, &self.before, &self.after) {
            return;
        }
        let orders = self.orders("shoe".to_owned(), rules.decks);
        let terms = Terms { null, ..Terms::default() };
        let report = orders.and_then(|orders| judge(&orders, &terms).ok());
        // By its order: a shoe with a card too many is suspect however well it was shuffled.
        if let Some(report) = report.filter(|report| report.p <= terms.rate) {
            self.found = Some(Found::Order(Box::new(report)));
        }
    }
}

/// Whether the cards are shuffled before the round.
pub(crate) fn is_shuffled(round: &Round) -> bool {
    let mut acts = round.steps.iter().map(|step| &step.act).take_while(|act| !matches!(act, Act::Card { .. }));
    acts.any(|act| matches!(act, Act::Shuffle(_)))
}

/// The shuffle that a table's is compared with: a machine's makes every order equally likely, hands do what the house says.
pub fn proper(rules: &Rules, machine: bool) -> Null {
    if machine {
        return Null::Uniform;
    }
    Null::Procedure(rules.shuffle.clone().unwrap_or_else(|| Procedure::usual(rules)))
}
