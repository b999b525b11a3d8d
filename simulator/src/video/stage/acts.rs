//! Which motions each step of a round is made of.

use table::round::{Cutter, Device, Touched};
use table::{Act, Bettor, BoxNo, Hand, Place, Step, Wager, WagerKind};

use super::super::scene::Point;
use super::arms::{Actor, Manner};
use super::felt::{Felt, When};

/// Which way cards that lie about are turned, in radians to either side: nearly straight, or as they fell.
const STRAIGHT: f64 = 0.2;
const ANYHOW: f64 = 3.0;

/// Whether the cards may be before the dealer during a step.
fn is_about_the_heap(act: &Act) -> bool {
    matches!(act, Act::Cards { .. } | Act::Inspect(_) | Act::Shuffle(_) | Act::OfferCut(_) | Act::Cut { .. })
}

impl Felt {
    /// Shows one step, which of the round it is, and what is still to come.
    pub(super) fn follow(&mut self, number: usize, act: &Act, later: &[Step], when: When) {
        self.run_errands(when.at, when.floor);
        if !is_about_the_heap(act) {
            self.load(when);
        }
        self.follow_cards(number, act, when);
        self.follow_chips(act, later, when);
        self.follow_gestures(act, when);
    }

    fn follow_cards(&mut self, number: usize, act: &Act, when: When) {
        match act {
            Act::Cards { .. } | Act::Inspect(_) => self.spread(true, when),
            Act::Shuffle(mix) => self.shuffle(*mix, when),
            Act::Cut { by: Cutter::Box(box_no), .. } => self.cut(seated(*box_no), when),
            Act::Cut { by: Cutter::Staff, .. } => self.cut(Actor::Dealer, when),
            Act::CutCardIn(_) => self.cut_card_in(when),
            Act::CutCardOut => self.cut_card_out(when),
            Act::Burn(card) | Act::Discard(card) => self.discard(number, *card, when),
            Act::Card { to, card, face, turn } => self.deal(number, *to, (*card, *face, *turn), when),
            Act::TurnUp(place, card) => self.turn_up(*place, *card, when),
            Act::TurnSideways(place) => self.turn_sideways(*place, when),
            Act::Tuck(place) => self.tuck(*place, when),
            Act::Move { card, from, to } => self.move_card(*card, *from, *to, when),
            Act::Zap(place) => drop(self.zapped.insert(*place)),
            Act::Collect(place) => self.collect(&[*place], when),
            Act::Drawn(card) => self.lay_about(number, *card, false, STRAIGHT, when),
            Act::Exposed(card) | Act::Boxed(card) | Act::Damaged(card) => {
                self.lay_about(number, *card, true, STRAIGHT, when);
            }
            Act::Dropped(card) => self.lay_about(number, *card, true, ANYHOW, when),
            Act::Replaced(card) => self.replace(*card, when),
            Act::End => self.clear(when),
            _ => {}
        }
    }

    fn follow_chips(&mut self, act: &Act, later: &[Step], when: When) {
        let before: Vec<Wager> = match act {
            Act::Split(..) => self.layout.wagers.keys().copied().collect(),
            _ => Vec::new(),
        };
        self.layout.apply(act);
        match act {
            Act::Bet(wager, amount) | Act::Alter(wager, amount) => {
                // Before the deal everybody bets at once; later a bet answers what happened last.
                let when = if self.hands.is_empty() { when.unhurried() } else { when };
                self.stake(*wager, *amount, when);
            }
            Act::Double(wager, _) => self.raise(wager.of_kind(WagerKind::Double), when),
            Act::Split(wager, _) => {
                let mut opened = self.layout.wagers.keys().filter(|other| !before.contains(other));
                if let Some(further) = opened.find(|other| other.box_no == wager.box_no).copied() {
                    self.open_hand(wager.place(), further.place(), when);
                    self.raise(further, when);
                }
            }
            Act::Parlay(wager, amount) => self.parlay(*wager, *amount, later, when),
            Act::Ride(wager, amount) => self.ride(*wager, *amount, when),
            Act::Pay(wager, amount) => self.pay(*wager, *amount, later, when),
            Act::Take(wager, amount) => self.take(*wager, *amount, later, when),
            Act::Push(wager) | Act::Return(wager) => self.hand_back(*wager, later, when),
            Act::Marker(box_no, _) => self.marker(*box_no, when),
            _ => {}
        }
    }

    fn follow_gestures(&mut self, act: &Act, when: When) {
        let middle = Point { x: 0.0, y: 520.0 };
        let (who, at, manner) = match act {
            Act::Zap(place) => (player(*place), self.cards_of(*place), Manner::Points),
            Act::Hit(place) | Act::Accept(place) => (player(*place), self.asking(*place), Manner::Taps),
            Act::Stand(place) | Act::Refuse(place) => (player(*place), self.asking(*place), Manner::Waves),
            Act::Surrender(wager) | Act::EvenMoney(wager) | Act::Prize(wager, _) => {
                (Actor::bettor(*wager), self.geometry.betting_spot(wager), Manner::Points)
            }
            Act::Touch(box_no, Touched::Cards) => {
                (seated(*box_no), self.cards_of(Place::Box(*box_no, Hand::A)), Manner::Carries)
            }
            Act::Touch(box_no, Touched::Wager) => {
                (seated(*box_no), self.geometry.betting_spot(&Wager::on(*box_no, Hand::A)), Manner::Carries)
            }
            Act::OfferCut(box_no) | Act::Absent(box_no) => {
                (Actor::Dealer, self.cards_of(Place::Box(*box_no, Hand::A)), Manner::Points)
            }
            Act::Void(place) | Act::Reconstruct(place) => (Actor::Dealer, self.cards_of(*place), Manner::Points),
            Act::NoMoreBets | Act::OfferInsurance | Act::VoidRound => (Actor::Dealer, middle, Manner::Waves),
            Act::Peek => (Actor::Dealer, self.cards_of(Place::Dealer), Manner::Carries),
            Act::Fault(Device::Shoe) => (Actor::Dealer, self.geometry.mouth(), Manner::Points),
            _ => return,
        };
        self.gesture(who, at, manner, when);
    }

    /// All cards are in the rack and all chips with their owners.
    fn clear(&mut self, when: When) {
        let places: Vec<Place> = self.hands.keys().copied().collect();
        let hands = places.iter().filter_map(|place| self.hands.remove(place)).flatten();
        let mut ids: Vec<u32> = hands.map(|laid| laid.id).collect();
        ids.append(&mut self.loose);
        self.sweep(&ids, when);
        self.tucked.clear();
        self.zapped.clear();
        self.close_boxes();
        self.clear_chips(when);
    }
}

fn seated(box_no: BoxNo) -> Actor {
    Actor::Player(box_no, Bettor::SEATED)
}

/// Who decides for a hand.
fn player(place: Place) -> Actor {
    place.box_no().map_or(Actor::Dealer, seated)
}
