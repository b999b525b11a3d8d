//! A glance at a shoe: where it stands among proper shuffles of packs like it, drawn once for many shoes.
//!
//! The packs are like it, not the same, so a glance clears and never accuses.

use std::sync::OnceLock;

use super::battery::{Battery, Kernels};
use super::calibrate::{Scale, greatest};
use super::chain::UNREAD;
use super::null::{Draws, shuffle};
use super::{DECK, Flow, Null};
use crate::model::random::Dice;
use crate::rules::Rules;

/// Proper shuffles that are drawn for a game.
const DRAWN: usize = 120;
/// A shoe is looked at closely if a proper shuffle is as odd once in so many times.
const ODD: f64 = 500.0;
/// The part of the surprises that a tail is fitted to.
const TAIL: usize = 10;

/// How much of a shuffle is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    /// The part of the pack that is dealt before the cutting card, and was dealt in the shoe before.
    pub seen: f64,
    /// The part of those cards that is not read.
    pub unread: f64,
}

/// What a table sees of its shoes, about.
const TABLE: Sight = Sight { seen: 0.8, unread: 0.0 };

/// What a game's shoes are held against, by hand and by machine.
#[derive(Default)]
pub struct Gauges {
    by_hand: OnceLock<Gauge>,
    by_machine: OnceLock<Gauge>,
    flow_by_hand: OnceLock<Flow>,
    flow_by_machine: OnceLock<Flow>,
}

impl Gauges {
    /// Where a proper shuffle takes the cards of this game.
    pub(super) fn flow(&self, rules: &Rules, null: &Null) -> &Flow {
        let flow = match null {
            Null::Uniform => &self.flow_by_machine,
            Null::Procedure(_) => &self.flow_by_hand,
        };
        flow.get_or_init(|| Flow::of(null, usize::from(rules.decks) * DECK))
    }

    /// Whether a shoe is out of the ordinary and should be looked at closely.
    pub(super) fn is_odd(&self, rules: &Rules, null: &Null, before: &[u8], after: &[u8]) -> bool {
        let gauge = match null {
            Null::Uniform => &self.by_machine,
            Null::Procedure(_) => &self.by_hand,
        };
        let decks = usize::from(rules.decks);
        let gauge = gauge.get_or_init(|| Gauge::draw(decks, null, TABLE, DRAWN));
        let padded = |order: &[u8]| {
            let mut padded = order.to_vec();
            padded.resize(decks * DECK, UNREAD);
            padded
        };
        gauge.surprise(&padded(before), &padded(after)) > gauge.beyond(1.0 / ODD)
    }
}

/// Proper shuffles of packs of one size.
pub(super) struct Gauge {
    decks: usize,
    kernels: Kernels,
    scale: Scale,
    /// Their surprises, the greatest first.
    surprises: Vec<f64>,
}

impl Gauge {
    /// Draws so many.
    pub(super) fn draw(decks: usize, null: &Null, sight: Sight, count: usize) -> Self {
        let mut dice = Dice::new(decks as u64).fork("gauge");
        let kernels = Kernels::new(decks * DECK, sight.seen < 1.0 || sight.unread > 0.0);
        let before = sight.see(pack(decks, &mut dice), &mut dice);
        let after = sight.see(pack(decks, &mut dice), &mut dice);
        let mut battery = Battery::new(decks, &before, &kernels);
        let scale = Scale::draw(&mut battery, &mut Draws::new(null, decks, &before, &after), &mut dice);
        let mut gauge = Self { decks, kernels, scale, surprises: Vec::new() };
        let mut order = Vec::new();
        let mut surprises: Vec<f64> = (0..count)
            .map(|_| {
                let before = sight.see(pack(decks, &mut dice), &mut dice);
                let after = sight.see(pack(decks, &mut dice), &mut dice);
                Draws::new(null, decks, &before, &after).draw(&mut dice, &mut order);
                gauge.surprise(&before, &order)
            })
            .collect();
        surprises.sort_by(|one, other| other.total_cmp(one));
        gauge.surprises = surprises;
        gauge
    }

    /// How surprising a shuffle is.
    pub(super) fn surprise(&self, before: &[u8], after: &[u8]) -> f64 {
        let mut battery = Battery::new(self.decks, before, &self.kernels);
        greatest(&self.scale.surprises(&battery.measure(after)))
    }

    /// The surprise that proper shuffles pass at this rate.
    pub(super) fn beyond(&self, rate: f64) -> f64 {
        let count = self.surprises.len();
        let rank = (rate * count as f64) as usize;
        if rank >= 5 {
            return self.surprises.get(rank).copied().unwrap_or(f64::NEG_INFINITY);
        }
        let tail = (count / TAIL).max(1);
        let begins = self.surprises.get(tail).copied().unwrap_or_default();
        let excess = self.surprises.iter().take(tail).map(|surprise| surprise - begins).sum::<f64>() / tail as f64;
        begins + excess * (1.0 / TAIL as f64 / rate).ln()
    }
}

/// A pack in an order that play might leave.
pub(super) fn pack(decks: usize, dice: &mut Dice) -> Vec<u8> {
    let mut cards: Vec<u8> = (0..decks * DECK).map(|card| (card % DECK) as u8).collect();
    shuffle(&mut cards, dice);
    cards
}

impl Sight {
    /// The cards as they are seen.
    pub(super) fn see(self, mut cards: Vec<u8>, dice: &mut Dice) -> Vec<u8> {
        let seen = (cards.len() as f64 * self.seen) as usize;
        for (at, card) in cards.iter_mut().enumerate() {
            if at >= seen || dice.chance(self.unread) {
                *card = UNREAD;
            }
        }
        cards
    }
}
