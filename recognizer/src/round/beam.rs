//! Several readings of a round's cards side by side, each as likely as all that was heard and seen makes it.
//!
//! A reading says which sighting is which draw, where cards went that nobody saw, and which sightings were nothing at
//! all. Every event makes each reading into a few; the likeliest are kept until later events decide between them.

use table::{BoxNo, Card, CardAt, Chance, Event, EventId, Face, Grammar, Hand, Place, Reading, Turn};

use super::Settings;
use super::faces::{Faces, Prior};
use super::guess::{Guess, Happening, Laid};

/// A draw that has not been seen on the table after this long went unseen, or lies about, in microseconds.
const PATIENCE: i64 = 3_500_000;
/// A card that leaves one place and comes to another within this was moved, in microseconds.
pub(super) const IN_HAND: i64 = 1_500_000;
/// By how much a sighting may seem to come before its draw, in microseconds.
const AHEAD: i64 = 2_500_000;
/// Readings this much less likely than the best are dropped, in natural logarithms.
const HOPELESS: f64 = 14.0;
/// The most of one round that is followed: beyond it nothing is a round of blackjack.
const MOST: usize = 2000;

/// How likely it is that something goes otherwise than it should, as natural logarithms.
mod cost {
    /// A sighting of a card that lies there already.
    pub(super) const AGAIN: f64 = -4.0;
    /// The same where several cameras look on.
    pub(super) const BY_ANOTHER: f64 = -0.1;
    /// A card that came from a hand rather than from the shoe.
    pub(super) const MOVED: f64 = -1.2;
    /// A card of which the shoe said nothing.
    pub(super) const UNTOLD: f64 = -6.2;
    /// The same where the shoe says that it lost something.
    pub(super) const IN_GAP: f64 = -0.7;
    /// A card seen before one that was drawn earlier.
    pub(super) const OVERTAKEN: f64 = -3.0;
    /// A card that lay about for a time.
    pub(super) const LOOSE: f64 = -7.0;
    /// A loose card that comes to a hand after all.
    pub(super) const TAKEN_UP: f64 = -0.7;
    /// A sighting in the wrong position or on the box beside.
    pub(super) const MISPLACED: f64 = -5.5;
    /// A card that the game does not give to this hand now.
    pub(super) const NOT_DUE: f64 = -4.0;
    /// The same in the initial deal, where everybody knows who is next.
    pub(super) const OUT_OF_TURN: f64 = -7.0;
    /// A card to a box on which no chips were seen.
    pub(super) const UNKNOWN_BOX: f64 = -3.0;
    /// A telegram that comes after its card was seen.
    pub(super) const LATE_DRAW: f64 = -4.0;
}

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
    guesses: Vec<Guess>,
}

