//! What still turns on the dealer's hand: which hands, which other wagers, and which stakes wait for it.

use table::{Place, SideBet, WagerKind};

use super::{Astray, HandState, Table};
use crate::hand::{End, is_ace_and_ten};
use crate::rules::{EvenMoney, NaturalTiming, Surrender};

impl Table<'_> {
    /// Whether a hand's stakes turn on what the dealer's hand counts; `None` if a card of it is not known.
    pub fn turns_on_dealer(&self, hand: &HandState) -> Option<bool> {
        if hand.play.end != End::Played || hand.play.is_natural() {
            return Some(false);
        }
        let total = hand.play.total()?;
        let won = (self.rules.player21_wins && total.points == 21)
            || (self.rules.five_card_wins && hand.play.cards.len() >= 5);
        Some(!total.is_bust() && !won)
    }

    /// Whether a hand lies on a box on which nobody had bet when its card came: whatever it counts, nothing turns on it.
    pub fn is_astray(&self, place: Place) -> bool {
        self.watch.misdeals.iter().any(|misdeal| misdeal.astray == Astray::EmptyBox && misdeal.due == place)
    }

    /// Whether anybody has a stake on a hand that should still be standing.
    pub fn is_unsettled(&self, place: Place) -> bool {
        self.stakes_on(place).any(|standing| !self.is_settled_in_time(standing))
    }

    /// Every bettor's own stakes on a hand: main or split, and double.
    pub fn stakes_on(&self, place: Place) -> impl Iterator<Item = &super::Standing> {
        self.wagers.stakes_on(place)
    }

    /// Whether the rules let a natural be paid even money here: against an ace, and where asked for, on a 3:2 layout.
    pub fn grants_even_money(&self, standing: &super::Standing) -> bool {
        let natural = self.hand(standing.wager.place()).is_some_and(|hand| is_ace_and_ten(&hand.play.cards));
        let odds = match self.rules.even_money {
            EvenMoney::Never => false,
            EvenMoney::Ace => true,
            EvenMoney::AceIfThreeToTwo => Some(self.rules.bj_pays) == table::Odds::new(3, 2),
        };
        natural && odds && self.dealer_hand().shows_ace()
    }

    /// Whether a wager is settled, and not before its time: a main wager taken while cards are still being dealt, or
    /// paid on a request that the rules do not grant, should still be standing.
    pub fn is_settled_in_time(&self, standing: &super::Standing) -> bool {
        let in_deal = standing.wager.kind == WagerKind::Main && standing.fate.in_deal;
        let ungranted = standing.even_money.is_some() && !self.grants_even_money(standing);
        standing.fate.is_settled() && !in_deal && !ungranted
    }

    /// Whether a side bet of a kind stands that is neither void nor settled.
    pub fn has_open_side(&self, bet: SideBet) -> bool {
        let mut bets = self.wagers.of_kind(WagerKind::Side(bet));
        bets.any(|standing| !standing.fate.is_settled() && !self.is_void(standing))
    }

    /// Whether a wager stands on a box whose hand was declared void.
    pub fn is_void(&self, standing: &super::Standing) -> bool {
        self.box_at(standing.wager.box_no).hands.first().is_some_and(|hand| hand.play.end == End::Void)
    }

    /// Whether a bust hand stays on the table because a dealer's natural would take only the original stake.
    pub fn bust_waits(&self, hand: &HandState) -> bool {
        self.rules.busts_wait() && (hand.play.split || hand.play.doubled) && self.dealer_hand().shows_ace_or_ten()
    }

    /// Whether a natural is paid only when the dealer's second card is known.
    pub fn natural_waits(&self) -> bool {
        match self.rules.bj_timing {
            NaturalTiming::AtOnce => false,
            NaturalTiming::WaitForAceOrTen => self.dealer_hand().shows_ace_or_ten(),
            NaturalTiming::AfterPeek => true,
        }
    }

    /// Whether a hand's stakes turn on the dealer's second card, whatever follows it.
    pub fn turns_on_second_card(&self, hand: &HandState) -> bool {
        let natural_possible = self.dealer_hand().shows_ace_or_ten();
        let surrendered = hand.play.end == End::Surrendered && self.rules.surrender == Surrender::Provisional;
        let natural = hand.play.end == End::Played && hand.play.is_natural() && self.natural_waits();
        let bust = hand.is_bust() && self.bust_waits(hand);
        self.turns_on_dealer(hand) == Some(true) || (natural_possible && (surrendered || natural || bust))
    }
}
