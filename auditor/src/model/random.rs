//! Random rounds by legal play: any game, any number of boxes, players who choose among what the rules allow.
//!
//! The same seed gives the same round for ever, so a round that finds a fault can be named by its seed. That is why the
//! dice are our own: no crate promises the same numbers in its next version.

use table::round::{Cutter, Mix};
use table::{
    Act, Bettor, BoxNo, Card, Game, Hand, Limit, Money, Place, Round, RoundId, SideBet, Total, Wager, WagerKind,
};

use super::error::PlanError;
use super::options::Options;
use super::plan::{Amount, Decision, Put, Raise};
use super::script::{Called, Opening, Script};
use super::{bets, play, raises};
use crate::rules::{Burn, Rules};
use crate::sidebet::MADNESS_PRIZES;

/// What kind of table to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Habits {
    /// Most boxes in play.
    pub boxes: u8,
    /// Whether side bets are made.
    pub sides: bool,
    /// Whether there is betting behind.
    pub behind: bool,
    /// Whether chips are played for the dealer.
    pub tips: bool,
}

impl Default for Habits {
    fn default() -> Self {
        Self { boxes: 7, sides: true, behind: true, tips: true }
    }
}

/// Dice that fall the same way for the same seed.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Dice from a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits: a counter put through a mixing function (SplitMix64).
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let wide = u128::from(self.roll()) * bound as u128;
        (wide >> 64) as usize
    }

    /// Other dice for another purpose, so that rolling these more often does not change how those fall.
    pub fn fork(&self, purpose: &str) -> Self {
        let mut fork = Self(self.0);
        for byte in purpose.bytes() {
            fork.0 ^= u64::from(byte);
            fork.0 = fork.roll();
        }
        fork
    }

    /// A number from 0 up to, not including, 1.
    pub fn unit(&mut self) -> f64 {
        (self.roll() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number from one bound up to the other.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A number that is close to normal with mean 0 and deviation 1, and never beyond 6. It is a sum of twelve, which
    /// comes out the same on every machine.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }

    /// One of several; `None` of none.
    pub fn pick<'a, T>(&mut self, among: &'a [T]) -> Option<&'a T> {
        among.get(self.below(among.len()))
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

/// Shuffled cards, dealt from the front.
#[derive(Clone, Debug)]
pub struct Shoe {
    cards: Vec<Card>,
}

impl Shoe {
    /// So many decks, every order equally likely.
    pub fn shuffled(decks: u8, dice: &mut Dice) -> Self {
        let mut cards: Vec<Card> = (0..decks).flat_map(|_| Card::faces()).collect();
        for last in (1..cards.len()).rev() {
            cards.swap(last, dice.below(last + 1));
        }
        Self { cards }
    }

    /// Cards left.
    pub fn left(&self) -> usize {
        self.cards.len()
    }

    /// The next card.
    pub fn draw(&mut self) -> Option<Card> {
        self.cards.pop()
    }
}

/// A random round from a freshly shuffled shoe, with the cut and the burn its rulebook asks for.
pub fn fresh(
    rules: &Rules,
    limits: &[Limit],
    habits: Habits,
    seed: u64,
    id: RoundId,
    game: Game,
) -> Result<Round, PlanError> {
    let mut dice = Dice::new(seed);
    let mut shoe = Shoe::shuffled(rules.decks, &mut dice);
    let cutter = BoxNo::all().nth(dice.below(usize::from(rules.boxes_max.clamp(1, BoxNo::MOST))));
    let prepared = cutter.map(|cutter| prepare(rules, cutter, &mut dice, &mut shoe)).unwrap_or_default();
    let mut first = next(rules, limits, habits, (&mut dice, &mut shoe), id, game)?;
    first.steps.splice(0..0, prepared.into_iter().map(table::Step::from));
    Ok(first)
}

/// What is done to the cards before a shoe's first round, where the rulebook says: shuffle, cut, cutting card, burn.
pub fn prepare(rules: &Rules, cutter: BoxNo, dice: &mut Dice, shoe: &mut Shoe) -> Vec<Act> {
    const DECK: u16 = 52;
    let cards = u16::from(rules.decks) * DECK;
    let mut acts = vec![Act::Shuffle(Mix::Whole)];
    let margin = u16::from(rules.cut_min_decks) * DECK;
    if !rules.csm && margin > 0 {
        // A stack too small for the margins on both sides is cut all the same; where, nobody measures.
        let room = cards.checked_sub(2 * margin);
        let depth = room.map(|room| margin + dice.below(usize::from(room) + 1) as u16);
        let least = u16::from(rules.cut_card_back_min.unwrap_or(1).max(1)) * DECK;
        let part = rules.cut_card_back_max.map_or(100, u32::from);
        let most = u32::from(cards) * part / 100 + u32::from(rules.cut_card_slack) * u32::from(DECK / 2);
        let back = u16::try_from(most).map_or(least, |most| least.min(most));
        acts.extend([Act::OfferCut(cutter), Act::Cut { by: Cutter::Box(cutter), depth }, Act::CutCardIn(back)]);
    }
    let burns = match rules.burn {
        Burn::PerShoe => !rules.csm,
        Burn::Optional => dice.once_in(2),
        Burn::PerRound | Burn::Never | Burn::Unstated => false,
    };
    if burns && shoe.draw().is_some() {
        acts.push(Act::Burn(Card::HIDDEN));
    }
    acts
}

/// The next random round from a shoe. Fails with [`PlanError::NoCard`] if the shoe runs out.
pub fn next(
    rules: &Rules,
    limits: &[Limit],
    habits: Habits,
    (dice, shoe): (&mut Dice, &mut Shoe),
    id: RoundId,
    game: Game,
) -> Result<Round, PlanError> {
    let opening = opening(rules, limits, habits, dice, shoe.left());
    let doublers = dice.below(1 << BoxNo::MOST);
    let chance = Chance { rules, limits, dice, shoe, doublers };
    play(rules, limits, opening, chance, id, game).map(|(round, _)| round)
}

/// Cards a box may need with room to spare.
const CARDS_PER_BOX: usize = 12;
/// Below this many cards players take no risks, so that a single deck lasts the round.
const LOW: usize = 30;
/// Most hands on a box: beyond four even a book without a limit asks to be told.
const HANDS_MOST: u8 = 4;

/// What is bet.
fn opening(rules: &Rules, limits: &[Limit], habits: Habits, dice: &mut Dice, left: usize) -> Opening {
    let room = u8::try_from(left / CARDS_PER_BOX).unwrap_or(u8::MAX).saturating_sub(1);
    let most = habits.boxes.min(rules.boxes_max).min(room).clamp(1, BoxNo::MOST);
    let offered = if habits.sides { offered(rules, dice) } else { Vec::new() };
    let mut opening = Opening::default();
    let count = 1 + dice.below(usize::from(most));
    let mut boxes: Vec<BoxNo> = BoxNo::all().filter(|box_no| box_no.number() <= rules.boxes_max).collect();
    while boxes.len() > count {
        boxes.remove(dice.below(boxes.len()));
    }
    for box_no in boxes {
        let behind = if habits.behind { rules.bettors_per_box.clamp(1, 3) } else { 1 };
        for number in 1..=behind {
            let Some(bettor) = Bettor::new(number).filter(|_| number == 1 || dice.once_in(4)) else { break };
            let main = Wager::on(box_no, Hand::A).by(bettor);
            let stake = stake(rules, limits, dice);
            opening.bets.push((main, stake));
            for bet in &offered {
                side(rules, limits, dice, &mut opening, main, stake, *bet);
            }
            if habits.tips && rules.tips && dice.once_in(4) {
                opening.bets.push((main.for_dealer(), Money::from_minor(100)));
            }
        }
        let (prize, _) = MADNESS_PRIZES[dice.below(MADNESS_PRIZES.len())];
        opening.prizes.insert(box_no, Money::from_minor(i64::from(prize) * 100));
    }
    opening.meter = Some(Money::from_minor(200_000 + dice.below(700_000) as i64));
    opening
}

/// A choice of side bets that may be offered at one table.
pub fn offered(rules: &Rules, dice: &mut Dice) -> Vec<SideBet> {
    let mut left: Vec<SideBet> = SideBet::ALL.to_vec();
    let mut offered: Vec<SideBet> = Vec::new();
    while !left.is_empty() {
        let bet = left.remove(dice.below(left.len()));
        let Some(terms) = rules.side(bet) else { continue };
        let clashes = |other: &SideBet| {
            terms.excludes.contains(other) || rules.side(*other).is_some_and(|terms| terms.excludes.contains(&bet))
        };
        let decks = terms.decks_min.is_none_or(|least| rules.decks >= least);
        if decks && !offered.iter().any(clashes) {
            offered.push(bet);
        }
    }
    offered.sort_unstable();
    offered
}

fn stake(rules: &Rules, limits: &[Limit], dice: &mut Dice) -> Money {
    let sign = bets::limit(limits, WagerKind::Main);
    let least = sign.map(|sign| sign.min).or(rules.bet_min).unwrap_or(bets::usual(rules)).minor();
    let most = sign.map(|sign| sign.max).or(rules.bet_max).map_or(i64::MAX, Money::minor);
    let step = sign.and_then(|sign| sign.step).map_or(100, Money::minor);
    Money::from_minor((least + step * dice.below(8) as i64).min(most))
}

fn side(
    rules: &Rules,
    limits: &[Limit],
    dice: &mut Dice,
    opening: &mut Opening,
    main: Wager,
    stake: Money,
    bet: SideBet,
) {
    let Some(terms) = rules.side(bet) else { return };
    let seated = main.bettor == Bettor::SEATED;
    if !(seated || (terms.behind && rules.back_side_bets)) || dice.once_in(2) {
        return;
    }
    let sign = bets::limit(limits, WagerKind::Side(bet));
    let least = sign.map_or(100, |sign| sign.min.minor());
    let most = sign.map_or(400, |sign| sign.max.minor());
    let chips = Money::from_minor((least + 100 * dice.below(4) as i64).min(most));
    let amount = terms.stake.unwrap_or(chips);
    let table_most = bets::limit(limits, WagerKind::Main).map(|sign| sign.max);
    let together = stake.plus(amount).zip(table_most).is_none_or(|(both, most)| both <= most);
    let wager = main.of_kind(WagerKind::Side(bet));
    if bet != SideBet::War || together {
        opening.bets.push((wager, amount));
        if terms.tips && rules.tips && seated && dice.once_in(4) {
            opening.bets.push((wager.for_dealer(), Money::from_minor(100)));
        }
    }
}

/// Players who take their chances.
struct Chance<'a> {
    rules: &'a Rules,
    limits: &'a [Limit],
    dice: &'a mut Dice,
    shoe: &'a mut Shoe,
    /// Boxes that would double even a natural, a bit for each.
    doublers: usize,
}

