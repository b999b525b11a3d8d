//! What shows only at the end of a round: on whose box cards really lay, and that they must have been turned up.

use table::{BoxNo, Face, Hand, Place};

use super::{Beam, cost};
use crate::round::guess::{Guess, Happening};
use crate::round::narrate::TOGETHER;

/// Two cards of a hand that come to light within this are turned up at once, in microseconds.
const AT_ONCE: u64 = 1_000_000;

impl Beam {
    /// A card that was seen on one box and went to the rack with the hand beside it lay there, if a camera errs oftener in that than
    /// a dealer puts a hand away in pieces.
    pub(super) fn look_back(&mut self) {
        if self.errs() {
            self.guesses.iter_mut().for_each(|guess| {
                guess.turn_with_other();
                guess.turn_unseen();
            });
        }
        let misplaced = self.misplaced();
        if misplaced <= cost::LEFT_APART {
            return;
        }
        let mut next = Vec::new();
        for mut guess in std::mem::take(&mut self.guesses) {
            if let Some(mut beside) = guess.gone_with_neighbour() {
                beside.score += misplaced;
                next.push(beside);
                guess.score += cost::LEFT_APART;
            }
            next.push(guess);
        }
        self.keep(next);
    }
}

impl Guess {
    /// A player's first cards come the same way up: one that a camera that errs first saw as the other was turned up came face down and was
    /// turned with it.
    fn turn_with_other(&mut self) {
        let came_to = |piece: usize| self.first_move(piece).map_or(self.laid[piece].place, |(_, from)| from);
        let dealt = |piece: &usize| {
            let laid = &self.laid[*piece];
            matches!(came_to(*piece), Place::Box(_, Hand::A)) && laid.position <= 2 && laid.draw.is_some()
        };
        let turned_with = |piece: usize| {
            let lies = self.when(Happening::Laid(piece)).filter(|_| self.laid[piece].came == Face::Up)?;
            let other = (0..self.laid.len()).filter(dealt).find(|other| {
                *other != piece && came_to(*other) == came_to(piece) && self.laid[*other].came == Face::Down
            })?;
            let before = self.laid[piece].draw < self.laid[other].draw;
            let turned = self.when(Happening::Turned(other)).filter(|turned| turned.abs_diff(lies) <= AT_ONCE)?;
            Some((piece, if before { turned - 1 } else { turned + 1 }))
        };
        let turns: Vec<(usize, i64)> = (0..self.laid.len()).filter(dealt).filter_map(turned_with).collect();
        for (piece, at) in turns {
            self.laid[piece].came = Face::Down;
            let lies = self.log.iter_mut().filter(|(.., happening)| *happening == Happening::Laid(piece));
            lies.for_each(|entry| entry.0 = entry.0.min(at - 1));
            self.log.push((at, None, Happening::Turned(piece)));
        }
    }

    /// Nobody turns up one card of a hand and leaves the other, and no dealer draws to a card that lies face down: what a camera that
    /// errs did not see turned was turned with the other, or before he drew.
    fn turn_unseen(&mut self) {
        let turned = |piece: usize| self.when(Happening::Turned(piece));
        let lies_down = |piece: &usize| {
            let laid = &self.laid[*piece];
            laid.came == Face::Down && laid.position <= 2 && laid.draw.is_some() && turned(*piece).is_none()
        };
        let turns = (0..self.laid.len()).filter(lies_down).filter_map(|piece| {
            let laid = &self.laid[piece];
            let others =
                || (0..self.laid.len()).filter(|other| *other != piece && self.laid[*other].place == laid.place);
            let with = others().filter(|other| self.laid[*other].position <= 2).find_map(|other| {
                let before = laid.position < self.laid[other].position;
                turned(other).map(|at| if before { at - 1 } else { at + 1 })
            });
            let drawn = others().filter(|other| self.laid[*other].position > 2).map(|other| self.laid[other].at - 1);
            let at = with.or_else(|| drawn.min().filter(|_| laid.place == Place::Dealer))?;
            Some((at, None, Happening::Turned(piece)))
        });
        let turns: Vec<_> = turns.collect();
        self.log.extend(turns);
    }

    /// The same reading with a card on the box beside, if it left with that hand and the rest of its own did not.
    fn gone_with_neighbour(&self) -> Option<Self> {
        let left = |piece: usize| {
            let gone = |(at, _, happening): &(i64, _, Happening)| (*happening == Happening::Gone(piece)).then_some(*at);
            self.log.iter().rev().find_map(gone)
        };
        let pieces = |place: Place| (0..self.laid.len()).filter(move |piece| self.laid[*piece].place == place);
        let together =
            |at: i64, piece: usize| left(piece).is_some_and(|other| other.abs_diff(at) <= TOGETHER.unsigned_abs());
        (0..self.laid.len()).find_map(|piece| {
            let Place::Box(box_no, hand) = self.laid[piece].place else { return None };
            let at = left(piece)?;
            let mut rest = pieces(self.laid[piece].place).filter(|other| *other != piece).peekable();
            rest.peek()?;
            if rest.any(|other| together(at, other)) {
                return None;
            }
            let sides = [box_no.number().saturating_sub(1), box_no.number().saturating_add(1)];
            let mut sides = sides.into_iter().filter_map(BoxNo::new).map(|beside| Place::Box(beside, hand));
            let beside = sides.find(|beside| {
                let mut hand = pieces(*beside).filter(|other| !self.laid[*other].sights.is_empty()).peekable();
                hand.peek().is_some() && hand.all(|other| together(at, other))
            })?;
            let mut moved = self.clone();
            moved.laid[piece].place = beside;
            Some(moved)
        })
    }
}
