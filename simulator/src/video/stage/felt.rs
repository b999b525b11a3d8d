//! Everything on the felt with all its moves, and the few motions of which every step is made.

use std::collections::{BTreeMap, BTreeSet};

use auditor::model::random::Dice;
use table::{BoxNo, Card, Layout, Place, Turn, Wager};

use super::super::geometry::Geometry;
use super::super::scene::{Point, Pose, Thing};
use super::arms::{Actor, Arms, Manner};
use super::chips::{Errand, Stakes};
use super::track::{Item, Lie, Micros, Track};
use crate::Dealt;

/// The time a step has: it is done `at` its time; whoever waits for the step before sets out no earlier than `from`, whoever
/// does not, no earlier than `floor`, the first frame still to be shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct When {
    pub(super) floor: Micros,
    pub(super) from: Micros,
    pub(super) at: Micros,
}

impl When {
    /// The same time for somebody who need not wait for the step before.
    pub(super) fn unhurried(self) -> Self {
        Self { from: self.floor, ..self }
    }

    /// From when to when something goes on that takes so long at the most.
    pub(super) fn lasting(self, most: Micros) -> (Micros, Micros) {
        (self.at.saturating_sub(most).max(self.from).min(self.at), self.at)
    }
}

/// How long a hand takes at the most to fetch and bring something.
pub(super) const CARRY: Micros = 900_000;
/// How long a gesture takes at the most.
const GESTURE: Micros = 650_000;

/// A card in a hand on the felt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Laid {
    pub(super) id: u32,
    pub(super) turn: Turn,
    /// How it lies beside what the geometry asks for.
    pub(super) askew: Pose,
}

/// A number that changes in time.
#[derive(Clone, Debug)]
pub(super) struct Count(Vec<(Micros, usize)>);

impl Count {
    fn new(first: usize) -> Self {
        Self(vec![(Micros::MIN, first)])
    }

    pub(super) fn set(&mut self, at: Micros, number: usize) {
        self.0.retain(|(when, _)| *when < at);
        self.0.push((at, number));
    }

    pub(super) fn last(&self) -> usize {
        self.0.last().map_or(0, |(_, number)| *number)
    }

    fn at(&self, at: Micros) -> usize {
        self.0.iter().rfind(|(when, _)| *when <= at).map_or(0, |(_, number)| *number)
    }

    fn forget(&mut self, before: Micros) {
        let over = self.0.iter().filter(|(when, _)| *when <= before).count();
        self.0.drain(..over.saturating_sub(1));
    }
}

pub(super) struct Felt {
    pub(super) geometry: Geometry,
    pub(super) dice: Dice,
    /// All things by number; a later thing has a higher one.
    pub(super) tracks: BTreeMap<u32, Track>,
    next: u32,
    pub(super) arms: Arms,
    pub(super) hands: BTreeMap<Place, Vec<Laid>>,
    /// How many hands were opened on a box.
    pub(super) opened: BTreeMap<BoxNo, u8>,
    pub(super) tucked: BTreeSet<Place>,
    /// Hands whose cards are to be exchanged.
    pub(super) zapped: BTreeSet<Place>,
    /// Cards that belong to no hand.
    pub(super) loose: Vec<u32>,
    /// Cards being shuffled.
    pub(super) pile: Vec<u32>,
    pub(super) cut_card: Option<u32>,
    pub(super) stakes: BTreeMap<Wager, Stakes>,
    pub(super) markers: Vec<u32>,
    pub(super) errands: Vec<Errand>,
    pub(super) shoe: Count,
    pub(super) rack: Count,
    /// Cards in a full shoe.
    pub(super) full: usize,
    /// Which cards left the shoe with which step; empty if nobody says.
    pub(super) drawn: BTreeMap<usize, Card>,
    /// What the steps of the round come to, for amounts that they leave unsaid.
    pub(super) layout: Layout,
    clutter: Vec<Thing>,
}

impl Felt {
    pub(super) fn new(geometry: Geometry, mut dice: Dice, full: usize) -> Self {
        let clutter = clutter(&geometry, &mut dice);
        Self {
            geometry,
            dice,
            tracks: BTreeMap::new(),
            next: 0,
            arms: Arms::default(),
            hands: BTreeMap::new(),
            opened: BTreeMap::new(),
            tucked: BTreeSet::new(),
            zapped: BTreeSet::new(),
            loose: Vec::new(),
            pile: Vec::new(),
            cut_card: None,
            stakes: BTreeMap::new(),
            markers: Vec::new(),
            errands: Vec::new(),
            shoe: Count::new(full),
            rack: Count::new(0),
            full,
            drawn: BTreeMap::new(),
            layout: Layout::default(),
            clutter,
        }
    }