impl Chance<'_> {
    /// A double, in full or for as little as the game allows.
    fn double(&mut self, free: bool) -> Raise {
        let less = raises::least_double(self.rules, self.limits);
        let own = less.filter(|_| !free && self.dice.once_in(4)).unwrap_or(Put::Due);
        Raise { own, others: raises::others(self.dice) }
    }
}

impl Script for Chance<'_> {
    fn card(&mut self, to: Place) -> Result<Card, PlanError> {
        self.shoe.draw().ok_or(PlanError::NoCard { place: to })
    }

    fn idle_card(&mut self) -> Option<Card> {
        self.shoe.draw()
    }

    fn decide(&mut self, at: Place, options: &Options, total: Total) -> Result<Called, PlanError> {
        let second = matches!(at, Place::Box(_, hand) if hand.index() + 1 >= usize::from(HANDS_MOST));
        let low = self.shoe.left() < LOW;
        let decision = match total.points {
            // A 21 that may be doubled and not hit is a natural whose player chose to.
            21 if options.double && !options.hit => Decision::Double(self.double(false)),
            _ if low && options.stand => Decision::Stand,
            21.. if options.stand => Decision::Stand,
            _ if options.zap && self.dice.once_in(2) => Decision::Zap,
            _ if options.surrender && self.dice.once_in(12) => Decision::Surrender,
            _ if options.split && !second && !low && self.dice.below(4) > 0 => {
                return Ok(Called::Split(Raise { own: Put::Due, others: raises::others(self.dice) }));
            }
            _ if options.double && !low && self.dice.once_in(if total.points < 12 { 2 } else { 9 }) => {
                Decision::Double(self.double(options.free_double))
            }
            _ if !options.stand => Decision::Hit,
            0..=11 if options.hit => Decision::Hit,
            12..=16 if options.hit && self.dice.once_in(2) => Decision::Hit,
            17..=20 if options.hit && self.dice.once_in(20) => Decision::Hit,
            _ => Decision::Stand,
        };
        Ok(Called::Decision(decision))
    }

    fn opened(&mut self, _from: Place, _to: Place) {}

    fn doubles_natural(&mut self, at: Place) -> bool {
        at.box_no().is_some_and(|box_no| self.doublers >> (box_no.number() - 1) & 1 == 1)
    }

    fn burn(&mut self) -> Result<Card, PlanError> {
        // The card goes face down: nobody sees which.
        self.card(Place::Dealer).map(|_| Card::HIDDEN)
    }

    fn insure(&mut self, _wager: Wager, most: Money) -> Result<Option<Money>, PlanError> {
        let step = self.rules.insurance_multiple.map_or(1, Money::minor).max(1);
        let stake = Money::from_minor(most.minor() - most.minor() % step);
        Ok((self.dice.once_in(3) && stake > Money::ZERO).then_some(stake))
    }

    fn even_money(&mut self, _wager: Wager) -> bool {
        self.dice.once_in(2)
    }

    fn parlay(&mut self, _wager: Wager) -> bool {
        self.dice.once_in(2)
    }

    fn ride(&mut self, _wager: Wager, most: Money) -> Result<Option<Money>, PlanError> {
        let all = Money::from_minor(most.minor() - most.minor() % 100);
        Ok((self.dice.once_in(2) && all > Money::ZERO).then_some(all))
    }

    fn chips(&self, amount: Amount, wager: Wager) -> Result<Money, PlanError> {
        amount.chips(bets::usual(self.rules)).ok_or(PlanError::Amount { wager })
    }

    fn finish(&mut self, _stood: Option<Total>) -> Result<(), PlanError> {
        Ok(())
    }
}
