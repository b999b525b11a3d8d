//! The best play of every hand under the rules of a game, found once by working out what each choice is worth.
//!
//! Cards are taken to come from endless decks, which gives the well-known tables for several decks and, because the
//! worth comes from the rules themselves, right ones for free bets, a dealer's 22 that stands off, or five cards that win.

use auditor::Rules;
use auditor::model::Options;
use auditor::rules::{OboBust, SurrenderLoss};

use super::odds::{Dealer, Held, POINTS};

/// What a player can choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    Stand,
    Hit,
    Double,
    Split,
    Surrender,
    Zap,
}

impl Choice {
    const ALL: [Self; 6] = [Self::Stand, Self::Hit, Self::Double, Self::Split, Self::Surrender, Self::Zap];

    /// The choices the rules leave.
    pub(super) fn legal(options: &Options) -> impl Iterator<Item = Self> {
        let options = *options;
        Self::ALL.into_iter().filter(move |choice| match choice {
            Self::Stand => options.stand,
            Self::Hit => options.hit,
            Self::Double => options.double,
            Self::Split => options.split,
            Self::Surrender => options.surrender,
            Self::Zap => options.zap,
        })
    }
}

/// What became of a hand that matters for its worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Origin {
    /// As dealt.
    #[default]
    Dealt,
    /// The first hand of a split.
    Split,
    /// A hand opened by a split, with a stake of its own.
    Opened,
    /// A hand opened on a free bet.
    Free,
}

impl Origin {
    const ALL: [Self; 4] = [Self::Dealt, Self::Split, Self::Opened, Self::Free];

    const fn stake(self) -> Stake {
        match self {
            Self::Dealt | Self::Split => Stake { wins: 1.0, own: 1.0, original: 1.0 },
            Self::Opened => Stake { wins: 1.0, own: 1.0, original: 0.0 },
            Self::Free => Stake { wins: 1.0, own: 0.0, original: 0.0 },
        }
    }
}

/// What stands on a hand, in units of the first wager.
#[derive(Clone, Copy)]
struct Stake {
    /// What it can win.
    wins: f64,
    /// What of it is the player's own.
    own: f64,
    /// What of it was there before the first card.
    original: f64,
}

/// What a choice is worth, in units of the first wager.
#[derive(Clone, Copy, Default)]
struct Worth {
    /// If the dealer has no natural.
    clear: f64,
    /// If the dealer has one and nobody knows it yet.
    natural: f64,
}

impl Worth {
    const fn same(worth: f64) -> Self {
        Self { clear: worth, natural: worth }
    }

    fn add(&mut self, other: Self, chance: f64) {
        self.clear += other.clear * chance;
        self.natural += other.natural * chance;
    }

    fn against(self, dealer: &Dealer) -> f64 {
        self.clear * (1.0 - dealer.natural) + self.natural * dealer.natural
    }
}

/// The most points, aces as one, of a hand that is not over, and one more for an index.
const SUMS: usize = 22;
/// Hands are told apart by their number of cards up to here.
const CARDS: usize = 7;

/// The worth of a hand played on as well as can be.
type Table = [[[Worth; CARDS]; 2]; SUMS];

/// The best play in one game.
pub(super) struct Strategy {
    rules: Rules,
    /// By the points of the up card, counted from an ace as one.
    dealers: [Dealer; POINTS.len()],
    /// By up card and origin.
    best: Vec<[Box<Table>; Origin::ALL.len()]>,
}

impl Strategy {
    /// Works out a game.
    pub(super) fn new(rules: &Rules) -> Self {
        let dealers = POINTS.map(|(up, _)| Dealer::showing(rules, up));
        let mut strategy = Self { rules: rules.clone(), dealers, best: Vec::new() };
        strategy.best = strategy
            .dealers
            .iter()
            .map(|dealer| Origin::ALL.map(|origin| Box::new(strategy.work_out(dealer, origin))))
            .collect();
        strategy
    }

