//! The layout: what lies where as the steps of a round go by. It follows what was done and judges nothing.

use std::collections::BTreeMap;

use crate::card::Card;
use crate::money::Money;
use crate::place::{BoxNo, Face, Hand, Place, Turn};
use crate::round::{Act, Round, Stake};
use crate::total::Total;
use crate::wager::{Wager, WagerKind};

/// A card on the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaidCard {
    /// Which.
    pub card: Card,
    /// Which way up.
    pub face: Face,
    /// Which way round.
    pub turn: Turn,
}

/// A hand on the layout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaidHand {
    /// Its cards in the order they came.
    pub cards: Vec<LaidCard>,
    /// Cards that were exchanged for others.
    pub zapped: Vec<LaidCard>,
    /// Whether it was declared void.
    pub void: bool,
}

impl LaidHand {
    /// What it counts, if every card is known.
    pub fn total(&self) -> Option<Total> {
        Total::of(self.cards.iter().map(|laid| laid.card))
    }
}

/// What became of a wager.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chips {
    /// What was staked last; a free bet is the lammer's worth.
    pub stake: Money,
    /// Whether it is a free bet.
    pub free: bool,
    /// What was paid beside the stake.
    pub paid: Option<Money>,
    /// What was taken.
    pub taken: Option<Money>,
    /// Whether it stood off.
    pub pushed: bool,
    /// Whether it was handed back.
    pub returned: bool,
}

/// Everything on the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The hands by place; the dealer's first.
    pub hands: BTreeMap<Place, LaidHand>,
    /// The wagers.
    pub wagers: BTreeMap<Wager, Chips>,
    /// Cards burned, in order.
    pub burned: Vec<Card>,
}

impl Layout {
    /// The layout after the last step of a round. Hands already cleared away are still shown.
    pub fn after(round: &Round) -> Self {
        let mut layout = Self::default();
        for step in &round.steps {
            layout.apply(&step.act);
        }
        layout
    }

    /// Follows one step.
    pub fn apply(&mut self, act: &Act) {
        match act {
            Act::Burn(card) => self.burned.push(*card),
            Act::Card { to, card, face, turn } => {
                self.hand(*to).cards.push(LaidCard { card: *card, face: *face, turn: *turn });
            }
            Act::TurnUp(place, card) => {
                if let Some(laid) = self.hand(*place).cards.iter_mut().find(|laid| laid.face == Face::Down) {
                    *laid = LaidCard { card: *card, face: Face::Up, ..*laid };
                }
            }
            Act::TurnSideways(place) => {
                for laid in &mut self.hand(*place).cards {
                    laid.turn = Turn::Sideways;
                }
            }
            Act::Zap(place) => {
                let hand = self.hand(*place);
                hand.zapped.append(&mut hand.cards);
            }
            Act::Move { card, from, to } => {
                let cards = &mut self.hand(*from).cards;
                if let Some(at) = cards.iter().rposition(|laid| laid.card == *card) {
                    let laid = cards.remove(at);
                    self.hand(*to).cards.push(laid);
                }
            }
            Act::Void(place) => self.hand(*place).void = true,
            Act::VoidRound => self.hands.values_mut().for_each(|hand| hand.void = true),
            Act::Bet(wager, amount) | Act::Alter(wager, amount) => self.chips(*wager).stake = *amount,
            Act::Double(wager, stake) => self.raise(wager.of_kind(WagerKind::Double), *wager, *stake),
            Act::Split(wager, stake) => self.split(*wager, *stake),
            Act::Pay(wager, amount) => {
                let paid = self.chips(*wager).paid.unwrap_or_default();
                self.chips(*wager).paid = paid.plus(*amount);
            }
            Act::Take(wager, amount) => {
                let stake = self.chips(*wager).stake;
                self.chips(*wager).taken = Some(amount.unwrap_or(stake));
            }
            Act::Push(wager) => self.chips(*wager).pushed = true,
            Act::Return(wager) => self.chips(*wager).returned = true,
            _ => {}
        }
    }

