//! The single cards of a round as things: which left the shoe, where each lay, and which a step speaks of.
//!
//! A card keeps its number through the whole round, whatever happens to it, so that everything the shoe and the camera
//! made of it can be laid side by side.

use std::collections::BTreeMap;
use std::num::NonZeroU8;

use table::{Act, Card, CardAt, Face, Hand, Place, Turn};

use crate::{Dealt, Draw};

/// One card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// What is printed on it.
    pub(super) face: Card,
    /// Which draw it is; none for a card that came from somewhere else than the shoe.
    pub(super) draw: Option<usize>,
}

/// A card that came to rest or left its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moved {
    /// With which step.
    pub(super) step: usize,
    /// Which card.
    pub(super) piece: usize,
    /// What it did.
    pub(super) motion: Motion,
}

/// What a card did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motion {
    /// It came to rest here, or was turned over here.
    Settled(CardAt),
    /// It left this place.
    Left(CardAt),
}

/// All cards of a round.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces {
    /// The cards in the order in which they came up.
    pub(super) all: Vec<Piece>,
    /// What they did, in order.
    pub(super) moves: Vec<Moved>,
    /// For each step, the card that it names.
    pub(super) named: Vec<Option<usize>>,
}

impl Pieces {
    /// Follows the cards of a round.
    pub(super) fn of(dealt: &Dealt) -> Self {
        let mut walk = Walk::default();
        for (step, of_round) in dealt.round.steps.iter().enumerate() {
            walk.step = step;
            walk.draw(dealt.drawn.iter().enumerate().filter(|(_, draw)| draw.step == step));
            let named = walk.follow(&of_round.act);
            walk.pieces.named.push(named);
        }
        walk.step = dealt.round.steps.len().saturating_sub(1);
        walk.clear();
        walk.pieces
    }
}

/// The table while a round is followed.
#[derive(Debug, Default)]
struct Walk {
    pieces: Pieces,
    step: usize,
    hands: BTreeMap<Place, Vec<(usize, CardAt)>>,
    /// Cards out of the shoe that lie nowhere yet.
    loose: Vec<usize>,
    /// The first card that left the shoe with this step.
    fresh: usize,
    /// Cards about to be exchanged.
    zapped: Vec<(usize, CardAt)>,
}

