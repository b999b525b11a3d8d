//! Several readings of a round's cards side by side, each as likely as all that was heard and seen makes it.
//!
//! A reading says which sighting is which draw, where cards went that nobody saw, and which sightings were nothing at
//! all. Every event makes each reading into a few; the likeliest are kept until later events decide between them.

mod cost;
mod hindsight;
mod unseen;

use std::collections::BTreeSet;

use table::{BoxNo, Card, CardAt, Chance, Event, EventId, Face, Grammar, Place, Reading, Turn};

use super::Settings;
use super::faces::{Faces, Prior};
use super::guess::{Guess, Happening, Laid};

/// A draw that has not been seen on the table after this long went unseen, or lies about, in microseconds.
pub(super) const PATIENCE: i64 = 3_500_000;
/// A card that leaves one place and comes to another within this was moved, in microseconds.
pub(super) const IN_HAND: i64 = 1_500_000;
/// By how much a sighting may seem to come before its draw, in microseconds.
const AHEAD: i64 = 2_500_000;
/// Readings this much less likely than the best are dropped, in natural logarithms.
const HOPELESS: f64 = 14.0;
/// How often a camera misses a card that is never in doubt.
const SELDOM: f64 = 1e-4;
/// The most of one round that is followed: beyond it nothing is a round of blackjack.
const MOST: usize = 2000;

/// A card that left the shoe.
#[derive(Clone, Debug)]
pub(super) struct Draw {
    pub(super) at: i64,
    pub(super) id: EventId,
    /// What the shoe read.
    pub(super) card: Option<Card>,
    pub(super) faces: Faces,
}

/// A card that a camera saw come to rest.
#[derive(Clone, Debug)]
pub(super) struct Sight {
    pub(super) at: i64,
    pub(super) id: EventId,
    /// The camera's bit.
    pub(super) camera: u32,
    pub(super) spot: CardAt,
    pub(super) card: Reading,
    pub(super) faces: Faces,
    /// How sure the camera is that there is a card at all.
    pub(super) chance: f64,
}

/// The readings of one round's cards.
#[derive(Clone, Debug)]
pub(super) struct Beam {
    pub(super) draws: Vec<Draw>,
    pub(super) sights: Vec<Sight>,
    pub(super) prior: Prior,
    pub(super) grammar: Grammar,
    settings: Settings,
    /// Boxes with a main stake.
    wagered: Vec<BoxNo>,
    /// Whether a shoe tells of this round.
    shoe: bool,
    /// How often this camera misses a card, as well as its own doubt tells.
    missed: f64,
    /// The cameras that have seen cards in this round, a bit each.
    cameras: u32,
    /// Where cameras saw a card come and none leave since, whatever card it is.
    in_sight: BTreeSet<(u32, Place, u8)>,
    guesses: Vec<Guess>,
}

impl Beam {
    /// A round of which nothing is known yet.
    pub(super) fn new(prior: Prior, grammar: Grammar, settings: Settings, shoe: bool, doubt: f64) -> Self {
        let missed = missed(doubt);
        Self {
            draws: Vec::new(),
            sights: Vec::new(),
            prior,
            grammar,
            settings,
            wagered: Vec::new(),
            shoe,
            missed,
            cameras: 0,
            in_sight: BTreeSet::new(),
            guesses: vec![Guess::default()],
        }
    }

    /// Whether nothing was drawn or seen yet.
    pub(super) fn is_blank(&self) -> bool {
        self.draws.is_empty() && self.sights.is_empty()
    }

    /// Whether no card was drawn and no face seen: backs alone are cards that are counted, washed or shuffled.
    pub(super) fn shows_no_card(&self) -> bool {
        self.draws.is_empty() && self.sights.iter().all(|sight| sight.spot.face == Face::Down)
    }

    /// When the first card was drawn or seen.
    pub(super) fn first_card(&self) -> Option<i64> {
        let (drawn, seen) = (self.draws.first().map(|draw| draw.at), self.sights.first().map(|sight| sight.at));
        drawn.into_iter().chain(seen).min()
    }

    /// Whether cards were seen on the table.
    pub(super) fn saw_cards(&self) -> bool {
        !self.sights.is_empty()
    }