    /// The legal choice worth most against an up card of so many points, an ace as one.
    pub(super) fn best(&self, up: u8, held: Held, origin: Origin, options: &Options) -> Choice {
        let mut best = (f64::NEG_INFINITY, Choice::Stand);
        for choice in Choice::legal(options) {
            let worth = self.worth(choice, up, held, origin, options);
            if worth > best.0 {
                best = (worth, choice);
            }
        }
        best.1
    }

    /// What a choice is worth in units of the first wager.
    fn worth(&self, choice: Choice, up: u8, held: Held, origin: Origin, options: &Options) -> f64 {
        let at = usize::from(up.clamp(1, 10)) - 1;
        let (dealer, best) = (&self.dealers[at], &self.best[at]);
        let table = &best[origin as usize];
        let worth = match choice {
            Choice::Stand => self.settled(dealer, held, origin.stake()),
            Choice::Hit => self.hit(dealer, table, held, origin.stake()),
            Choice::Double => self.double(dealer, held, origin, options.free_double),
            Choice::Split => self.split(dealer, best, held, origin, options.free_split),
            Choice::Surrender => self.surrendered(),
            Choice::Zap => {
                let mut worth = Worth::default();
                for (first, chance) in Held::default().next() {
                    worth.add(self.hit(dealer, table, first, origin.stake()), chance);
                }
                worth
            }
        };
        worth.against(dealer)
    }

    /// The worth of all hands of an origin, those that are nearest to 21 first: every other leads there.
    fn work_out(&self, dealer: &Dealer, origin: Origin) -> Table {
        let mut table = [[[Worth::default(); CARDS]; 2]; SUMS];
        for sum in (1..SUMS).rev() {
            for ace in [false, true] {
                for cards in 1..CARDS {
                    let held = Held { sum: sum as u8, ace, cards: cards as u8 };
                    table[sum][usize::from(ace)][cards] = self.played_on(dealer, &table, held, origin);
                }
            }
        }
        table
    }

    fn played_on(&self, dealer: &Dealer, table: &Table, held: Held, origin: Origin) -> Worth {
        let (rules, total) = (&self.rules, held.total());
        let full = rules.max_cards.is_some_and(|most| held.cards >= most);
        let stands = full || total.points >= u16::from(rules.forced_hit_below);
        let mut worths = [None; 3];
        if stands {
            worths[0] = Some(self.settled(dealer, held, origin.stake()));
        }
        if !full && total.points < 21 {
            worths[1] = Some(self.hit(dealer, table, held, origin.stake()));
        }
        if !full && self.may_double(held, origin) {
            worths[2] = Some(self.double(dealer, held, origin, self.is_free_double(held, origin)));
        }
        let better = |one: Worth, other: Worth| if other.against(dealer) > one.against(dealer) { other } else { one };
        worths.into_iter().flatten().reduce(better).unwrap_or_else(|| self.settled(dealer, held, origin.stake()))
    }

    /// A hand that takes no more cards.
    fn settled(&self, dealer: &Dealer, held: Held, stake: Stake) -> Worth {
        let total = held.total();
        let spared = |spared: bool| if spared { stake.own.min(stake.original) } else { stake.own };
        if total.is_bust() {
            let returned = self.rules.obo && self.rules.obo_bust == OboBust::Returned;
            return Worth { clear: -stake.own, natural: -spared(returned) };
        }
        if (self.rules.player21_wins && total.points == 21) || (self.rules.five_card_wins && held.cards >= 5) {
            return Worth::same(stake.wins);
        }
        let (wins, loses) = dealer.against(total.points);
        Worth { clear: wins * stake.wins - loses * stake.own, natural: -spared(self.rules.obo) }
    }

    fn hit(&self, dealer: &Dealer, table: &Table, held: Held, stake: Stake) -> Worth {
        let mut worth = Worth::default();
        for (next, chance) in held.next() {
            let cards = usize::from(next.cards).min(CARDS - 1);
            let known = table.get(usize::from(next.sum)).map(|by_ace| by_ace[usize::from(next.ace)][cards]);
            worth.add(known.unwrap_or_else(|| self.settled(dealer, next, stake)), chance);
        }
        worth
    }

