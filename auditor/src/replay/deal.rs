//! The initial deal, watched card by card: whose card is next, and which ones went astray.
//!
//! What a card out of turn means shows only later: a box passed over may get its card after all (the order was wrong)
//! or not (it was left out). So a card that looks wrong is remembered, and judged when the deal is over.

use arrayvec::ArrayVec;
use table::{Act, BoxNo, Hand, Place, WagerKind};

use super::{Boxes, Deal, Table};

/// How a card of the initial deal went astray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Astray {
    /// A first card out of order.
    FirstPass,
    /// The dealer's card out of order.
    DealerCard,
    /// A second card out of order.
    SecondPass,
    /// A box left out of the first pass.
    SkippedFirst,
    /// A box left out of the second pass.
    SkippedSecond,
    /// A second card to the dealer before every box had two, where there is no hole card.
    DealerEarly,
    /// The hole card before every box had its second card.
    HoleEarly,
    /// No hole card when the players began to decide.
    HoleMissing,
    /// A card to a box with no wager.
    EmptyBox,
}

/// A card of the initial deal that went astray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misdeal {
    /// How.
    pub astray: Astray,
    /// Who was next, or who was left out.
    pub due: Place,
    /// Who got a card instead, if anybody did.
    pub to: Option<Place>,
    /// The step that showed it.
    pub step: usize,
}

/// The initial deal as far as it was watched.
#[derive(Clone, Debug, Default)]
pub struct DealWatch {
    /// What went astray, in order.
    pub misdeals: ArrayVec<Misdeal, 12>,
    /// Boxes with a main wager in time.
    pub wagered: Boxes,
    /// A box that was passed over and may still get its card.
    passed: Option<Misdeal>,
    /// A dealer's card that came before its time, and the boxes still waiting then.
    early: Option<(Misdeal, Boxes)>,
}

/// Which card of the initial deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Pass {
    First = 1,
    Second,
}

