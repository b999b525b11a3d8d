//! Cards over time: a camera's frames in, cards that come to rest, are turned over and leave out.
//!
//! The gate sees every frame and says where something has changed and settled; only there do the networks look.
//! One card is one track over all looks at it. With the camera's calibration a track has a place at the table, and what
//! it does is told in the same events as any other feed's.

mod backs;
mod card;
mod evidence;
mod gate;
mod hands;
mod layout;
mod matching;
mod place;
mod plane;

use std::collections::{BTreeMap, BTreeSet};

use ingest::camera::Frame;
use opencv::core::Rect;
use table::{Card, CardAt, Chance, Face, Place, Utc};

pub use card::{Did, Sighting};
pub use layout::{BOX, DEALER, Layout};
pub use plane::{Glass, Millimetres, Plane};

use crate::vision::{Eyes, Pixel, Quad, Seen, VisionError};
use card::{Told, Track};
use gate::{Gate, Worth};
use matching::Whereabouts;
use place::{lies, place_of};

/// A card read at least so surely is told at the first look.
const AT_ONCE: f32 = 0.93;
/// One less sure is told after so many looks.
const LOOKS: u32 = 3;
/// What is less surely a card by then is let go without a word.
const CARD: f32 = 0.6;
/// From a look to the next at a card that is not sure yet, in microseconds.
const AGAIN: i64 = 240_000;
/// A card that cannot be seen and whose place is not bare counts as gone after so long, in microseconds.
const GONE: i64 = 1_600_000;
/// A back that is gone from a player's hand may come to light under his chips for so long, in microseconds.
const TUCKED: i64 = 800_000;
/// A card of which more than this lies under others need not be seen at every look.
const COVERED: f32 = 0.3;
/// More cards than this face down at no box are being shuffled: a dealer has one, and some things look like the back of one.
const MOST_DOWN: usize = 3;
/// Pixels by which a card may reach out of the part that was looked at and still count as seen whole.
const EDGE: i32 = 4;
/// How much of a card's place must be bare for it to be gone at once.
const BARE: f32 = 0.6;

/// Follows the cards that one camera sees.
pub struct Watcher {
    gate: Gate,
    layout: Layout,
    tracks: Vec<Track>,
    next: u64,
    /// Split hands that were put away while others of their box lie there still.
    over: BTreeSet<Place>,
    /// How wide cards are, if the layout does not tell: as the last search found them.
    width: Option<f32>,
    looks: u64,
}

/// A card as it is followed at this moment, for drawing.
#[derive(Clone, Debug)]
pub struct Followed {
    /// Its number.
    pub track: u64,
    /// Its outline.
    pub quad: Quad,
    /// Its likeliest face; hidden if it lies face down.
    pub card: Card,
    /// How sure that is.
    pub confidence: f32,
    /// Where it lies on the table, once told.
    pub place: Option<CardAt>,
}

impl Watcher {
    /// A watcher for a camera with this layout; without one, cards have no places.
    pub fn new(layout: Layout) -> Self {
        Self {
            gate: Gate::default(),
            layout,
            tracks: Vec::new(),
            next: 0,
            over: BTreeSet::new(),
            width: None,
            looks: 0,
        }
    }

    /// How often the networks were asked.
    pub const fn looks(&self) -> u64 {
        self.looks
    }

