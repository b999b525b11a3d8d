//! One round as the company plays it: cards from the stock, decisions from the players.

use std::collections::{BTreeMap, VecDeque};

use auditor::Rules;
use auditor::model::random::Dice;
use auditor::model::{Amount, Called, Decision, Options, PlanError, Put, Raise, Script, raises, usual_stake};
use auditor::rules::PlayerCards;
use table::{Act, Bettor, BoxNo, Card, Limit, Money, Place, Round, Total, Wager};

use super::Company;
use super::count::Count;
use super::guest::Guest;
use super::odds::Held;
use super::strategy::{Choice, Origin};
use super::temper::Temper;
use crate::Draw;
use crate::setup::Setup;

/// A card that was taken from the stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Its face, also if nobody saw it.
    pub card: Card,
    /// Whose it became; none for a card that was burned.
    pub to: Option<Place>,
}

/// The steps with which cards left the shoe, for a round as the model dealer dealt it.
pub fn draws(round: &Round, taken: &[Taken]) -> Vec<Draw> {
    let leaves = |act: &Act| matches!(act, Act::Card { .. } | Act::Burn(_));
    // What is burned before the bets belongs to the shuffle, not to the round.
    let bets_close = round.steps.iter().position(|step| step.act == Act::NoMoreBets).unwrap_or(0);
    let steps = round.steps.iter().enumerate().skip(bets_close).filter(|(_, step)| leaves(&step.act));
    steps.zip(taken).map(|((step, _), taken)| Draw { step, card: taken.card }).collect()
}

/// Most hands on a box: beyond four even a book without a limit asks to be told.
const HANDS_MOST: usize = 4;
/// Cards kept for the dealer, and for each hand still to be played, before anybody takes risks.
const KEPT_FOR_DEALER: usize = 10;
const KEPT_PER_HAND: usize = 5;
/// The count for each deck from which insurance is worth its price.
const INSURE_FROM: f64 = 3.0;

#[derive(Clone, Copy, Debug, Default)]
struct InPlay {
    held: Held,
    /// The points of the last card, which a split takes away.
    last: u8,
    origin: Origin,
}

/// The players' part in a round being dealt.
pub struct Sitting<'a> {
    company: &'a Company,
    rules: &'a Rules,
    limits: &'a [Limit],
    stock: &'a mut VecDeque<Card>,
    dice: &'a mut Dice,
    hands: BTreeMap<Place, InPlay>,
    up: Option<Card>,
    count: Count,
    /// Boxes that would double even a natural.
    doublers: Vec<BoxNo>,
    /// Whether the next hand a split opens is on a free bet.
    opens_free: bool,
    taken: Vec<Taken>,
}

impl<'a> Sitting<'a> {
    pub(super) fn new(
        company: &'a Company,
        setup: &'a Setup,
        stock: &'a mut VecDeque<Card>,
        dice: &'a mut Dice,
    ) -> Self {
        let mut doublers = Vec::new();
        for guest in company.guests.iter().filter(|guest| guest.temper == Temper::Drunk) {
            if dice.chance(guest.drunk * 0.3) {
                doublers.extend(guest.boxes.iter().map(|(box_no, _)| *box_no));
            }
        }
        Self {
            company,
            rules: &setup.law.rules,
            limits: &setup.limits,
            stock,
            dice,
            hands: BTreeMap::new(),
            up: None,
            count: company.count,
            doublers,
            opens_free: false,
            taken: Vec::new(),
        }
    }

    /// Every card taken from the stock, in order.
    pub fn into_taken(self) -> Vec<Taken> {
        self.taken
    }

    fn take(&mut self, to: Option<Place>) -> Option<Card> {
        let card = self.stock.pop_front()?;
        self.taken.push(Taken { card, to });
        Some(card)
    }

