//! A thing's way over the table: where it was put, when it was picked up, where it went, when it was gone.

use table::{Card, CardAt, Face, Money};

use super::super::scene::{Point, Pose, Thing};

/// Microseconds since 1970, as [`table::Utc`] has them.
pub(super) type Micros = i64;

/// What can be moved about.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Card,
    CutCard,
    Chips(Vec<Money>),
    Lammer,
}

/// How a thing lies; what is said of faces matters for cards alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lie {
    pub(super) pose: Pose,
    pub(super) card: Card,
    pub(super) up: bool,
    pub(super) at: Option<CardAt>,
    /// What has the higher number lies on top.
    pub(super) order: i64,
}

impl Lie {
    /// Something other than a card.
    pub(super) fn plain(at: Point) -> Self {
        Self::back(Pose { at, ..Pose::default() }, Card::HIDDEN)
    }

    /// A card face down that belongs to no hand.
    pub(super) fn back(pose: Pose, card: Card) -> Self {
        Self { pose, card, up: false, at: None, order: 0 }
    }
}

/// One move: in a hand from the first instant to the second, at rest from then on.
#[derive(Clone, Copy, Debug)]
struct Move {
    from: Micros,
    until: Micros,
    to: Lie,
    /// The highest it gets on its way; at 0 it slides.
    lift: f32,
}

/// A thing and all it does while it is on the table.
#[derive(Clone, Debug)]
pub(super) struct Track {
    item: Item,
    first: Lie,
    born: Micros,
    gone: Option<Micros>,
    moves: Vec<Move>,
}

/// A thing as it is at one instant.
pub(super) struct Seen {
    pub(super) thing: Thing,
    pub(super) layer: u8,
    pub(super) order: i64,
}

/// The layers of a scene that things on a track can be in, lowest first.
const CARDS: u8 = 0;
const CHIPS: u8 = 1;
const LAMMERS: u8 = 2;
const CARRIED: u8 = 3;

impl Track {
    pub(super) fn new(item: Item, first: Lie, born: Micros) -> Self {
        Self { item, first, born, gone: None, moves: Vec::new() }
    }

    /// How it lies in the end.
    pub(super) fn last(&self) -> Lie {
        self.moves.last().map_or(self.first, |last| last.to)
    }

    /// From when on it may be moved again.
    pub(super) fn free(&self) -> Micros {
        self.moves.last().map_or(self.born, |last| last.until)
    }

    /// Moves it, lifted so high on its way. It never moves before it has come to rest.
    pub(super) fn go(&mut self, from: Micros, until: Micros, to: Lie, lift: f32) {
        let from = from.max(self.free());
        self.moves.push(Move { from, until: until.max(from), to, lift });
    }

    /// Takes it from the table.
    pub(super) fn end(&mut self, at: Micros) {
        self.gone = Some(self.gone.map_or(at, |gone| gone.min(at)).max(self.born));
    }

    /// Whether it has left the table by then.
    pub(super) fn is_gone(&self, at: Micros) -> bool {
        self.gone.is_some_and(|gone| gone <= at)
    }

    /// Says which card it has been all along, if nobody knew.
    pub(super) fn reveal(&mut self, card: Card) {
        let lies = std::iter::once(&mut self.first).chain(self.moves.iter_mut().map(|step| &mut step.to));
        lies.filter(|lie| !lie.card.is_known()).for_each(|lie| lie.card = card);
    }

    /// What the chips are worth.
    pub(super) fn worth(&self) -> Money {
        match &self.item {
            Item::Chips(stack) => {
                Money::from_minor(stack.iter().fold(0, |sum: i64, chip| sum.saturating_add(chip.minor())))
            }
            _ => Money::ZERO,
        }
    }

    /// What can be seen of it at an instant.
    pub(super) fn seen(&self, at: Micros) -> Option<Seen> {
        if at < self.born || self.is_gone(at) {
            return None;
        }
        let number = self.moves.iter().rposition(|step| step.from <= at);
        let Some((number, step)) = number.and_then(|number| Some((number, self.moves.get(number)?))) else {
            return Some(self.shown(self.first, false));
        };
        if at >= step.until {
            return Some(self.shown(step.to, false));
        }
        let before = number.checked_sub(1).and_then(|before| self.moves.get(before)).map_or(self.first, |step| step.to);
        let part = (at - step.from) as f32 / (step.until - step.from) as f32;
        Some(self.shown(between(before, step.to, part, step.lift), step.lift > 0.0))
    }

    fn shown(&self, lie: Lie, carried: bool) -> Seen {
        let Lie { pose, card, up, at, order } = lie;
        let (thing, layer) = match &self.item {
            Item::Card => (Thing::Card { card, up, pose, at }, CARDS),
            Item::CutCard => (Thing::CutCard(pose), CARDS),
            Item::Chips(stack) => (Thing::Chips { at: pose.at, stack: stack.clone(), lift: pose.lift }, CHIPS),
            Item::Lammer => (Thing::Lammer(pose.at), LAMMERS),
        };
        Seen { thing, layer: if carried { CARRIED } else { layer }, order }
    }
}

/// Starts and stops gently: 0 to 1 as time goes from 0 to 1.
pub(super) fn eased(part: f32) -> f32 {
    let part = part.clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// A point on the way from one to another.
pub(super) fn on_the_way(from: Point, to: Point, part: f32) -> Point {
    Point { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }
}

/// How a thing lies on its way. A card that is turned over turns when most of the way is behind it.
fn between(from: Lie, to: Lie, part: f32, lift: f32) -> Lie {
    const TURNS: f32 = 0.75;
    let gone = eased(part);
    let arc = 4.0 * part * (1.0 - part);
    let pose = Pose {
        at: on_the_way(from.pose.at, to.pose.at, gone),
        turn: from.pose.turn + (to.pose.turn - from.pose.turn) * gone,
        lift: from.pose.lift + (to.pose.lift - from.pose.lift) * gone + lift * arc,
    };
    let turned = if part >= TURNS { to } else { from };
    let stays = from.at.zip(to.at).is_some_and(|(a, b)| (a.place, a.position) == (b.place, b.position));
    let face = if turned.up { Face::Up } else { Face::Down };
    let at = from.at.filter(|_| stays).map(|at| CardAt { face, ..at });
    Lie { pose, card: turned.card, up: turned.up, at, order: to.order }
}
