//! The players' turns: decisions one after another, each given effect before the next.

use table::{Act, Card, Face, Money, Turn, Wager};

use super::dealing::{Dealing, is_ace};
use super::error::PlanError;
use super::plan::{Decision, Put, Raise};
use super::script::{Called, Script};
use super::seat::{HandInPlay, OnHand, letter};
use crate::hand::End;
use crate::rules::{DoubleStake, PlayerCards};
use crate::settle::Stakes;
use table::WagerKind;
use table::round::Stake;

/// What one bettor puts up for a double or split.
struct Further {
    punter: usize,
    wager: Wager,
    stake: Stake,
    chips: Money,
    lammer: Money,
}

impl<S: Script> Dealing<'_, S> {
    /// Plays a hand, and the hands split from it, to the end.
    pub(super) fn play(&mut self, seat: usize, hand: usize) -> Result<(), PlanError> {
        loop {
            if !self.seats[seat].is_open(hand) || self.seats[seat].hands[hand].done {
                return Ok(());
            }
            let natural = self.seats[seat].is_natural();
            let place = self.seats[seat].place(hand);
            let options = self.options(seat, hand);
            let keeps_natural = natural && !(self.rules.double_bj && self.script.doubles_natural(place));
            if keeps_natural || !options.any() {
                return self.complete(seat, hand);
            }
            let not = |what| Err(PlanError::NotAllowed { place, what });
            match self.script.decide(place, &options, self.seats[seat].hands[hand].total())? {
                Called::Decision(Decision::Hit) if options.hit => {
                    self.acts.push(Act::Hit(place));
                    self.further_card(seat, hand, Face::Up, Turn::Upright)?;
                }
                Called::Decision(Decision::Stand) if options.stand => {
                    self.acts.push(Act::Stand(place));
                    self.tuck(seat, hand);
                    return self.complete(seat, hand);
                }
                Called::Decision(Decision::Double(raise)) if options.double => {
                    return self.double(seat, hand, &raise, options.free_double);
                }
                Called::Decision(Decision::Surrender) if options.surrender => return self.surrender(seat, hand),
                Called::Decision(Decision::Zap) if options.zap => self.zap(seat, hand)?,
                Called::Split(raise) if options.split => return self.split(seat, hand, &raise, options.free_split),
                Called::Decision(decision) => return not(decision.word()),
                Called::Split(_) => return not("split"),
            }
        }
    }

    /// The hand takes no more cards.
    fn complete(&mut self, seat: usize, hand: usize) -> Result<(), PlanError> {
        self.seats[seat].hands[hand].done = true;
        self.settle_sides(seat)
    }

    /// Cards held by the player go under the wager where the player, not the dealer, keeps them.
    fn tuck(&mut self, seat: usize, hand: usize) {
        let on = &self.seats[seat].hands[hand];
        if self.rules.players_touch_cards && !self.rules.hole_card && !on.down.is_empty() {
            self.acts.push(Act::Tuck(self.seats[seat].place(hand)));
        }
    }

    /// A card after the first two, and what it decides at once.
    fn further_card(&mut self, seat: usize, hand: usize, face: Face, turn: Turn) -> Result<(), PlanError> {
        let card = self.card_to(seat, hand, face, turn)?;
        if hand == 0 {
            self.seats[seat].third.get_or_insert(card);
        }
        let on = &self.seats[seat].hands[hand];
        let (total, cards) = (on.total(), on.hand.cards.len());
        let wins = (self.rules.player21_wins && total.points == 21)
            || (self.rules.five_card_wins && cards >= 5 && !total.is_bust());
        if total.is_bust() || wins || on.hand.doubled {
            self.seats[seat].hands[hand].done = true;
        }
        self.settle_sides(seat)?;
        if total.is_bust() && face == Face::Up {
            self.bust(seat, hand)
        } else if wins {
            self.settle_hand(seat, hand)?;
            self.collect(seat, hand);
            Ok(())
        } else {
            Ok(())
        }
    }

    /// A hand over 21: taken at once, unless a dealer's natural could spare part of it or somebody needs the cards.
    fn bust(&mut self, seat: usize, hand: usize) -> Result<(), PlanError> {
        self.reveal(seat, hand);
        let on = &self.seats[seat].hands[hand].hand;
        let raised = on.split || on.doubled;
        if self.rules.busts_wait() && raised && self.dealers().shows_ace_or_ten() {
            return Ok(());
        }
        self.settle_hand(seat, hand)?;
        if !(self.rules.bust_waits && self.cards_needed(seat)) {
            self.collect(seat, hand);
        }
        Ok(())
    }

    fn double(&mut self, seat: usize, hand: usize, raise: &Raise, free: bool) -> Result<(), PlanError> {
        self.reveal(seat, hand);
        for further in self.furthers(seat, hand, raise, free, true)? {
            self.acts.push(Act::Double(further.wager, further.stake));
            let on = self.seats[seat].punters[further.punter].on.iter_mut().find(|on| on.hand == hand);
            if let Some(on) = on {
                on.stakes.double = further.chips;
                on.stakes.free_double = further.lammer;
            }
        }
        let hidden = self.rules.player_cards != PlayerCards::Up
            && !self.rules.hole_card
            && self.seats[seat].hands[hand].total().points <= HIDDEN_DOUBLE_MAX;
        self.seats[seat].hands[hand].hand.doubled = true;
        let sideways = self.rules.double_sideways && !hidden;
        let turn = if sideways { Turn::Sideways } else { Turn::Upright };
        self.further_card(seat, hand, if hidden { Face::Down } else { Face::Up }, turn)
    }

    fn split(&mut self, seat: usize, hand: usize, raise: &Raise, free: bool) -> Result<(), PlanError> {
        self.reveal(seat, hand);
        let furthers = self.furthers(seat, hand, raise, free, false)?;
        let opened = self.seats[seat].hands.len();
        for further in furthers {
            self.acts.push(Act::Split(further.wager, further.stake));
            let stakes = Stakes { base: further.chips, free_base: further.lammer, ..Stakes::default() };
            self.seats[seat].punters[further.punter].on.push(OnHand { hand: opened, stakes, settled: false });
        }
        let on = &mut self.seats[seat];
        let mut new = HandInPlay::default();
        new.hand.split = true;
        on.hands[hand].hand.split = true;
        new.hand.cards = on.hands[hand].hand.cards.pop().into_iter().collect();
        on.hands.push(new);
        let after = on.order.iter().position(|at| *at == hand).map_or(on.order.len(), |at| at + 1);
        on.order.insert(after, opened);
        let (from, to) = (on.place(hand), on.place(opened));
        self.script.opened(from, to);
        self.settle_sides(seat)?;
        for hand in [hand, opened] {
            let ace = self.seats[seat].hands[hand].hand.cards.first().is_some_and(|card| is_ace(*card));
            let turn = if ace && self.rules.split_ace_sideways { Turn::Sideways } else { Turn::Upright };
            self.further_card(seat, hand, Face::Up, turn)?;
            self.play(seat, hand)?;
        }
        Ok(())
    }

    /// What everybody with a stake on the hand puts up.
    fn furthers(
        &self,
        seat: usize,
        hand: usize,
        raise: &Raise,
        free: bool,
        double: bool,
    ) -> Result<Vec<Further>, PlanError> {
        let on = &self.seats[seat];
        let mut furthers = Vec::new();
        for (at, punter) in on.punters.iter().enumerate() {
            let Some(held) = punter.on.iter().find(|on| on.hand == hand && !on.settled) else { continue };
            let wager = on.wager(punter.who, hand);
            let wrong = |why| PlanError::Wager { wager, why };
            let ridden =
                if hand == 0 { on.ridden(punter.who).map_or(Money::ZERO, |(_, ridden)| ridden) } else { Money::ZERO };
            let extra = held.stakes.cap.plus(ridden).ok_or(PlanError::Amount { wager })?;
            let own = held.stakes.base.max(held.stakes.free_base);
            let full = own.plus(extra).ok_or(PlanError::Amount { wager })?;
            let (stake, chips, lammer) = match raise.of(punter.who) {
                Put::Stay if at == 0 => return Err(wrong("the seated player cannot stay")),
                Put::Stay => continue,
                Put::Free if !free => return Err(wrong("there is no free bet on this hand")),
                Put::Free => (Stake::Free, Money::ZERO, punter.main),
                Put::Due if free => (Stake::Free, Money::ZERO, punter.main),
                Put::Due if extra == Money::ZERO => (Stake::Full, full, Money::ZERO),
                Put::Due => (Stake::Chips(full), full, Money::ZERO),
                Put::Chips(amount) => {
                    let chips = self.script.chips(amount, wager)?;
                    let stands = if double { self.may_stake(chips, full) } else { chips == full };
                    if !stands {
                        return Err(wrong("the further stake is not what the rules ask"));
                    }
                    (Stake::Chips(chips), chips, Money::ZERO)
                }
            };
            furthers.push(Further { punter: at, wager, stake, chips, lammer });
        }
        Ok(furthers)
    }

    /// Whether a double may be this much.
    fn may_stake(&self, chips: Money, full: Money) -> bool {
        let sign = super::bets::limit(self.limits, WagerKind::Main);
        let half = Money::from_minor(full.minor() / 2);
        chips > Money::ZERO
            && chips <= full
            && match self.rules.double_stake {
                DoubleStake::Equal => chips == full,
                DoubleStake::FullOrHalfOfMax => {
                    chips == full || (chips == half && self.rules.bet_max.is_none_or(|most| full == most))
                }
                DoubleStake::IncrementToEqual => sign.and_then(|sign| sign.step).is_none_or(|step| chips >= step),
                DoubleStake::TableMinToEqual => sign.is_none_or(|sign| chips >= sign.min || chips == full),
            }
    }

    fn surrender(&mut self, seat: usize, hand: usize) -> Result<(), PlanError> {
        self.reveal(seat, hand);
        for punter in &self.seats[seat].punters {
            self.acts.push(Act::Surrender(self.seats[seat].wager(punter.who, hand)));
        }
        self.seats[seat].hands[hand].hand.end = End::Surrendered;
        self.complete(seat, hand)?;
        let natural_possible = !self.rules.hole_card && self.dealers().shows_ace_or_ten();
        if !natural_possible {
            self.settle_hand(seat, hand)?;
            if !self.cards_needed(seat) {
                self.collect(seat, hand);
            }
        }
        Ok(())
    }

    /// Two new cards: the old ones are turned sideways for the camera and go to the rack first.
    fn zap(&mut self, seat: usize, hand: usize) -> Result<(), PlanError> {
        let place = self.seats[seat].place(hand);
        self.acts.extend([Act::Zap(place), Act::TurnSideways(place)]);
        let held = &mut self.seats[seat].hands[hand].hand;
        held.zapped = true;
        let old: Vec<Card> = std::mem::take(&mut held.cards).to_vec();
        self.acts.extend(old.into_iter().map(Act::Discard));
        let first = self.card_to(seat, hand, Face::Up, Turn::Upright)?;
        let second = self.script.card(place)?;
        let turn = if crate::hand::is_ace_and_ten(&[first, second]) { Turn::Sideways } else { Turn::Upright };
        let _ = self.seats[seat].hands[hand].hand.cards.try_push(second);
        self.acts.push(Act::Card { to: place, card: second, face: Face::Up, turn });
        Ok(())
    }

    /// Turns up whatever of a hand lies face down.
    pub(super) fn reveal(&mut self, seat: usize, hand: usize) {
        let place = self.seats[seat].place(hand);
        let on = &mut self.seats[seat].hands[hand];
        let down: Vec<Card> = on.down.drain(..).filter_map(|at| on.hand.cards.get(at).copied()).collect();
        self.acts.extend(down.into_iter().map(|card| Act::TurnUp(place, card)));
    }

    /// The cards of a settled hand go to the rack.
    pub(super) fn collect(&mut self, seat: usize, hand: usize) {
        if !self.seats[seat].hands[hand].collected {
            self.seats[seat].hands[hand].collected = true;
            self.acts.push(Act::Collect(table::Place::Box(self.seats[seat].no, letter(hand))));
        }
    }
}

/// A double on no more than this cannot bust, so its card may come face down where players hold their cards.
const HIDDEN_DOUBLE_MAX: u16 = 11;
