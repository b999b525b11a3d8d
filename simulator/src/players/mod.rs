//! Who sits at the table: players of several tempers who come, bet, decide, tip, stay away for a while and leave.
//!
//! A [`Company`] says what is bet on the next round, answers the dealer's questions while it is dealt, and looks at the
//! round when it is over. Everything it does is lawful; what goes wrong at the table is somebody else's business.

mod bets;
mod count;
mod guest;
mod odds;
mod roster;
mod sign;
mod sitting;
mod strategy;
mod temper;

use std::collections::{BTreeMap, VecDeque};

use auditor::model::Opening;
use auditor::model::random::{self, Dice};
use table::{Act, BoxNo, Card, Face, Layout, Money, Round, SideBet};

use crate::setup::Setup;
use count::Count;
use guest::Guest;
pub use roster::{Dealer, Roster};
use sign::Sign;
pub use sitting::{Sitting, Taken, draws};
use strategy::Strategy;
pub use temper::{NoTemper, Temper};

/// What company is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// Boxes in play when everybody is there, from 1 to 9; never more than the table has.
    pub boxes: u8,
    /// The tempers of those who come, in turn; everybody plays well if there is none.
    pub tempers: Vec<Temper>,
    /// Whether side bets are made.
    pub sides: bool,
    /// Whether there is betting behind.
    pub behind: bool,
    /// Whether chips are played for the dealer.
    pub tips: bool,
}

impl Default for Wish {
    fn default() -> Self {
        Self { boxes: 5, tempers: Temper::ALL.to_vec(), sides: true, behind: true, tips: true }
    }
}

/// The people at one table.
pub struct Company {
    wish: Wish,
    strategy: Strategy,
    guests: Vec<Guest>,
    /// Boxes nobody plays, and for how many rounds.
    empty: BTreeMap<BoxNo, u32>,
    /// How many have come since the table opened.
    come: usize,
    /// The side bets the table offers.
    offered: Vec<SideBet>,
    /// What the progressive meter shows.
    meter: Money,
    count: Count,
    shoe: Option<u32>,
    cards_left: usize,
}

impl Company {
    /// Opens the table to the public.
    pub fn new(setup: &Setup, wish: Wish, dice: &mut Dice) -> Self {
        let mut boxes: Vec<BoxNo> = BoxNo::all().filter(|box_no| box_no.number() <= setup.boxes).collect();
        let wanted = usize::from(wish.boxes.clamp(1, BoxNo::MOST));
        while boxes.len() > wanted {
            boxes.remove(dice.below(boxes.len()));
        }
        let offered = if wish.sides { random::offered(&setup.law.rules, dice) } else { Vec::new() };
        let mut company = Self {
            wish,
            strategy: Strategy::new(&setup.law.rules),
            guests: Vec::new(),
            empty: boxes.into_iter().map(|box_no| (box_no, 0)).collect(),
            come: 0,
            offered,
            meter: Money::from_minor(200_000 + dice.below(700_000) as i64),
            count: Count::default(),
            shoe: None,
            cards_left: 0,
        };
        company.take_seats(setup, dice);
        company
    }

    /// What is bet on the next round, with so many cards left in the shoe. More cards than before mean that there was a
    /// shuffle. Somebody always plays; from a shoe with less than a dozen cards nobody should.
    pub fn opening(&mut self, setup: &Setup, cards_left: usize, dice: &mut Dice) -> Opening {
        if setup.law.rules.csm || cards_left > self.cards_left {
            self.count = Count::default();
        }
        self.cards_left = cards_left;
        self.come_and_go(setup, dice);
        bets::opening(self, setup, cards_left, dice)
    }

    /// The cards and decisions of the next round, with cards from the front of a stock.
    pub fn script<'a>(&'a self, setup: &'a Setup, stock: &'a mut VecDeque<Card>, dice: &'a mut Dice) -> Sitting<'a> {
        Sitting::new(self, setup, stock, dice)
    }

