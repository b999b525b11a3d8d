//! Dealing a round from first wager to last chip, step by step as the rulebook asks.

use table::{Act, Card, Face, Limit, Money, Place, Rank, SideBet, Total, Turn, WagerKind};

use super::error::PlanError;
use super::plan::Who;
use super::script::{Opening, Script};
use super::seat::{Punter, Seat, Side};
use super::{bets, options};
use crate::dealer::must_draw;
use crate::hand::{DealerHand, End, is_ace_and_ten};
use crate::rules::{Burn, DealerSkip, EvenMoney, NaturalTiming, PlayerCards, Rules};

/// A round being dealt.
pub(super) struct Dealing<'a, S> {
    pub(super) rules: &'a Rules,
    pub(super) limits: &'a [Limit],
    pub(super) script: S,
    pub(super) opening: Opening,
    pub(super) acts: Vec<Act>,
    pub(super) seats: Vec<Seat>,
    /// The dealer's cards that everybody has seen.
    pub(super) dealer: Vec<Card>,
    /// The hole card until it is turned.
    pub(super) hole: Option<Card>,
    /// Whether the dealer takes no more cards.
    pub(super) dealer_done: bool,
    /// The progressive meter.
    pub(super) meter: Money,
}

impl<'a, S: Script> Dealing<'a, S> {
    /// Seats everybody who bets, once the rules let the bets stand.
    pub(super) fn new(
        rules: &'a Rules,
        limits: &'a [Limit],
        mut opening: Opening,
        script: S,
    ) -> Result<Self, PlanError> {
        opening.bets.sort_by_key(|(wager, _)| wager.box_no);
        bets::with_ante(rules, limits, &mut opening);
        bets::check(rules, limits, &opening.bets)?;
        let mut seats: Vec<Seat> = Vec::new();
        for (wager, amount) in &opening.bets {
            let who = Who { bettor: wager.bettor, tip: wager.tip };
            if seats.last().is_none_or(|seat| seat.no != wager.box_no) {
                seats.push(Seat::new(wager.box_no));
            }
            let Some(seat) = seats.last_mut() else { continue };
            match wager.kind {
                WagerKind::Main => seat.punters.push(Punter::new(who, *amount)),
                WagerKind::Side(bet) => {
                    seat.sides.push(Side { who, bet, stake: *amount, settled: false, ridden: None });
                }
                _ => {}
            }
        }
        for seat in &mut seats {
            seat.punters.sort_by_key(|punter| (punter.who.bettor, punter.who.tip));
            seat.sides.sort_by_key(|side| (side.bet, side.who.bettor, side.who.tip));
        }
        if seats.is_empty() {
            return Err(PlanError::Empty);
        }
        let meter = opening.meter.unwrap_or(super::sides::METER_SEED);
        Ok(Self {
            rules,
            limits,
            script,
            opening,
            acts: Vec::new(),
            seats,
            dealer: Vec::new(),
            hole: None,
            dealer_done: false,
            meter,
        })
    }

    /// The whole round.
    pub(super) fn run(mut self) -> Result<(Vec<Act>, S), PlanError> {
        self.place_bets()?;
        self.initial_deal()?;
        self.interim_settlement()?;
        let peeked = self.peek()?;
        if !peeked {
            for seat in 0..self.seats.len() {
                self.play(seat, 0)?;
            }
        }
        let stood = self.dealers_hand()?;
        self.final_settlement()?;
        self.script.finish(stood)?;
        self.acts.push(Act::End);
        self.acts.append(&mut self.opening.after);
        Ok((self.acts, self.script))
    }

    fn place_bets(&mut self) -> Result<(), PlanError> {
        self.acts.append(&mut self.opening.shoe);
        let blazing = self.has_side(SideBet::Blazing7);
        if blazing {
            self.acts.push(Act::Meter(self.meter));
        }
        self.acts.extend(self.opening.bets.iter().map(|(wager, amount)| Act::Bet(*wager, *amount)));
        self.acts.push(Act::NoMoreBets);
        if blazing {
            self.start_progressive();
        }
        if self.rules.burn == Burn::PerRound {
            let card = self.script.burn()?;
            self.acts.push(Act::Burn(card));
        }
        Ok(())
    }

    pub(super) fn has_side(&self, bet: SideBet) -> bool {
        self.seats.iter().any(|seat| seat.sides.iter().any(|side| side.bet == bet))
    }

