//! Replay: the table as the auditor sees it, step by step, in the words of the rules.
//!
//! [`Table`] follows what was done, right or wrong. Judging is for the checks: they look at the table before a step is
//! followed and say whether the step was one the rules allow.

mod deal;
mod depends;
mod loose;
mod mend;
mod requests;
mod shoe;
mod sides;
mod turns;
mod wagers;

use arrayvec::ArrayVec;
use table::round::Stake;
use table::{Act, Bettor, BoxNo, Card, Face, Hand, Limit, Money, Place, Rank, SideBet, Turn, Wager, WagerKind};

pub use deal::{Astray, DealWatch, Misdeal};
pub use loose::{Fault, Loose, LooseBy};
pub use shoe::{Boxes, Came, Inspected, MOST_MOVES, Shoe, Supply};
pub use wagers::{Fate, Standing, Wagers};

use crate::hand::{Cards, DealerHand, End, PlayerHand};
use crate::rules::Rules;

/// Most hands of one box that are followed.
pub(crate) const MOST_HANDS: usize = 12;
/// Most settlements without a wager that are remembered.
const MOST_STRAYS: usize = 16;

/// A hand on a box, with how far it has come.
#[derive(Clone, Debug, Default)]
pub struct HandState {
    /// Cards and how they came to be.
    pub play: PlayerHand,
    /// How many of them lie face down and were not turned up.
    pub down: u8,
    /// Whether the last card lies sideways.
    pub last_sideways: bool,
    /// Whether the cards were turned sideways to mark an exchange.
    pub turned_sideways: bool,
    /// Whether the player decided anything on it.
    pub acted: bool,
    /// Cards asked for and not yet given.
    pub owed: u8,
    /// Cards given since it was doubled.
    pub since_double: u8,
    /// Whether it began as one of two split aces.
    pub split_ace: bool,
    /// Whether the player asked for no more.
    pub stood: bool,
    /// Whether play has gone on past it.
    pub left: bool,
    /// Whether its cards are in the rack.
    pub collected: bool,
    /// The step that put them there.
    pub collected_at: Option<usize>,
    /// Whether the player tucked the cards under the wager.
    pub tucked: bool,
    /// Whether cards lay face down when it was doubled.
    pub doubled_unseen: bool,
    /// The hand played while this one was still open.
    pub left_for: Option<Place>,
    /// The first step of play elsewhere since it was done.
    pub passed_at: Option<usize>,
    /// The first card dealt elsewhere since it was done.
    pub overdealt_at: Option<usize>,
    /// A card nobody asked for.
    pub unasked: Option<Unasked>,
}

/// A card that came to a hand without a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unasked {
    /// The step that dealt it.
    pub at: usize,
    /// Whether the player had asked for no more.
    pub stood: bool,
}

impl HandState {
    /// What it counts; `None` if a card is not known.
    pub fn points(&self) -> Option<u16> {
        self.play.total().map(|total| total.points)
    }

    /// Whether it went over 21.
    pub fn is_bust(&self) -> bool {
        self.play.total().is_some_and(|total| total.is_bust())
    }
}

/// A box with its hands.
#[derive(Clone, Debug, Default)]
pub struct BoxState {
    /// Hands by letter.
    pub hands: ArrayVec<HandState, MOST_HANDS>,
    /// The letters in the order in which the hands are played.
    pub order: ArrayVec<u8, MOST_HANDS>,
    /// The first two cards as dealt.
    pub initial: ArrayVec<Card, 2>,
    /// The card that came to the first hand after those.
    pub third: Option<Card>,
    /// Cards of an exchange: how many went and how many came.
    pub zap: Option<Zap>,
    /// Whether its player is away.
    pub absent: bool,
    /// Whether its player refused a card.
    pub refused: bool,
    /// Whether a card went to it that was out of order, so that its deal is not judged further.
    pub misdealt: bool,
}

impl BoxState {
    /// Clears it without touching the room its hands take.
    fn clear(&mut self) {
        let Self { hands, order, initial, third, zap, absent, refused, misdealt } = self;
        hands.clear();
        order.clear();
        initial.clear();
        (*third, *zap) = (None, None);
        (*absent, *refused, *misdealt) = (false, false, false);
    }
}

/// An exchange of both cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zap {
    /// What the hand counted before, and whether soft.
    pub from: Option<table::Total>,
    /// Cards given since.
    pub came: u8,
    /// Which they were.
    pub new: [Card; 2],
    /// Single cards seen going to the rack before the first new one came.
    pub removed: u8,
    /// Whether the second new card lies sideways.
    pub turned: bool,
}