    /// The next card, and what everybody learns from it.
    fn deal(&mut self, to: Place) -> Option<Card> {
        let card = self.take(Some(to))?;
        let is_up_card = to == Place::Dealer && self.up.is_none();
        if is_up_card {
            self.up = Some(card);
        }
        let open = to != Place::Dealer && self.rules.player_cards == PlayerCards::Up;
        if is_up_card || open {
            self.count.see(card);
        }
        if let Some(rank) = card.rank() {
            let hand = self.hands.entry(to).or_default();
            hand.held = hand.held.with(rank.points());
            hand.last = rank.points();
        }
        Some(card)
    }

    fn guest(&self, box_no: BoxNo) -> Option<&'a Guest> {
        self.company.guest_on(box_no)
    }

    fn temper(&self, box_no: BoxNo) -> Temper {
        self.guest(box_no).map_or(Temper::Basic, |guest| guest.temper)
    }

    /// Whether the stock must last for the hands from a place on.
    fn is_low(&self, from: Place) -> bool {
        let to_play = self.hands.keys().filter(|place| **place >= from && **place != Place::Dealer).count();
        self.stock.len() < KEPT_FOR_DEALER + KEPT_PER_HAND * to_play
    }

    /// The options without splits beyond number, and without risks once the stock is low.
    fn narrowed(&self, at: Place, options: &Options) -> Options {
        let on_box = self.hands.keys().filter(|place| place.box_no() == at.box_no()).count();
        let mut narrowed = Options { split: options.split && on_box < HANDS_MOST, ..*options };
        if self.is_low(at) {
            let hit = options.hit && !options.stand;
            narrowed = Options { split: false, zap: false, double: false, hit, ..narrowed };
        }
        narrowed
    }

    fn choose(&mut self, box_no: BoxNo, at: InPlay, options: &Options) -> Choice {
        let up = self.up.and_then(Card::rank).map_or(10, |rank| rank.points());
        let best = self.company.strategy.best(up, at.held, at.origin, options);
        let Some(guest) = self.guest(box_no) else { return best };
        match guest.temper {
            Temper::Basic | Temper::Counter => best,
            Temper::Beginner => self.fumble(guest.mimics, at.held, options),
            Temper::Drunk if self.dice.chance(0.2 + 0.6 * guest.drunk) => {
                let legal: Vec<Choice> = Choice::legal(options).collect();
                self.dice.pick(&legal).copied().unwrap_or(best)
            }
            Temper::Drunk => best,
        }
    }

    /// A beginner's play: splits what looks alike, doubles seldom, then draws as the dealer would or fears to bust.
    fn fumble(&mut self, mimics: bool, held: Held, options: &Options) -> Choice {
        let total = held.total();
        if options.split && (options.free_split || self.dice.once_in(2)) {
            return Choice::Split;
        }
        let tempting = options.free_double || matches!(total.points, 10 | 11);
        if options.double && tempting && self.dice.once_in(2) {
            return Choice::Double;
        }
        let enough = if mimics || total.soft { 17 } else { 12 };
        let wants = if total.points < enough { Choice::Hit } else { Choice::Stand };
        let mut legal = Choice::legal(options);
        let first = legal.next().unwrap_or(Choice::Stand);
        if first == wants || legal.any(|choice| choice == wants) { wants } else { first }
    }

    /// A double in full, or by those who know no better for as little as the game allows.
    fn double(&mut self, temper: Temper, free: bool) -> Raise {
        let timid = matches!(temper, Temper::Beginner | Temper::Drunk) && !free && self.dice.once_in(4);
        let least = raises::least_double(self.rules, self.limits);
        let own = least.filter(|_| timid).unwrap_or(Put::Due);
        Raise { own, others: raises::others(self.dice) }
    }

    fn count(&self) -> f64 {
        self.count.per_deck(self.rules.decks)
    }
}