    fn double(&self, dealer: &Dealer, held: Held, origin: Origin, free: bool) -> Worth {
        let stake = origin.stake();
        let own = if free { stake.own } else { stake.own + 1.0 };
        let stake = Stake { wins: stake.wins + 1.0, own, ..stake };
        let mut worth = Worth::default();
        for (next, chance) in held.next() {
            worth.add(self.settled(dealer, next, stake), chance);
        }
        worth
    }

    /// Both hands of a split. That they might be split again changes no choice worth speaking of.
    fn split(
        &self,
        dealer: &Dealer,
        best: &[Box<Table>; Origin::ALL.len()],
        held: Held,
        origin: Origin,
        free: bool,
    ) -> Worth {
        let aces = held.ace && held.sum == 2;
        let one = Held::default().with(if aces { 1 } else { held.sum / 2 });
        let first = if origin == Origin::Dealt { Origin::Split } else { origin };
        let mut worth = Worth::default();
        for origin in [first, if free { Origin::Free } else { Origin::Opened }] {
            if aces && !self.rules.hit_split_aces {
                for (next, chance) in one.next() {
                    worth.add(self.settled(dealer, next, origin.stake()), chance);
                }
            } else {
                worth.add(self.hit(dealer, &best[origin as usize], one, origin.stake()), 1.0);
            }
        }
        worth
    }

    fn surrendered(&self) -> Worth {
        let natural = match self.rules.surrender_vs_dealer_bj {
            SurrenderLoss::FullLoss => -1.0,
            SurrenderLoss::Half => -0.5,
        };
        Worth { clear: -0.5, natural }
    }

    fn may_double(&self, held: Held, origin: Origin) -> bool {
        let rules = &self.rules;
        held.cards >= 2
            && rules.double_cards.is_none_or(|most| held.cards <= most)
            && (rules.das || origin == Origin::Dealt)
            && (rules.double_aces || !held.ace)
            && held.total().points <= u16::from(rules.double_total_max)
    }

    fn is_free_double(&self, held: Held, origin: Origin) -> bool {
        let (rules, total) = (&self.rules, held.total());
        held.cards == 2
            && rules.free_double.has(total.points)
            && !(rules.free_double_hard && total.soft)
            && (rules.free_double_after_split || origin == Origin::Dealt)
    }
}

#[cfg(test)]
mod tests {
    use auditor::rulebook::books;
    use table::Game;

    use super::*;

    fn strategy(game: &str) -> Strategy {
        let game = Game { name: game.parse().unwrap(), options: Default::default() };
        Strategy::new(&auditor::check::Law::of(books::all().unwrap(), &game).unwrap().rules)
    }

    fn held(points: &[u8]) -> Held {
        points.iter().fold(Held::default(), |held, points| held.with(*points))
    }

    /// What is played against an up card where all but giving up is allowed.
    fn plays(strategy: &Strategy, cards: &[u8], up: u8) -> Choice {
        let held = held(cards);
        let split = cards.len() == 2 && cards[0] == cards[1];
        let double = cards.len() == 2;
        let options = Options { hit: true, stand: true, double, split, ..Options::default() };
        strategy.best(up, held, Origin::Dealt, &options)
    }

    #[test]
    fn the_textbook_is_kept_where_the_dealer_stands_on_soft_seventeen() {
        let act = strategy("act");
        let textbook: [(&[u8], u8, Choice); 19] = [
            (&[10, 6], 10, Choice::Hit),
            (&[10, 6], 6, Choice::Stand),
            (&[10, 2], 4, Choice::Stand),
            (&[10, 2], 3, Choice::Hit),
            (&[10, 2], 2, Choice::Hit),
            (&[10, 3], 2, Choice::Stand),
            (&[6, 5], 6, Choice::Double),
            (&[6, 4], 9, Choice::Double),
            (&[6, 3], 3, Choice::Double),
            (&[6, 3], 2, Choice::Hit),
            (&[8, 8], 6, Choice::Split),
            (&[1, 1], 6, Choice::Split),
            (&[10, 10], 6, Choice::Stand),
            (&[5, 5], 6, Choice::Double),
            (&[9, 9], 7, Choice::Stand),
            (&[1, 7], 9, Choice::Hit),
            (&[1, 7], 8, Choice::Stand),
            (&[1, 6], 7, Choice::Hit),
            (&[1, 6, 10], 10, Choice::Stand),
        ];
        for (cards, up, expected) in textbook {
            assert_eq!(plays(&act, cards, up), expected, "{cards:?} against {up}");
        }
    }