/// The dealer's hand.
#[derive(Clone, Debug, Default)]
pub struct DealerState {
    /// Its cards, the hole card included.
    pub cards: Cards,
    /// How many lie face down.
    pub down: u8,
    /// Whether the dealer looked at the hole card.
    pub peeked: bool,
    /// The step at which that was.
    pub peeked_at: Option<usize>,
    /// How many cards the dealer had when the last player was done.
    pub at_players_done: Option<usize>,
    /// The steps that dealt the cards, one for each.
    pub dealt_at: ArrayVec<usize, 26>,
    /// Whether the cards are in the rack.
    pub collected: bool,
}

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
    /// The shoe, across rounds.
    pub shoe: Shoe,
    boxes: Layout,
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
    pub fn new(rules: &'r Rules, limits: &'r [Limit], shoe: Shoe, mut room: Room) -> Self {
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
            shoe,
            boxes: room.boxes,
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

    /// Boxes with cards, in dealing order.
    pub fn dealt_boxes(&self) -> impl DoubleEndedIterator<Item = BoxNo> + '_ {
        BoxNo::all().filter(|box_no| !self.box_at(*box_no).hands.is_empty())
    }

    /// Boxes somebody has a main wager on, in dealing order.
    pub fn wagered_boxes(&self) -> impl DoubleEndedIterator<Item = BoxNo> + '_ {
        BoxNo::all().filter(|box_no| self.wagers.has_main(*box_no))
    }

    /// All hands in the order in which they are played.
    pub fn hands(&self) -> impl Iterator<Item = (Place, &HandState)> + '_ {
        let dealt = (1u8..).zip(self.boxes.iter()).filter(|(_, state)| !state.order.is_empty());
        dealt.flat_map(|(number, state)| {
            state.order.iter().filter_map(move |letter| {
                let hand = Hand::new(*letter)?;
                Some((Place::Box(BoxNo::new(number)?, hand), state.hands.get(hand.index())?))
            })
        })
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

    /// Follows a step, whether it was right or wrong.
    pub fn follow(&mut self, act: &Act) {
        let was_loose = self.loose.is_some();
        self.note_evidence(act);
        self.watch_deal(act);
        self.follow_cards(act);
        self.note_side_bets(act);
        match act {
            Act::Bet(wager, amount) => self.bet(*wager, *amount, false),
            Act::Alter(wager, amount) => {
                if let Some(standing) = self.wagers.get_mut(*wager) {
                    standing.stake = *amount;
                }
            }
            Act::Marker(box_no, most) => drop(self.markers.try_push((*box_no, *most))),
            Act::Meter(amount) => {
                self.meter = Some(*amount);
                self.meter_at = Some(self.step);
            }
            Act::NoMoreBets => {
                self.no_more_bets = true;
                self.shoe.calls_heard = true;
            }
            Act::Card { to, card, face, turn } => self.card(*to, *card, (*face, *turn), was_loose),
            Act::TurnUp(place, card) => self.turn_up(*place, *card),
            Act::TurnSideways(place) => {
                if let Some(hand) = self.hand_mut(*place) {
                    hand.turned_sideways = true;
                    hand.last_sideways = true;
                }
                if let Some(zap) = place.box_no().and_then(|box_no| self.box_mut(box_no).zap.as_mut()) {
                    zap.turned |= zap.came == 2;
                }
            }
            Act::Tuck(place) => {
                self.seen.tucks = true;
                if let Some(hand) = self.hand_mut(*place) {
                    hand.tucked = true;
                }
            }
            Act::OfferInsurance => {
                self.insurance_offered = true;
                self.offered_in_time |= self.drawn == 0;
                self.shoe.calls_heard = true;
            }
            Act::Peek => {
                self.dealer.peeked = true;
                self.dealer.peeked_at.get_or_insert(self.step);
            }
            Act::EvenMoney(wager) => self.even_money(*wager),
            Act::Surrender(wager) => self.end_hand(wager.place(), End::Surrendered),
            Act::Hit(place) => self.decide(*place, |hand| hand.owed = hand.owed.saturating_add(1)),
            Act::Stand(place) => self.decide(*place, |hand| hand.stood = true),
            Act::Double(wager, stake) => self.double(*wager, *stake),
            Act::Split(wager, stake) => self.split(*wager, *stake),
            Act::Zap(place) => self.zap(*place),
            Act::Parlay(wager, amount) => {
                let main = Wager { hand: Hand::A, kind: WagerKind::Main, ..*wager };
                if let Some(standing) = self.wagers.get_mut(main) {
                    standing.cap = standing.cap.plus(*amount).unwrap_or(standing.cap);
                }
            }
            Act::Ride(wager, amount) => {
                if let Some(standing) = self.wagers.get_mut(*wager) {
                    standing.ridden = Some(*amount);
                    standing.net_before_ride = standing.fate.net().filter(|_| standing.fate.is_settled());
                }
            }
            Act::Prize(wager, amount) => {
                let wager = match wager.kind {
                    WagerKind::Main => wager.of_kind(WagerKind::Side(SideBet::Madness21)),
                    _ => *wager,
                };
                if let Some(standing) = self.wagers.get_mut(wager) {
                    standing.prize = Some(*amount);
                }
            }
            Act::Absent(box_no) => self.box_mut(*box_no).absent = true,
            Act::Refuse(Place::Box(box_no, _)) => self.box_mut(*box_no).refused = true,
            Act::Discard(card) if !was_loose => self.discard(*card),
            Act::Move { card, from, to } => self.move_card(*card, *from, *to),
            Act::Reconstruct(_) => self.mend(),
            Act::Void(place) => {
                self.mend();
                self.end_hand(*place, End::Void);
            }
            Act::VoidRound => self.void_round(),
            Act::Fault(device) => drop(self.faults.try_push(*device)),
            Act::Supervisor => {
                self.supervisor = true;
                self.supervisor_at = Some(self.step);
            }
            Act::Pay(wager, amount) => {
                self.settle(*wager, |fate, _| {
                    fate.paid = fate.paid.unwrap_or_default().plus(*amount).or(fate.paid);
                });
                let meter = self.meter;
                if let Some(standing) = self.wagers.get_mut(*wager) {
                    standing.meter = meter;
                }
            }
            Act::Take(wager, amount) => {
                // A lammer that is picked up costs nobody anything.
                let free = self.wagers.get(*wager).is_some_and(|standing| standing.free);
                self.settle(*wager, |fate, stake| {
                    let amount = amount.unwrap_or(if free { Money::ZERO } else { stake });
                    fate.taken = fate.taken.unwrap_or_default().plus(amount).or(fate.taken);
                });
            }
            Act::Push(wager) => self.settle(*wager, |fate, _| fate.pushed = true),
            Act::Return(wager) => {
                self.settle(*wager, |fate, _| fate.returned = true);
                self.withdraw(*wager);
            }
            Act::Collect(Place::Dealer) => {
                self.dealer.collected = true;
                self.dealer_collected_at.get_or_insert(self.step);
            }
            Act::Collect(place) => {
                let at = self.step;
                if let Some(hand) = self.hand_mut(*place) {
                    hand.collected = true;
                    hand.collected_at.get_or_insert(at);
                }
            }
            Act::End => {
                self.ended = true;
                self.cleared = true;
                self.closed = true;
            }
            _ => {}
        }
    }

    /// The round is over: the shoe as the next round finds it, and the room that round may use.
    pub fn leave(mut self) -> (Shoe, Room) {
        let lies = |hand: &HandState| !hand.collected && !hand.play.cards.is_empty();
        let dealers = !self.dealer.collected && !self.dealer.cards.is_empty();
        self.shoe.uncleared = !self.cleared && self.clearing && (dealers || self.hands().any(|(_, hand)| lies(hand)));
        self.shoe.left_astray = !self.repaired && !self.void && !self.watch.misdeals.is_empty();
        if self.deal != Deal::Betting {
            self.shoe.seated = self.dealt_boxes().collect();
        }
        (self.shoe, Room { wagers: self.wagers, boxes: self.boxes })
    }

    fn note_evidence(&mut self, act: &Act) {
        match act {
            Act::Bet(..) | Act::Alter(..) => self.seen.wagers = true,
            Act::Pay(..) | Act::Take(..) | Act::Push(_) | Act::Return(_) => self.seen.payouts = true,
            Act::Hit(_) | Act::Stand(_) | Act::Double(..) | Act::Split(..) | Act::Surrender(_) | Act::Zap(_) => {
                self.seen.decisions = true;
            }
            Act::Card { .. } => self.seen.cards = true,
            Act::Shuffle(_) | Act::Cut { .. } | Act::CutCardIn(_) | Act::CutCardOut | Act::Burn(_) => {
                self.seen.shoe = true;
            }
            _ => {}
        }
    }

    fn bet(&mut self, wager: Wager, stake: Money, free: bool) {
        let late = self.deal != Deal::Betting;
        let too_late = wager.kind == WagerKind::Insurance && self.insurance_is_over();
        self.wagers.place(Standing {
            wager,
            stake,
            placed: stake,
            free,
            cap: Money::ZERO,
            ridden: None,
            net_before_ride: None,
            meter: None,
            early: false,
            overdue: false,
            prize: None,
            late,
            too_late,
            even_money: None,
            asked_after_peek: false,
            withdrawn: false,
            fate: Fate::default(),
            at: self.step,
        });
    }

    fn card(&mut self, to: Place, card: Card, (face, turn): (Face, Turn), was_loose: bool) {
        if self.deal == Deal::Betting {
            self.deal = Deal::Dealing;
        }
        self.cards_dealt = self.cards_dealt.saturating_add(1);
        if self.deal == Deal::Done {
            self.last_card_at = Some(self.step);
        } else if self.hand(to).is_some_and(|hand| !hand.play.cards.is_empty()) {
            self.second_card_at.get_or_insert(self.step);
        }
        self.drawn = self.drawn.saturating_add(u16::from(self.deal == Deal::Done));
        let down = u8::from(face == Face::Down);
        let at = self.step;
        let unasked = self.is_unasked(to, was_loose);
        if self.deal == Deal::Done {
            self.first_draw_at.get_or_insert(at);
            self.note_play();
        }
        match to {
            Place::Dealer => {
                if self.deal == Deal::Done && self.dealer.at_players_done.is_none() {
                    self.leave_all();
                    self.dealer.at_players_done = Some(self.dealer.cards.len());
                }
                let _ = self.dealer.cards.try_push(card);
                let _ = self.dealer.dealt_at.try_push(at);
                self.dealer.down += down;
            }
            Place::Box(box_no, letter) => {
                if self.deal == Deal::Done {
                    self.leave_before(to, true);
                }
                let state = self.box_mut(box_no);
                if state.hands.len() <= letter.index() && letter == Hand::A {
                    let _ = state.hands.try_push(HandState::default());
                    let _ = state.order.try_push(0);
                }
                let in_zap = state.zap.as_mut().filter(|zap| zap.came < 2);
                if let Some(zap) = in_zap {
                    zap.new[usize::from(zap.came)] = card;
                    zap.came += 1;
                    zap.turned = turn == Turn::Sideways;
                } else if state.initial.try_push(card).is_err() && letter == Hand::A && state.third.is_none() {
                    state.third = Some(card);
                }
                if let Some(hand) = state.hands.get_mut(letter.index()) {
                    let _ = hand.play.cards.try_push(card);
                    hand.down += down;
                    hand.last_sideways = turn == Turn::Sideways;
                    hand.owed = hand.owed.saturating_sub(1);
                    hand.since_double = hand.since_double.saturating_add(u8::from(hand.play.doubled));
                    hand.unasked = hand.unasked.or(unasked);
                }
            }
        }
        if self.deal == Deal::Dealing && self.initial_deal_is_done() {
            self.deal_is_done();
        }
    }

    fn turn_up(&mut self, place: Place, card: Card) {
        if place == Place::Dealer {
            self.last_play_at = self.step;
        }
        let (cards, down) = match place {
            Place::Dealer => (&mut self.dealer.cards, &mut self.dealer.down),
            Place::Box(box_no, letter) => {
                let state = &mut self.boxes[usize::from(box_no.number() - 1)];
                match state.hands.get_mut(letter.index()) {
                    Some(hand) => (&mut hand.play.cards, &mut hand.down),
                    None => return,
                }
            }
        };
        *down = down.saturating_sub(1);
        let Some(at) = cards.iter().position(|card| *card == Card::HIDDEN) else { return };
        cards[at] = card;
        if let Place::Box(box_no, Hand::A) = place {
            let state = self.box_mut(box_no);
            if let Some(initial) = state.initial.get_mut(at) {
                *initial = card;
            } else if at == 2 {
                state.third = Some(card);
            }
        }
    }

    fn decide(&mut self, place: Place, how: impl Fn(&mut HandState)) {
        self.note_play();
        self.leave_before(place, false);
        if let Some(hand) = self.hand_mut(place) {
            hand.acted = true;
            how(hand);
        }
    }

    fn end_hand(&mut self, place: Place, end: End) {
        if let Some(hand) = self.hand_mut(place) {
            hand.acted = true;
            hand.play.end = end;
        }
    }

    fn double(&mut self, wager: Wager, stake: Stake) {
        let full = self.wagers.stake_of(wager).map(|standing| standing.stake).unwrap_or_default();
        let ridden = if wager.hand == Hand::A { self.wagers.ridden_with(wager) } else { Money::ZERO };
        let amount = match stake {
            Stake::Chips(amount) => amount,
            Stake::Full => full.plus(ridden).unwrap_or(full),
            Stake::Free => full,
        };
        // Chips of bettors behind or for the dealer follow the player's double; alone they double nothing.
        let decides = wager == wager.by(Bettor::SEATED) && !wager.tip;
        if decides || !self.wagers.has_seated(wager.box_no) {
            self.double_hand(wager.place());
        }
        self.bet(wager.of_kind(WagerKind::Double), amount, stake == Stake::Free);
    }

    fn double_hand(&mut self, place: Place) {
        self.decide(place, |hand| {
            if !hand.play.doubled {
                hand.doubled_unseen = hand.down > 0;
                hand.play.doubled = true;
                hand.since_double = 0;
                hand.owed = hand.owed.saturating_add(1);
            }
        });
    }

    fn split(&mut self, wager: Wager, stake: Stake) {
        let full = self.wagers.stake_of(wager).map(|standing| standing.stake).unwrap_or_default();
        let ridden = if wager.hand == Hand::A { self.wagers.ridden_with(wager) } else { Money::ZERO };
        let amount = match stake {
            Stake::Chips(amount) => amount,
            Stake::Full => full.plus(ridden).unwrap_or(full),
            Stake::Free => full,
        };
        self.decide(wager.place(), |_| {});
        let Some(opened) = self.open_split_hand(wager) else { return };
        let further = Wager { hand: opened, kind: WagerKind::Split, ..wager };
        self.bet(further, amount, stake == Stake::Free);
    }

    /// Moves the second card to a new hand; a bettor behind who splits too joins the hand opened last.
    fn open_split_hand(&mut self, wager: Wager) -> Option<Hand> {
        let state = self.box_mut(wager.box_no);
        let count = state.hands.len();
        let hand = state.hands.get_mut(wager.hand.index())?;
        if hand.play.cards.len() < 2 {
            return count.checked_sub(1).and_then(|last| Hand::new(u8::try_from(last).ok()?));
        }
        let moved = hand.play.cards.pop()?;
        let aces = moved.rank() == Some(Rank::Ace);
        hand.play.split = true;
        hand.split_ace = aces;
        let play = PlayerHand {
            cards: Cards::from_iter([moved]),
            split: true,
            zapped: hand.play.zapped,
            ..PlayerHand::default()
        };
        let opened = HandState { play, split_ace: aces, ..HandState::default() };
        state.hands.try_push(opened).ok()?;
        let letter = u8::try_from(count).ok()?;
        let after = state.order.iter().position(|played| usize::from(*played) == wager.hand.index())?;
        state.order.try_insert(after + 1, letter).ok()?;
        Hand::new(letter)
    }

    fn zap(&mut self, place: Place) {
        self.decide(place, |_| {});
        let Place::Box(box_no, _) = place else { return };
        let state = self.box_mut(box_no);
        let Some(hand) = state.hands.first_mut() else { return };
        let new = [Card::HIDDEN; 2];
        state.zap = Some(Zap { from: hand.play.total(), came: 0, new, removed: 0, turned: false });
        hand.play.cards.clear();
        hand.play.zapped = true;
        // An exchange comes before any other decision, and what follows starts afresh.
        hand.acted = false;
    }

    fn settle(&mut self, wager: Wager, how: impl Fn(&mut Fate, Money)) {
        let (at, in_deal, after_draw) = (self.step, self.deal != Deal::Done, self.drawn > 0);
        let Some(standing) = self.wagers.get_mut(wager) else {
            let _ = self.strays.try_push((wager, at));
            return;
        };
        let stake = standing.ridden.or(standing.stake.plus(standing.cap)).unwrap_or(standing.stake);
        let fate = &mut standing.fate;
        let first = !fate.is_settled();
        fate.in_deal |= in_deal && first;
        fate.after_draw |= after_draw && first;
        fate.last = at;
        fate.steps = fate.steps.saturating_add(1);
        how(fate, stake);
        fate.at.get_or_insert(at);
    }
}