    /// One card to each box, one to the dealer, a second to each box, and the hole card where the game has one.
    fn initial_deal(&mut self) -> Result<(), PlanError> {
        for seat in 0..self.seats.len() {
            self.first_card(seat)?;
        }
        let up = self.script.card(Place::Dealer)?;
        self.dealer_card(up);
        self.settle_war()?;
        for seat in 0..self.seats.len() {
            self.first_card(seat)?;
        }
        if self.rules.hole_card {
            self.hole = Some(self.script.card(Place::Dealer)?);
            let (face, turn) = (Face::Down, Turn::Upright);
            self.acts.push(Act::Card { to: Place::Dealer, card: Card::HIDDEN, face, turn });
        }
        Ok(())
    }

    /// One of a box's first two cards.
    fn first_card(&mut self, seat: usize) -> Result<(), PlanError> {
        let face = if self.rules.player_cards == PlayerCards::Up { Face::Up } else { Face::Down };
        let card = self.card_to(seat, 0, face, Turn::Upright)?;
        let seat = &mut self.seats[seat];
        // Never more than two: this is only called twice for a seat.
        let _ = seat.initial.try_push(card);
        Ok(())
    }

    /// The next card to a hand.
    pub(super) fn card_to(&mut self, seat: usize, hand: usize, face: Face, turn: Turn) -> Result<Card, PlanError> {
        let to = self.seats[seat].place(hand);
        let card = self.script.card(to)?;
        let at = &mut self.seats[seat].hands[hand];
        let full = PlanError::NotAllowed { place: to, what: "take another card" };
        at.hand.cards.try_push(card).map_err(|_| full)?;
        if face == Face::Down {
            let _ = at.down.try_push(at.hand.cards.len() - 1);
        }
        self.acts.push(Act::Card { to, card, face, turn });
        Ok(card)
    }

    fn dealer_card(&mut self, card: Card) {
        self.dealer.push(card);
        self.acts.push(Act::Card { to: Place::Dealer, card, face: Face::Up, turn: Turn::Upright });
    }

