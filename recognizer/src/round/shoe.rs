//! Which shoe and which round it is, and what is left to be drawn.

use table::event::Drawn;
use table::{Act, Card, Grammar, Ident, Round, RoundId, Unseen};

use super::faces::Prior;

/// Nobody shuffles a shoe in less than this, in microseconds.
pub(super) const SHUFFLE: i64 = 60_000_000;
/// A pause as long as this is a shuffle, or as good as one: what was counted before it proves nothing any more.
const LONG: i64 = 80_000_000;

/// What is known of the shoe in use.
#[derive(Clone, Debug)]
pub(super) struct ShoeWatch {
    grammar: Grammar,
    shoe: u32,
    round: u32,
    seen: [u16; 52],
    count: u32,
    cut_card: bool,
    started: bool,
    /// Whether cards of it may have been counted twice or not at all.
    miscounted: bool,
    /// When the last round ended.
    ended: Option<i64>,
}

impl ShoeWatch {
    /// The shoe after so many.
    pub(super) fn after(shoes: u32, grammar: Grammar) -> Self {
        let shoe = shoes.saturating_add(1);
        Self {
            grammar,
            shoe,
            round: 0,
            seen: [0; 52],
            count: 0,
            cut_card: false,
            started: false,
            miscounted: false,
            ended: None,
        }
    }

    /// How likely each face is to come next.
    pub(super) fn prior(&self) -> Prior {
        Prior::left(self.grammar.decks, &self.seen)
    }

    pub(super) const fn cut_card(&mut self) {
        self.cut_card = true;
    }

    pub(super) const fn started(&mut self) {
        self.started = true;
    }

    /// Cards may have been counted twice or not at all, and nobody knows which.
    pub(super) const fn miscount(&mut self) {
        self.miscounted = true;
    }

    pub(super) const fn is_miscounted(&self) -> bool {
        self.miscounted
    }

    /// Whether the first card of a round comes from another shoe: there was a pause in which cards can have been shuffled,
    /// and it was long, or something shows that they were.
    pub(super) fn is_new(&self, at: i64, drawn: Drawn) -> bool {
        let pause = self.pause(at).filter(|_| !self.grammar.csm);
        pause.is_some_and(|pause| pause > LONG || pause > SHUFFLE && self.is_done_with(drawn))
    }

    /// Whether something besides the pause shows that the cards were shuffled: the cutting card had come out, the shoe
    /// started anew or ran low, or a card is burned.
    pub(super) fn is_done_with(&self, drawn: Drawn) -> bool {
        let quarters = if self.grammar.decks > 2 { 3 } else { 1 };
        let low = self.count.saturating_mul(4) > u32::from(self.grammar.decks) * 52 * quarters;
        let burned = drawn == Drawn::Burn && self.round > 0;
        self.cut_card || self.started || low || burned
    }

    fn pause(&self, at: i64) -> Option<i64> {
        self.ended.map(|ended| at.saturating_sub(ended))
    }

    /// Another shoe.
    pub(super) fn begin(&mut self) {
        *self = Self::after(self.shoe, self.grammar);
    }

    /// The name of a round that is over.
    pub(super) fn next_round(&mut self, table: Ident, over: i64) -> RoundId {
        let id = self.this_round(table);
        self.round = id.round;
        self.ended = Some(over);
        self.started = false;
        id
    }

    /// The name that the round being played will have.
    pub(super) fn this_round(&self, table: Ident) -> RoundId {
        RoundId { table, shoe: self.shoe, round: self.round.saturating_add(1) }
    }

    /// A card was drawn beside a round.
    pub(super) fn saw(&mut self, card: Option<Card>) {
        self.count = self.count.saturating_add(1);
        if let Some(index) = card.and_then(Card::index) {
            self.seen[index] = self.seen[index].saturating_add(1);
        }
    }

    /// The cards of a round have been drawn.
    pub(super) fn seen(&mut self, round: &Round) {
        if self.grammar.csm {
            return;
        }
        // Where no camera looks on, a card is not seen again after it was drawn.
        let blind = round.unseen.contains(&Unseen::Cards);
        for step in &round.steps {
            match &step.act {
                Act::Card { card, .. } if *card != Card::HIDDEN => self.saw(Some(*card)),
                Act::TurnUp(_, card) => self.saw(Some(*card)),
                Act::Drawn(card) if blind => self.saw(Some(*card)),
                _ => {}
            }
        }
    }
}
