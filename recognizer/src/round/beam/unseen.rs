//! Where cards go that left the shoe and that no camera saw.

use table::{Hand, Place};

use super::{Beam, MOST, PATIENCE, cost};
use crate::round::guess::Guess;

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
                Some(place) => unseen.lay_unseen(&self.draws[draw], draw, place),
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
            between.lay_unseen_at(&self.draws[draw], draw, free);
            next.push(between);
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

    /// The reading in which the draw that waits went to this hand unseen, if a card is due there.
    pub(super) fn given_to(&self, guess: &Guess, place: Place) -> Option<Guess> {
        let draw = guess.pending.first().copied()?;
        let due = self.settings.grammar && place != Place::Dealer && self.due(guess).contains(&place);
        due.then(|| {
            let mut given = guess.clone();
            given.pending.remove(0);
            given.lay_unseen(&self.draws[draw], draw, place);
            given.score += self.missed.ln();
            given
        })
    }
}