    pub(super) fn dealers(&self) -> DealerHand<'_> {
        DealerHand { cards: &self.dealer }
    }

    /// What is settled between the initial deal and the first decision.
    fn interim_settlement(&mut self) -> Result<(), PlanError> {
        let antes: Vec<_> =
            self.opening.bets.iter().map(|(wager, _)| *wager).filter(|wager| wager.kind == WagerKind::Ante).collect();
        self.acts.extend(antes.into_iter().rev().map(|wager| Act::Take(wager, None)));
        for seat in (0..self.seats.len()).rev() {
            self.settle_sides(seat)?;
        }
        let waits = self.dealers().shows_ace_or_ten();
        match self.rules.bj_timing {
            NaturalTiming::AtOnce => self.pay_naturals()?,
            NaturalTiming::WaitForAceOrTen if !waits => self.pay_naturals()?,
            NaturalTiming::WaitForAceOrTen | NaturalTiming::AfterPeek => {}
        }
        if self.dealers().shows_ace() {
            self.insurance()?;
            self.even_money()?;
        }
        Ok(())
    }

    /// Pays the naturals whose time has come, from the dealer's right.
    fn pay_naturals(&mut self) -> Result<(), PlanError> {
        for seat in (0..self.seats.len()).rev() {
            let doubles = self.rules.double_bj && self.script.doubles_natural(self.seats[seat].place(0));
            if self.seats[seat].is_natural() && !doubles {
                self.settle_hand(seat, 0)?;
                self.collect(seat, 0);
            }
        }
        Ok(())
    }

    fn insurance(&mut self) -> Result<(), PlanError> {
        self.acts.push(Act::OfferInsurance);
        for seat in 0..self.seats.len() {
            for at in 0..self.seats[seat].punters.len() {
                let (on, punter) = (&self.seats[seat], &self.seats[seat].punters[at]);
                let natural = on.is_natural() && !self.rules.insurance_on_bj;
                if punter.who.tip || natural || !on.is_open(0) {
                    continue;
                }
                let wager = on.wager(punter.who, 0).of_kind(WagerKind::Insurance);
                let base =
                    if self.rules.war_cap_in_insurance { punter.main.plus(punter.cap) } else { Some(punter.main) };
                let most = base.and_then(|base| base.at(self.rules.insurance_max)).map(|most| most.whole);
                let most = most.ok_or(PlanError::Amount { wager })?;
                let Some(amount) = self.script.insure(wager, most)? else { continue };
                if amount > most || amount <= Money::ZERO {
                    return Err(PlanError::Wager { wager, why: "more is insured than the rules allow" });
                }
                self.seats[seat].punters[at].insurance = Some(amount);
                self.acts.push(Act::Bet(wager, amount));
            }
        }
        Ok(())
    }

    /// Pays those naturals that ask for even money; the cards go once nobody else has a stake on them.
    fn even_money(&mut self) -> Result<(), PlanError> {
        let offered = match self.rules.even_money {
            EvenMoney::Never => false,
            EvenMoney::Ace => true,
            EvenMoney::AceIfThreeToTwo => Some(self.rules.bj_pays) == table::Odds::new(3, 2),
        };
        for seat in 0..self.seats.len() {
            if !offered || !self.seats[seat].is_natural() || !self.seats[seat].is_open(0) {
                continue;
            }
            for at in 0..self.seats[seat].punters.len() {
                let who = self.seats[seat].punters[at].who;
                let wager = self.seats[seat].wager(who, 0);
                // What he plays for the dealer goes with the bettor's own choice.
                let own = |punter: &Punter| punter.who.bettor == who.bettor && punter.even_money;
                let follows = who.tip && self.seats[seat].punters.iter().any(own);
                if follows || (!who.tip && self.script.even_money(wager)) {
                    self.reveal(seat, 0);
                    self.acts.push(Act::EvenMoney(wager));
                    self.seats[seat].punters[at].even_money = true;
                    self.settle_punter(seat, at, 0)?;
                    self.settle_insurance_of(seat, at, self.rules.even_money_refunds_insurance)?;
                }
            }
            if !self.seats[seat].is_open(0) {
                self.collect(seat, 0);
            }
        }
        Ok(())
    }

    /// Looks at the hole card under an ace or ten. True if the dealer has a natural and the round is over.
    fn peek(&mut self) -> Result<bool, PlanError> {
        if let Some(hole) = self.hole
            && self.dealers().shows_ace_or_ten()
        {
            self.acts.push(Act::Peek);
            if is_ace_and_ten(&[self.dealer[0], hole]) {
                return Ok(true);
            }
            self.take_losing_insurance()?;
        }
        if self.rules.bj_timing == NaturalTiming::AfterPeek {
            self.pay_naturals()?;
        }
        Ok(false)
    }

    /// The dealer's further cards. What the hand counts, if it is the rules that stop it.
    fn dealers_hand(&mut self) -> Result<Option<Total>, PlanError> {
        for seat in &mut self.seats {
            seat.hands.iter_mut().for_each(|hand| hand.done = true);
        }
        if let Some(hole) = self.hole.take() {
            self.dealer.push(hole);
            self.acts.push(Act::TurnUp(Place::Dealer, hole));
        } else if self.needs_second_card() {
            let card = self.script.card(Place::Dealer)?;
            self.dealer_card(card);
        }
        let mut stood = None;
        if self.dealer.len() > 1 {
            self.after_second_card()?;
            stood = self.draw()?;
        }
        self.dealer_done = true;
        Ok(stood)
    }

    fn draw(&mut self) -> Result<Option<Total>, PlanError> {
        loop {
            let Some(total) = self.dealers().total() else {
                return Err(PlanError::NoCard { place: Place::Dealer });
            };
            if !must_draw(self.rules, total) {
                return Ok(Some(total));
            }
            let card = if self.depends_on_dealer() {
                Some(self.script.card(Place::Dealer)?)
            } else if self.rules.dealer_skip == DealerSkip::Unstated {
                self.script.idle_card()
            } else {
                None
            };
            match card {
                Some(card) => self.dealer_card(card),
                None => return Ok(None),
            }
        }
    }

    /// Whether any wager waits for the dealer's second card.
    fn needs_second_card(&self) -> bool {
        self.seats.iter().any(|seat| {
            let insured = seat.punters.iter().any(|punter| punter.insurance.is_some());
            let side = |side: &Side| !side.settled && matches!(side.bet, SideBet::Push22 | SideBet::KingsBounty);
            insured || (0..seat.hands.len()).any(|hand| seat.is_open(hand)) || seat.sides.iter().any(side)
        })
    }

    /// Whether any wager still turns on the dealer's total.
    fn depends_on_dealer(&self) -> bool {
        self.seats.iter().any(|seat| {
            let contested = |at: usize| {
                let hand = &seat.hands[at].hand;
                seat.is_open(at) && !hand.is_natural() && hand.end == End::Played && !seat.hands[at].total().is_bust()
            };
            let push22 = |side: &Side| !side.settled && side.bet == SideBet::Push22;
            (0..seat.hands.len()).any(contested) || seat.sides.iter().any(push22)
        })
    }

    pub(super) fn options(&self, seat: usize, hand: usize) -> options::Options {
        options::options(self.rules, &self.seats[seat].hands[hand], self.seats[seat].hands.len())
    }
}

/// Whether a card is an ace.
pub(super) fn is_ace(card: Card) -> bool {
    card.rank() == Some(Rank::Ace)
}
