//! One card over time, and what it does.

use table::chance::Spread;
use table::{Card, CardAt, Chance, Event, EventId, Face, Fact, Ident, Rank, Reading, Source, SourceKind, Suit, Utc};

use super::evidence::Evidence;
use crate::vision::{Quad, Seen, millionths};

/// A card has been turned over if its other side shows as surely as this; less surely, it is hard to see as it lies.
pub(super) const TURNED: f32 = 0.8;

/// A card being followed.
#[derive(Clone, Debug)]
pub(super) struct Track {
    pub(super) id: u64,
    pub(super) quad: Quad,
    pub(super) face: Face,
    pub(super) evidence: Evidence,
    /// How likely it is a card at all, by the best look.
    pub(super) sure: f32,
    /// When it came to rest as it lies.
    pub(super) since: Utc,
    /// Looks at it, however it lay.
    pub(super) looks: u32,
    /// Whether it lay among cards that were being shuffled.
    pub(super) washed: bool,
    /// When it is to be looked at again, in microseconds.
    pub(super) due: Option<i64>,
    /// Since when it has not been seen where it should be.
    pub(super) missing: Option<i64>,
    /// What was last told of it: where it lies, and as what.
    pub(super) told: Option<Told>,
}

/// What was told of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) at: Option<CardAt>,
    pub(super) face: Face,
    pub(super) card: Card,
}

impl Track {
    pub(super) fn new(id: u64, seen: &Seen, since: Utc) -> Self {
        let mut track = Self {
            id,
            quad: seen.quad,
            face: face(seen),
            evidence: Evidence::new(),
            sure: seen.is_card(),
            since,
            looks: 0,
            washed: false,
            due: None,
            missing: None,
            told: None,
        };
        track.add(seen, since);
        track
    }

    /// Takes another look at it into account.
    pub(super) fn add(&mut self, seen: &Seen, at: Utc) {
        if face(seen) != self.face && seen.is_card() >= TURNED {
            // Turned over: nothing known of it before counts for its other side.
            self.face = face(seen);
            self.evidence = Evidence::new();
            self.since = at;
            self.washed = false;
        }
        if self.face == Face::Up && seen.is_up() {
            self.evidence.add(seen);
        }
        self.quad = seen.quad;
        self.sure = self.sure.max(seen.is_card());
        self.looks += 1;
        self.missing = None;
    }

    /// What it is taken for.
    pub(super) fn reading(&self) -> Reading {
        if self.face == Face::Down {
            return Reading::certain(Card::HIDDEN);
        }
        let (ranks, suits) = self.evidence.spread();
        Reading::from_spread(Spread { ranks: millionths(&ranks), suits: millionths(&suits) })
    }

    /// The likeliest face; hidden if it lies face down.
    pub(super) fn card(&self) -> Card {
        if self.face == Face::Down {
            return Card::HIDDEN;
        }
        let (rank, suit, _) = self.evidence.best();
        Card::new(Rank::ALL[rank], Suit::ALL[suit])
    }

    /// How likely all that would be told of it is right.
    pub(super) fn confidence(&self) -> f32 {
        if self.face == Face::Down { self.sure } else { self.sure * self.evidence.best().2 }
    }
}

fn face(seen: &Seen) -> Face {
    if seen.is_up() { Face::Up } else { Face::Down }
}

/// What a card did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Did {
    /// It came to rest, was turned over, or is read otherwise than before.
    Settled,
    /// It left its place.
    Left,
}

/// A card that did something.
#[derive(Clone, Debug, PartialEq)]
pub struct Sighting {
    /// The card's number: the same for as long as it is followed.
    pub track: u64,
    /// What it did.
    pub did: Did,
    /// When it did.
    pub at: Utc,
    /// The picture that showed it.
    pub shown: Utc,
    /// Where it lies in the picture.
    pub quad: Quad,
    /// Where it lies on the table; none without calibration, or for a card that lies at no box.
    pub place: Option<CardAt>,
    /// Which way up.
    pub face: Face,
    /// What it was read as.
    pub card: Reading,
    /// How likely it is a card at all.
    pub chance: Chance,
}

impl Sighting {
    /// The event that tells of it; none for a card that lies at no box.
    pub fn event(&self, id: EventId, camera: &Ident, source_clock: Option<i64>) -> Option<Event> {
        let at = self.place?;
        let fact = match self.did {
            Did::Settled => Fact::Settled { at, card: self.card.clone() },
            Did::Left => Fact::Left { at },
        };
        let source = Source { kind: SourceKind::Camera, name: camera.clone() };
        Some(Event { id, source, at: self.at, arrived: self.shown, source_clock, chance: self.chance, fact })
    }
}
