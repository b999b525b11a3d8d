//! The chip sensor: what stands on which spot, as lines of the chip feed.
//!
//! Chips lie where the steps put them. What a bettor has won, or gets back, stays on the layout for a second or two
//! until a hand takes it up; a stake that stood off is sometimes left lying until the round is over.

mod ledger;

use std::collections::{BTreeMap, BTreeSet};

use auditor::model::random::Dice;
use table::chips::{Line, Pile, Spot};
use table::{Act, Money, Round, SideBet, Wager, WagerKind};

use super::{millis, weighted};
use ledger::Ledger;

/// All spots are told at least this often while there is play, in microseconds.
const FULL_EVERY: i64 = 10_000_000;
/// For how long it is told that nothing happens, in microseconds.
const QUIET_MOST: i64 = 600_000_000;
/// How long after its last step a round's last chips are gone, in microseconds.
const CLOSING: i64 = 900_000;
/// How long a line takes, in milliseconds.
const LATENCY: (f64, f64) = (20.0, 60.0);
/// Until a bettor takes up chips, in milliseconds.
const TAKEN_UP: (f64, f64) = (1000.0, 2000.0);
/// A hand over the sensor spoils the count for less than this, in milliseconds.
const BOUNCE: (f64, f64) = (60.0, 290.0);

/// What may happen to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mishap {
    /// A hand over a spot: its amount flickers.
    Bounce,
    /// The line does not arrive.
    Lost,
    /// It arrives twice.
    Twice,
}

const MISHAPS: &[(Mishap, usize)] = &[(Mishap::Bounce, 3), (Mishap::Lost, 1), (Mishap::Twice, 1)];

/// Something that will happen on the layout without a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Due {
    /// A bettor takes up a wager and its winnings.
    TakenUp(Wager),
    /// A spot seems to hold something else.
    Flicker(Spot, Money),
    /// It shows what it holds again.
    Steady(Spot),
}

/// A chip sensor.
#[derive(Clone, Debug)]
pub(super) struct Chips {
    noise: f64,
    dice: Dice,
    ledger: Ledger,
    seq: u64,
    /// When the sensor was switched on.
    since: Option<i64>,
    told_full: i64,
    /// How much its clock gains, in millionths.
    drift: f64,
    due: Vec<(i64, Due)>,
    arrived: i64,
}

impl Chips {
    pub(super) fn new(noise: f64, mut dice: Dice) -> Self {
        let drift = dice.between(-30.0, 30.0);
        let (due, arrived, told_full) = (Vec::new(), i64::MIN, i64::MIN);
        Self { noise, dice, ledger: Ledger::new(), seq: 0, since: None, told_full, drift, due, arrived }
    }

    /// The lines of a round whose steps have these times.
    pub(super) fn of(&mut self, round: &Round, times: &[i64]) -> Vec<(i64, Vec<u8>)> {
        let mut lines = Vec::new();
        let (Some(first), Some(last)) = (times.first(), times.last()) else { return lines };
        let closing = last.saturating_add(CLOSING);
        let last_word = last_words(round);
        if self.seq > 0 {
            self.keep_alive(*first, &mut lines);
        }
        if self.ledger.open() || self.seq == 0 {
            self.tell_all(*first, &mut lines);
        }
        for (number, (step, at)) in round.steps.iter().zip(times).enumerate() {
            self.keep_alive(*at, &mut lines);
            self.run_due(*at, &mut lines);
            if let Act::Bet(wager, _) | Act::Alter(wager, _) = &step.act {
                self.take_up_first(*wager, *at, &mut lines);
            }
            let tray = self.ledger.tray();
            let changed = self.ledger.follow(&step.act);
            self.tell(*at, &changed, tray != self.ledger.tray(), &mut lines);
            for wager in settled(&step.act) {
                if last_word.get(&wager) == Some(&number) || matches!(step.act, Act::Return(_)) {
                    self.expect_hand(wager, &step.act, *at, closing);
                }
            }
        }
        self.run_due(closing, &mut lines);
        let left = self.ledger.taken();
        let changed: BTreeSet<Spot> = left.into_iter().flat_map(|spot| self.ledger.clear(spot.wager)).collect();
        self.tell(closing, &changed, false, &mut lines);
        // A hand over the sensor at the very end is gone before all is told.
        self.due.clear();
        self.tell_all(closing, &mut lines);
        lines
    }

    /// Plans when a bettor takes up what a step has left to him.
    fn expect_hand(&mut self, wager: Wager, act: &Act, at: i64, closing: i64) {
        let stays = matches!(act, Act::Push(_)) && self.dice.once_in(2);
        let wait = millis(&mut self.dice, TAKEN_UP.0, TAKEN_UP.1);
        let when = if stays { closing } else { at.saturating_add(wait).min(closing) };
        self.due.push((when, Due::TakenUp(wager)));
    }

    /// Chips are put where a bettor still has some to take up: those go first.
    fn take_up_first(&mut self, wager: Wager, at: i64, lines: &mut Vec<(i64, Vec<u8>)>) {
        let before = self.due.len();
        self.due.retain(|(_, due)| *due != Due::TakenUp(wager));
        if self.due.len() < before {
            let changed = self.ledger.clear(wager);
            self.tell(at, &changed, false, lines);
        }
    }

