//! The camera and its recogniser: cards that come to rest, are turned and leave, as seen from above.
//!
//! The recogniser itself is not here. This is what one would report of the true cards: the faces it confuses, what it
//! misses, what it sees late, elsewhere, or out of nothing.

mod clock;
mod confusion;

use std::collections::BTreeMap;

use auditor::model::random::Dice;
use table::event::Health;
use table::{BoxNo, Card, CardAt, Chance, Event, EventId, Face, Fact, Ident, Place, Reading, Source, SourceKind};

use super::pieces::{Motion, Pieces};
use super::{millis, utc};
use crate::{Dealt, Trouble};
use clock::{Clock, UNNOTICED};

/// Of all cards read wrongly or not at all, the part that is never seen.
const MISSED_PART: f64 = 0.25;
/// How often, for every card read wrongly or not at all, something else happens.
const LATE: f64 = 0.5;
const ELSEWHERE: f64 = 0.1;
const PHANTOM: f64 = 0.1;
/// A few sightings in bad light make most of the mistakes: one in so many is so many times as doubtful as the others.
const BAD_LIGHT: (f64, f64) = (0.2, 16.0);
/// No sighting is more doubtful than this unless all are.
const DOUBT_MOST: f64 = 0.6;
/// How long a picture takes to become a sighting, in milliseconds.
const LATENCY: (f64, f64) = (80.0, 200.0);
/// How far a time may be off where there is noise, in microseconds.
const JITTER: f64 = 5_000.0;
/// Silence after which a camera counts as lost, in microseconds.
const PATIENCE: i64 = 1_000_000;

/// A camera over the table.
#[derive(Clone, Debug)]
pub(super) struct Camera {
    noise: f64,
    dice: Dice,
    clock: Clock,
}

/// What a camera reported of a round.
#[derive(Clone, Debug, Default)]
pub(super) struct Sighted {
    /// The events, in order of arrival.
    pub(super) events: Vec<Event>,
    /// The best reading of each card.
    pub(super) best: Vec<Option<Reading>>,
    /// The events that show each step.
    pub(super) shows: Vec<Vec<EventId>>,
}

/// A fact on its way to become an event.
struct Report {
    /// When it was seen, in true time.
    at: i64,
    /// By how much that is told wrongly.
    jitter: i64,
    /// How long it takes to be reported.
    delay: i64,
    chance: Chance,
    fact: Fact,
    /// The step it shows.
    step: Option<usize>,
}

/// A movement at its time.
#[derive(Clone, Copy)]
struct Timed {
    at: i64,
    step: usize,
    piece: usize,
    motion: Motion,
}

impl Camera {
    pub(super) fn new(noise: f64, mut dice: Dice) -> Self {
        let clock = Clock::new(&mut dice);
        Self { noise, dice, clock }
    }

    /// What is seen of a round whose steps have these times. Events are counted on from `counter`.
    pub(super) fn of(
        &mut self,
        dealt: &Dealt,
        pieces: &Pieces,
        times: &[i64],
        name: &Ident,
        counter: &mut u64,
    ) -> Sighted {
        let time = |step: usize| times.get(step).or(times.last()).copied();
        let timed = pieces.moves.iter().filter_map(|moved| {
            Some(Timed { at: time(moved.step)?, step: moved.step, piece: moved.piece, motion: moved.motion })
        });
        let mut moves: Vec<Timed> = timed.collect();
        let mut reports = self.suffer(&dealt.troubles, times, &mut moves);
        let best = self.watch(pieces, &moves, &mut reports);
        reports.sort_by_key(|report| report.at);
        let mut sighted = Sighted { best, shows: vec![Vec::new(); dealt.round.steps.len()], ..Sighted::default() };
        let mut last = i64::MIN;
        for report in reports {
            // Pictures are looked at one after the other, so no sighting overtakes another.
            last = last.max(report.at.saturating_add(report.delay));
            *counter += 1;
            let id = EventId(*counter);
            if let Some(shows) = report.step.and_then(|step| sighted.shows.get_mut(step)) {
                shows.push(id);
            }
            sighted.events.push(Event {
                id,
                source: Source { kind: SourceKind::Camera, name: name.clone() },
                at: utc(report.at.saturating_add(self.clock.error(report.at)).saturating_add(report.jitter)),
                arrived: utc(last),
                source_clock: Some(self.clock.shows(report.at)),
                chance: report.chance,
                fact: report.fact,
            });
        }
        sighted
    }

