//! One hand, replayed action by action.

use table::{Card, Money, Odds, Rank, Total};

use super::super::case::{Action, CaseHand};
use super::{Breach, Lawful, Matter, ensure};
use crate::hand::{Cards, End, PlayerHand, is_ace_and_ten};
use crate::rules::{DoubleStake, EvenMoney, Hit21, Surrender, SurrenderMode};

/// A hand while its actions are replayed.
struct Play<'c> {
    matter: Matter<'c>,
    hand: &'c CaseHand,
    /// How many of its cards are on the table.
    dealt: usize,
    stood: bool,
    doubled: bool,
    end: End,
}

/// The hand as the rules look at it, if every action was allowed and the cards are what was asked for.
pub(super) fn played(matter: Matter<'_>, hand: &CaseHand) -> Result<PlayerHand, Breach> {
    let mut play = Play { matter, hand, dealt: 2, stood: false, doubled: false, end: End::Played };
    for action in &hand.actions {
        play.act(*action)?;
    }
    play.finish()?;
    let cards: Cards = hand.cards.iter().copied().collect();
    Ok(PlayerHand { cards, split: matter.is_split(), zapped: matter.is_zapped(), doubled: play.doubled, end: play.end })
}

impl Play<'_> {
    fn cards(&self) -> &[Card] {
        self.hand.cards.get(..self.dealt).unwrap_or(&self.hand.cards)
    }

    fn total(&self) -> Total {
        Total::of(self.cards().iter().copied()).unwrap_or(Total { points: 0, soft: false })
    }

    /// Whether the hand is still the two cards dealt to an unsplit box.
    fn is_as_dealt(&self) -> bool {
        self.dealt == 2 && !self.matter.is_split() && !self.doubled
    }

    fn is_natural(&self) -> bool {
        self.is_as_dealt() && !self.matter.is_zapped() && is_ace_and_ten(self.cards())
    }

    fn act(&mut self, action: Action) -> Lawful {
        ensure(self.end == End::Played, &["card_without_request.after_stand"], || {
            format!("{action} on a hand that was over")
        })?;
        ensure(!self.stood, &["card_without_request.after_stand"], || format!("{action} after standing"))?;
        match action {
            Action::Hit => self.hit(),
            Action::Stand => {
                self.stood = true;
                Ok(())
            }
            Action::Double => self.double(),
            Action::FreeDouble => self.free_double(),
            Action::Split | Action::FreeSplit => ensure(self.dealt == 2 && !self.doubled, &["split_too_late"], || {
                "cards are split before another is drawn".to_owned()
            }),
            Action::Zap => Ok(()),
            Action::Surrender => self.surrender(),
            Action::EvenMoney => self.even_money(),
            Action::Void => {
                self.end = End::Void;
                Ok(())
            }
        }
    }

    fn hit(&mut self) -> Lawful {
        ensure(!self.doubled, &["card_after_double"], || "a doubled hand gets one card only".to_owned())?;
        let total = self.total();
        ensure(!total.is_bust(), &["bust_not_taken", "loser_not_taken.bust", "loser_paid.bust"], || {
            format!("a card to a hand that had gone over with {}", total.points)
        })?;
        if total.points == 21 {
            let (natural, rules) = (self.is_natural(), self.matter.rules);
            let may = match rules.hit_21 {
                Hit21::Forbidden => false,
                Hit21::SoftOnly => total.soft && !natural,
                Hit21::Allowed => true,
            };
            let aspect = match (natural, total.soft) {
                (true, _) => "hit_on_21.natural",
                (false, true) => "hit_on_21.soft",
                (false, false) => "hit_on_21.hard",
            };
            ensure(may, &[aspect, "hit_on_21"], || "a 21 may not draw".to_owned())?;
        }
        let most = self.matter.rules.max_cards.map_or(usize::MAX, usize::from);
        ensure(self.dealt < most, &["too_many_cards"], || format!("a hand of {most} cards may not draw"))?;
        self.dealt += 1;
        Ok(())
    }

    /// Whether this hand may be doubled, whoever pays for it.
    fn may_double(&self) -> Lawful {
        let rules = self.matter.rules;
        let cards = self.cards();
        ensure(!self.doubled, &["card_after_double"], || "a hand is doubled once".to_owned())?;
        let ace = cards.iter().any(|card| card.rank() == Some(Rank::Ace));
        ensure(!ace || rules.double_aces, &["doubled_on_an_ace"], || {
            "a hand with an ace may not be doubled".to_owned()
        })?;
        ensure(!self.is_natural() || rules.double_bj, &["doubled_a_natural", "doubled_on_wrong_cards"], || {
            "a natural may not be doubled".to_owned()
        })?;
        let zapped_21 = self.matter.is_zapped() && !self.matter.is_split() && is_ace_and_ten(cards);
        ensure(!zapped_21 || rules.double_zapped_21, &["doubled_a_natural", "doubled_on_wrong_cards"], || {
            "an exchanged ace and ten may not be doubled".to_owned()
        })?;
        let wanted = rules.double_cards.map(usize::from);
        ensure(wanted.is_none_or(|wanted| self.dealt == wanted), &["doubled_on_wrong_cards"], || {
            format!("a hand of {} cards may not be doubled", self.dealt)
        })?;
        let total = self.total().points;
        let waived = zapped_21 || (self.is_natural() && rules.double_bj);
        let most = u16::from(rules.double_total_max);
        ensure(waived || total <= most, &["doubled_on_wrong_cards"], || format!("{total} may not be doubled"))?;
        ensure(!self.matter.is_split() || rules.das, &["doubled_on_wrong_cards"], || {
            "a split hand may not be doubled".to_owned()
        })
    }

    fn double(&mut self) -> Lawful {
        self.may_double()?;
        let stake = self.hand.double_wager.0;
        ensure(stake != Money::ZERO, &["double_stake_wrong.missing"], || "doubled without a stake".to_owned())?;
        self.double_stake(stake)?;
        self.doubled = true;
        self.dealt += 1;
        Ok(())
    }

    /// The stakes a double may carry: the hand's own, chips that ride on it and winnings parlayed onto it included.
    fn double_stake(&self, stake: Money) -> Lawful {
        let (rules, matter) = (self.matter.rules, self.matter);
        let own = if self.hand.wager.0 == Money::ZERO { self.hand.free_base.0 } else { self.hand.wager.0 };
        let first = matter.first().is_some_and(|first| std::ptr::eq(first, self.hand));
        let ridden = if first { matter.ridden() } else { Some(Money::ZERO) };
        let most = ridden
            .and_then(|ridden| own.plus(ridden)?.plus(self.hand.cap.0))
            .ok_or_else(|| Breach::malformed("the stakes are too large"))?;
        let over = matter.tag_if_ridden("double_stake_wrong", "over");
        ensure(stake <= most, &[&over], || format!("a double of {stake} on a stake of {most}"))?;
        let under = &["double_stake_wrong.under"];
        match rules.double_stake {
            DoubleStake::IncrementToEqual => Ok(()),
            DoubleStake::TableMinToEqual => {
                let least = matter.around.table_min.unwrap_or(Money::ZERO);
                ensure(stake >= least, under, || format!("a double of {stake}, the table takes {least} at least"))
            }
            DoubleStake::Equal => ensure(stake == most, under, || format!("a double of {stake} on a stake of {most}")),
            DoubleStake::FullOrHalfOfMax => {
                let half = Odds::new(1, 2).and_then(|half| most.at(half)).map(|half| half.whole);
                let halved = rules.bet_max == Some(most) && Some(stake) == half;
                let tags = &["double_stake_wrong.half", "double_stake_wrong.under"];
                ensure(stake == most || halved, tags, || format!("a double of {stake} on a stake of {most}"))
            }
        }
    }

    fn free_double(&mut self) -> Lawful {
        let rules = self.matter.rules;
        let tags = &["free_double_wrong_total"];
        ensure(rules.free_double.any(), tags, || "the game has no free doubles".to_owned())?;
        self.may_double()?;
        let total = self.total();
        let may = rules.free_double.has(total.points) && !(total.soft && rules.free_double_hard) && self.dealt == 2;
        ensure(may, tags, || format!("{total} is not doubled free"))?;
        let after_split = &["free_double_wrong_total.after_split"];
        ensure(!self.matter.is_split() || rules.free_double_after_split, after_split, || {
            "a split hand is not doubled free".to_owned()
        })?;
        let (lammer, original) = (self.hand.free_double.0, self.matter.original());
        ensure(lammer == original, &["double_stake_wrong.missing"], || {
            format!("a lammer of {lammer} for a stake of {original}")
        })?;
        self.doubled = true;
        self.dealt += 1;
        Ok(())
    }

    fn surrender(&mut self) -> Lawful {
        let rules = self.matter.rules;
        ensure(rules.surrender != Surrender::None, &["surrender_not_allowed.none"], || {
            "the game has no surrender".to_owned()
        })?;
        let late = &["surrender_not_allowed.too_late"];
        match rules.surrender_mode {
            SurrenderMode::Strict => {
                let untouched = self.is_as_dealt() && self.hand.actions.len() == 1;
                ensure(untouched, late, || "a hand is given up on its first two cards only".to_owned())?;
            }
            SurrenderMode::Liberal => {
                let total = self.total();
                ensure(total.points < 21, late, || format!("{total} cannot be given up"))?;
            }
        }
        let peeked = rules.surrender != Surrender::Late || !self.matter.dealer().is_natural();
        ensure(peeked, &["surrender_not_allowed.before_peek"], || {
            "the dealer looks for a natural before a hand is given up".to_owned()
        })?;
        self.end = End::Surrendered;
        Ok(())
    }

    fn even_money(&mut self) -> Lawful {
        let (rules, dealer) = (self.matter.rules, self.matter.dealer());
        ensure(rules.even_money != EvenMoney::Never, &["even_money_not_allowed"], || {
            "the game has no even money".to_owned()
        })?;
        ensure(self.is_natural(), &["even_money_not_allowed.hand"], || "even money is for naturals".to_owned())?;
        ensure(dealer.shows_ace(), &["even_money_not_allowed.upcard"], || "even money is against an ace".to_owned())?;
        let three_to_two = (rules.bj_pays.pays(), rules.bj_pays.per()) == (3, 2);
        let may = rules.even_money != EvenMoney::AceIfThreeToTwo || three_to_two;
        ensure(may, &["even_money_not_allowed.odds"], || {
            format!("even money is for 3:2 tables, this one pays {}", rules.bj_pays)
        })?;
        self.end = End::EvenMoney;
        Ok(())
    }

    /// The cards are those asked for, the chips those of the actions, and the hand may stop here.
    fn finish(&self) -> Lawful {
        let (rules, held) = (self.matter.rules, self.hand.cards.len());
        if held != self.dealt {
            let tags: &[&str] = match self.doubled {
                true => &["card_after_double"],
                false => &["card_without_request"],
            };
            return Err(Breach::of(tags, format!("the actions make {} cards, the hand has {held}", self.dealt)));
        }
        let loose = self.hand.double_wager.0 != Money::ZERO && !self.hand.has(Action::Double)
            || self.hand.free_double.0 != Money::ZERO && !self.hand.has(Action::FreeDouble);
        ensure(!loose, &["double_stake_wrong.missing"], || "a stake for a double that was not made".to_owned())?;
        let full = rules.max_cards.is_some_and(|most| held >= usize::from(most));
        let done = self.doubled || self.end != End::Played || full;
        let total = self.total().points;
        ensure(done || total >= u16::from(rules.forced_hit_below), &["stood_short"], || {
            format!("{total} must draw, below {}", rules.forced_hit_below)
        })
    }
}