impl Beam {
    /// A round of which nothing is known yet.
    pub(super) fn new(prior: Prior, grammar: Grammar, settings: Settings, shoe: bool, doubt: f64) -> Self {
        let missed = (doubt / 3.0).clamp(1e-4, 0.3);
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
            guesses: vec![Guess::default()],
        }
    }

    /// Whether nothing was drawn or seen yet.
    pub(super) fn is_blank(&self) -> bool {
        self.draws.is_empty() && self.sights.is_empty()
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
                let untold = if late.laid[piece].in_gap { cost::IN_GAP } else { cost::UNTOLD };
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

    /// The shoe may have missed so many cards.
    pub(super) fn gap(&mut self, at_most: u32) {
        for guess in &mut self.guesses {
            guess.gap = guess.gap.saturating_add(at_most).min(16);
        }
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
        self.sights.push(Sight { at, id, camera, spot, card: card.clone(), faces: Faces::seen(card), chance });
        let mut next = Vec::new();
        for guess in std::mem::take(&mut self.guesses) {
            self.explain(&guess, number, &mut next);
        }
        self.keep(next);
    }

    /// A camera saw a card leave.
    pub(super) fn left(&mut self, at: i64, id: EventId, camera: u32, spot: CardAt) {
        self.resolve(at);
        for guess in &mut self.guesses {
            guess.left(at, id, spot, camera);
        }
        let guesses = std::mem::take(&mut self.guesses);
        self.keep(guesses);
    }

    /// A camera sees nothing any more.
    pub(super) fn blinded(&mut self, camera: u32) {
        self.guesses.iter_mut().for_each(|guess| guess.blinded(camera));
    }

    /// The round is over: its readings with their weights, which add up to one.
    pub(super) fn close(mut self) -> (Self, Vec<(f64, Guess)>) {
        self.resolve(i64::MAX);
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
        let there = guess.at(sight.spot);
        let mut turned = false;
        if let Some(piece) = there {
            let mut seen = guess.clone();
            let laid = &mut seen.laid[piece];
            let before = self.evidence(laid);
            let (face, turn) = (sight.spot.face, sight.spot.turn);
            let happening = match () {
                () if laid.sights.is_empty() => None,
                () if laid.face == Face::Down && face == Face::Up => Some(Happening::Turned(piece)),
                () if laid.turn != turn && turn == Turn::Sideways => Some(Happening::Sideways(piece)),
                () => None,
            };
            turned = happening.is_some();
            laid.sights.push(number);
            laid.watched |= sight.camera;
            (laid.face, laid.turn, laid.seen) = (face, turn, Some(sight.spot));
            let after = self.evidence(&seen.laid[piece]);
            let again = if self.cameras.count_ones() > 1 { cost::BY_ANOTHER } else { cost::AGAIN };
            seen.score += after - before + real + if turned { 0.0 } else { again };
            seen.log.extend(happening.map(|happening| (sight.at, Some(sight.id), happening)));
            next.push(seen);
        }
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
        }
        let mut nothing = guess.clone();
        nothing.phantoms.push(sight.spot);
        nothing.score += (1.0 - sight.chance + 1e-5).ln() + sight.faces.evidence(&self.prior);
        next.push(nothing);
    }

    /// Where a card that was seen here may really lie, and what that costs.
    fn where_to(&self, guess: &Guess, spot: CardAt) -> Vec<(Place, u8, f64)> {
        let seen = spot.position.get();
        let mut ways = Vec::new();
        let expected = guess.next_position(spot.place);
        if seen <= expected {
            ways.push((spot.place, seen, if seen < expected { cost::AGAIN } else { 0.0 }));
        } else {
            ways.push((spot.place, expected, self.misplaced()));
            ways.push((spot.place, seen, f64::from(seen - expected) * self.missed.ln()));
        }
        if let (Place::Box(box_no, hand), true) = (spot.place, self.unlikely(guess, spot.place) < 0.0) {
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
        // Whoever sees a later draw first must not think that the earlier ones went nowhere.
        let mut ahead = guess.clone();
        for (place, draw) in guess.pending.iter().take(4).enumerate() {
            with(Some(*draw), cost + self.unlikely(&ahead, to.0) + place as f64 * cost::OVERTAKEN);
            if let Some(due) = self.due(&ahead).first() {
                ahead.lay_unseen(&self.draws[*draw], *draw, *due);
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

    /// Draws that have waited too long went to a hand unseen, or lie about.
    fn resolve(&mut self, now: i64) {
        for _ in 0..MOST {
            let waits = |guess: &Guess| {
                let oldest = guess.pending.first().and_then(|draw| self.draws.get(*draw));
                oldest.is_some_and(|draw| now.saturating_sub(draw.at) > PATIENCE)
            };
            if !self.guesses.iter().any(waits) {
                return;
            }
            let mut next = Vec::new();
            for guess in std::mem::take(&mut self.guesses) {
                if waits(&guess) { self.give_up(&guess, &mut next) } else { next.push(guess) }
            }
            self.keep(next);
        }
    }

    fn give_up(&self, guess: &Guess, next: &mut Vec<Guess>) {
        let Some(draw) = guess.pending.first().copied() else { return };
        if self.sights.is_empty() {
            // Nobody looks on: the initial deal can only go one way, and after it nothing is said.
            let mut unseen = guess.clone();
            unseen.pending.remove(0);
            match guess.next_in_deal(&self.wagered, self.grammar.hole_card).filter(|_| self.settings.grammar) {
                Some(place) => unseen.lay_unseen(&self.draws[draw], draw, place),
                None => unseen.lie_about(&self.draws[draw], draw),
            }
            next.push(unseen);
            return;
        }
        // What left the shoe before a card that lies further round the table went to whoever seems passed over.
        let overtaken = guess.laid.iter().any(|laid| laid.draw.is_some_and(|later| later > draw));
        let owed = self.owed(guess).next().filter(|_| overtaken && self.settings.grammar);
        let mut about = guess.clone();
        about.pending.remove(0);
        about.lie_about(&self.draws[draw], draw);
        // If it lies about, then that box was passed over in earnest.
        about.score += cost::LOOSE + if owed.is_some() { cost::OUT_OF_TURN } else { 0.0 };
        next.push(about);
        let places = match owed {
            Some(owed) => vec![owed],
            None => self.due(guess),
        };
        let share = (places.len().max(1) as f64).ln();
        for place in places {
            let mut unseen = guess.clone();
            unseen.pending.remove(0);
            unseen.lay_unseen(&self.draws[draw], draw, place);
            unseen.score += self.missed.ln() - share;
            next.push(unseen);
        }
    }

    /// What it costs that this hand gets a card now.
    fn unlikely(&self, guess: &Guess, place: Place) -> f64 {
        if !self.settings.grammar {
            return 0.0;
        }
        if let Some(next) = guess.next_in_deal(&self.wagered, self.grammar.hole_card) {
            // A box whose chips nobody told of may have some all the same.
            let unknown = place.box_no().is_some_and(|box_no| !self.wagered.contains(&box_no));
            return match () {
                () if next == place || guess.is_owed(place, &self.wagered) => 0.0,
                () if unknown => cost::UNKNOWN_BOX,
                () => cost::OUT_OF_TURN,
            };
        }
        let due = self.due(guess);
        if due.is_empty() || due.contains(&place) { 0.0 } else { cost::NOT_DUE }
    }

    /// Who may get the next card; nobody if that cannot be told.
    fn due(&self, guess: &Guess) -> Vec<Place> {
        if !self.settings.grammar {
            return guess.last_place().into_iter().collect();
        }
        if let Some(next) = guess.next_in_deal(&self.wagered, self.grammar.hole_card) {
            return self.owed(guess).chain([next]).collect();
        }
        let mut places: Vec<Place> = self.owed(guess).collect();
        for open in guess.open_hands(&self.grammar, |laid| self.best(laid)) {
            if !places.contains(&open) {
                places.push(open);
            }
        }
        places
    }

    /// Boxes that were passed over in the initial deal.
    fn owed<'s>(&'s self, guess: &'s Guess) -> impl Iterator<Item = Place> + 's {
        let boxes = self.wagered.iter().map(|box_no| Place::Box(*box_no, Hand::A));
        boxes.filter(|place| guess.is_owed(*place, &self.wagered))
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