    /// Takes up a round's troubles: what a blind camera cannot see moves to when it sees again, at the end of the round
    /// at the latest, and the clock jumps. What is reported of that.
    fn suffer(&mut self, troubles: &[Trouble], times: &[i64], moves: &mut Vec<Timed>) -> Vec<Report> {
        let time = |step: usize| times.get(step).or(times.last()).copied();
        let mut reports = Vec::new();
        let mut jumps = Vec::new();
        for trouble in troubles {
            match *trouble {
                Trouble::ClockJump { step, micros } => jumps.extend(time(step).map(|at| (at, micros))),
                Trouble::CameraGap { step, micros } => {
                    let (Some(from), Some(last)) = (time(step), times.last()) else { continue };
                    let to = from.saturating_add(i64::try_from(micros).unwrap_or(i64::MAX)).min((*last).max(from));
                    *moves = behind_gap(moves, from, to);
                    reports.push(Report { delay: PATIENCE.min(to.saturating_sub(from)), ..health(from, Health::Lost) });
                    reports.push(health(to, Health::Ok));
                }
                _ => {}
            }
        }
        reports.extend(jumps.iter().map(|(at, _)| health(at.saturating_add(UNNOTICED), Health::ClockJump)));
        self.clock.jumps(jumps);
        reports
    }

    /// Watches the cards move; the best reading of each.
    fn watch(&mut self, pieces: &Pieces, moves: &[Timed], reports: &mut Vec<Report>) -> Vec<Option<Reading>> {
        let mut best: Vec<Option<Reading>> = vec![None; pieces.all.len()];
        let mut seen: BTreeMap<usize, CardAt> = BTreeMap::new();
        for (number, moved) in moves.iter().enumerate() {
            let Some(piece) = pieces.all.get(moved.piece) else { continue };
            match moved.motion {
                Motion::Left(_) => {
                    if let Some(at) = seen.remove(&moved.piece) {
                        reports.push(self.report(moved.at, Fact::Left { at }, Some(moved.step)));
                    }
                }
                Motion::Settled(_) if self.dice.chance(self.noise * MISSED_PART) => {}
                Motion::Settled(at) => {
                    let later = moves.iter().skip(number + 1).find(|later| later.piece == moved.piece);
                    let when = self.maybe_late(moved.at, later.map_or(i64::MAX, |later| later.at));
                    let spot = self.maybe_elsewhere(at);
                    let card = self.read(piece.face, at.face);
                    if card.card.is_known() && best[moved.piece].as_ref().is_none_or(|known| known.chance < card.chance)
                    {
                        best[moved.piece] = Some(card.clone());
                    }
                    seen.insert(moved.piece, spot);
                    reports.push(self.report(when, Fact::Settled { at: spot, card }, Some(moved.step)));
                    self.maybe_phantom(when, at, reports);
                }
            }
        }
        best
    }

    fn report(&mut self, at: i64, fact: Fact, step: Option<usize>) -> Report {
        let delay = millis(&mut self.dice, LATENCY.0, LATENCY.1);
        if self.noise <= 0.0 {
            return Report { at, jitter: 0, delay, chance: Chance::CERTAIN, fact, step };
        }
        let jitter = (self.dice.normal() * JITTER) as i64;
        let chance = Chance::from_f64(1.0 - self.noise * PHANTOM * self.dice.unit()).unwrap_or(Chance::CERTAIN);
        Report { at, jitter, delay, chance, fact, step }
    }

