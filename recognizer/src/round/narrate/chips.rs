//! What happens to chips, as steps.

use table::round::Stake;
use table::{Act, Bettor, Card, EventId, Hand, Money, Place, Rank, SideBet, Total, Wager, WagerKind};

use super::Narrator;
use crate::round::book::{ChipAct, Did};
use crate::round::guess::Happening;

/// Chips that lie for so long after the last card went were settled by nobody, in microseconds.
const LEFT_LYING: i64 = 1_000_000;

/// A bettor takes up what is his about so long after it was called, in microseconds.
const TO_TAKE_UP: i64 = 2_000_000;

/// From this stake on a natural is paid more than its stake whatever its odds and however they are rounded.
const LEAST_TOLD: i64 = 500;

impl Narrator<'_> {
    pub(super) fn chip(&mut self, at: i64, number: usize) {
        let act = &self.evidence.chips[number];
        let events = act.events.clone();
        match act.did {
            Did::Bet(wager, amount) => {
                self.stakes.insert(wager, amount);
                // A box that had a card before its chips were seen had its chips before its card; who joins it may be late.
                let dealt = self.told.iter().find(|told| matches!(told.act, Act::Card { .. })).map(|first| first.at);
                let opens = wager.kind == WagerKind::Main && wager.bettor == Bettor::SEATED && !wager.tip;
                let has = opens && self.seats.contains_key(&wager.place());
                let at = dealt.filter(|_| has).map_or(at, |first| first - 1);
                self.tell(at, Act::Bet(wager, amount), events);
            }
            Did::Alter(wager, amount) => {
                self.stakes.insert(wager, amount);
                self.tell(at, Act::Alter(wager, amount), events);
            }
            Did::Double(wager, _) if self.doubled.contains(&wager) => {}
            Did::Double(wager, stake) => self.double(at, wager, stake, events),
            Did::Split(wager, stake) => self.split_by_chips(at, wager, stake, events),
            Did::Pay(wager, amount) => self.pay(at, wager, amount, events),
            Did::Take(wager, part) => self.take(at, wager, part, events),
            Did::TakenUp(wager) => self.taken_up(at, wager, events),
            Did::Parlay(wager, amount) => self.tell(at, Act::Parlay(wager, amount), events),
            Did::Ride(wager, amount) => {
                self.paid.remove(&wager);
                self.tell(at, Act::Ride(wager, amount), events);
            }
        }
    }

    pub(super) fn double(&mut self, at: i64, wager: Wager, stake: Stake, events: Vec<EventId>) {
        let place = wager.place();
        let on = wager.of_kind(WagerKind::stake(wager.hand));
        if stake == Stake::Free {
            self.free.insert(wager);
        }
        // Whoever bets behind raises when play has come to the box.
        self.played = true;
        self.pass(at, Some(place));
        if wager.bettor == Bettor::SEATED && !wager.tip {
            self.seats.entry(place).or_default().doubling = true;
        }
        self.tell(at, Act::Double(on, stake), events);
    }

    /// A stake on a new hand. Where the camera saw the cards part, it is told there which hand was split.
    pub(super) fn split_by_chips(&mut self, at: i64, wager: Wager, stake: Stake, events: Vec<EventId>) {
        let opened = wager.place();
        let parted = self.guess.log.iter().find_map(|(_, _, happening)| match happening {
            Happening::Moved(piece, from) if self.guess.laid[*piece].place == opened => Some(*from),
            _ => None,
        });
        let from = parted.and_then(|from| match from {
            Place::Box(box_no, hand) if box_no == wager.box_no => Some(hand),
            _ => None,
        });
        let hand = from.unwrap_or(Hand::A);
        let on = Wager { hand, kind: WagerKind::stake(hand), ..wager };
        self.split(at, on, opened, stake, events);
    }

    pub(super) fn pay(&mut self, at: i64, wager: Wager, amount: Money, events: Vec<EventId>) {
        self.paid.insert(wager);
        let two =
            self.seats.get(&wager.place()).is_some_and(|seat| !seat.split && seat.cards.len() == 2 && !seat.doubling);
        let dealer = self.seats.get(&Place::Dealer).map(|seat| seat.cards.clone()).unwrap_or_default();
        let shows: Vec<Card> = dealer.iter().map(|(_, card)| *card).filter(|card| card.is_known()).collect();
        let ace = matches!(shows[..], [up] if up.rank() == Some(Rank::Ace));
        let ten = matches!(shows[..], [up] if Total::of([up]).is_some_and(|up| up.points == 10));
        // Of a small stake the odds of a natural may come to no more than the stake.
        let told = amount.minor() >= LEAST_TOLD;
        let ace = ace && (told || self.evidence.grammar.even_money || !self.is_natural(wager.place()));
        let waits = ten && told && self.is_natural(wager.place());
        let even = self.stakes.get(&wager) == Some(&amount);
        // Whether the hand may ask for it, and the game allows it, is for others to say: nothing else pays two cards their
        // stake while the dealer shows an ace and no more, or a natural its stake while it waits for the dealer's.
        if wager.kind == WagerKind::Main && two && (ace || waits) && even {
            self.tell(at - 1, Act::EvenMoney(wager), Vec::new());
        }
        self.complete(at, wager);
        self.tell(at, Act::Pay(wager, amount), events);
    }

    /// Whether a hand has all its cards, so that its wager can be settled.
    fn is_complete(&self, place: Place) -> bool {
        let seat = self.seats.get(&place);
        let cards: Vec<Card> = seat.iter().flat_map(|seat| seat.cards.iter().map(|(_, card)| *card)).collect();
        self.evidence.grammar.is_full(&cards, seat.is_some_and(|seat| seat.split))
    }

    fn is_natural(&self, place: Place) -> bool {
        let seat = self.seats.get(&place).filter(|seat| !seat.split && seat.cards.len() == 2);
        seat.and_then(|seat| Total::of(seat.cards.iter().map(|(_, card)| *card)))
            .is_some_and(|total| total.points == 21)
    }

    /// Some side bets look at a third card. Settled in the middle of play without one, their hand is complete.
    pub(super) fn complete(&mut self, at: i64, wager: Wager) {
        let place = wager.place();
        let waits = matches!(wager.kind, WagerKind::Side(SideBet::LuckyMatch | SideBet::SuperSevens));
        let two = self.seats.get(&place).is_some_and(|seat| seat.cards.len() == 2);
        let more = self.guess.laid.iter().any(|laid| laid.place == place && laid.at > at);
        if waits && two && self.played && !more && at < self.dealer_done {
            let next = self.order.iter().skip_while(|other| **other != place).nth(1).copied();
            self.pass(at, next);
        }
    }

    pub(super) fn take(&mut self, at: i64, wager: Wager, part: Option<Money>, events: Vec<EventId>) {
        if self.given_up.contains(&wager) {
            self.played = true;
            self.pass(at, Some(wager.place()));
            self.seats.entry(wager.place()).or_default().done = true;
            self.give_up(at - 1, wager.place());
        }
        self.complete(at, wager);
        if part.is_some() {
            self.paid.insert(wager);
        }
        self.tell(at, Act::Take(wager, part), events);
    }

    /// Chips that went back to their bettor: won and taken up, stood off, or handed back.
    pub(super) fn taken_up(&mut self, at: i64, wager: Wager, events: Vec<EventId>) {
        if self.paid.remove(&wager) {
            return;
        }
        let dealt = self.seats.values().any(|seat| !seat.cards.is_empty());
        if !dealt && self.is_left_over(wager) {
            self.stakes.remove(&wager);
            self.told.retain(|told| !matches!(told.act, Act::Bet(of, _) if of == wager));
            return;
        }
        if self.void || !dealt {
            // Taken back before the deal, or handed back because nobody plays.
            if self.void && dealt && !self.told.iter().any(|told| told.act == Act::VoidRound) {
                self.tell(at - 1, Act::VoidRound, Vec::new());
            }
            self.tell(at, Act::Return(wager), events);
            return;
        }
        let on_hand = matches!(wager.kind, WagerKind::Main | WagerKind::Split | WagerKind::Double);
        let collected = self.collected.get(&wager.place()).copied().unwrap_or(i64::MAX);
        if self.free.contains(&wager) && !self.stands_off(wager.place()) {
            self.tell(at, Act::Take(wager, None), events);
        } else if on_hand && at < self.dealer_done && self.is_complete(wager.place()) {
            self.tell(at.min(collected) - 1, Act::Push(wager), events);
        } else if on_hand && at < self.dealer_done {
            self.hand_back(at.min(collected), wager, events);
        } else if matches!(wager.kind, WagerKind::Insurance | WagerKind::Ante) {
            self.tell(at, Act::Return(wager), events);
        } else if !self.is_overlooked(at, wager) {
            self.stood_off.push((at, wager, events));
        }
    }

    /// Whether chips stood there already when the last round was closed: what is taken up before a card comes was that round's.
    fn is_left_over(&self, wager: Wager) -> bool {
        let stood = |act: &ChipAct| matches!(act.did, Did::Bet(of, _) if of == wager) && act.events.is_empty();
        self.evidence.chips.iter().any(stood)
    }

    /// A stake goes back to its bettor while the dealer has cards to come: what was put down to raise it was refused, or the hand
    /// is void.
    fn hand_back(&mut self, at: i64, wager: Wager, events: Vec<EventId>) {
        let seat = self.seats.entry(wager.place()).or_default();
        let void = Act::Void(wager.place());
        match wager.kind {
            WagerKind::Double if seat.doubling => seat.doubling = false,
            WagerKind::Split if seat.cards.is_empty() => {}
            // Whoever bets behind does not end the hand.
            _ if wager.bettor != Bettor::SEATED || wager.tip => {}
            _ if self.told.iter().any(|told| told.act == void) => {}
            _ => {
                (seat.done, seat.doubling) = (true, false);
                self.tell(at - 2, void, Vec::new());
            }
        }
        self.tell(at - 1, Act::Return(wager), events);
    }

    /// Whether nobody settled a side bet: it lay there until the last card was long gone. A side bet never stands off by what
    /// the hands count, so that nobody calls it one; of the stake on a hand it cannot be told.
    fn is_overlooked(&self, at: i64, wager: Wager) -> bool {
        let gone = self.guess.log.iter().filter(|(_, _, happening)| matches!(happening, Happening::Gone(_)));
        let long_gone = gone.map(|(gone, ..)| gone.saturating_add(LEFT_LYING)).max().is_some_and(|last| at > last);
        let clear = || self.guess.laid.iter().all(|laid| laid.gone || laid.sights.is_empty());
        let side = matches!(wager.kind, WagerKind::Side(_));
        side && long_gone && clear() && !self.goes_with_main(at, wager)
    }

    /// Whether a side bet went back to its bettor together with a main wager that stood off: it went the way of that one.
    fn goes_with_main(&self, at: i64, wager: Wager) -> bool {
        let main = wager.of_kind(WagerKind::Main);
        let back = |act: &ChipAct| act.did == Did::TakenUp(main) && act.at == at;
        self.evidence.chips.iter().any(back) && !self.paid.contains(&main) && self.stands_off(wager.place())
    }

    /// Whether a lammer is no matter of winning or losing: the hand counts as much as the dealer's, or the dealer has 22 or
    /// a natural.
    pub(super) fn stands_off(&self, place: Place) -> bool {
        let total = |place: Place| {
            let seat = self.seats.get(&place)?;
            Total::of(seat.cards.iter().map(|(_, card)| *card))
        };
        let (Some(hand), Some(dealer)) = (total(place), total(Place::Dealer)) else { return false };
        let natural = dealer.points == 21 && self.seats.get(&Place::Dealer).is_some_and(|seat| seat.cards.len() == 2);
        natural || !hand.is_bust() && dealer.points == 22 || hand.points == dealer.points
    }

    /// A stand-off shows only when the chips are taken up. It was called in its turn: before the next wager of the box
    /// was settled, and before the hand went to the rack.
    pub(super) fn place_stand_offs(&mut self) {
        let turn = |wager: Wager| {
            let side = !matches!(wager.kind, WagerKind::Main | WagerKind::Split | WagerKind::Double);
            (side, wager.hand, wager.bettor, wager.tip, wager.kind)
        };
        self.stood_off.sort_by_key(|(_, wager, _)| std::cmp::Reverse((wager.box_no, turn(*wager))));
        for (at, wager, events) in std::mem::take(&mut self.stood_off) {
            let next = self.told.iter().filter(|told| told.at > self.dealer_done && told.at < at).filter(|told| {
                match told.act {
                    Act::Pay(other, _) | Act::Take(other, _) | Act::Push(other) => {
                        let later = other.kind != WagerKind::Insurance && turn(other) > turn(wager);
                        other.box_no == wager.box_no && later
                    }
                    Act::Collect(place) => place.box_no() == Some(wager.box_no),
                    _ => false,
                }
            });
            // Without such a sign it was called a little before.
            let called = at.saturating_sub(TO_TAKE_UP).max(self.dealer_done.saturating_add(1)).min(at);
            let when = next.map(|told| told.at).min().map_or(called, |next| next - 1);
            self.tell(when, Act::Push(wager), events);
        }
    }
}
