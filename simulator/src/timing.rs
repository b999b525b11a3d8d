//! How long everything takes: gives every step of a round the time a person would need for it.
//!
//! Dealers have a speed and a rhythm, players think as long as their temper and their hand make them.

use std::collections::BTreeMap;

use auditor::model::random::Dice;
use table::round::Mix;
use table::{Act, Bettor, BoxNo, Layout, Place, Round, Total, Utc, Wager, WagerKind};

use crate::players::Temper;

/// No two steps are closer than this, in microseconds.
const LEAST: u64 = 150_000;
/// How long betting takes, in milliseconds: less than the least never, more than the most only if chips cannot be
/// put down any faster.
const BETTING: (f64, f64) = (10_000.0, 25_000.0);
/// What lies between the last round and the first step of the next, in milliseconds.
const PAUSE: Beat = dealer(5_500, 1_500);
/// How much of a dealer's rhythm lasts from one step to the next.
const RHYTHM: f64 = 0.9;

/// Whose time a step takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// The dealer's, by his speed and rhythm.
    Dealer,
    /// Nobody's in particular.
    Room,
    /// That of the player of a box, who has to think.
    Thought(Place),
}

/// How long a step takes after the one before, in milliseconds, and how far from that at most.
#[derive(Clone, Copy, Debug)]
struct Beat {
    mean: u32,
    spread: u32,
    whose: Whose,
}

const fn dealer(mean: u32, spread: u32) -> Beat {
    Beat { mean, spread, whose: Whose::Dealer }
}

const fn room(mean: u32, spread: u32) -> Beat {
    Beat { mean, spread, whose: Whose::Room }
}

const fn thought(by: Place) -> Beat {
    Beat { mean: 3_000, spread: 1_400, whose: Whose::Thought(by) }
}

/// A further stake: the seated player thinks about it, the others do as he does.
fn raise(wager: Wager) -> Beat {
    if wager.bettor == Bettor::SEATED && !wager.tip { thought(wager.place()) } else { room(900, 400) }
}

/// The table of times.
fn beat(act: &Act) -> Beat {
    match act {
        Act::Cards { .. } => dealer(60_000, 20_000),
        Act::Inspect(_) => dealer(90_000, 30_000),
        Act::Shuffle(mix) => mixing(*mix),
        Act::OfferCut(_) => dealer(3_000, 1_000),
        Act::Cut { .. } => room(5_000, 2_000),
        Act::CutCardIn(_) => dealer(4_000, 1_000),
        Act::CutCardOut => dealer(1_200, 300),
        Act::Burn(_) => dealer(1_500, 400),
        Act::FinalRounds => dealer(4_000, 1_000),
        Act::Marker(..) => room(20_000, 8_000),
        Act::DealerChange(_) => room(15_000, 5_000),
        Act::Bet(wager, _) => match wager.kind {
            WagerKind::Main if wager.bettor == Bettor::SEATED && !wager.tip => room(3_000, 1_200),
            WagerKind::Insurance => room(1_600, 700),
            _ => room(1_000, 500),
        },
        Act::Alter(..) => room(1_500, 500),
        Act::NoMoreBets => dealer(1_800, 600),
        Act::Card { .. } | Act::Drawn(_) => dealer(900, 300),
        Act::TurnUp(Place::Dealer, _) => dealer(1_300, 300),
        Act::TurnUp(..) => dealer(700, 200),
        Act::TurnSideways(_) => dealer(600, 200),
        Act::Tuck(_) => room(900, 300),
        Act::OfferInsurance => dealer(1_800, 600),
        Act::EvenMoney(_) | Act::Parlay(..) | Act::Ride(..) => room(2_500, 1_000),
        Act::Peek => dealer(2_500, 600),
        Act::Hit(place) | Act::Stand(place) | Act::Zap(place) => thought(*place),
        Act::Double(wager, _) | Act::Split(wager, _) | Act::Surrender(wager) => raise(*wager),
        Act::Absent(_) => room(4_000, 1_500),
        Act::Refuse(_) | Act::Accept(_) => room(3_000, 1_000),
        Act::Exposed(_) | Act::Dropped(_) | Act::Boxed(_) => dealer(1_300, 400),
        Act::Damaged(_) => dealer(3_000, 1_000),
        Act::Replaced(_) => dealer(40_000, 15_000),
        Act::Discard(_) => dealer(800, 250),
        Act::Move { .. } => dealer(1_800, 500),
        Act::Reconstruct(_) => dealer(12_000, 4_000),
        Act::Void(_) | Act::VoidRound => dealer(4_000, 1_500),
        Act::Touch(..) => room(1_200, 500),
        Act::Fault(_) => room(4_000, 1_500),
        Act::Supervisor => room(20_000, 8_000),
        Act::Prize(..) => room(8_000, 2_000),
        Act::Meter(_) => room(500, 150),
        Act::Pay(..) | Act::Take(..) | Act::Push(_) | Act::Return(_) => dealer(1_400, 600),
        Act::Collect(_) => dealer(1_100, 350),
        Act::Note(_) => room(500, 200),
        Act::End => dealer(600, 200),
    }
}

