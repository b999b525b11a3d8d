//! The shoe across rounds: what has been seen of it since the last shuffle.

use arrayvec::ArrayVec;
use table::round::{Cutter, Mix};
use table::{Act, Card, Wager};

use crate::rules::Rules;

/// What is known of the shoe in use.
#[derive(Clone, Debug)]
pub struct Shoe {
    /// How often each face was drawn since the last shuffle.
    pub drawn: [u16; 52],
    /// Cards drawn since the last shuffle, read or not.
    pub count: u16,
    /// Whether the shuffle that began this shoe was watched, so that `count` starts from nothing.
    pub watched_from_start: bool,
    /// Rounds begun since the last shuffle.
    pub rounds: u32,
    /// Moves of the shuffle in progress, as bits of [`Mix`].
    pub mixed: u8,
    /// Riffles in the shuffle in progress.
    pub riffles: u16,
    /// Whether the cards were cut since the last shuffle, and how deep.
    pub cut: Option<Option<u16>>,
    /// Who cut.
    pub cutter: Option<Cutter>,
    /// Cards behind the cutting card as the dealer put it in.
    pub cut_card_in: Option<u16>,
    /// Whether the cutting card has come out, and after how many cards.
    pub cut_card_out: Option<u16>,
    /// Rounds begun since it came out.
    pub rounds_since_cut_card: u32,
    /// Cards burned since the last shuffle.
    pub burned: u8,
    /// Whether the last rounds of the day were announced.
    pub final_rounds: bool,
    /// What was played for the dealer in the last round and not lost, and whether it may stay for this one.
    pub tips: ArrayVec<(Wager, bool), MOST_TIPS>,
    /// Boxes whose seated player bet under the minimum in the last round, a bit each.
    pub under_minimum: u16,
    /// Whether the dealer's calls can be heard at this table: one was, since watching began.
    pub calls_heard: bool,
}

/// Wagers for the dealer that are remembered from one round to the next.
const MOST_TIPS: usize = 16;

impl Default for Shoe {
    fn default() -> Self {
        Self {
            drawn: [0; 52],
            count: 0,
            watched_from_start: false,
            rounds: 0,
            mixed: 0,
            riffles: 0,
            cut: None,
            cutter: None,
            cut_card_in: None,
            cut_card_out: None,
            rounds_since_cut_card: 0,
            burned: 0,
            final_rounds: false,
            tips: ArrayVec::new(),
            under_minimum: 0,
            calls_heard: false,
        }
    }
}

impl Shoe {
    /// Whether a move was part of the shuffle in progress.
    pub const fn was_mixed_by(&self, mix: Mix) -> bool {
        self.mixed & (1 << mix as u8) != 0
    }

    pub(super) fn drew(&mut self, card: Card) {
        self.count = self.count.saturating_add(1);
        self.turned_up(card);
    }

    pub(super) fn turned_up(&mut self, card: Card) {
        if let Some(index) = card.index() {
            self.drawn[index] = self.drawn[index].saturating_add(1);
        }
    }

    pub(super) fn round_begins(&mut self) {
        self.rounds = self.rounds.saturating_add(1);
        if self.cut_card_out.is_some() {
            self.rounds_since_cut_card = self.rounds_since_cut_card.saturating_add(1);
        }
        self.mixed = 0;
        self.riffles = 0;
    }

    pub(super) fn follow(&mut self, act: &Act, rules: &Rules) {
        match act {
            Act::Shuffle(mix) => self.shuffle(*mix),
            Act::Cut { by, depth } => {
                self.cut = Some(*depth);
                self.cutter = Some(*by);
            }
            Act::CutCardIn(cards) => self.cut_card_in = Some(*cards),
            Act::CutCardOut => {
                self.cut_card_out = Some(self.count);
                self.rounds_since_cut_card = 0;
            }
            Act::Burn(card) => {
                self.burned = self.burned.saturating_add(1);
                self.drew(*card);
            }
            Act::FinalRounds => self.final_rounds = true,
            _ => {}
        }
        if rules.csm {
            // A continuous shuffler takes cards back as it gives them: nothing is counted against the decks.
            self.drawn = [0; 52];
        }
    }

    fn shuffle(&mut self, mix: Mix) {
        if self.mixed == 0 {
            *self = Self {
                watched_from_start: true,
                final_rounds: self.final_rounds,
                tips: std::mem::take(&mut self.tips),
                under_minimum: self.under_minimum,
                calls_heard: self.calls_heard,
                ..Self::default()
            };
        }
        self.mixed |= 1 << mix as u8;
        self.riffles = self.riffles.saturating_add(u16::from(mix == Mix::Riffle));
    }
}