    /// Does what is due until a time.
    fn run_due(&mut self, until: i64, lines: &mut Vec<(i64, Vec<u8>)>) {
        loop {
            let next = self.due.iter().enumerate().filter(|(_, (at, _))| *at <= until).min_by_key(|(_, (at, _))| *at);
            let Some(index) = next.map(|(index, _)| index) else { return };
            let (at, due) = self.due.remove(index);
            match due {
                Due::TakenUp(wager) => {
                    let changed = self.ledger.clear(wager);
                    self.tell(at, &changed, false, lines);
                }
                Due::Flicker(spot, amount) => {
                    let seems = Pile { amount, ..self.ledger.pile(spot) };
                    self.send(at, false, vec![seems], None, None, lines);
                }
                Due::Steady(spot) => {
                    let pile = self.ledger.pile(spot);
                    self.send(at, false, vec![pile], None, None, lines);
                }
            }
        }
    }

    /// Tells every spot whenever that has not been done for a while. Of a table that was closed only the last minutes
    /// are told.
    fn keep_alive(&mut self, until: i64, lines: &mut Vec<(i64, Vec<u8>)>) {
        self.told_full = self.told_full.max(until.saturating_sub(QUIET_MOST));
        while self.told_full.saturating_add(FULL_EVERY) <= until {
            let next = self.told_full.saturating_add(FULL_EVERY);
            self.run_due(next, lines);
            self.tell_all(next, lines);
        }
    }

    fn tell_all(&mut self, at: i64, lines: &mut Vec<(i64, Vec<u8>)>) {
        self.told_full = at;
        let piles = self.ledger.taken().into_iter().map(|spot| self.ledger.pile(spot)).collect();
        let mishap = self.mishap().filter(|mishap| *mishap != Mishap::Bounce);
        self.send(at, true, piles, Some(self.ledger.tray()), mishap, lines);
    }

    /// Tells what has changed, and lets the line suffer what it may.
    fn tell(&mut self, at: i64, changed: &BTreeSet<Spot>, tray: bool, lines: &mut Vec<(i64, Vec<u8>)>) {
        if changed.is_empty() && !tray {
            return;
        }
        let piles: Vec<Pile> = changed.iter().map(|spot| self.ledger.pile(*spot)).collect();
        let mishap = self.mishap();
        let covered = piles.iter().find(|pile| pile.amount > Money::ZERO);
        if let (Some(Mishap::Bounce), Some(pile)) = (mishap, covered) {
            let starts = at.saturating_add(millis(&mut self.dice, 5.0, 400.0));
            let ends = starts.saturating_add(millis(&mut self.dice, BOUNCE.0, BOUNCE.1));
            let part = self.dice.below(4) as i64;
            let seems = Money::from_minor(pile.amount.minor() / 4 * part);
            self.due.extend([(starts, Due::Flicker(pile.spot, seems)), (ends, Due::Steady(pile.spot))]);
        }
        self.send(at, false, piles, tray.then_some(self.ledger.tray()), mishap, lines);
    }

    fn mishap(&mut self) -> Option<Mishap> {
        if self.dice.chance(self.noise) { weighted(&mut self.dice, MISHAPS) } else { None }
    }

    fn send(
        &mut self,
        at: i64,
        full: bool,
        spots: Vec<Pile>,
        tray: Option<Money>,
        mishap: Option<Mishap>,
        lines: &mut Vec<(i64, Vec<u8>)>,
    ) {
        self.seq += 1;
        let since = *self.since.get_or_insert_with(|| at.saturating_sub(90_000_000));
        let on = at.saturating_sub(since);
        let own_clock = on.saturating_add((on as f64 * self.drift / 1e6) as i64);
        let line = Line { seq: self.seq, at: own_clock, full, spots, tray, health: None };
        let latency = millis(&mut self.dice, LATENCY.0, LATENCY.1);
        self.arrived = self.arrived.max(at.saturating_add(latency));
        // Writing numbers and names to memory cannot fail.
        let Ok(json) = line.to_json() else { return };
        match mishap {
            Some(Mishap::Lost) => {}
            Some(Mishap::Twice) => lines.extend([(self.arrived, json.clone()), (self.arrived, json)]),
            Some(Mishap::Bounce) | None => lines.push((self.arrived, json)),
        }
    }
}

/// The wagers on which a step leaves chips to their bettors.
fn settled(act: &Act) -> Vec<Wager> {
    match act {
        Act::Pay(wager, _) | Act::Take(wager, _) | Act::Push(wager) | Act::Return(wager) => vec![*wager],
        Act::Parlay(wager, _) => vec![wager.of_kind(WagerKind::Side(SideBet::War))],
        _ => Vec::new(),
    }
}

/// For each wager, the step after which nothing more happens to it: only then its bettor takes it up.
fn last_words(round: &Round) -> BTreeMap<Wager, usize> {
    let mut last = BTreeMap::new();
    for (number, step) in round.steps.iter().enumerate() {
        if let Act::Ride(wager, _) | Act::Alter(wager, _) = &step.act {
            last.insert(*wager, number);
        }
        for wager in settled(&step.act) {
            last.insert(wager, number);
        }
    }
    last
}
