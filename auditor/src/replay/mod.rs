//! Replay: the table as the auditor sees it, step by step, in the words of the rules.
//!
//! [`Table`] follows what was done, right or wrong. Judging is for the checks: they look at the table before a step is
//! followed and say whether the step was one the rules allow.

mod box_state;
mod boxes;
mod cards;
mod deal;
mod decisions;
mod depends;
mod follow;
mod hand_state;
mod hands;
mod loose;
mod mend;
mod requests;
mod shoe;
mod sides;
mod turns;
mod wagers;

use arrayvec::ArrayVec;
use table::{BoxNo, Card, Hand, Limit, Money, Place, Wager, WagerKind};

pub use box_state::{BoxState, Zap};
pub use boxes::{Boxes, BoxesIter};
pub use deal::{Astray, DealWatch, Misdeal};
pub use hand_state::{DealerState, HandState, Unasked};
pub use hands::Hands;
pub use loose::{Fault, Loose, LooseBy};
pub use shoe::{Came, Inspected, MOST_MOVES, Shoe, Supply, mixing};
pub use wagers::{Fate, Standing, Wagers};

use crate::hand::DealerHand;
use crate::rules::Rules;
use crate::shuffle::{Found, Missing};

/// Most hands of one box that are followed.
pub(crate) const MOST_HANDS: usize = 12;
/// Most settlements without a wager that are remembered.
const MOST_STRAYS: usize = 16;

/// How far the initial deal has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deal {
    /// No card yet.
    Betting,
    /// Cards are coming, the deal is not complete.
    Dealing,
    /// Everybody has the cards of the initial deal.
    Done,
}

/// The table in the middle of a round.
#[derive(Clone, Debug)]
pub struct Table<'r> {
    /// The rules it plays by.
    pub rules: &'r Rules,
    /// The posted limits.
    pub limits: &'r [Limit],
    /// The chips.
    pub wagers: Wagers,
    /// The dealer.
    pub dealer: DealerState,
    /// How far the initial deal has come.
    pub deal: Deal,
    /// Whether no more bets was called.
    pub no_more_bets: bool,
    /// Whether insurance was offered.
    pub insurance_offered: bool,
    /// Whether it was offered before a card followed the initial deal.
    pub offered_in_time: bool,
    /// Cards put to hands in this round.
    pub cards_dealt: u16,
    /// Cards dealt since the initial deal.
    pub drawn: u16,
    /// Settlements of wagers that nobody placed, and the step of each.
    pub strays: ArrayVec<(Wager, usize), MOST_STRAYS>,
    /// The progressive meter as last shown.
    pub meter: Option<Money>,
    /// The step that showed it.
    pub meter_at: Option<usize>,
    /// Devices that failed.
    pub faults: ArrayVec<table::round::Device, 4>,
    /// Whether the round was declared void.
    pub void: bool,
    /// Whether a supervisor was called.
    pub supervisor: bool,
    /// Whether the round is over.
    pub ended: bool,
    /// A card that left the shoe and lies nowhere yet, and whether its face was seen.
    pub loose: Option<(Card, bool)>,
    /// How the last loose card came to be, and what was said about it.
    pub loosed: Loose,
    /// The initial deal as far as it was watched.
    pub watch: DealWatch,
    /// The machine that failed in the middle of the round, and what was done since.
    pub fault: Option<Fault>,
    /// The step that dealt the first card.
    pub opened_at: usize,
    /// Whether `end` was seen.
    pub cleared: bool,
    /// Whether any cards were seen going to the rack.
    pub clearing: bool,
    /// The hand whose cards went to the rack last since the dealer's last card, and which way round the table the
    /// collection went: up or down the numbers of the boxes.
    pub last_collected: Option<(Place, Option<bool>)>,
    /// The step of the last call for a supervisor.
    pub supervisor_at: Option<usize>,
    /// Maxima given by markers.
    pub markers: ArrayVec<(BoxNo, Money), 9>,
    /// Whether hands were put right or voided after an error.
    pub repaired: bool,
    /// The last step by which cards were put right: moved, put away, reconstructed or void.
    pub mended_at: Option<usize>,
    /// Whether the round was watched to its end.
    pub closed: bool,
    /// The first decision or card after the initial deal.
    pub play_began_at: Option<usize>,
    /// The first card after the initial deal.
    pub first_draw_at: Option<usize>,
    /// The last decision, card, or card the dealer turned up of his own.
    pub last_play_at: usize,
    /// The number of the step being looked at.
    pub step: usize,
    /// The last step that gave a card after the initial deal.
    pub last_card_at: Option<usize>,
    /// The step at which the first player got a second card.
    pub second_card_at: Option<usize>,
    /// The step at which the dealer's cards went to the rack.
    pub dealer_collected_at: Option<usize>,
    /// What kinds of evidence the round has shown so far.
    pub seen: Seen,
    /// What came to light about the shuffle of the shoe, once the round is over.
    pub shuffle_found: Option<Found>,
    /// A card that turned out to be missing from the cards of the table.
    pub card_missing: Option<Missing>,
    /// The shoe, across rounds.
    pub shoe: Box<Shoe>,
    boxes: Layout,
    /// Boxes with cards.
    dealt: Boxes,
}

type Layout = Box<[BoxState; BoxNo::MOST as usize]>;

/// The room a table takes, kept from round to round so that auditing one asks for none.
#[derive(Debug, Default)]
pub struct Room {
    wagers: Wagers,
    boxes: Layout,
}