    /// Gets ready for a round and forgets what nobody will see again.
    pub(super) fn open(&mut self, dealt: &Dealt, floor: Micros) {
        self.tracks.retain(|_, track| !track.is_gone(floor));
        self.arms.forget(floor);
        self.shoe.forget(floor);
        self.rack.forget(floor);
        self.close_boxes();
        self.layout = Layout::default();
        // The first card of a step is the one the step speaks of.
        self.drawn = dealt.drawn.iter().rev().map(|draw| (draw.step, draw.card)).collect();
        if let Some(shuffled) = &dealt.shuffled {
            self.full = shuffled.after.len();
            self.shoe.set(floor, self.full);
            self.rack.set(floor, 0);
        }
    }

    /// Everything to be seen at an instant, the lowest first.
    pub(super) fn seen(&self, at: Micros) -> Vec<Thing> {
        let mut tracked: Vec<_> = self.tracks.values().filter_map(|track| track.seen(at)).collect();
        tracked.sort_by_key(|seen| (seen.layer, seen.order));
        let furniture = [Thing::Tray, Thing::Rack(self.rack.at(at)), Thing::Shoe(self.shoe.at(at))];
        let things = furniture.into_iter().chain(self.clutter.iter().cloned());
        let things = things.chain(tracked.into_iter().map(|seen| seen.thing));
        things.chain(self.arms.seen(&self.geometry, at)).collect()
    }

    /// The order of something that is laid on all that lies there now, with room for one card to slide below it.
    pub(super) fn on_top(&self) -> i64 {
        i64::from(self.next) * 2
    }

    pub(super) fn add(&mut self, item: Item, first: Lie, born: Micros) -> u32 {
        let id = self.next;
        self.next = self.next.wrapping_add(1);
        self.tracks.insert(id, Track::new(item, first, born));
        id
    }

    /// Where a thing will be at last.
    pub(super) fn lies(&self, id: u32) -> Option<Lie> {
        self.tracks.get(&id).map(Track::last)
    }

    pub(super) fn go(&mut self, id: u32, (from, until): (Micros, Micros), to: Lie, lift: f32) {
        if let Some(track) = self.tracks.get_mut(&id) {
            track.go(from, until, to, lift);
        }
    }

    /// Takes things away to a point where they are out of sight.
    pub(super) fn away(&mut self, ids: &[u32], (from, until): (Micros, Micros), to: Pose) {
        for id in ids {
            if let Some(track) = self.tracks.get_mut(id) {
                let last = track.last();
                track.go(from, until, Lie { pose: to, at: None, ..last }, 30.0);
                track.end(until);
            }
        }
    }

    /// Sends a hand to carry something from one point to another; returns when the thing is in the hand and when it is there.
    pub(super) fn carry(
        &mut self,
        who: Actor,
        window: (Micros, Micros),
        (take, put): (Point, Point),
    ) -> (Micros, Micros) {
        let grab = self.arms.send(&self.geometry, who, window, (take, put), Manner::Carries);
        (grab, window.1)
    }

    /// Shows a hand that does something at a point without carrying anything.
    pub(super) fn gesture(&mut self, who: Actor, at: Point, manner: Manner, when: When) {
        self.arms.send(&self.geometry, who, when.lasting(GESTURE), (at, at), manner);
    }

    /// A little to the side and a little turned, as things lie that a hand puts down.
    pub(super) fn askew(&mut self) -> Pose {
        let mut by = |deviation: f64| (self.dice.normal().clamp(-2.5, 2.5) * deviation) as f32;
        Pose { at: Point { x: by(1.8), y: by(1.8) }, turn: by(0.035), lift: 0.0 }
    }
}

/// Up to three things that players put beside their boxes.
fn clutter(geometry: &Geometry, dice: &mut Dice) -> Vec<Thing> {
    let mut boxes: Vec<BoxNo> = BoxNo::all().take(usize::from(geometry.boxes())).collect();
    let mut lying = Vec::new();
    for _ in 0..dice.below(4).min(boxes.len()) {
        let beside = boxes.swap_remove(dice.below(boxes.len()));
        let turn = dice.between(-3.1, 3.1) as f32;
        let pose = Pose { at: geometry.beside(beside), turn, lift: 0.0 };
        lying.push(Thing::Clutter { kind: dice.below(256) as u8, pose });
    }
    lying
}