    /// Whether cards lie on the table, by the best reading.
    pub(super) fn cards_lie(&self) -> bool {
        self.guesses.first().is_some_and(|best| best.laid.iter().any(|laid| !laid.gone && !laid.sights.is_empty()))
    }

    /// Whether a draw waits to be seen, by the best reading. Where no camera sees, nothing waits for it.
    pub(super) fn is_awaited(&self) -> bool {
        self.saw_cards() && self.guesses.first().is_some_and(|best| !best.pending.is_empty())
    }

    /// Main stakes stand on these boxes.
    pub(super) fn wagered(&mut self, boxes: Vec<BoxNo>) {
        if self.sights.is_empty() && self.draws.is_empty() {
            self.wagered = boxes;
        } else {
            self.wagered.extend(boxes);
            self.wagered.sort_unstable();
            self.wagered.dedup();
        }
    }

    /// A card left the shoe.
    pub(super) fn drew(&mut self, at: i64, id: EventId, card: Option<Card>) {
        if self.draws.len() >= MOST {
            return;
        }
        self.shoe = true;
        self.resolve(at);
        let faces = Faces::heard(card);
        let told = faces.evidence(&self.prior);
        let number = self.draws.len();
        self.draws.push(Draw { at, id, card, faces });
        let mut next = Vec::new();
        for guess in std::mem::take(&mut self.guesses) {
            for piece in guess.without_draw(at.saturating_sub(AHEAD)) {
                let mut late = guess.clone();
                let before = self.evidence(&late.laid[piece]);
                late.laid[piece].draw = Some(number);
                let untold = if late.laid[piece].in_gap.is_some() { cost::IN_GAP } else { cost::UNTOLD };
                late.score += self.evidence(&late.laid[piece]) - before + cost::LATE_DRAW - untold;
                next.push(late);
            }
            let mut usual = guess;
            usual.pending.push(number);
            usual.score += told;
            next.push(usual);
        }
        self.keep(next);
    }

    /// The shoe may have missed so many cards. It notices with the next telegram, so they may lie there already.
    pub(super) fn gap(&mut self, at_most: u32) {
        let (before, since) = (self.draws.len(), self.draws.last().map_or(i64::MIN, |draw| draw.at));
        for guess in &mut self.guesses {
            guess.gap = guess.gap.saturating_add(at_most).min(16);
            guess.gap_before = before;
            for piece in guess.without_draw(since) {
                if !self.shoe || guess.gap == 0 || guess.laid[piece].in_gap.is_some() {
                    continue;
                }
                // It left the shoe after the last card that was told of.
                let came = guess.laid[piece].at;
                let last = |laid: &Laid| laid.draw.is_some_and(|draw| draw + 1 == before) && laid.at > came;
                let overtaken = if guess.laid.iter().any(last) { cost::OVERTAKEN } else { 0.0 };
                guess.gap -= 1;
                guess.laid[piece].in_gap = Some(before);
                guess.score += cost::IN_GAP - cost::UNTOLD + overtaken;
            }
        }
        let guesses = std::mem::take(&mut self.guesses);
        self.keep(guesses);
    }

    /// A camera saw a card come to rest.
    pub(super) fn settled(&mut self, seen: &Event, camera: u32, spot: CardAt, card: &Reading) {
        if self.sights.len() >= MOST {
            return;
        }
        let (at, id, chance) = (seen.at.micros(), seen.id, seen.chance.as_f64());
        self.resolve(at);
        let number = self.sights.len();
        self.cameras |= camera;
        self.in_sight.insert((camera, spot.place, spot.position.get()));
        self.sights.push(Sight { at, id, camera, spot, card: card.clone(), faces: Faces::seen(card), chance });
        let mut next = Vec::new();
        for guess in std::mem::take(&mut self.guesses) {
            self.explain(&guess, number, &mut next);
        }
        self.keep(next);
    }