    /// The cards that are followed now and have been told of.
    pub fn followed(&self) -> impl Iterator<Item = Followed> + '_ {
        self.tracks.iter().filter_map(|track| {
            let told = track.told?;
            let (quad, confidence) = (track.quad, track.confidence());
            Some(Followed { track: track.id, quad, card: track.card(), confidence, place: told.at })
        })
    }

    /// Takes the next frame, and says what the cards did.
    pub fn see(&mut self, eyes: &mut Eyes, frame: &Frame) -> Result<Vec<Sighting>, VisionError> {
        let at = frame.at.micros();
        let worth = frame.image.with_luma(|luma| self.gate.pass(luma, at))?;
        let mut sightings = Vec::new();
        let mut parts = match worth {
            Worth::Covered => return Ok(sightings),
            Worth::All => {
                self.search(eyes, frame, &mut sightings)?;
                Vec::new()
            }
            Worth::Parts(parts) => {
                let parts = parts.into_iter().map(|part| self.roomy(part));
                parts.flat_map(|part| self.layout.with_cards(part)).collect()
            }
        };
        parts.extend(self.due(at));
        if !parts.is_empty() {
            let bounds = Rect::new(0, 0, frame.image.width() as i32, frame.image.height() as i32);
            let parts = joined(parts.into_iter().map(|part| part & bounds).collect());
            for part in &parts {
                self.look(eyes, frame, *part, &mut sightings)?;
            }
            self.notice_shuffle();
            for part in parts {
                self.tell(part, frame.at, &mut sightings);
            }
        }
        let mut cards = self.tracks.iter().map(|track| track.quad);
        self.gate.learn(at, &mut cards);
        Ok(sightings)
    }

    /// Looks for cards of any size in the whole picture.
    fn search(&mut self, eyes: &mut Eyes, frame: &Frame, to: &mut Vec<Sighting>) -> Result<(), VisionError> {
        let (width, height) = (frame.image.width() as i32, frame.image.height() as i32);
        let all = Rect::new(0, 0, width, height);
        self.looks += 1;
        let middle = [width as f32 / 2.0, height as f32 / 2.0];
        let known = self.layout.card_width(middle);
        let picture = frame.image.cut(all)?;
        let seen = match known {
            Some(known) => eyes.look(&picture, all, known, &[])?,
            None => eyes.search(&picture)?,
        };
        let mut widths: Vec<f32> = seen.iter().map(|seen| seen.quad.card_width()).collect();
        widths.sort_by(f32::total_cmp);
        self.width = widths.get(widths.len() / 2).copied().or(self.width);
        self.compare(all, seen, frame.at, to);
        self.notice_shuffle();
        self.tell(all, frame.at, to);
        Ok(())
    }

    fn look(&mut self, eyes: &mut Eyes, frame: &Frame, part: Rect, to: &mut Vec<Sighting>) -> Result<(), VisionError> {
        self.looks += 1;
        let (wide, high) = (frame.image.width() as i32, frame.image.height() as i32);
        let middle = [(part.x + part.width / 2) as f32, (part.y + part.height / 2) as f32];
        let card = self.card_width(middle, wide as f32);
        // Only this much of the picture is converted: what cards at the edge reach beyond it, on whole pixels of colour.
        let even = |along: i32| along / 2 * 2;
        let (left, top) = (even((part.x - card as i32).max(0)), even((part.y - card as i32).max(0)));
        let right = even((part.x + part.width + card as i32 + 1).min(wide));
        let bottom = even((part.y + part.height + card as i32 + 1).min(high));
        let around = Rect::new(left, top, right - left, bottom - top);
        let picture = frame.image.cut(around)?;
        let here = Rect::new(part.x - left, part.y - top, part.width, part.height);
        let sure = self.tracks.iter().filter(|track| track.missing.is_none() && track.confidence() >= AT_ONCE);
        let (inward, outward) = ([-left as f32, -top as f32], [left as f32, top as f32]);
        let known: Vec<(Quad, Card)> = sure.map(|track| (track.quad.scaled(1.0, inward), track.card())).collect();
        let mut seen = eyes.look(&picture, here, card, &known)?;
        for seen in &mut seen {
            seen.quad = seen.quad.scaled(1.0, outward);
        }
        self.compare(part, seen, frame.at, to);
        Ok(())
    }

    /// How wide a card is about here, in pixels.
    fn card_width(&self, near: Pixel, picture: f32) -> f32 {
        // Of a table that fills the picture a card takes a thirty-third.
        self.layout.card_width(near).or(self.width).unwrap_or(picture / 33.0)
    }

    /// A part with room around it, so that a card which reaches into it is seen whole.
    fn roomy(&self, part: Rect) -> Rect {
        let middle = [(part.x + part.width / 2) as f32, (part.y + part.height / 2) as f32];
        let room = (1.1 * self.card_width(middle, 33.0 * 60.0)) as i32;
        Rect::new(part.x - room, part.y - room, part.width + 2 * room, part.height + 2 * room)
    }

    /// Parts in which cards wait for another look and nothing moves.
    fn due(&mut self, at: i64) -> Vec<Rect> {
        let mut parts = Vec::new();
        for track in &self.tracks {
            let [left, top, right, bottom] = track.quad.bounds().map(|along| along.clamp(-1e5, 1e5) as i32);
            let part = Rect::new(left, top, right - left, bottom - top);
            if track.due.is_some_and(|due| due <= at) && self.gate.is_settled(part, at) {
                parts.push(self.roomy(part));
            }
        }
        parts
    }

    /// Compares what was seen in a part with the cards that should lie there.
    fn compare(&mut self, part: Rect, seen: Vec<Seen>, at: Utc, to: &mut Vec<Sighting>) {
        let since = settled_by(at);
        // A card at the edge is found a little further in or out each time: who is seen must find its track again.
        let here = |number: &usize| {
            let track = &self.tracks[*number];
            within(part, &track.quad, 3 * EDGE) || self.may_be_tucked(track)
        };
        let inside: Vec<usize> = (0..self.tracks.len()).filter(here).collect();
        let mut seen: Vec<Seen> = seen.into_iter().filter(|seen| within(part, &seen.quad, EDGE)).collect();
        backs::lie_as_their_like(&mut seen);
        backs::leave_halves(&mut seen);
        let here: Vec<&Track> = inside.iter().map(|number| &self.tracks[*number]).collect();
        let at_box = |quad: &Quad, home| self.layout.lie(quad, home).and_then(|lie| Some((lie.box_no?, lie.across)));
        let mut pairs = matching::pairs(&here, &seen, at_box);
        self.pair_backs(&here, &seen, &mut pairs);
        let whereabouts = matching::whereabouts(&here, &seen, &pairs);
        let mut taken = vec![false; seen.len()];
        let mut lost = Vec::new();
        for (of, number) in inside.iter().enumerate() {
            let track = &mut self.tracks[*number];
            match whereabouts[of] {
                Whereabouts::Seen(which) => {
                    taken[which] = true;
                    track.add(&seen[which], since);
                    track.due = None;
                }
                Whereabouts::Below(quad) => track.quad = quad,
                Whereabouts::Unknown if within(part, &track.quad, 0) => lost.push(*number),
                Whereabouts::Unknown => {}
            }
        }
        let rest = seen.iter().zip(&taken).filter(|(_, taken)| !**taken).map(|(seen, _)| seen);
        for card in matching::new_cards(&self.tracks, rest, |one, other| self.layout.apart(one, other)) {
            self.next += 1;
            self.tracks.push(Track::new(self.next, card, since));
        }
        self.miss(&lost, at, to);
        seen.iter().for_each(|seen| self.gate.lay(&seen.quad));
    }

    /// Cards spread face down to be washed are nobody's hand, wherever they lie, until they are turned over.
    fn notice_shuffle(&mut self) {
        let layout = &self.layout;
        let at_no_box = |track: &&mut Track| {
            let spread = track.face == Face::Down && track.missing.is_none();
            spread && layout.lie(&track.quad, None).is_none_or(|lie| lie.box_no.is_none())
        };
        if self.tracks.iter_mut().filter(at_no_box).count() > MOST_DOWN {
            self.tracks.iter_mut().filter(at_no_box).for_each(|track| track.washed = true);
        }
    }

    /// Cards that should have been seen and were not: gone if their place is bare, or if they stay away.
    fn miss(&mut self, lost: &[usize], at: Utc, to: &mut Vec<Sighting>) {
        let now = at.micros();
        let mut gone = Vec::new();
        let seen_no_more: Vec<u64> = lost.iter().map(|number| self.tracks[*number].id).collect();
        for &number in lost {
            let quad = self.tracks[number].quad;
            // A card that others lie on has not left for being hard to see, unless those are not seen either.
            let covers = |other: &&Track| {
                let lies = other.missing.is_none() && !seen_no_more.contains(&other.id);
                lies && other.quad.shared(&quad) > COVERED * quad.area()
            };
            let covers: Vec<Quad> = self.tracks.iter().filter(covers).map(|other| other.quad).collect();
            let once = self.tracks[number].told.is_none() && self.tracks[number].looks < 2;
            // What was seen only once may be a second outline of the card that lies there.
            let shows = || self.gate.bare_beyond(&quad, &covers).is_some_and(|bare| bare < 1.0 - BARE);
            let bare = self.gate.bare(&quad) >= BARE;
            if !bare && !covers.is_empty() && (!once || shows()) {
                // It is not missed, and not looked for again at every frame.
                (self.tracks[number].missing, self.tracks[number].due) = (None, None);
                continue;
            }
            let tucked = self.may_be_tucked(&self.tracks[number]);
            let track = &mut self.tracks[number];
            let missing = *track.missing.get_or_insert(now);
            track.due = Some(now + AGAIN);
            let elsewhere = tucked && now - missing < TUCKED;
            if bare && !elsewhere || now - missing >= GONE || once {
                gone.push((track.id, Utc::from_micros(missing).unwrap_or(at)));
            }
        }
        let mut left = BTreeMap::new();
        for (id, since) in gone {
            let Some(number) = self.tracks.iter().position(|track| track.id == id) else { continue };
            let track = self.tracks.remove(number);
            if let Some(told) = track.told {
                told.at.into_iter().for_each(|at| *left.entry(at.place).or_insert(0) += 1);
                to.push(sighting(&track, Did::Left, told.at, told.face, since, at));
            }
        }
        self.put_away(left);
    }

    /// Tells of cards that are sure enough by now and have not been told of as they are.
    fn tell(&mut self, part: Rect, at: Utc, to: &mut Vec<Sighting>) {
        let (now, since) = (at.micros(), settled_by(at));
        for number in 0..self.tracks.len() {
            let track = &self.tracks[number];
            if !within(part, &track.quad, EDGE) || track.missing.is_some() || (track.washed && track.told.is_none()) {
                continue;
            }
            let sure = track.confidence() >= AT_ONCE;
            if !sure && track.told.is_none() && track.looks < LOOKS {
                self.tracks[number].due = Some(now + AGAIN);
                continue;
            }
            if !sure && track.told.is_none() && track.sure < CARD {
                continue;
            }
            let place = self.place(number);
            let told = Told { at: place, face: track.face, card: track.card() };
            let before = track.told;
            if before == Some(told) {
                continue;
            }
            if let Some(before) = before {
                // A card already told of is not told again for a doubtful second thought.
                let turned = before.face != told.face;
                let moved = lies(before.at) != lies(told.at);
                if !turned && !moved && !sure {
                    continue;
                }
                if moved {
                    // It came to rest so only now, however long it lay as it did before.
                    self.tracks[number].since = since;
                }
                if place_of(before.at) != place_of(told.at) {
                    to.push(sighting(&self.tracks[number], Did::Left, before.at, before.face, since, at));
                }
            }
            let track = &mut self.tracks[number];
            track.told = Some(told);
            to.push(sighting(track, Did::Settled, told.at, told.face, track.since, at));
        }
        let unsure = |track: &Track| track.told.is_none() && track.looks >= LOOKS && track.sure < CARD;
        self.tracks.retain(|track| !unsure(track));
    }
}

