//! Where cards go that left the shoe and that no camera saw.

use table::{Face, Hand, Place, Total};

use super::{Beam, MOST, PATIENCE, cost};
use crate::round::guess::{Guess, Laid};

/// A card that is cleared away as soon as it lies there is missed so many times as often: the hand that laid it is in the way.
const HASTY: f64 = 8.0;

impl Beam {
    /// Draws that have waited too long went to a hand unseen, or lie about.
    pub(super) fn resolve(&mut self, now: i64) {
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
                Some(place) => self.lay_unseen(&mut unseen, draw, place),
                None => unseen.lie_about(&self.draws[draw], draw),
            }
            next.push(unseen);
            return;
        }
        // Where a camera saw a card lie one further than the last, what it did not see lies between them; that it misses a card
        // was weighed then.
        if let Some(free) = guess.left_free(self.draws[draw].at) {
            let mut between = guess.clone();
            between.pending.remove(0);
            self.lay_unseen_at(&mut between, draw, free);
            next.push(between);
        }
        // What left the shoe before a card that lies further round the table went to whoever was next then.
        let then = guess.when_drawn(draw, &self.draws[draw]);
        let in_deal = then.next_in_deal(&self.wagered, self.grammar.hole_card).is_some();
        let passed_over = in_deal && guess.is_overtaken(draw) && self.settings.grammar;
        let mut about = guess.clone();
        about.pending.remove(0);
        about.lie_about(&self.draws[draw], draw);
        // If it lies about, then that box was passed over in earnest.
        about.score += cost::LOOSE + if passed_over { cost::OUT_OF_TURN } else { 0.0 };
        next.push(about);
        for (place, share) in self.shares(guess, &then, draw) {
            let mut unseen = guess.clone();
            unseen.pending.remove(0);
            self.lay_unseen(&mut unseen, draw, place);
            unseen.score += self.missed.ln() + share;
            next.push(unseen);
        }
    }

    /// Who may have got a card that nobody saw, and how likely. Play goes round the table: whoever it has passed gets no more, nor
    /// does anybody beyond the one who got the next card, and of the others it comes to each only if those before him stood.
    fn shares(&self, guess: &Guess, then: &Guess, draw: usize) -> Vec<(Place, f64)> {
        let places = self.due(then);
        let alike = -(places.len().max(1) as f64).ln();
        if !self.settings.grammar || then.next_in_deal(&self.wagered, self.grammar.hole_card).is_some() {
            return places.into_iter().map(|place| (place, alike)).collect();
        }
        let hole = u8::from(self.grammar.hole_card);
        let played = |laid: &&Laid| match laid.place {
            Place::Box(_, hand) => laid.position > if hand == Hand::A { 2 } else { 1 },
            Place::Dealer => laid.position > 1 + hole,
        };
        let in_turn = |place: Place| (place == Place::Dealer, place);
        let from = then.laid.iter().filter(played).max_by_key(|laid| laid.draw).map(|laid| in_turn(laid.place));
        let later = guess.laid.iter().filter(|laid| laid.draw > Some(draw));
        let to = later.min_by_key(|laid| laid.draw).map(|laid| in_turn(laid.place));
        let (mut on, off): (Vec<Place>, Vec<Place>) = places.into_iter().partition(|place| {
            from.is_none_or(|from| in_turn(*place) >= from) && to.is_none_or(|to| in_turn(*place) <= to)
        });
        on.sort_by_key(|place| in_turn(*place));
        let mut stood = 0.0;
        let on = on.into_iter().map(|place| {
            let asks = self.asks(then, place);
            let share = (place, stood + asks.ln());
            stood += (1.0 - asks).ln();
            share
        });
        on.chain(off.into_iter().map(|place| (place, alike + cost::NOT_DUE))).collect()
    }

    /// How likely a hand takes a card when its turn comes.
    fn asks(&self, then: &Guess, place: Place) -> f64 {
        let cards = then.laid.iter().filter(|laid| laid.place == place && !laid.gone).map(|laid| self.best(laid));
        match Total::of(cards) {
            _ if place == Place::Dealer => 0.9,
            Some(total) if total.points < 12 => 0.9,
            Some(total) if total.points > 17 || total.points == 17 && !total.soft => 0.1,
            _ => 0.5,
        }
    }

    /// What it costs that this hand gets a card now.
    pub(super) fn unlikely(&self, guess: &Guess, place: Place) -> f64 {
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
    pub(super) fn due(&self, guess: &Guess) -> Vec<Place> {
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

    /// Lays a draw that nobody saw behind the other cards of a hand.
    pub(super) fn lay_unseen(&self, guess: &mut Guess, draw: usize, place: Place) {
        let position = guess.next_position(place);
        self.lay_unseen_at(guess, draw, (place, position));
    }

    /// The same in a position. A hole card that is not seen, where somebody looks on, lies as the game has it, face down.
    fn lay_unseen_at(&self, guess: &mut Guess, draw: usize, to: (Place, u8)) {
        let down = self.saw_cards() && self.is_hole_card(to) || guess.comes_down(to.0, to.1);
        let face = if down { Face::Down } else { Face::Up };
        guess.lay_unseen(&self.draws[draw], draw, to, face);
    }

    /// Whether the card in this position lies face down until the players are done.
    pub(in crate::round) fn is_hole_card(&self, to: (Place, u8)) -> bool {
        self.grammar.hole_card && to == (Place::Dealer, 2)
    }

    /// The reading in which the draw that waits went to this hand unseen, if a card is due there.
    pub(super) fn given_to(&self, guess: &Guess, place: Place) -> Option<Guess> {
        let draw = guess.pending.first().copied()?;
        let due = self.settings.grammar && place != Place::Dealer && self.due(guess).contains(&place);
        due.then(|| {
            let mut given = guess.clone();
            given.pending.remove(0);
            self.lay_unseen(&mut given, draw, place);
            given.score += (HASTY * self.missed).min(0.5).ln();
            given
        })
    }
}
