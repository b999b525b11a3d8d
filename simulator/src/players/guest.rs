//! One person at the table: how he plays, what he stakes, and what becomes of his money.

use auditor::model::random::Dice;
use table::{Bettor, BoxNo, Layout, Money};

use super::sign::Sign;
use super::temper::Temper;

/// How stakes follow luck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Habit {
    /// The same every time.
    Flat,
    /// More after a win.
    Presses,
    /// More after a loss.
    Chases,
}

/// Presses and chases go no further than so many wins or losses in a row.
const LONGEST_RUN: u32 = 3;
/// What those who drink get through in a round, on the way from sober (0) to not fit to play (1).
const SIP: f64 = 0.005;

/// Somebody who bets on another's box and follows his play.
#[derive(Clone, Copy, Debug)]
pub(super) struct Backer {
    pub(super) stake: Money,
    pub(super) leaves_in: u32,
}

/// A seated player.
#[derive(Clone, Debug)]
pub(super) struct Guest {
    pub(super) temper: Temper,
    /// The boxes he plays, with those who bet behind him on each.
    pub(super) boxes: Vec<(BoxNo, Vec<Backer>)>,
    habit: Habit,
    usual: Money,
    /// What he came with and is ready to lose; he goes home when it is gone.
    purse: Money,
    won_last: Option<bool>,
    run: u32,
    /// How far gone he is, from 0 to 1; rises only for those who drink.
    pub(super) drunk: f64,
    /// Whether a beginner plays as the dealer does rather than fear every bust.
    pub(super) mimics: bool,
    /// How often he makes a side bet that is offered.
    pub(super) sides: f64,
    /// How often he plays something for the dealer.
    pub(super) tips: f64,
    /// Rounds until he goes home.
    pub(super) leaves_in: u32,
    /// Rounds for which his boxes stay empty.
    pub(super) away: u32,
}

/// How people of a temper bet: the least and most of their usual stakes in table minimums, side bets, tips, stake units
/// brought.
struct Means {
    stakes: (f64, f64),
    sides: f64,
    tips: f64,
    purse: (f64, f64),
}

const fn means(temper: Temper) -> Means {
    match temper {
        Temper::Basic => Means { stakes: (1.0, 5.0), sides: 0.1, tips: 0.05, purse: (40.0, 120.0) },
        Temper::Counter => Means { stakes: (1.0, 2.0), sides: 0.0, tips: 0.02, purse: (200.0, 400.0) },
        Temper::Beginner => Means { stakes: (1.0, 3.0), sides: 0.45, tips: 0.1, purse: (20.0, 60.0) },
        Temper::Drunk => Means { stakes: (1.0, 8.0), sides: 0.6, tips: 0.3, purse: (30.0, 100.0) },
    }
}

impl Guest {
    /// Somebody new.
    pub(super) fn new(temper: Temper, boxes: Vec<BoxNo>, sign: &Sign, dice: &mut Dice) -> Self {
        let means = means(temper);
        let usual = sign.stake(sign.least.minor() as f64 * dice.between(means.stakes.0, means.stakes.1));
        let units = dice.between(means.purse.0, means.purse.1) as i64;
        let habit = match temper {
            Temper::Counter => Habit::Flat,
            _ => *dice.pick(&[Habit::Flat, Habit::Flat, Habit::Presses, Habit::Chases]).unwrap_or(&Habit::Flat),
        };
        Self {
            temper,
            boxes: boxes.into_iter().map(|box_no| (box_no, Vec::new())).collect(),
            habit,
            usual,
            purse: Money::from_minor(usual.minor().saturating_mul(units)),
            won_last: None,
            run: 0,
            drunk: if temper == Temper::Drunk { dice.between(0.2, 0.5) } else { 0.0 },
            mimics: dice.once_in(2),
            sides: means.sides * dice.between(0.3, 1.5),
            tips: means.tips * dice.between(0.3, 1.5),
            leaves_in: 20 + dice.below(120) as u32,
            away: 0,
        }
    }

    /// Whether he has had enough, or no more to play with.
    pub(super) fn leaves(&self, sign: &Sign) -> bool {
        self.leaves_in == 0 || self.purse < sign.least
    }

    /// What he stakes on a box at this count for each deck.
    pub(super) fn stake(&self, sign: &Sign, count: f64, dice: &mut Dice) -> Money {
        let run = f64::from(self.run.min(LONGEST_RUN));
        let times = match (self.temper, self.habit, self.won_last) {
            (Temper::Counter, ..) => spread(count),
            (_, Habit::Presses, Some(true)) => 1.0 + 0.5 * run,
            (_, Habit::Chases, Some(false)) => 1.0 + run,
            _ => 1.0,
        };
        let whim = match self.temper {
            Temper::Drunk => dice.between(0.5, 1.0 + 2.0 * self.drunk),
            Temper::Beginner => dice.between(0.8, 1.3),
            Temper::Basic | Temper::Counter => 1.0,
        };
        sign.stake((self.usual.minor() as f64 * times * whim).min(self.purse.minor() as f64))
    }

    /// Takes note of a round's end.
    pub(super) fn saw(&mut self, layout: &Layout) {
        let mut net = 0_i64;
        let mut played = false;
        let own = |box_no| self.boxes.iter().any(|(own, _)| *own == box_no);
        for (wager, chips) in &layout.wagers {
            if wager.bettor == Bettor::SEATED && own(wager.box_no) {
                played = true;
                let taken = if chips.free { Money::ZERO } else { chips.taken.unwrap_or_default() };
                net = net.saturating_add(chips.paid.unwrap_or_default().minor()).saturating_sub(taken.minor());
            }
        }
        if !played {
            return;
        }
        self.purse = Money::from_minor(self.purse.minor().saturating_add(net));
        if net != 0 {
            let won = Some(net > 0);
            self.run = if self.won_last == won { self.run.saturating_add(1) } else { 1 };
            self.won_last = won;
        }
        if self.temper == Temper::Drunk {
            self.drunk = (self.drunk + SIP).min(1.0);
        }
    }
}

/// How many of his least stakes a counter bets: one until the shoe is good, then more with every point of the count.
fn spread(count: f64) -> f64 {
    (2.0 * (count - 1.0)).clamp(1.0, 10.0)
}
