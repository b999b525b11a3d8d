//! A continuous shuffler: cards that were played go back into it while the game goes on.

use std::collections::VecDeque;

use table::Card;

use crate::model::random::Dice;

/// Slots of the wheel, least and most.
const SLOTS: (usize, usize) = (16, 20);
/// With fewer cards than this in the chute the machine empties a slot into it.
const CHUTE_LOW: usize = 10;

/// The cards in a continuous shuffler. It rolls dice of its own, so that what else happens at the table does not change
/// how it shuffles.
///
/// ```
/// use auditor::model::random::Dice;
/// use auditor::shuffle::Continuous;
/// use table::Card;
///
/// let mut shuffler = Continuous::load(Card::faces().collect(), &mut Dice::new(7));
/// let hand: Vec<Card> = (0..2).filter_map(|_| shuffler.draw()).collect();
/// assert_eq!(shuffler.left(), 50);
/// shuffler.put_back(hand);
/// assert_eq!(shuffler.left(), 52);
/// ```
#[derive(Clone, Debug)]
pub struct Continuous<T = Card> {
    slots: Vec<Vec<T>>,
    chute: VecDeque<T>,
    dice: Dice,
}

impl<T> Continuous<T> {
    /// A shuffler loaded with these cards.
    pub fn load(cards: Vec<T>, dice: &mut Dice) -> Self {
        let (least, most) = SLOTS;
        let mut own = Dice::new(dice.roll()).fork("continuous shuffler");
        let slots = least + own.below(most + 1 - least);
        let mut shuffler = Self { slots: (0..slots).map(|_| Vec::new()).collect(), chute: VecDeque::new(), dice: own };
        shuffler.put_back(cards);
        shuffler
    }

    /// The wheel stands still: one slot takes all cards from now on, and what is in the others never comes between them.
    pub fn stop(&mut self) {
        let cards: Vec<T> = self.slots.drain(..).flatten().collect();
        self.slots.push(cards);
    }

    /// Takes cards back, each into a slot of its own choosing, on top of those there.
    pub fn put_back(&mut self, cards: impl IntoIterator<Item = T>) {
        for card in cards {
            let slot = self.dice.below(self.slots.len());
            self.slots[slot].push(card);
        }
    }

    /// The next card; none once every card is out.
    pub fn draw(&mut self) -> Option<T> {
        while self.chute.len() < CHUTE_LOW && self.empty_a_slot() {}
        self.chute.pop_front()
    }

    /// Cards in the machine.
    pub fn left(&self) -> usize {
        self.chute.len() + self.slots.iter().map(Vec::len).sum::<usize>()
    }

    /// Moves the cards of one slot behind those in the chute, and says whether any slot had some.
    fn empty_a_slot(&mut self) -> bool {
        let full: Vec<usize> = (0..self.slots.len()).filter(|slot| !self.slots[*slot].is_empty()).collect();
        let Some(slot) = self.dice.pick(&full) else { return false };
        self.chute.extend(self.slots[*slot].drain(..).rev());
        true
    }
}