    /// The boxes with cards or chips, first to last.
    pub fn boxes(&self) -> Vec<BoxNo> {
        let hands = self.hands.keys().filter_map(|place| place.box_no());
        let mut boxes: Vec<_> = hands.chain(self.wagers.keys().map(|wager| wager.box_no)).collect();
        boxes.sort_unstable();
        boxes.dedup();
        boxes
    }

    fn hand(&mut self, place: Place) -> &mut LaidHand {
        self.hands.entry(place).or_default()
    }

    fn chips(&mut self, wager: Wager) -> &mut Chips {
        self.wagers.entry(wager).or_default()
    }

    /// Puts a further stake beside the one it answers to.
    fn raise(&mut self, further: Wager, standing: Wager, stake: Stake) {
        let full = self.chips(standing.of_kind(WagerKind::stake(standing.hand))).stake;
        *self.chips(further) = Chips {
            stake: if let Stake::Chips(amount) = stake { amount } else { full },
            free: stake == Stake::Free,
            ..Chips::default()
        };
    }

    /// Opens the next hand of the box with the second card. A bettor behind who splits too only adds chips.
    fn split(&mut self, wager: Wager, stake: Stake) {
        let last = self.hands.keys().filter_map(|place| match place {
            Place::Box(box_no, hand) if *box_no == wager.box_no => Some(*hand),
            _ => None,
        });
        let last = last.max().unwrap_or(Hand::A);
        let cards = &mut self.hand(wager.place()).cards;
        let opened = if cards.len() > 1 {
            let Some(next) = u8::try_from(last.index() + 1).ok().and_then(Hand::new) else { return };
            let moved = cards.split_off(1);
            self.hand(Place::Box(wager.box_no, next)).cards = moved;
            next
        } else {
            last
        };
        let further = Wager { hand: opened, kind: WagerKind::stake(opened), ..wager };
        self.raise(further, wager, stake);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse;

    fn layout(steps: &str) -> Layout {
        Layout::after(&parse(&format!("game nz-base\n{steps}")).unwrap()[0])
    }

    fn cards(layout: &Layout, place: &str) -> String {
        let hand = &layout.hands[&place.parse().unwrap()];
        hand.cards.iter().map(|laid| laid.card.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_split_opens_the_next_hand_with_the_second_card_and_an_equal_stake() {
        let layout =
            layout("bet 3 25\ncard 3 8H\ncard 3 8C\nsplit 3\ncard 3 8D\nsplit 3\ncard 3 2D\ncard 3c 9D\ncard 3b KS");
        assert_eq!(cards(&layout, "3"), "8H 2D");
        assert_eq!(cards(&layout, "3b"), "8C KS");
        assert_eq!(cards(&layout, "3c"), "8D 9D");
        assert_eq!(layout.wagers[&"3c".parse().unwrap()].stake, Money::from_minor(2500));
    }

    #[test]
    fn a_bettor_behind_who_splits_too_puts_chips_on_the_same_new_hand() {
        let layout = layout("bet 3 25\nbet 3/2 10\ncard 3 8H\ncard 3 8C\nsplit 3\nsplit 3/2\ncard 3 2D");
        assert_eq!(layout.wagers[&"3b/2".parse().unwrap()].stake, Money::from_minor(1000));
        assert_eq!(layout.hands.len(), 2);
    }

    #[test]
    fn the_hole_card_is_known_once_turned() {
        let before = layout("card dealer AS\ncard dealer XX down");
        assert_eq!(before.hands[&Place::Dealer].total(), None);
        let after = layout("card dealer AS\ncard dealer XX down\nturn dealer 9D");
        assert_eq!(after.hands[&Place::Dealer].total(), Some(Total { points: 20, soft: true }));
    }

    #[test]
    fn steps_that_make_no_sense_change_nothing_and_break_nothing() {
        let layout = layout("turn 3 7H\nsplit 4\nmove 9H 1 2\ntake 5\npush 9\nzap 7\nsplit 4\nvoid round");
        assert!(layout.hands.values().all(|hand| hand.cards.is_empty()));
    }
}
