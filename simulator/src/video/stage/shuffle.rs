//! Shuffles as a camera sees them: a heap of backs before the dealer, and two arms over it.

use std::f32::consts::PI;

use table::Card;
use table::round::Mix;

use super::super::scene::{Point, Pose};
use super::arms::{Actor, Manner};
use super::felt::{CARRY, Felt, When};
use super::track::{Item, Lie, Micros};

/// So many backs stand for all the cards of a heap.
const HEAP: usize = 24;
/// How long a move of the shuffle is shown at the most.
const SHUFFLING: Micros = 6_000_000;

impl Felt {
    /// The cards are before the dealer and both hands on them.
    pub(super) fn shuffle(&mut self, mix: Mix, when: When) {
        if mix == Mix::Machine {
            return self.gesture(Actor::Dealer, self.geometry.rack().pose.at, Manner::Points, when);
        }
        self.spread(mix == Mix::Wash || mix == Mix::Whole, when);
        let middle = self.geometry.shuffling();
        for (who, x) in [(Actor::Dealer, 90.0), (Actor::DealersOther, -30.0)] {
            let at = Point { x: middle.x + x, y: middle.y };
            self.arms.send(&self.geometry, who, when.lasting(SHUFFLING), (at, at), Manner::Stirs);
        }
    }

    /// Lays the heap out before the dealer, or stirs the one that lies there.
    pub(super) fn spread(&mut self, wide: bool, when: When) {
        let (from, until) = when.lasting(SHUFFLING);
        let early = from + (until - from) / 8;
        if self.pile.is_empty() {
            let rack = self.geometry.rack().pose;
            self.pile = (0..HEAP).map(|_| self.add(Item::Card, Lie::back(rack, Card::HIDDEN), early)).collect();
            self.rack.set(early, 0);
            self.shoe.set(early, 0);
        }
        let (spread, turn) = if wide { (70.0, f64::from(PI)) } else { (4.0, 0.05) };
        for (number, id) in self.pile.clone().into_iter().enumerate() {
            let middle = self.geometry.shuffling();
            let packet = if wide { 0.0 } else { 45.0 * (number % 2) as f32 - 22.0 };
            let at = Point {
                x: middle.x + 2.0 * packet + (self.dice.normal() * spread) as f32,
                y: middle.y + (self.dice.normal() * spread / 2.0) as f32,
            };
            let turn = self.dice.between(-turn, turn) as f32;
            let order = self.on_top() + number as i64;
            self.go(id, (early, until), Lie { order, ..Lie::back(Pose { at, turn, lift: 0.0 }, Card::HIDDEN) }, 0.0);
        }
    }

    /// The heap goes into the shoe, if one lies there, and the dealer has the rest of the time for the step itself.
    pub(super) fn load(&mut self, when: When) {
        if self.pile.is_empty() {
            return;
        }
        let middle = self.geometry.shuffling();
        let mouth = Pose { at: self.geometry.mouth(), ..self.geometry.shoe().pose };
        let until = when.from + (when.at - when.from).max(0) / 2;
        let window = (until.saturating_sub(2 * CARRY).max(when.from).min(until), until);
        let moving = self.carry(Actor::Dealer, window, (middle, mouth.at));
        let pile = std::mem::take(&mut self.pile);
        self.away(&pile, moving, mouth);
        if let Some(cut_card) = self.cut_card.take() {
            self.away(&[cut_card], moving, mouth);
        }
        let full = self.full;
        self.shoe.set(moving.1, full);
    }

    /// Somebody brings the cutting card to the heap.
    pub(super) fn cut(&mut self, who: Actor, when: When) {
        let middle = Pose { at: self.geometry.shuffling(), ..self.geometry.aside() };
        let home = who.home(&self.geometry);
        self.move_cut_card(who, home, middle, when);
    }

    /// The cutting card goes into the shoe.
    pub(super) fn cut_card_in(&mut self, when: When) {
        let mouth = Pose { at: self.geometry.mouth(), ..self.geometry.shoe().pose };
        let home = Actor::Dealer.home(&self.geometry);
        self.move_cut_card(Actor::Dealer, home, mouth, when);
        if let Some(track) = self.cut_card.take().and_then(|id| self.tracks.get_mut(&id)) {
            track.end(when.at);
        }
    }

    /// The cutting card comes out of the shoe and is laid aside.
    pub(super) fn cut_card_out(&mut self, when: When) {
        let mouth = self.geometry.mouth();
        let aside = self.geometry.aside();
        self.move_cut_card(Actor::Dealer, mouth, aside, when);
    }

    /// Moves the cutting card, which comes from a point if it is not on the table.
    fn move_cut_card(&mut self, who: Actor, from: Point, to: Pose, when: When) {
        let lying = self.cut_card.and_then(|id| self.lies(id)).map(|lie| lie.pose.at);
        let moving = self.carry(who, when.lasting(CARRY), (lying.unwrap_or(from), to.at));
        let order = self.on_top();
        let id = match self.cut_card {
            Some(id) => id,
            None => self.add(Item::CutCard, Lie::plain(from), moving.0),
        };
        self.cut_card = Some(id);
        self.go(id, moving, Lie { order, ..Lie::back(to, Card::HIDDEN) }, 40.0);
    }
}