    /// What the house keeps of every unit staked by those who play the best in a game without a hole card.
    fn edge(strategy: &Strategy) -> f64 {
        let rules = &strategy.rules;
        let pays = f64::from(rules.bj_pays.pays()) / f64::from(rules.bj_pays.per());
        let mut won = 0.0;
        for (up, up_chance) in POINTS.map(|(up, ranks)| (up, ranks / 13.0)) {
            for (first, first_chance) in Held::default().next() {
                for (hand, chance) in first.next() {
                    let split = hand.sum == 2 * first.sum;
                    let double = strategy.may_double(hand, Origin::Dealt);
                    let stand = hand.total().points >= u16::from(rules.forced_hit_below);
                    let options = Options { hit: true, stand, double, split, ..Options::default() };
                    let natural = hand.total().points == 21;
                    let choice = strategy.best(up, hand, Origin::Dealt, &options);
                    let worth = match natural {
                        true => pays * (1.0 - strategy.dealers[usize::from(up) - 1].natural),
                        false => strategy.worth(choice, up, hand, Origin::Dealt, &options),
                    };
                    won += worth * up_chance * first_chance * chance;
                }
            }
        }
        -won
    }

    #[test]
    fn the_house_keeps_as_much_as_it_is_known_to() {
        let (act, base, style_a) = (edge(&strategy("act")), edge(&strategy("nz-base")), edge(&strategy("nz-styleA")));
        assert!((0.004..0.009).contains(&act), "{act}");
        assert!((0.004..0.009).contains(&base), "{base}");
        let soft_17 = style_a - base;
        assert!((0.0015..0.003).contains(&soft_17), "drawing on soft 17 is worth {soft_17} to the house");
    }

    #[test]
    fn doubles_against_a_ten_are_left_where_a_natural_would_take_them_all() {
        let held = held(&[6, 5]);
        let options = Options { hit: true, stand: true, double: true, ..Options::default() };
        assert_eq!(strategy("act").best(10, held, Origin::Dealt, &options), Choice::Hit);
        assert_eq!(strategy("nz-base").best(10, held, Origin::Dealt, &options), Choice::Double);
        assert_eq!(strategy("nh-6d").best(10, held, Origin::Dealt, &options), Choice::Double);
    }

    #[test]
    fn a_free_bet_is_taken_where_a_paid_one_is_not() {
        let free = strategy("nz-freebet");
        let pair = held(&[4, 4]);
        let mut options = Options { hit: true, stand: true, split: true, ..Options::default() };
        assert_eq!(free.best(10, pair, Origin::Dealt, &options), Choice::Hit);
        options.free_split = true;
        assert_eq!(free.best(10, pair, Origin::Dealt, &options), Choice::Split);
    }

    #[test]
    fn sixteen_is_given_up_against_a_ten_and_eleven_is_not() {
        let late = strategy("nh-6d");
        let options = Options { hit: true, stand: true, double: true, surrender: true, ..Options::default() };
        assert_eq!(late.best(10, held(&[10, 6]), Origin::Dealt, &options), Choice::Surrender);
        assert_eq!(late.best(10, held(&[6, 5]), Origin::Dealt, &options), Choice::Double);
    }

    #[test]
    fn what_the_rules_forbid_is_not_chosen() {
        let act = strategy("act");
        let only_hit = Options { hit: true, ..Options::default() };
        assert_eq!(act.best(6, held(&[10, 10]), Origin::Dealt, &only_hit), Choice::Hit);
    }
}