    /// A camera saw a card leave. What left the shoe and was not seen before its hand goes may have gone to that hand.
    pub(super) fn left(&mut self, seen: &Event, camera: u32, spot: CardAt) {
        let (at, id, chance) = (seen.at.micros(), seen.id, seen.chance.as_f64());
        self.resolve(at);
        self.in_sight.remove(&(camera, spot.place, spot.position.get()));
        let clear = self.in_sight.is_empty();
        let (mut next, mut card_stays) = (Vec::new(), Vec::new());
        for mut guess in std::mem::take(&mut self.guesses) {
            if let Some(mut stays) = guess.without_phantom(spot).filter(|_| guess.at(spot).is_some()) {
                stays.score += cost::was_so(1.0 - chance);
                guess.score += cost::was_so(chance);
                card_stays.push(stays);
            }
            next.extend(self.given_to(&guess, spot.place));
            next.push(guess);
        }
        for guess in &mut next {
            guess.left(at, id, spot, camera);
            if clear {
                guess.score += guess.clear(at, id) as f64 * cost::OUT_OF_SIGHT;
            }
        }
        next.append(&mut card_stays);
        self.keep(next);
    }

    /// A camera sees nothing any more.
    pub(super) fn blinded(&mut self, camera: u32) {
        self.guesses.iter_mut().for_each(|guess| guess.blinded(camera));
    }

    /// The round is over: its readings with their weights, which add up to one.
    pub(super) fn close(mut self) -> (Self, Vec<(f64, Guess)>) {
        self.resolve(i64::MAX);
        self.look_back();
        let guesses = std::mem::take(&mut self.guesses);
        let best = guesses.first().map_or(0.0, |best| best.score);
        let all: f64 = guesses.iter().map(|guess| (guess.score - best).exp()).sum();
        let weighed = guesses.into_iter().map(|guess| ((guess.score - best).exp() / all, guess)).collect();
        (self, weighed)
    }

    /// All that is known of a card's face.
    pub(super) fn faces(&self, laid: &Laid) -> Faces {
        let drawn = laid.draw.and_then(|draw| self.draws.get(draw)).map_or(Faces::FLAT, |draw| draw.faces.clone());
        laid.sights.iter().filter_map(|sight| self.sights.get(*sight)).fold(drawn, |all, sight| all.and(&sight.faces))
    }

    /// Whether cameras are known to err here: they see some cards late, and some not at all.
    pub(super) fn errs(&self) -> bool {
        self.missed > SELDOM
    }

    /// A camera turns out to be so doubtful.
    pub(super) fn doubts(&mut self, doubt: f64) {
        self.missed = self.missed.max(missed(doubt));
    }

    /// Boxes with a main stake.
    pub(super) fn boxes(&self) -> &[BoxNo] {
        &self.wagered
    }

    /// A card that the shoe gave.
    pub(super) fn drawn(&self, draw: usize) -> Option<&Draw> {
        self.draws.get(draw)
    }

    fn evidence(&self, laid: &Laid) -> f64 {
        self.faces(laid).evidence(&self.prior)
    }