const fn mixing(mix: Mix) -> Beat {
    match mix {
        Mix::Whole => dealer(120_000, 30_000),
        Mix::Wash => dealer(40_000, 12_000),
        Mix::Stack => dealer(15_000, 4_000),
        Mix::Riffle => dealer(14_000, 4_000),
        Mix::Strip | Mix::Box => dealer(10_000, 3_000),
        Mix::Machine => dealer(25_000, 5_000),
    }
}

/// How long somebody of a temper thinks, compared with most.
const fn patience(temper: Temper) -> f64 {
    match temper {
        Temper::Basic => 0.8,
        Temper::Counter => 0.9,
        Temper::Beginner => 1.4,
        Temper::Drunk => 1.3,
    }
}

/// The speed and rhythm of a table.
#[derive(Clone, Debug)]
pub struct Pace {
    dice: Dice,
    slowness: f64,
    tempers: BTreeMap<BoxNo, Temper>,
    /// How far the dealer is off his usual speed just now.
    mood: f64,
}

impl Pace {
    /// A table with a dealer of ordinary speed, and players nobody knows.
    pub fn new(dice: &Dice) -> Self {
        Self { dice: dice.fork("pace"), slowness: 1.0, tempers: BTreeMap::new(), mood: 0.0 }
    }

    /// Another dealer: how long a movement takes compared with most dealers.
    pub const fn dealt_by(&mut self, slowness: f64) {
        self.slowness = slowness;
    }

    /// Who plays which box from now on.
    pub fn played_by(&mut self, tempers: BTreeMap<BoxNo, Temper>) {
        self.tempers = tempers;
    }

    /// Gives a round and all its steps their times. The round begins where the one before was over: its first step comes
    /// after a pause. Returns when it is over.
    pub fn time(&mut self, round: &mut Round, begins: Utc) -> Utc {
        round.at = begins;
        let hurry = hurry(round);
        let mut layout = Layout::default();
        let mut after = self.takes(PAUSE, 1.0);
        for step in &mut round.steps {
            let beat = beat(&step.act);
            let times = match (&step.act, beat.whose) {
                (Act::Bet(wager, _), _) if wager.kind != WagerKind::Insurance => hurry,
                (_, Whose::Thought(by)) => self.thinking(&layout, by),
                _ => 1.0,
            };
            after += self.takes(beat, times);
            step.after = Some(after);
            layout.apply(&step.act);
        }
        let over = i64::try_from(after.saturating_add(LEAST)).ok().and_then(|after| begins.shifted(after));
        over.unwrap_or(begins)
    }

    /// How long a step takes, in microseconds.
    fn takes(&mut self, beat: Beat, times: f64) -> u64 {
        self.mood = RHYTHM * self.mood + (1.0 - RHYTHM) * self.dice.normal();
        let own = match beat.whose {
            Whose::Dealer => 2.0 * (self.slowness - 1.0) + self.mood,
            Whose::Room | Whose::Thought(_) => 0.0,
        };
        let off = (0.35 * self.dice.normal() + own).clamp(-1.0, 1.0);
        let millis = (f64::from(beat.mean) + f64::from(beat.spread) * off) * times;
        ((millis * 1000.0) as u64).max(LEAST)
    }

    /// How long a player thinks about a hand, compared with most players and hands.
    fn thinking(&self, layout: &Layout, by: Place) -> f64 {
        let temper = by.box_no().and_then(|box_no| self.tempers.get(&box_no));
        temper.copied().map_or(1.0, patience) * difficulty(layout, by)
    }
}

/// How hard a hand is to play, compared with most.
fn difficulty(layout: &Layout, by: Place) -> f64 {
    let hand = layout.hands.get(&by).map_or(&[][..], |hand| &hand.cards);
    let up = layout.hands.get(&Place::Dealer).and_then(|dealer| dealer.cards.first()).and_then(|laid| laid.card.rank());
    let strong = up.is_none_or(|rank| rank.points() == 1 || rank.points() >= 7);
    let pair = matches!(hand, [a, b] if a.card.rank() == b.card.rank());
    match Total::of(hand.iter().map(|laid| laid.card)) {
        None => 1.0,
        Some(_) if pair => 1.4,
        Some(Total { points: 13..=18, soft: true }) => 1.5,
        Some(Total { points: 12..=16, .. }) if strong => 1.7,
        Some(Total { points: 9..=16, .. }) => 1.0,
        Some(_) => 0.6,
    }
}

/// How much faster or slower than usual chips are put down, so that betting takes no less and no more than it should.
fn hurry(round: &Round) -> f64 {
    let placed = round.steps.iter().take_while(|step| step.act != Act::NoMoreBets);
    let bets = placed.filter(|step| matches!(step.act, Act::Bet(..)));
    let usual: f64 = bets.map(|step| f64::from(beat(&step.act).mean)).sum();
    let around = f64::from(PAUSE.mean + beat(&Act::NoMoreBets).mean);
    if usual > 0.0 { ((usual + around).clamp(BETTING.0, BETTING.1) - around) / usual } else { 1.0 }
}