/// Since when what is seen now has lain there: that is how long the gate waits.
fn settled_by(at: Utc) -> Utc {
    Utc::from_micros(at.micros().saturating_sub(gate::SETTLED)).unwrap_or(at)
}

fn sighting(track: &Track, did: Did, place: Option<CardAt>, face: Face, at: Utc, shown: Utc) -> Sighting {
    let chance = Chance::from_f64(f64::from(track.sure)).unwrap_or(Chance::CERTAIN);
    Sighting { track: track.id, did, at, shown, quad: track.quad, place, face, card: track.reading(), chance }
}

/// Whether a card's middle lies in a part, and its corners no more than so many pixels from the edge beyond it.
fn within(part: Rect, quad: &Quad, slack: i32) -> bool {
    let [x, y] = quad.middle();
    let [left, top, right, bottom] = quad.bounds();
    let inside = |at: f32, from: i32, length: i32| at >= from as f32 && at < (from + length) as f32;
    let whole = |low: f32, high: f32, from: i32, length: i32| {
        let slack = slack as f32 + 0.15 * (high - low);
        low >= from as f32 - slack && high <= (from + length) as f32 + slack
    };
    inside(x, part.x, part.width)
        && inside(y, part.y, part.height)
        && whole(left, right, part.x, part.width)
        && whole(top, bottom, part.y, part.height)
}

/// Parts that overlap looked at together rather than twice.
fn joined(mut parts: Vec<Rect>) -> Vec<Rect> {
    parts.retain(|part| part.width > 0 && part.height > 0);
    let mut at = 0;
    while at < parts.len() {
        let other = (at + 1..parts.len()).find(|other| {
            let shared = parts[at] & parts[*other];
            3 * shared.area() > parts[at].area().min(parts[*other].area())
        });
        match other {
            Some(other) => {
                let taken = parts.swap_remove(other);
                parts[at] |= taken;
                at = 0;
            }
            None => at += 1,
        }
    }
    parts
}