impl Walk {
    fn draw<'d>(&mut self, draws: impl Iterator<Item = (usize, &'d Draw)>) {
        self.fresh = self.pieces.all.len();
        for (number, draw) in draws {
            self.loose.push(self.pieces.all.len());
            self.pieces.all.push(Piece { face: draw.card, draw: Some(number) });
        }
    }

    /// Follows a step and says which card it names.
    fn follow(&mut self, act: &Act) -> Option<usize> {
        match act {
            Act::Card { to, card, face, turn } => {
                let piece = self.pick_up(*card);
                self.settle(piece, *to, *face, *turn);
                Some(piece)
            }
            Act::Burn(card) => Some(self.pick_up(*card)),
            Act::Drawn(card) | Act::Exposed(card) | Act::Dropped(card) | Act::Boxed(card) => self.find_loose(*card),
            Act::Damaged(card) | Act::Replaced(card) => self.find_loose(*card).or_else(|| self.find_laid(*card)),
            Act::Discard(card) => self.discard(*card),
            Act::TurnUp(place, card) => self.turn_up(*place, *card),
            Act::Move { card, from, to } => self.carry(*card, *from, *to),
            Act::TurnSideways(place) => self.turn_sideways(*place),
            Act::Split(wager, _) => self.split(wager.place()),
            Act::Zap(place) => {
                let mut cards = self.hands.remove(place).unwrap_or_default();
                self.zapped.append(&mut cards);
                None
            }
            Act::Collect(place) => {
                let cards = self.hands.remove(place).unwrap_or_default();
                self.leave(cards);
                None
            }
            Act::End => {
                self.clear();
                None
            }
            _ => None,
        }
    }

    /// The loose card with this face, or the last one if the face is not told. A face that none of them has belongs to
    /// the card that left the shoe with this step: somebody switched it.
    fn find_loose(&self, card: Card) -> Option<usize> {
        let fits = |piece: &&usize| !card.is_known() || self.face(**piece) == Some(card);
        let fresh = self.loose.last().filter(|piece| **piece >= self.fresh);
        self.loose.iter().rev().find(fits).or(fresh).copied()
    }

    fn find_laid(&self, card: Card) -> Option<usize> {
        let laid = self.hands.values().flatten().map(|(piece, _)| *piece);
        laid.rev().find(|piece| self.face(*piece) == Some(card))
    }

    fn face(&self, piece: usize) -> Option<Card> {
        self.pieces.all.get(piece).map(|piece| piece.face)
    }

    /// The card that is put somewhere: a loose one, or one that nobody drew. A known face is what everybody sees, so it
    /// goes before what the shoe let out.
    fn pick_up(&mut self, card: Card) -> usize {
        let Some(piece) = self.find_loose(card) else {
            let face = if card.is_known() { card } else { Card::UNREAD };
            self.pieces.all.push(Piece { face, draw: None });
            return self.pieces.all.len() - 1;
        };
        self.loose.retain(|loose| *loose != piece);
        self.show(piece, card);
        piece
    }

    fn show(&mut self, piece: usize, card: Card) {
        if let Some(piece) = self.pieces.all.get_mut(piece).filter(|_| card.is_known()) {
            piece.face = card;
        }
    }

    fn settle(&mut self, piece: usize, place: Place, face: Face, turn: Turn) {
        let hand = self.hands.entry(place).or_default();
        let last = hand.iter().map(|(_, at)| at.position.get()).max().unwrap_or_default();
        let position = NonZeroU8::MIN.saturating_add(last);
        let at = CardAt { place, position, face, turn };
        hand.push((piece, at));
        self.moved(piece, Motion::Settled(at));
    }

    fn moved(&mut self, piece: usize, motion: Motion) {
        self.pieces.moves.push(Moved { step: self.step, piece, motion });
    }

    fn leave(&mut self, cards: Vec<(usize, CardAt)>) {
        for (piece, at) in cards {
            self.moved(piece, Motion::Left(at));
        }
    }

    fn clear(&mut self) {
        for (_, cards) in std::mem::take(&mut self.hands) {
            self.leave(cards);
        }
        let zapped = std::mem::take(&mut self.zapped);
        self.leave(zapped);
        self.loose.clear();
    }

    /// A card goes to the rack: one that lay about, one of an exchange, or one that lay at a hand in error.
    fn discard(&mut self, card: Card) -> Option<usize> {
        if let Some(exchanged) = self.zapped.iter().position(|(piece, _)| self.face(*piece) == Some(card)) {
            let (piece, at) = self.zapped.remove(exchanged);
            self.moved(piece, Motion::Left(at));
            return Some(piece);
        }
        if let Some(piece) = self.find_loose(card) {
            self.loose.retain(|loose| *loose != piece);
            return Some(piece);
        }
        let piece = self.find_laid(card)?;
        let (_, at) = self.lift(piece)?;
        self.moved(piece, Motion::Left(at));
        Some(piece)
    }

    fn lift(&mut self, piece: usize) -> Option<(usize, CardAt)> {
        self.hands.values_mut().find_map(|hand| {
            let at = hand.iter().position(|(laid, _)| *laid == piece)?;
            Some(hand.remove(at))
        })
    }

    fn turn_up(&mut self, place: Place, card: Card) -> Option<usize> {
        let hand = self.hands.get(&place)?;
        let down = || hand.iter().enumerate().filter(|(_, (_, at))| at.face == Face::Down);
        // Where several lie face down, the one that has this face was turned.
        let same = down().find(|(_, (piece, _))| self.face(*piece) == Some(card));
        let (index, _) = same.or_else(|| down().next())?;
        let (piece, at) = self.hands.get_mut(&place)?.get_mut(index)?;
        at.face = Face::Up;
        let (piece, at) = (*piece, *at);
        self.show(piece, card);
        self.moved(piece, Motion::Settled(at));
        Some(piece)
    }

    fn carry(&mut self, card: Card, from: Place, to: Place) -> Option<usize> {
        let hand = self.hands.get(&from)?;
        let (piece, _) = *hand.iter().rev().find(|(piece, _)| self.face(*piece) == Some(card))?;
        let (_, at) = self.lift(piece)?;
        self.moved(piece, Motion::Left(at));
        self.settle(piece, to, at.face, at.turn);
        Some(piece)
    }

    fn turn_sideways(&mut self, place: Place) -> Option<usize> {
        let mut hand = self.hands.remove(&place)?;
        for (piece, at) in &mut hand {
            at.turn = Turn::Sideways;
            self.moved(*piece, Motion::Settled(*at));
        }
        self.hands.insert(place, hand);
        None
    }

    /// All but the first card open the next hand of the box; where only one lies, a bettor behind has split too.
    fn split(&mut self, place: Place) -> Option<usize> {
        let Place::Box(box_no, _) = place else { return None };
        let of_box = self.hands.keys().filter_map(|place| match place {
            Place::Box(no, hand) if *no == box_no => Some(hand.index()),
            _ => None,
        });
        let next = of_box.max().and_then(|last| Hand::new(u8::try_from(last + 1).ok()?))?;
        let moved = self.hands.get_mut(&place).filter(|hand| hand.len() > 1)?.split_off(1);
        for (piece, at) in moved {
            self.moved(piece, Motion::Left(at));
            self.settle(piece, Place::Box(box_no, next), at.face, at.turn);
        }
        None
    }
}