/// Kinds of evidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Wagers were seen.
    pub wagers: bool,
    /// Payments were seen.
    pub payouts: bool,
    /// Decisions were seen.
    pub decisions: bool,
    /// Cards were seen being tucked under wagers.
    pub tucks: bool,
    /// Cards were seen.
    pub cards: bool,
    /// The shoe or the shuffle was seen.
    pub shoe: bool,
}

impl<'r> Table<'r> {
    /// A table before its round, with the shoe as the last round left it.
    pub fn new(rules: &'r Rules, limits: &'r [Limit], shoe: Box<Shoe>, mut room: Room) -> Self {
        room.wagers.clear();
        room.boxes.iter_mut().for_each(BoxState::clear);
        Self {
            rules,
            limits,
            wagers: room.wagers,
            dealer: DealerState::default(),
            deal: Deal::Betting,
            no_more_bets: false,
            insurance_offered: false,
            offered_in_time: false,
            cards_dealt: 0,
            drawn: 0,
            strays: ArrayVec::new(),
            meter: None,
            meter_at: None,
            faults: ArrayVec::new(),
            void: false,
            supervisor: false,
            ended: false,
            loose: None,
            loosed: Loose::default(),
            watch: DealWatch::default(),
            fault: None,
            opened_at: 0,
            cleared: false,
            clearing: false,
            last_collected: None,
            supervisor_at: None,
            markers: ArrayVec::new(),
            repaired: false,
            mended_at: None,
            closed: false,
            play_began_at: None,
            first_draw_at: None,
            last_play_at: 0,
            step: 0,
            last_card_at: None,
            second_card_at: None,
            dealer_collected_at: None,
            seen: Seen::default(),
            shuffle_found: None,
            card_missing: None,
            shoe,
            boxes: room.boxes,
            dealt: Boxes::default(),
        }
    }

    /// A box.
    pub fn box_at(&self, box_no: BoxNo) -> &BoxState {
        &self.boxes[usize::from(box_no.number() - 1)]
    }

    fn box_mut(&mut self, box_no: BoxNo) -> &mut BoxState {
        &mut self.boxes[usize::from(box_no.number() - 1)]
    }

    /// A player's hand, if it is there.
    pub fn hand(&self, place: Place) -> Option<&HandState> {
        match place {
            Place::Dealer => None,
            Place::Box(box_no, hand) => self.box_at(box_no).hands.get(hand.index()),
        }
    }

    fn hand_mut(&mut self, place: Place) -> Option<&mut HandState> {
        match place {
            Place::Dealer => None,
            Place::Box(box_no, hand) => self.box_mut(box_no).hands.get_mut(hand.index()),
        }
    }

    /// The dealer's hand as the settlement rules look at it.
    pub fn dealer_hand(&self) -> DealerHand<'_> {
        DealerHand { cards: &self.dealer.cards }
    }

    /// Boxes with cards.
    pub const fn dealt_boxes(&self) -> Boxes {
        self.dealt
    }

    /// Boxes somebody has a main wager on.
    pub const fn wagered_boxes(&self) -> Boxes {
        self.wagers.mains()
    }

    /// All hands in the order in which they are played.
    pub fn hands(&self) -> Hands<'_> {
        Hands::of(&self.boxes, self.dealt)
    }

    /// The posted limit of a kind of wager.
    pub fn limit(&self, kind: WagerKind) -> Option<&Limit> {
        self.limits.iter().find(|limit| limit.on == kind)
    }

    /// The table minimum: posted, or fixed by the rulebook.
    pub fn table_min(&self) -> Option<Money> {
        self.limit(WagerKind::Main).map(|limit| limit.min).or(self.rules.bet_min)
    }

    /// The table maximum for a box: a marker's, posted, or fixed by the rulebook.
    pub fn table_max(&self, box_no: BoxNo) -> Option<Money> {
        let marker = self.markers.iter().find(|(on, _)| *on == box_no).map(|(_, most)| *most);
        marker.or(self.limit(WagerKind::Main).map(|limit| limit.max)).or(self.rules.bet_max)
    }

    /// What decides a side bet on a box, as things stand.
    pub fn side_facts(&self, wager: Wager) -> crate::settle::side::Facts<'_> {
        let state = self.box_at(wager.box_no);
        let first_done = self.is_done(Place::Box(wager.box_no, Hand::A));
        crate::settle::side::Facts {
            initial: &state.initial,
            third: state.third,
            split: state.hands.len() > 1,
            complete: first_done || self.ended,
            dealer: self.dealer_hand(),
            dealer_complete: self.ended || self.dealer_stands(),
            stake: self.wagers.get(wager).map(|standing| standing.stake).unwrap_or_default(),
        }
    }

    /// Whether the dealer's hand takes no more cards.
    fn dealer_stands(&self) -> bool {
        let total = self.dealer_hand().total().filter(|_| self.dealer.cards.len() >= 2);
        total.is_some_and(|total| !crate::dealer::must_draw(self.rules, total))
    }

    /// The round is over: the shoe as the next round finds it, and the room that round may use.
    pub fn leave(mut self) -> (Box<Shoe>, Room) {
        let lies = |hand: &HandState| !hand.collected && !hand.play.cards.is_empty();
        let dealers = !self.dealer.collected && !self.dealer.cards.is_empty();
        self.shoe.uncleared = !self.cleared && self.clearing && (dealers || self.hands().any(|(_, hand)| lies(hand)));
        self.shoe.left_astray = !self.repaired && !self.void && !self.watch.misdeals.is_empty();
        if self.deal != Deal::Betting {
            self.shoe.seated = self.dealt;
        }
        if self.rules.csm {
            self.shoe.taken_back();
        }
        (self.shoe, Room { wagers: self.wagers, boxes: self.boxes })
    }
}
