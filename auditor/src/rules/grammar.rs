//! A game's rules as the grammar of its rounds.

use table::Grammar;

use super::{EvenMoney, Hit21, Rules, Surrender, Totals};

impl Rules {
    /// What whoever reads a table must know of this game.
    pub fn grammar(&self) -> Grammar {
        Grammar {
            decks: self.decks,
            csm: self.csm,
            hole_card: self.hole_card,
            hard_21_draws: self.hit_21 == Hit21::Allowed,
            soft_21_draws: self.hit_21 != Hit21::Forbidden,
            most_cards: self.max_cards,
            split_aces_draw: self.hit_split_aces,
            surrender: self.surrender != Surrender::None,
            even_money: self.even_money != EvenMoney::Never,
            exchange: self.zap != Totals::NONE,
            dealer_draws_on_16: self.dealer_draws_on_16,
            dealer_draws_on_soft_17: self.dealer_hits_soft_17(),
        }
    }
}
