//! The table's cards as they lie: in the shoe or shuffler, and in the rack.

use std::collections::VecDeque;

use auditor::model::random::Dice;
use table::{Card, Round};

use super::cards;
use crate::Draw;
use crate::shuffle::{Continuous, Ready};
use crate::truth::Shuffled;

/// All the cards of a table. Between rounds every one of them is in the stock, the machine or the rack.
pub(super) struct Pack {
    /// The cards to be dealt, the next one first; of a continuous shuffler, as it would give them without interruption.
    stock: VecDeque<Card>,
    /// The shuffler the stock comes from.
    machine: Option<Continuous>,
    /// The discard rack, the lowest card first.
    rack: Vec<Card>,
    /// How many of the next cards are burned before any is played.
    burns: usize,
    /// Cards behind the cutting card.
    behind: Option<usize>,
    /// Whether the cutting card has come out.
    cut_card_out: bool,
    /// What went into the shuffle, and how it was done.
    before: Vec<Card>,
    how: String,
    /// The cards that left the shoe since, in order.
    dealt: Vec<Card>,
}

impl Pack {
    /// The cards of a shoe made ready.
    pub(super) fn of(ready: Ready, continuous: bool, dice: &mut Dice) -> Self {
        let Ready { how, before, stock, cut_card_behind, burned, .. } = ready;
        let mut pack = Self {
            stock: VecDeque::new(),
            machine: None,
            rack: Vec::new(),
            burns: burned.len(),
            behind: (cut_card_behind > 0).then_some(cut_card_behind),
            cut_card_out: false,
            before,
            how,
            dealt: Vec::new(),
        };
        if continuous {
            pack.machine = Some(Continuous::load(burned.into_iter().chain(stock).collect(), dice));
            pack.refill();
        } else {
            pack.stock = burned.into_iter().chain(stock).collect();
        }
        pack
    }

    /// The cards to be burned before any is played, and those to be played, the next one first.
    pub(super) fn stock(&self) -> (Vec<Card>, VecDeque<Card>) {
        let mut cards = self.stock.iter().copied();
        (cards.by_ref().take(self.burns).collect(), cards.collect())
    }

    /// Cards left.
    pub(super) fn left(&self) -> usize {
        self.stock.len()
    }

    /// Whether the cutting card is out, so that the next round needs a shuffle.
    pub(super) fn is_over(&self) -> bool {
        self.cut_card_out
    }

    /// Whether the cards of a round can come out of the shoe.
    pub(super) fn holds(&self, draws: &[Draw]) -> bool {
        cards::take(&mut self.stock.clone(), draws).is_some()
    }

    /// Deals some of the shoe while nobody is watching; a continuous shuffler has no middle.
    pub(super) fn play_to_the_middle(&mut self, dice: &mut Dice) {
        self.burns = 0;
        if self.machine.is_some() {
            return;
        }
        let playable = self.stock.len().saturating_sub(self.behind.unwrap_or(0));
        let unseen = playable / 4 + dice.below(playable / 4 + 1);
        for card in self.stock.drain(..unseen) {
            self.dealt.push(card);
            self.rack.push(card);
        }
    }

    /// After how many draws of the next round the cutting card comes out.
    pub(super) fn cut_card_after(&self) -> Option<usize> {
        self.behind.filter(|_| !self.cut_card_out).map(|behind| self.stock.len().saturating_sub(behind))
    }

    /// A round was dealt from these cards. A card that is not in the shoe was brought to the table, and leaves it again.
    pub(super) fn played(&mut self, round: &Round, draws: &[Draw], dice: &mut Dice) {
        self.burns = 0;
        let mut next: Vec<Card> = self.stock.iter().take(draws.len()).copied().collect();
        let mut ours = Vec::with_capacity(draws.len());
        for draw in draws {
            if let Some(at) = self.stock.iter().position(|card| *card == draw.card) {
                self.stock.remove(at);
                ours.push(*draw);
            }
        }
        let mut came: Vec<Card> = ours.iter().map(|draw| draw.card).collect();
        self.dealt.extend(&came);
        self.cut_card_out |= round.steps.iter().any(|step| step.act == table::Act::CutCardOut);
        let discards = cards::racked(round, &ours);
        let Some(machine) = &mut self.machine else {
            self.rack.extend(discards);
            return;
        };
        next.sort_unstable();
        came.sort_unstable();
        if next == came {
            for _ in &came {
                machine.draw();
            }
        } else {
            // A staged round takes its cards from anywhere in the machine.
            *machine = Continuous::load(self.stock.drain(..).collect(), dice);
        }
        machine.put_back(discards);
        self.refill();
    }

    /// The wheel of the machine stands still from now on.
    pub(super) fn stop_machine(&mut self) {
        if let Some(machine) = &mut self.machine {
            machine.stop();
            self.refill();
        }
    }

    /// What the machine would give.
    fn refill(&mut self) {
        let mut ahead = self.machine.clone();
        self.stock = std::iter::from_fn(|| ahead.as_mut().and_then(Continuous::draw)).collect();
    }

    /// All cards as they come to the next shuffle: the rack, and on it what was not dealt.
    pub(super) fn gather(&mut self) -> Vec<Card> {
        let mut cards = std::mem::take(&mut self.rack);
        cards.extend(self.stock.drain(..));
        cards
    }

    /// The shuffle that made this shoe, with the order in which its cards really came and would have come.
    pub(super) fn shuffled(&self, shoe: u32) -> Shuffled {
        let after = self.dealt.iter().chain(&self.stock).copied().collect();
        Shuffled { shoe, how: self.how.clone(), before: self.before.clone(), after }
    }
}
