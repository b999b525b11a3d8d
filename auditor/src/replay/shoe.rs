//! The shoe across rounds: what has been seen of it since the last shuffle, and how it was made ready.

use arrayvec::ArrayVec;
use table::round::{Cutter, Mix, Person, Preparation};
use table::{Act, BoxNo, Card, Place, Wager};

use super::Boxes;
use crate::rules::Rules;

/// Moves of a shuffle that are followed; a longer one is not judged by its pattern.
pub const MOST_MOVES: usize = 48;

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
    /// Moves of the shuffle in progress, as bits of [`Mix`]; none once a card was dealt after it.
    pub mixed: u8,
    /// Riffles in the shuffle in progress.
    pub riffles: u16,
    /// The moves of the last shuffle in order.
    pub moves: ArrayVec<Mix, MOST_MOVES>,
    /// The moves this table keeps to: those of the shuffle before it, unless that one was out of line.
    pub moves_before: ArrayVec<Mix, MOST_MOVES>,
    /// The moves of a shuffle out of line. Seen twice running they are what the table keeps to now.
    pub odd_moves: ArrayVec<Mix, MOST_MOVES>,
    /// Whether the cards were cut since the last shuffle, and how deep.
    pub cut: Option<Option<u16>>,
    /// Who cut.
    pub cutter: Option<Cutter>,
    /// Boxes the cut was offered to since the last shuffle.
    pub offered: Boxes,
    /// The box it was offered to first.
    pub offered_first: Option<BoxNo>,
    /// Cards behind the cutting card as the dealer put it in.
    pub cut_card_in: Option<u16>,
    /// Whether the cutting card has come out, and after how many cards.
    pub cut_card_out: Option<u16>,
    /// Where it came out.
    pub cut_card_came: Option<Came>,
    /// Where that of the shoe before came out.
    pub last_cut_card: Option<Came>,
    /// Rounds begun since it came out.
    pub rounds_since_cut_card: u32,
    /// Cards burned since the last shuffle.
    pub burned: u8,
    /// Whether one of them was burned when rounds had been played since.
    pub burned_midway: bool,
    /// Whether cards were cut or loaded since the last card was dealt.
    pub loaded: bool,
    /// Whether a face was shown while the cards were on their way into the shoe.
    pub shown_loading: bool,
    /// Decks that came to the table since the last round.
    pub supply: Option<Supply>,
    /// Who looked cards through since the last round began.
    pub inspected: Inspected,
    /// Whether the last rounds of the day were announced.
    pub final_rounds: bool,
    /// Rounds begun since that.
    pub rounds_since_final: u32,
    /// What was played for the dealer in the last round and not lost, and whether it may stay for this one.
    pub tips: ArrayVec<(Wager, bool), MOST_TIPS>,
    /// Boxes whose seated player bet under the minimum in the last round.
    pub under_minimum: Boxes,
    /// Whether the dealer's calls can be heard at this table: one was, since watching began.
    pub calls_heard: bool,
    /// Whether the players' decisions can be seen at this table: one was, since watching began.
    pub decisions_seen: bool,
    /// A card found damaged and not yet replaced, and whether the round it was found in has begun.
    pub damaged: Option<(Card, bool)>,
    /// Whether a single card was replaced since the last round began.
    pub replaced: bool,
    /// Whether the machine failed in the middle of a round and no other cards came since.
    pub machine_failed: bool,
    /// Decks the last round was played with.
    pub decks: Option<u8>,
    /// Boxes that had cards in the last round.
    pub seated: Boxes,
    /// Whether a card of the last round went astray and was left there.
    pub left_astray: bool,
    /// Whether cards of the last round were seen left on the layout.
    pub uncleared: bool,
}

/// Wagers for the dealer that are remembered from one round to the next.
const MOST_TIPS: usize = 16;

/// Where a cutting card came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Came {
    /// Before the first card of a round.
    First,
    /// During a round, before the next card is known.
    During,
    /// With the card for this hand.
    With(Place),
}

/// Decks that came to the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Supply {
    /// How they were prepared.
    pub prepared: Preparation,
    /// How many.
    pub decks: u8,
    /// Whether they replaced others in the middle of a game.
    pub replacement: bool,
}

/// Who looked cards through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inspected {
    /// The dealer.
    pub dealer: bool,
    /// A supervisor.
    pub supervisor: bool,
    /// The players.
    pub players: bool,
}

impl Default for Shoe {
    fn default() -> Self {
        Self {
            drawn: [0; 52],
            count: 0,
            watched_from_start: false,
            rounds: 0,
            mixed: 0,
            riffles: 0,
            moves: ArrayVec::new(),
            moves_before: ArrayVec::new(),
            odd_moves: ArrayVec::new(),
            cut: None,
            cutter: None,
            offered: Boxes::default(),
            offered_first: None,
            cut_card_in: None,
            cut_card_out: None,
            cut_card_came: None,
            last_cut_card: None,
            rounds_since_cut_card: 0,
            burned: 0,
            burned_midway: false,
            loaded: false,
            shown_loading: false,
            supply: None,
            inspected: Inspected::default(),
            final_rounds: false,
            rounds_since_final: 0,
            tips: ArrayVec::new(),
            under_minimum: Boxes::default(),
            calls_heard: false,
            decisions_seen: false,
            damaged: None,
            replaced: false,
            machine_failed: false,
            decks: None,
            seated: Boxes::default(),
            left_astray: false,
            uncleared: false,
        }
    }
}

impl Shoe {
    /// Whether a move was part of the shuffle in progress.
    pub const fn was_mixed_by(&self, mix: Mix) -> bool {
        self.mixed & (1 << mix as u8) != 0
    }

