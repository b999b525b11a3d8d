//! Side bets while the round runs: which of them were settled before their time, and which were left standing past it.

use table::{Act, Bettor, SideBet, WagerKind};

use super::{Deal, Table};
use crate::settle::side::{Judged, judge};

impl Table<'_> {
    /// Notes, before a step is followed, what it means for the side bets on the layout.
    #[inline]
    pub(super) fn note_side_bets(&mut self, act: &Act) {
        if self.wagers.has_sides() {
            self.note_bets_that_stand(act);
        }
    }

    fn note_bets_that_stand(&mut self, act: &Act) {
        match act {
            Act::Pay(wager, _) | Act::Take(wager, _) | Act::Push(wager) | Act::Return(wager) => {
                let WagerKind::Side(bet) = wager.kind else { return };
                // Chips for the progressive go to the tray before the deal, whatever comes.
                let fee = bet == SideBet::Blazing7 && !matches!(act, Act::Pay(..));
                if !fee
                    && self.is_undecided(bet, *wager)
                    && let Some(standing) = self.wagers.get_mut(*wager)
                {
                    standing.early = true;
                }
            }
            // Those behind follow the seated player's decision: theirs is no further move.
            Act::Double(wager, _) | Act::Split(wager, _) | Act::Surrender(wager)
                if wager.bettor != Bettor::SEATED || wager.tip => {}
            Act::Card { .. }
            | Act::Hit(_)
            | Act::Stand(_)
            | Act::Double(..)
            | Act::Split(..)
            | Act::Surrender(_)
            | Act::Zap(_)
                if self.deal == Deal::Done =>
            {
                self.note_overdue();
            }
            _ => {}
        }
    }

    /// Whether the cards that will decide a side bet have not all come. A card that came and was not read is no such
    /// card.
    fn is_undecided(&self, bet: SideBet, wager: table::Wager) -> bool {
        let facts = self.side_facts(wager);
        let read = facts.initial.iter().chain(facts.dealer.cards).chain(&facts.third).all(|card| card.is_known());
        read && judge(self.rules, bet, &facts) == Judged::Open
    }

    fn note_overdue(&mut self) {
        let mut overdue = [0u64; super::wagers::MOST_WAGERS.div_ceil(64)];
        let mut any = false;
        for (index, standing) in self.wagers.iter().enumerate() {
            let WagerKind::Side(bet) = standing.wager.kind else { continue };
            let fate = &standing.fate;
            let stands = if bet == SideBet::Blazing7 { fate.paid.is_none() } else { !fate.is_settled() };
            // A bet on the dealer's hand is never decided by the up card alone.
            let waits = bet == SideBet::Push22 && self.dealer.cards.len() < 2;
            if !stands || standing.overdue || waits {
                continue;
            }
            let judged = judge(self.rules, bet, &self.side_facts(standing.wager));
            if judged != Judged::Open {
                overdue[index / 64] |= 1 << (index % 64);
                any = true;
            }
        }
        if any {
            self.wagers.mark_overdue(&overdue);
        }
    }
}
