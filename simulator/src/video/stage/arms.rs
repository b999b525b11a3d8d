//! Arms: they reach for a thing, carry it, point at it, and go home again.

use std::collections::BTreeMap;
use std::f32::consts::TAU;

use table::{Bettor, BoxNo, Wager};

use super::super::geometry::Geometry;
use super::super::scene::{Point, Thing, Whose};
use super::track::{Micros, eased, on_the_way};

/// Whose hand does something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::video) enum Actor {
    Dealer,
    /// The dealer's other hand: it helps to shuffle and takes tips.
    DealersOther,
    Player(BoxNo, Bettor),
}

impl Actor {
    /// Who takes what is won on a wager. Chips played for the dealer go to the tray, with the hand that is not dealing.
    pub(super) fn owner(wager: Wager) -> Self {
        if wager.tip { Self::DealersOther } else { Self::Player(wager.box_no, wager.bettor) }
    }

    /// Who puts a wager down.
    pub(super) fn bettor(wager: Wager) -> Self {
        Self::Player(wager.box_no, wager.bettor)
    }

    fn whose(self) -> Whose {
        match self {
            Self::Dealer | Self::DealersOther => Whose::Dealer,
            Self::Player(box_no, bettor) => Whose::Player((box_no.number() - 1) * 9 + bettor.number()),
        }
    }

    /// Where the hand is when it does nothing: out of sight.
    pub(super) fn home(self, geometry: &Geometry) -> Point {
        match self {
            Self::Dealer => Point { x: 60.0, y: -120.0 },
            Self::DealersOther => Point { x: -140.0, y: -120.0 },
            Self::Player(box_no, bettor) => geometry.player(box_no, bettor),
        }
    }

    /// The arm with its hand at a point.
    pub(in crate::video) fn arm(self, geometry: &Geometry, hand: Point, lift: f32, points: bool) -> Thing {
        Thing::Arm { elbow: self.elbow(geometry, hand), hand, lift, whose: self.whose(), points }
    }

    /// Where the forearm comes from: further off than home, drawn along by the hand.
    fn elbow(self, geometry: &Geometry, hand: Point) -> Point {
        let home = self.home(geometry);
        match self {
            Self::Dealer => Point { x: home.x + 0.45 * (hand.x - home.x), y: -260.0 },
            Self::DealersOther => Point { x: home.x + 0.3 * (hand.x - home.x), y: -260.0 },
            Self::Player(..) => on_the_way(hand, home, 1.25),
        }
    }
}

/// What a hand does once it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    Carries,
    /// Taps with a finger: a card, please.
    Taps,
    /// Waves from side to side: no more.
    Waves,
    Points,
    /// Stirs in circles over the cards.
    Stirs,
}

/// One errand of a hand.
#[derive(Clone, Copy, Debug)]
struct Reach {
    /// Where the hand was when it set out.
    origin: Point,
    from: Micros,
    /// When it has what it came for.
    grab: Micros,
    until: Micros,
    take: Point,
    put: Point,
    manner: Manner,
}

/// Everybody's arms.
#[derive(Clone, Debug, Default)]
pub(super) struct Arms(BTreeMap<Actor, Vec<Reach>>);

/// How long a hand takes to go home.
const HOMEWARD: Micros = 380_000;
/// Height of a hand that carries something or is on its way.
const RAISED: f32 = 70.0;
/// Height of a hand that has arrived.
const LOW: f32 = 12.0;

impl Arms {
    /// From when on somebody's hand has nothing to do.
    pub(super) fn free(&self, who: Actor) -> Micros {
        self.0.get(&who).and_then(|done| done.last()).map_or(Micros::MIN, |last| last.until)
    }

    /// Sends a hand somewhere between two instants and returns when it has what it came for. It first finishes what it
    /// is doing; if that leaves no time, there is nothing to be seen of it.
    pub(super) fn send(
        &mut self,
        geometry: &Geometry,
        who: Actor,
        (from, until): (Micros, Micros),
        (take, put): (Point, Point),
        manner: Manner,
    ) -> Micros {
        let from = from.max(self.free(who)).min(until);
        let origin = self.hand(geometry, who, from).map_or_else(|| who.home(geometry), |(hand, ..)| hand);
        let grab = from + (until - from) / 5 * 2;
        self.0.entry(who).or_default().push(Reach { origin, from, grab, until, take, put, manner });
        grab
    }

    /// Forgets what was over before an instant.
    pub(super) fn forget(&mut self, before: Micros) {
        for done in self.0.values_mut() {
            let over = done.iter().filter(|reach| reach.until.saturating_add(HOMEWARD) < before).count();
            // The last one says from when on the hand is free.
            done.drain(..over.min(done.len().saturating_sub(1)));
        }
    }

    /// The arms to be seen at an instant.
    pub(super) fn seen(&self, geometry: &Geometry, at: Micros) -> impl Iterator<Item = Thing> {
        self.0.keys().filter_map(move |who| {
            let (hand, lift, points) = self.hand(geometry, *who, at)?;
            Some(who.arm(geometry, hand, lift, points))
        })
    }

    /// Where a hand is, how high, and whether it points; `None` at home.
    fn hand(&self, geometry: &Geometry, who: Actor, at: Micros) -> Option<(Point, f32, bool)> {
        let reach = self.0.get(&who)?.iter().rfind(|reach| reach.from <= at)?;
        let part = |from: Micros, until: Micros| (at - from) as f32 / (until - from).max(1) as f32;
        let points = matches!(reach.manner, Manner::Taps | Manner::Points);
        if at < reach.grab {
            let part = part(reach.from, reach.grab);
            return Some((on_the_way(reach.origin, reach.take, eased(part)), RAISED + (LOW - RAISED) * part, points));
        }
        if at < reach.until {
            let (hand, lift) = reach.busy(part(reach.grab, reach.until));
            return Some((hand, lift, points));
        }
        let part = part(reach.until, reach.until.saturating_add(HOMEWARD));
        let home = on_the_way(reach.put, who.home(geometry), eased(part));
        (part < 1.0).then_some((home, LOW + (RAISED - LOW) * part, false))
    }
}

impl Reach {
    /// Where the hand is, and how high, when so much of its business is done.
    fn busy(&self, part: f32) -> (Point, f32) {
        let (sin, cos) = (TAU * 2.0 * part).sin_cos();
        match self.manner {
            Manner::Carries => {
                let arc = 4.0 * part * (1.0 - part);
                (on_the_way(self.take, self.put, eased(part)), LOW + (RAISED - LOW) * arc)
            }
            Manner::Taps => (self.put, LOW * (1.0 + cos)),
            Manner::Waves => (Point { x: self.put.x + 45.0 * sin, ..self.put }, RAISED / 2.0),
            Manner::Points => (self.put, RAISED / 2.0),
            Manner::Stirs => (Point { x: self.put.x + 60.0 * cos - 60.0, y: self.put.y + 60.0 * sin }, LOW),
        }
    }
}