    /// How many cards there are in all.
    pub const fn size(rules: &Rules) -> u16 {
        rules.decks as u16 * 52
    }

    /// Another shoe came into use and nothing was seen of how it was made ready.
    pub fn exchanged(&mut self) {
        if self.mixed == 0 && self.supply.is_none() {
            self.begin_anew();
        }
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

    pub(super) fn round_begins(&mut self, rules: &Rules) {
        self.rounds = self.rounds.saturating_add(1);
        if self.cut_card_out.is_some() {
            self.rounds_since_cut_card = self.rounds_since_cut_card.saturating_add(1);
        }
        if self.final_rounds {
            self.rounds_since_final = self.rounds_since_final.saturating_add(1);
        }
        self.supply = None;
        self.inspected = Inspected::default();
        self.replaced = false;
        self.machine_failed = false;
        self.decks = Some(rules.decks);
        // A card that was damaged when the last round began was told of then.
        self.damaged = self.damaged.filter(|(_, begun)| !begun).map(|(card, _)| (card, true));
    }

    /// A continuous shuffler takes the cards back after every round: nothing counts from one to the next.
    pub(super) const fn taken_back(&mut self) {
        self.drawn = [0; 52];
    }

    /// A card was dealt: whatever was done to make the shoe ready is over. `in_round` says whether it fell into a
    /// round, so that what was shuffled were the discards and the size of the shoe is not known.
    pub(super) fn dealing_goes_on(&mut self, in_round: bool) {
        if in_round && self.mixed != 0 {
            self.watched_from_start = false;
        }
        self.mixed = 0;
        self.riffles = 0;
        self.loaded = false;
        self.shown_loading = false;
    }

    /// The cutting card came out; `in_round` says whether a round was being dealt.
    pub(super) fn cut_card_came_out(&mut self, in_round: bool) {
        self.cut_card_out = Some(self.count);
        self.cut_card_came = Some(if in_round { Came::During } else { Came::First });
        self.rounds_since_cut_card = 0;
    }

    pub(super) fn follow(&mut self, act: &Act) {
        match act {
            Act::Cards { prepared, decks } => {
                self.begin_anew();
                self.supply = Some(Supply { prepared: *prepared, decks: *decks, replacement: !self.seated.is_empty() });
                self.machine_failed = false;
                self.damaged = None;
                self.final_rounds = false;
            }
            Act::Inspect(person) => match person {
                Person::Dealer => self.inspected.dealer = true,
                Person::Supervisor => self.inspected.supervisor = true,
                Person::Players => self.inspected.players = true,
            },
            Act::Shuffle(mix) => self.shuffle(*mix),
            Act::OfferCut(box_no) => {
                self.offered.add(*box_no);
                self.offered_first.get_or_insert(*box_no);
            }
            Act::Cut { by, depth } => {
                self.cut = Some(*depth);
                self.cutter = Some(*by);
                self.loaded = true;
            }
            Act::CutCardIn(cards) => {
                self.cut_card_in = Some(*cards);
                self.loaded = true;
            }
            Act::Burn(card) => {
                self.burned = self.burned.saturating_add(1);
                self.burned_midway |= self.rounds > 0;
                self.drew(*card);
            }
            Act::FinalRounds => {
                self.final_rounds = true;
                self.rounds_since_final = 0;
            }
            Act::Replaced(_) => {
                self.replaced = true;
                self.damaged = None;
            }
            _ => {}
        }
    }

    fn shuffle(&mut self, mix: Mix) {
        if self.mixed == 0 || self.cut.is_some() {
            self.remember_moves();
            self.begin_anew();
            self.watched_from_start = true;
        }
        self.shown_loading = false;
        self.mixed |= 1 << mix as u8;
        self.riffles = self.riffles.saturating_add(u16::from(mix == Mix::Riffle));
        let _ = self.moves.try_push(mix);
    }

    /// Learns how this table shuffles from the shuffle that is over.
    fn remember_moves(&mut self) {
        let last = std::mem::take(&mut self.moves);
        let known = mixing(&self.moves_before).next().is_none() || mixing(&last).eq(mixing(&self.moves_before));
        if known || mixing(&last).eq(mixing(&self.odd_moves)) {
            self.moves_before = last;
            self.odd_moves.clear();
        } else {
            self.odd_moves = last;
        }
    }

    /// Forgets the cards and keeps what concerns the table.
    fn begin_anew(&mut self) {
        let last_cut_card = if self.rounds > 0 { self.cut_card_came } else { self.last_cut_card };
        let kept = std::mem::take(self);
        *self = Self {
            moves: kept.moves,
            moves_before: kept.moves_before,
            odd_moves: kept.odd_moves,
            last_cut_card,
            supply: kept.supply,
            inspected: kept.inspected,
            final_rounds: kept.final_rounds,
            rounds_since_final: kept.rounds_since_final,
            tips: kept.tips,
            under_minimum: kept.under_minimum,
            calls_heard: kept.calls_heard,
            decisions_seen: kept.decisions_seen,
            damaged: kept.damaged,
            replaced: kept.replaced,
            machine_failed: kept.machine_failed,
            decks: None,
            seated: kept.seated,
            left_astray: kept.left_astray,
            uncleared: kept.uncleared,
            ..Self::default()
        };
    }
}

/// The moves that every shuffle makes; washing and stacking belong to an opening.
pub fn mixing(moves: &[Mix]) -> impl Iterator<Item = &Mix> {
    moves.iter().filter(|mix| matches!(mix, Mix::Riffle | Mix::Strip | Mix::Box))
}