    /// Looks at a round that is over.
    pub fn saw(&mut self, round: &Round) {
        if self.shoe.replace(round.id.shoe).is_some_and(|shoe| shoe != round.id.shoe) {
            self.count = Count::default();
        }
        for step in &round.steps {
            match &step.act {
                Act::Shuffle(_) | Act::Cards { .. } => self.count = Count::default(),
                Act::Card { card, face: Face::Up, .. } | Act::TurnUp(_, card) | Act::Exposed(card) => {
                    self.count.see(*card);
                }
                Act::Meter(shows) => self.meter = *shows,
                _ => {}
            }
        }
        let layout = Layout::after(round);
        for guest in &mut self.guests {
            guest.saw(&layout);
        }
    }

    /// Who plays which box, those away included.
    pub fn tempers(&self) -> BTreeMap<BoxNo, Temper> {
        let boxes = |guest: &Guest| -> Vec<_> { guest.boxes.iter().map(|(box_no, _)| *box_no).collect() };
        self.guests.iter().flat_map(|guest| boxes(guest).into_iter().map(|box_no| (box_no, guest.temper))).collect()
    }

    /// The Hi-Lo count for each deck not yet seen, as a counter has it between rounds.
    pub fn true_count(&self, setup: &Setup) -> f64 {
        self.count.per_deck(setup.law.rules.decks)
    }

    fn guest_on(&self, box_no: BoxNo) -> Option<&Guest> {
        self.guests.iter().find(|guest| guest.boxes.iter().any(|(own, _)| *own == box_no))
    }

    /// Between two rounds some leave, some step away, some come.
    fn come_and_go(&mut self, setup: &Setup, dice: &mut Dice) {
        let sign = Sign::main(&setup.law.rules, &setup.limits);
        let (stay, leave) = std::mem::take(&mut self.guests).into_iter().partition(|guest| !guest.leaves(&sign));
        self.guests = stay;
        for (box_no, _) in leave.into_iter().flat_map(|guest: Guest| guest.boxes) {
            self.empty.insert(box_no, dice.below(6) as u32);
        }
        self.take_seats(setup, dice);
        for guest in &mut self.guests {
            guest.leaves_in = guest.leaves_in.saturating_sub(1);
            guest.away = match guest.away {
                0 if dice.once_in(80) => 1 + dice.below(4) as u32,
                away => away.saturating_sub(1),
            };
        }
        if self.wish.behind {
            bets::gather_behind(&mut self.guests, &setup.law.rules, &sign, dice);
        }
        if self.guests.iter().all(|guest| guest.away > 0)
            && let Some(first) = self.guests.first_mut()
        {
            first.away = 0;
        }
    }

    /// Boxes whose time has come are taken, now and then two by one player.
    fn take_seats(&mut self, setup: &Setup, dice: &mut Dice) {
        let sign = Sign::main(&setup.law.rules, &setup.limits);
        let two_allowed = setup.law.rules.hands_per_player.is_none_or(|most| most >= 2);
        let mut free: VecDeque<BoxNo> = VecDeque::new();
        for (box_no, rounds) in &mut self.empty {
            if *rounds == 0 {
                free.push_back(*box_no);
            }
            *rounds = rounds.saturating_sub(1);
        }
        if free.is_empty() && self.guests.is_empty() {
            free.extend(self.empty.keys().next());
        }
        while let Some(box_no) = free.pop_front() {
            let mut boxes = vec![box_no];
            if two_allowed && dice.once_in(8) {
                boxes.extend(free.pop_front());
            }
            self.empty.retain(|box_no, _| !boxes.contains(box_no));
            let temper = self.wish.tempers.get(self.come % self.wish.tempers.len().max(1)).copied();
            self.come += 1;
            self.guests.push(Guest::new(temper.unwrap_or(Temper::Basic), boxes, &sign, dice));
        }
        self.guests.sort_by_key(|guest| guest.boxes.first().map(|(box_no, _)| *box_no));
    }
}