    /// Every way in which a reading explains a sighting.
    fn explain(&self, guess: &Guess, number: usize, next: &mut Vec<Guess>) {
        let sight = &self.sights[number];
        let real = sight.chance.max(1e-6).ln();
        let mut turned = false;
        let known =
            guess.at(sight.spot).into_iter().chain(guess.unseen_until_now(sight.spot)).map(|piece| (piece, 0.0));
        let counted_wrong = guess.lie_down_beside(sight.spot).into_iter().map(|piece| (piece, self.misplaced()));
        for (piece, misplaced) in known.chain(counted_wrong) {
            let mut seen = guess.clone();
            let laid = &mut seen.laid[piece];
            let before = self.evidence(laid);
            let (face, turn) = (sight.spot.face, sight.spot.turn);
            let happening = match () {
                () if laid.face == Face::Down && face == Face::Up => Some(Happening::Turned(piece)),
                () if laid.sights.is_empty() => None,
                () if laid.turn != turn && turn == Turn::Sideways => Some(Happening::Sideways(piece)),
                () => None,
            };
            // A card that lies elsewhere, as far as is known, may be this one, or another came.
            let here = (laid.place, laid.position) == (sight.spot.place, sight.spot.position.get());
            laid.sights.push(number);
            laid.is_in_sight_of(sight.camera);
            (laid.face, laid.turn, laid.seen) = (face, turn, Some(sight.spot));
            let after = self.evidence(&seen.laid[piece]);
            // Nor is it this one turned up, if it reads like quite another.
            turned |= happening.is_some() && here && after - before > cost::ANOTHER;
            let again = match () {
                // That it was not seen before was weighed when it was given up.
                () if happening.is_some() || seen.laid[piece].sights.len() == 1 => 0.0,
                () if self.cameras.count_ones() > 1 => cost::BY_ANOTHER,
                () => cost::AGAIN,
            };
            seen.score += after - before + real + again + misplaced;
            seen.log.extend(happening.map(|happening| (sight.at, Some(sight.id), happening)));
            next.push(seen);
        }
        next.extend(self.counted_otherwise(guess, number));
        let parting = guess.parting(sight.spot);
        for piece in guess.in_hand(sight.at.saturating_sub(IN_HAND)).into_iter().chain(parting) {
            let mut moved = guess.clone();
            let from = moved.laid[piece].place;
            if !moved.laid[piece].gone {
                // It is seen to leave only after it has come.
                moved.phantoms.extend(moved.laid[piece].seen);
            }
            let before = self.evidence(&moved.laid[piece]);
            moved.laid[piece].sights.push(number);
            let after = self.evidence(&moved.laid[piece]);
            moved.put(piece, sight);
            moved.score += after - before + cost::MOVED + real;
            moved.log.push((sight.at, Some(sight.id), Happening::Moved(piece, from)));
            next.push(moved);
        }
        if !turned {
            for (place, position, misplaced) in self.where_to(guess, sight.spot) {
                self.lay(guess, number, (place, position), misplaced + real, next);
            }
            if let Some(parted) = guess.parted_unseen(sight.spot, sight.at.saturating_sub(PATIENCE)) {
                self.lay(&parted, number, (sight.spot.place, 2), self.missed.ln() + real, next);
            }
        }
        let mut nothing = guess.clone();
        nothing.phantoms.push(sight.spot);
        nothing.score += cost::made_up(sight) + sight.faces.evidence(&self.prior);
        next.push(nothing);
    }

    /// The reading in which this sighting is a card that another camera has in another position of the hand.
    fn counted_otherwise(&self, guess: &Guess, number: usize) -> Option<Guess> {
        let sight = &self.sights[number];
        let is = |laid: &Laid| !laid.gone && laid.place == sight.spot.place && self.best(laid) == sight.card.card;
        let here = guess.at(sight.spot).is_some_and(|piece| is(&guess.laid[piece]));
        if self.cameras.count_ones() < 2 || sight.spot.face == Face::Down || here {
            return None;
        }
        let piece =
            guess.counted_by(sight.camera, sight.spot).filter(|piece| is(&guess.laid[*piece])).or_else(|| {
                guess.laid.iter().position(|laid| is(laid) && laid.face == Face::Up && laid.watched & sight.camera == 0)
            })?;
        let mut seen = guess.clone();
        let before = self.evidence(&seen.laid[piece]);
        let laid = &mut seen.laid[piece];
        laid.sights.push(number);
        laid.is_in_sight_of(sight.camera);
        laid.counted.push((sight.camera, sight.spot));
        let after = self.evidence(&seen.laid[piece]);
        seen.score += after - before + cost::BY_ANOTHER + sight.chance.max(1e-6).ln();
        Some(seen)
    }

    /// Where a card that was seen here may really lie, and what that costs.
    fn where_to(&self, guess: &Guess, spot: CardAt) -> Vec<(Place, u8, f64)> {
        let seen = spot.position.get();
        let mut ways = Vec::new();
        let expected = guess.next_position(spot.place);
        let unseen = guess.unseen_in(spot.place);
        if seen < expected && seen.saturating_add(unseen) >= expected {
            // A camera counts the cards that it has seen.
            ways.push((spot.place, expected, 0.0));
        } else if seen > expected && seen - guess.backs_made_up(spot) == expected {
            // A camera that sees one back twice counts both.
            ways.push((spot.place, expected, 0.0));
        } else if seen <= expected {
            ways.push((spot.place, seen, if seen < expected { cost::AGAIN } else { 0.0 }));
        } else {
            ways.push((spot.place, expected, self.misplaced()));
            ways.push((spot.place, seen, f64::from(seen - expected) * self.missed.ln()));
        }
        let odd = seen != expected || self.unlikely(guess, spot.place) < 0.0;
        if let (Place::Box(box_no, hand), true) = (spot.place, odd) {
            for beside in [box_no.number().saturating_sub(1), box_no.number().saturating_add(1)] {
                let Some(place) = BoxNo::new(beside).map(|box_no| Place::Box(box_no, hand)) else { continue };
                if guess.next_position(place) == seen && self.unlikely(guess, place) >= 0.0 {
                    ways.push((place, seen, self.misplaced()));
                }
            }
        }
        ways
    }