impl Table<'_> {
    /// Whose card is next in the initial deal: first cards, the dealer's up card, second cards, the hole card.
    fn next_in_deal(&self) -> Option<(Place, Pass)> {
        let waits = |box_no: &BoxNo, count| self.first_hand_len(*box_no) < count;
        let next = |count| self.watch.wagered.iter().find(|box_no| waits(box_no, count));
        let next = |count| next(count).map(|box_no| Place::Box(box_no, Hand::A));
        if let Some(place) = next(1) {
            return Some((place, Pass::First));
        }
        if self.dealer.cards.is_empty() {
            return Some((Place::Dealer, Pass::First));
        }
        if let Some(place) = next(2) {
            return Some((place, Pass::Second));
        }
        (self.rules.hole_card && self.dealer.cards.len() < 2).then_some((Place::Dealer, Pass::Second))
    }

    fn first_hand_len(&self, box_no: BoxNo) -> usize {
        self.box_at(box_no).hands.first().map_or(0, |hand| hand.play.cards.len())
    }

    /// Boxes with a wager in time and fewer than so many cards.
    fn waiting_for(&self, count: usize) -> Boxes {
        self.watch.wagered.iter().filter(|box_no| self.first_hand_len(*box_no) < count).collect()
    }

    /// Whether every wagered box has two cards and the dealer what the initial deal gives.
    pub(super) fn initial_deal_is_done(&self) -> bool {
        let dealers = if self.rules.hole_card { 2 } else { 1 };
        let counts = |box_no: &BoxNo| self.watch.wagered.is_empty() || self.wagers.has_main(*box_no);
        let has_two = |box_no: BoxNo| self.first_hand_len(box_no) >= 2;
        self.dealer.cards.len() >= dealers
            && self.watch.wagered.iter().all(has_two)
            && self.dealt.iter().filter(counts).all(has_two)
    }

    /// Looks at a step before it is followed.
    pub(super) fn watch_deal(&mut self, act: &Act) {
        match act {
            Act::Bet(wager, _) if wager.kind == WagerKind::Main && self.deal == Deal::Betting => {
                self.watch.wagered.add(wager.box_no);
            }
            Act::Card { to, .. } if self.deal != Deal::Done && !self.watch.wagered.is_empty() => self.watch_card(*to),
            Act::Hit(_) | Act::Stand(_) | Act::Double(..) | Act::Split(..) | Act::Surrender(_) | Act::Zap(_) => {
                self.deal_is_over();
            }
            Act::Peek | Act::OfferInsurance | Act::EvenMoney(_) | Act::End => self.deal_is_over(),
            Act::Bet(wager, _) if wager.kind == WagerKind::Insurance => self.deal_is_over(),
            _ => {}
        }
    }

    fn deal_is_over(&mut self) {
        if self.deal == Deal::Dealing {
            self.deal_is_done();
        }
    }

    fn astray(&mut self, astray: Astray, due: Place, to: Option<Place>) {
        let misdeal = self.misdeal(astray, due, to);
        self.report_misdeal(misdeal);
    }

    const fn misdeal(&self, astray: Astray, due: Place, to: Option<Place>) -> Misdeal {
        Misdeal { astray, due, to, step: self.step }
    }

    fn report_misdeal(&mut self, misdeal: Misdeal) {
        if !self.repaired && !self.void {
            let _ = self.watch.misdeals.try_push(misdeal);
        }
    }

    fn watch_card(&mut self, to: Place) {
        match to {
            Place::Box(box_no, _) if !self.wagers.boxes().has(box_no) => {
                self.astray(Astray::EmptyBox, to, Some(to));
            }
            Place::Box(box_no, _) if !self.watch.wagered.has(box_no) => {}
            Place::Box(box_no, _) => match self.next_in_deal() {
                None => {}
                Some((due, _)) if due == to => {}
                Some((Place::Dealer, Pass::First)) => self.astray(Astray::DealerCard, Place::Dealer, Some(to)),
                Some((Place::Dealer, Pass::Second)) => self.deal_is_done(),
                Some((due, pass)) => self.out_of_order(due, pass, box_no, to),
            },
            Place::Dealer => {
                let Some((due @ Place::Box(..), pass)) = self.next_in_deal() else { return };
                let astray = match (pass, self.rules.hole_card) {
                    (Pass::First, _) if self.dealer.cards.is_empty() => Astray::DealerCard,
                    (_, true) => Astray::HoleEarly,
                    (_, false) => Astray::DealerEarly,
                };
                let waiting = self.waiting_for(pass as usize);
                let misdeal = self.misdeal(astray, due, Some(to));
                self.watch.early.get_or_insert((misdeal, waiting));
            }
        }
    }

    fn out_of_order(&mut self, due: Place, pass: Pass, box_no: BoxNo, to: Place) {
        // With the up card on the table a second pass has begun, and whoever has no card yet may have been left out.
        let second_begun = !self.dealer.cards.is_empty();
        let held = self.first_hand_len(box_no);
        let astray = if pass == Pass::First && !second_begun { Astray::FirstPass } else { Astray::SecondPass };
        if held >= if second_begun { 2 } else { 1 } {
            self.astray(astray, due, Some(to));
        } else if pass == Pass::Second || !second_begun {
            let misdeal = self.misdeal(astray, due, Some(to));
            self.watch.passed.get_or_insert(misdeal);
        }
    }

    /// The initial deal is over, complete or not: now it shows what the cards out of turn meant.
    pub(super) fn deal_is_done(&mut self) {
        self.deal = Deal::Done;
        let short = self.waiting_for(2);
        let got_theirs = |boxes: Boxes| boxes.iter().any(|box_no| !short.has(box_no));
        let late_first = match self.watch.early {
            Some((misdeal, waiting)) if misdeal.astray == Astray::DealerCard => waiting,
            _ => Boxes::default(),
        };
        let served = |passed: &Misdeal| passed.due.box_no().is_some_and(|box_no| !short.has(box_no));
        if let Some(passed) = self.watch.passed.take().filter(served) {
            self.report_misdeal(passed);
        }
        if let Some((early, _)) = self.watch.early.take().filter(|(_, waiting)| got_theirs(*waiting)) {
            self.report_misdeal(early);
        }
        for box_no in short.iter() {
            let first = late_first.has(box_no) || self.first_hand_len(box_no) == 0;
            let astray = if first { Astray::SkippedFirst } else { Astray::SkippedSecond };
            self.astray(astray, Place::Box(box_no, Hand::A), None);
        }
        if self.watch.wagered.is_empty() {
            return;
        }
        match self.dealer.cards.len() {
            0 => self.astray(Astray::DealerCard, Place::Dealer, None),
            1 if self.rules.hole_card => self.astray(Astray::HoleMissing, Place::Dealer, None),
            _ => {}
        }
    }
}