impl Script for Sitting<'_> {
    fn card(&mut self, to: Place) -> Result<Card, PlanError> {
        self.deal(to).ok_or(PlanError::NoCard { place: to })
    }

    fn idle_card(&mut self) -> Option<Card> {
        self.deal(Place::Dealer)
    }

    fn decide(&mut self, at: Place, options: &Options, total: Total) -> Result<Called, PlanError> {
        let Some(box_no) = at.box_no() else {
            return Err(PlanError::NoDecision { place: at, total: total.to_string() });
        };
        let temper = self.temper(box_no);
        // A 21 that may be doubled and not hit is a natural whose player chose to.
        if total.points == 21 && options.double && !options.hit && self.doubles_natural(at) {
            return Ok(Called::Decision(Decision::Double(self.double(temper, false))));
        }
        if total.points == 21 && options.stand {
            return Ok(Called::Decision(Decision::Stand));
        }
        let narrowed = self.narrowed(at, options);
        let hand = self.hands.get(&at).copied().unwrap_or_default();
        let decision = match self.choose(box_no, hand, &narrowed) {
            Choice::Split => {
                self.opens_free = options.free_split;
                return Ok(Called::Split(Raise { own: Put::Due, others: raises::others(self.dice) }));
            }
            Choice::Stand => Decision::Stand,
            Choice::Hit => Decision::Hit,
            Choice::Double => Decision::Double(self.double(temper, options.free_double)),
            Choice::Surrender => Decision::Surrender,
            Choice::Zap => {
                self.hands.insert(at, InPlay::default());
                Decision::Zap
            }
        };
        Ok(Called::Decision(decision))
    }

    fn opened(&mut self, from: Place, to: Place) {
        let first = self.hands.entry(from).or_default();
        let one = Held::default().with(first.last);
        first.held = one;
        if first.origin == Origin::Dealt {
            first.origin = Origin::Split;
        }
        let origin = if self.opens_free { Origin::Free } else { Origin::Opened };
        let last = first.last;
        self.hands.insert(to, InPlay { held: one, last, origin });
    }

    fn doubles_natural(&mut self, at: Place) -> bool {
        at.box_no().is_some_and(|box_no| self.doublers.contains(&box_no))
    }

    fn burn(&mut self) -> Result<Card, PlanError> {
        // The card goes face down: nobody at the table sees which.
        self.take(None).map(|_| Card::HIDDEN).ok_or(PlanError::NoCard { place: Place::Dealer })
    }

    fn insure(&mut self, wager: Wager, most: Money) -> Result<Option<Money>, PlanError> {
        let wants = match self.temper(wager.box_no) {
            _ if wager.bettor != Bettor::SEATED => self.dice.once_in(5),
            Temper::Basic => false,
            Temper::Counter => self.count() >= INSURE_FROM,
            Temper::Beginner => self.dice.once_in(3),
            Temper::Drunk => self.dice.once_in(2),
        };
        let step = self.rules.insurance_multiple.map_or(1, Money::minor).max(1);
        let stake = Money::from_minor(most.minor() - most.minor() % step);
        Ok((wants && stake > Money::ZERO).then_some(stake))
    }

    fn even_money(&mut self, wager: Wager) -> bool {
        match self.temper(wager.box_no) {
            Temper::Basic => false,
            Temper::Counter => self.count() >= INSURE_FROM,
            Temper::Beginner => !self.dice.once_in(4),
            Temper::Drunk => self.dice.once_in(2),
        }
    }

    fn parlay(&mut self, _wager: Wager) -> bool {
        self.dice.once_in(3)
    }

    fn ride(&mut self, _wager: Wager, most: Money) -> Result<Option<Money>, PlanError> {
        let all = Money::from_minor(most.minor() - most.minor() % 100);
        Ok((self.dice.once_in(3) && all > Money::ZERO).then_some(all))
    }

    fn chips(&self, amount: Amount, wager: Wager) -> Result<Money, PlanError> {
        amount.chips(usual_stake(self.rules)).ok_or(PlanError::Amount { wager })
    }

    fn finish(&mut self, _stood: Option<Total>) -> Result<(), PlanError> {
        Ok(())
    }
}