    /// What it costs that a card lies elsewhere than it was seen: a camera that is always certain seldom errs in that.
    fn misplaced(&self) -> f64 {
        cost::MISPLACED.min(self.missed.ln())
    }

    /// Lays a new card: one of those that left the shoe, or one of which the shoe said nothing.
    fn lay(&self, guess: &Guess, number: usize, to: (Place, u8), cost: f64, next: &mut Vec<Guess>) {
        let sight = &self.sights[number];
        let mut with = |draw: Option<usize>, cost: f64| {
            let mut laid = guess.clone();
            laid.pending.retain(|pending| Some(*pending) != draw);
            laid.loose.retain(|loose| Some(*loose) != draw);
            let piece = laid.lay(sight, number, draw, to);
            let told = draw.and_then(|draw| self.draws.get(draw)).map_or(0.0, |draw| draw.faces.evidence(&self.prior));
            laid.score += self.evidence(&laid.laid[piece]) - told + cost;
            if draw.is_none() {
                laid.gap = laid.gap.saturating_sub(1);
            }
            next.push(laid);
        };
        // Whoever sees a later draw first must not think that the earlier ones went nowhere, and one that is seen late went to
        // whom it was due when it was drawn. A draw is overtaken once, however many come after it.
        let mut ahead = guess.clone();
        let mut overtaken = 0.0;
        for draw in guess.pending.iter().take(4) {
            let then = ahead.when_drawn(*draw, &self.draws[*draw]);
            with(Some(*draw), cost + self.unlikely(&then, to.0) + overtaken);
            if let Some(due) = self.due(&then).first() {
                self.lay_unseen(&mut ahead, *draw, *due);
            }
            if !guess.is_overtaken(*draw) {
                overtaken += cost::OVERTAKEN;
            }
        }
        let cost = cost + self.unlikely(guess, to.0);
        for draw in guess.loose.iter().rev().take(2) {
            with(Some(*draw), cost + cost::TAKEN_UP);
        }
        let untold = match (self.shoe, guess.gap > 0) {
            (false, _) => 0.0,
            (true, true) => cost::IN_GAP,
            (true, false) => cost::UNTOLD,
        };
        with(None, cost + untold);
    }

    /// The likeliest face of a card, without weighing what is left in the shoe. A camera without doubt knows better than the shoe.
    fn best(&self, laid: &Laid) -> Card {
        let drawn = laid.draw.and_then(|draw| self.draws.get(draw)).and_then(|draw| draw.card);
        let seen = || laid.sights.iter().rev().filter_map(|sight| self.sights.get(*sight)).map(|sight| &sight.card);
        let certain = seen().find(|read| read.card.is_known() && read.chance == Chance::CERTAIN).map(|read| read.card);
        let known = || seen().map(|read| read.card).find(|card| card.is_known());
        certain.or(drawn).or_else(known).unwrap_or(Card::UNREAD)
    }

    /// Keeps the likeliest readings, each once.
    fn keep(&mut self, mut next: Vec<Guess>) {
        next.sort_by(|one, other| other.score.total_cmp(&one.score));
        let least = next.first().map_or(f64::NEG_INFINITY, |best| best.score - HOPELESS);
        let mut kept: Vec<Guess> = Vec::with_capacity(self.settings.width);
        for guess in next {
            if kept.len() >= self.settings.width || guess.score < least {
                break;
            }
            if !kept.iter().any(|other| other.is_same(&guess)) {
                kept.push(guess);
            }
        }
        self.guesses = kept;
    }
}

/// How often a camera of this doubt misses a card.
fn missed(doubt: f64) -> f64 {
    (doubt / 3.0).clamp(SELDOM, 0.3)
}