    /// What a card looks like. A card that lies face down shows its back, which nothing else looks like.
    fn read(&mut self, card: Card, face: Face) -> Reading {
        if face == Face::Down {
            return Reading::certain(Card::HIDDEN);
        }
        let mean = self.noise * (1.0 - MISSED_PART);
        let (part, times) = BAD_LIGHT;
        let good = mean / (1.0 - part + part * times);
        let doubt = match () {
            () if good * times > DOUBT_MOST => mean,
            () if self.dice.chance(part) => good * times,
            () => good,
        };
        confusion::look(card, doubt, &mut self.dice)
    }

    /// A hand in the way: the card is seen later, but before it moves on.
    fn maybe_late(&mut self, at: i64, moves_on: i64) -> i64 {
        if !self.dice.chance(self.noise * LATE) {
            return at;
        }
        at.saturating_add(millis(&mut self.dice, 400.0, 1600.0)).min(moves_on.saturating_sub(1)).max(at)
    }

    /// A card seen one position too far, or on the box beside its own.
    fn maybe_elsewhere(&mut self, at: CardAt) -> CardAt {
        if !self.dice.chance(self.noise * ELSEWHERE) {
            return at;
        }
        match at.place {
            Place::Box(box_no, hand) if self.dice.once_in(2) => {
                let number = box_no.number();
                let beside = BoxNo::new(number + 1).or_else(|| BoxNo::new(number - 1)).unwrap_or(box_no);
                CardAt { place: Place::Box(beside, hand), ..at }
            }
            _ => CardAt { position: at.position.saturating_add(1), ..at },
        }
    }

    /// A card that is not there, for a moment: a reflection, a sleeve, a receipt.
    fn maybe_phantom(&mut self, at: i64, beside: CardAt, reports: &mut Vec<Report>) {
        if !self.dice.chance(self.noise * PHANTOM) {
            return;
        }
        let spot = CardAt { position: beside.position.saturating_add(1 + self.dice.below(2) as u8), ..beside };
        let faces: Vec<Card> = Card::faces().collect();
        let Some(face) = self.dice.pick(&faces).copied() else { return };
        let card = confusion::look(face, DOUBT_MOST, &mut self.dice);
        let chance = Chance::from_f64(self.dice.between(0.2, 0.5)).unwrap_or(Chance::CERTAIN);
        let gone = at.saturating_add(millis(&mut self.dice, 300.0, 1200.0));
        let appears = Report { chance, ..self.report(at, Fact::Settled { at: spot, card }, None) };
        let vanishes = Report { chance, ..self.report(gone, Fact::Left { at: spot }, None) };
        reports.extend([appears, vanishes]);
    }
}

const fn health(at: i64, state: Health) -> Report {
    Report { at, jitter: 0, delay: 0, chance: Chance::CERTAIN, fact: Fact::Health { state }, step: None }
}

/// The movements as they show to a camera that is blind for a time: what happened meanwhile shows at its end, and what
/// came and went meanwhile not at all.
fn behind_gap(moves: &[Timed], from: i64, to: i64) -> Vec<Timed> {
    let (hidden, mut seen): (Vec<Timed>, Vec<Timed>) =
        moves.iter().partition(|moved| moved.at >= from && moved.at < to);
    let mut gone: BTreeMap<usize, Timed> = BTreeMap::new();
    let mut come: BTreeMap<usize, Timed> = BTreeMap::new();
    for moved in hidden {
        match moved.motion {
            Motion::Settled(_) => drop(come.insert(moved.piece, moved)),
            Motion::Left(_) => {
                let came = come.remove(&moved.piece);
                let lay = seen.iter().any(|before| before.piece == moved.piece && before.at < from);
                if came.is_none() || lay {
                    gone.entry(moved.piece).or_insert(moved);
                }
            }
        }
    }
    seen.extend(gone.into_values().chain(come.into_values()).map(|moved| Timed { at: to, ..moved }));
    // By step too: what happens just when the gap ends comes after what the camera has to catch up with.
    seen.sort_by_key(|moved| (moved.at, moved.step));
    seen
}
