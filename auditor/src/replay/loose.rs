//! Cards on their way: out of the shoe and not yet on a hand, and what is done with them.

use table::round::Device;
use table::{Act, Card, Place};

use super::shoe::Came;
use super::{Deal, Table};

/// How a card came to lie about, and what was said about it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Loose {
    /// How it came to lie about.
    pub how: LooseBy,
    /// What the player answered who was asked about it: whether it was accepted.
    pub answer: Option<bool>,
    /// The last card that was drawn in error and put to the rack, until another card is dealt.
    pub discarded: Option<Card>,
    /// A card that left the shoe, while another was put to a hand in its place: which, where the other went, and when.
    pub passed_over: Option<(Card, Place, usize)>,
    /// Whether any card lay about or was refused in this round.
    pub any: bool,
    /// Whether a card was dropped in this round.
    pub dropped: bool,
    /// Whether the card put down last had been lying about, or another had when it came.
    pub lay_about: bool,
}

/// How a card came to lie about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LooseBy {
    /// It was drawn.
    #[default]
    Drawn,
    /// Its face was shown.
    Exposed,
    /// It fell to the floor.
    Dropped,
    /// It lay face up in the shoe.
    Boxed,
}

/// A machine that failed in the middle of a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fault {
    /// Cards dealt since.
    pub cards: u16,
    /// Whether the cards were shuffled since.
    pub shuffled: bool,
    /// Whether the cut was offered or made since.
    pub cut: bool,
}

impl Table<'_> {
    /// Whether a card of a step is the one that lies about; a card that was not read may be.
    pub fn is_loose(&self, card: Card) -> bool {
        self.loose.is_some_and(|(loose, _)| loose == card || !loose.is_known() || !card.is_known())
    }

    /// The card that a step shows for the first time, if it shows one.
    pub fn shows(&self, act: &Act) -> Option<Card> {
        match act {
            Act::Card { card, .. } | Act::Burn(card) => (!self.is_loose(*card)).then_some(*card),
            Act::Exposed(card) => (!self.is_loose(*card) && !self.is_loading()).then_some(*card),
            Act::Drawn(card) | Act::Dropped(card) | Act::Boxed(card) => Some(*card),
            Act::TurnUp(place, card) => {
                let cards = match place {
                    Place::Dealer => self.dealer.cards.as_slice(),
                    place => self.hand(*place).map(|hand| hand.play.cards.as_slice()).unwrap_or_default(),
                };
                cards.contains(&Card::HIDDEN).then_some(*card)
            }
            _ => None,
        }
    }

    /// Whether another card is put down than the one that left the shoe: it says nothing about what was in there.
    fn comes_from_elsewhere(&self, act: &Act) -> bool {
        let passed_over = self.loose.is_some() && self.loosed.how == LooseBy::Drawn;
        passed_over && matches!(act, Act::Card { card, .. } if !self.is_loose(*card))
    }

    /// Whether the cards are between shuffle and shoe.
    pub fn is_loading(&self) -> bool {
        let shoe = &self.shoe;
        self.deal == Deal::Betting && shoe.mixed != 0 && shoe.cut_card_in.is_none() && shoe.burned == 0
    }

    /// Follows what happens to single cards and to the shoe.
    pub(super) fn follow_cards(&mut self, act: &Act) {
        let shown = self.shows(act);
        let in_round = self.deal != Deal::Betting && !self.cleared;
        if let (Act::Card { .. }, Deal::Betting) = (act, self.deal) {
            self.opened_at = self.step;
            self.shoe.round_begins(self.rules);
        }
        let counts = !matches!(act, Act::Burn(_)) && !self.comes_from_elsewhere(act);
        if let Some(card) = shown.filter(|_| counts) {
            if matches!(act, Act::TurnUp(..)) {
                self.shoe.turned_up(card);
            } else {
                self.shoe.drew(card);
            }
        }
        match act {
            Act::Card { to, card, .. } => self.put_down(*to, *card),
            Act::Exposed(_) if self.is_loading() => self.shoe.shown_loading = true,
            Act::Exposed(card) => self.lies_about(*card, LooseBy::Exposed),
            Act::Drawn(card) => {
                self.lies_about(*card, LooseBy::Drawn);
                self.shoe.dealing_goes_on(self.deal != Deal::Betting);
            }
            Act::Dropped(card) => {
                self.lies_about(*card, LooseBy::Dropped);
                self.loosed.dropped = true;
            }
            Act::Boxed(card) => self.lies_about(*card, LooseBy::Boxed),
            Act::Accept(_) => self.loosed.answer = Some(true),
            Act::Refuse(_) => {
                self.loosed.any = true;
                self.loosed.answer = Some(false);
            }
            Act::Discard(card) => self.put_away(*card),
            Act::Burn(card) if shown.is_none() => self.put_away(*card),
            Act::CutCardOut => self.shoe.cut_card_came_out(in_round),
            Act::Damaged(card) => self.shoe.damaged = Some((*card, in_round)),
            Act::Fault(Device::Shuffler | Device::Shoe) if self.rules.csm && in_round => {
                self.fault = Some(Fault::default());
                self.shoe.machine_failed = true;
            }
            _ => self.shoe.follow(act),
        }
        if let Some(fault) = &mut self.fault {
            match act {
                Act::Card { .. } => fault.cards = fault.cards.saturating_add(1),
                Act::Shuffle(_) => fault.shuffled = true,
                Act::OfferCut(_) | Act::Cut { .. } => fault.cut = true,
                _ => {}
            }
        }
    }

    fn lies_about(&mut self, card: Card, how: LooseBy) {
        self.loose = Some((card, how != LooseBy::Drawn));
        self.loosed.any = true;
        self.loosed.how = how;
        self.loosed.answer = None;
    }

    fn put_down(&mut self, to: Place, card: Card) {
        let same = self.is_loose(card);
        self.loosed.lay_about = self.loose.is_some();
        if let (Some((loose, _)), false, LooseBy::Drawn) = (self.loose, same, self.loosed.how) {
            self.loosed.passed_over = Some((loose, to, self.step));
        } else {
            self.turns_up_after_all(card);
        }
        self.loose = None;
        self.loosed.discarded = None;
        self.shoe.dealing_goes_on(self.deal != Deal::Betting);
        if self.shoe.cut_card_came == Some(Came::During) {
            self.shoe.cut_card_came = Some(Came::With(to));
        }
        if to == Place::Dealer {
            self.last_collected = None;
        }
    }

    fn put_away(&mut self, card: Card) {
        let in_error = matches!(self.loosed.how, LooseBy::Drawn | LooseBy::Exposed);
        if self.loose.take().is_some() && in_error {
            self.loosed.discarded = Some(card);
        }
        self.turns_up_after_all(card);
    }

    /// A card that was passed over is found to have been used or thrown away.
    fn turns_up_after_all(&mut self, card: Card) {
        if self.loosed.passed_over.is_some_and(|(passed, ..)| passed == card || !card.is_known()) {
            self.loosed.passed_over = None;
        }
    }

    pub(super) fn collected(&mut self, place: Place) {
        self.clearing = true;
        let way = match (self.last_collected, place) {
            (Some((Place::Box(last, _), _)), Place::Box(box_no, _)) if last != box_no => Some(box_no > last),
            (Some((_, way)), _) => way,
            (None, _) => None,
        };
        self.last_collected = Some((place, way));
    }
}
