//! Where the cards of a round come from and who decides: a plan, or chance.

use std::collections::{BTreeMap, VecDeque};

use table::{Act, BoxNo, Card, Money, Place, Wager, WagerKind};

use super::error::PlanError;
use super::options::Options;
use super::plan::{Amount, Decision, Early, Item, Plan, Put, Raise, Who};

/// What stands before the first card.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// What happened to the cards.
    pub shoe: Vec<Act>,
    /// Every wager, in the order placed.
    pub bets: Vec<(Wager, Money)>,
    /// Bettors who leave out the ante.
    pub no_ante: Vec<Wager>,
    /// What the progressive meter shows.
    pub meter: Option<Money>,
    /// What the jackpot button will give.
    pub prizes: BTreeMap<BoxNo, Money>,
    /// What happens after the end.
    pub after: Vec<Act>,
}

/// A decision as the dealer hears it.
#[derive(Clone, Debug)]
pub enum Called {
    /// Anything but a split.
    Decision(Decision),
    /// A split, and who puts up what for it.
    Split(Raise),
}

/// Cards and decisions, asked for one at a time in the order of play.
pub trait Script {
    /// The next card for a hand.
    fn card(&mut self, to: Place) -> Result<Card, PlanError>;
    /// A card for the dealer where nothing depends on it and the rulebook does not say whether to draw.
    fn idle_card(&mut self) -> Option<Card>;
    /// What a hand does.
    fn decide(&mut self, at: Place, options: &Options, total: table::Total) -> Result<Called, PlanError>;
    /// A split opened another hand.
    fn opened(&mut self, from: Place, to: Place);
    /// Whether a natural would rather be doubled than paid.
    fn doubles_natural(&mut self, at: Place) -> bool;
    /// The card burned before a round where the game burns one every time.
    fn burn(&mut self) -> Result<Card, PlanError> {
        Ok(Card::HIDDEN)
    }
    /// What a bettor insures for, at most `most`.
    fn insure(&mut self, wager: Wager, most: Money) -> Result<Option<Money>, PlanError>;
    /// Whether a natural asks for even money.
    fn even_money(&mut self, wager: Wager) -> bool;
    /// Whether War winnings go on the main wager.
    fn parlay(&mut self, wager: Wager) -> bool;
    /// What of a won side bet rides, at most `most`.
    fn ride(&mut self, wager: Wager, most: Money) -> Result<Option<Money>, PlanError>;
    /// An amount in terms of the usual stake.
    fn chips(&self, amount: Amount, wager: Wager) -> Result<Money, PlanError>;
    /// Whether everything was used up. `total` is what the dealer's hand counts if it stands by the rules.
    fn finish(&mut self, stood: Option<table::Total>) -> Result<(), PlanError>;
}

/// A plan being played.
pub(super) struct Planned {
    usual: Money,
    hands: BTreeMap<Place, VecDeque<Item>>,
    split: Option<(Vec<Item>, Vec<Item>)>,
    dealer: VecDeque<Card>,
    early: Vec<(BoxNo, Early)>,
}

impl Planned {
    pub(super) fn new(plan: &Plan, usual: Money) -> Self {
        let hand = |box_no| Place::Box(box_no, table::Hand::A);
        Self {
            usual,
            hands: plan.boxes.iter().map(|of| (hand(of.box_no), of.hand.iter().cloned().collect())).collect(),
            split: None,
            dealer: plan.dealer.iter().copied().collect(),
            early: plan.boxes.iter().flat_map(|of| of.early.iter().map(|early| (of.box_no, *early))).collect(),
        }
    }

    /// Takes what was asked for early on a box, if it was.
    fn take(&mut self, box_no: BoxNo, is_it: impl Fn(&Early) -> bool) -> Option<Early> {
        let at = self.early.iter().position(|(on, early)| *on == box_no && is_it(early))?;
        Some(self.early.remove(at).1)
    }

    fn next(&mut self, at: Place) -> Option<&mut VecDeque<Item>> {
        self.hands.get_mut(&at)
    }
}

/// What is bet by plan, in the order of boxes.
pub(super) fn opening(plan: &Plan, usual: Money) -> Result<Opening, PlanError> {
    let mut opening = Opening { shoe: plan.shoe.clone(), after: plan.after.clone(), ..Opening::default() };
    let amount = |amount: Amount, wager| amount.chips(usual).ok_or(PlanError::Amount { wager });
    for planned in &plan.boxes {
        for bet in &planned.bets {
            let wager = wager(planned.box_no, bet.by).of_kind(bet.on);
            match bet.amount {
                Some(chips) => opening.bets.push((wager, amount(chips, wager)?)),
                None => opening.no_ante.push(wager),
            }
        }
    }
    let any = wager(BoxNo::new(1).ok_or(PlanError::Empty)?, Who::SEATED);
    opening.meter = plan.meter.map(|meter| amount(meter, any)).transpose()?;
    for (box_no, prize) in &plan.prizes {
        opening.prizes.insert(*box_no, amount(*prize, wager(*box_no, Who::SEATED))?);
    }
    Ok(opening)
}

fn wager(box_no: BoxNo, who: Who) -> Wager {
    let wager = Wager::on(box_no, table::Hand::A).by(who.bettor);
    if who.tip { wager.for_dealer() } else { wager }
}

impl Script for Planned {
    fn card(&mut self, to: Place) -> Result<Card, PlanError> {
        let card = match to {
            Place::Dealer => self.dealer.pop_front(),
            Place::Box(..) => match self.next(to) {
                Some(items) => match items.pop_front() {
                    Some(Item::Card(card)) => Some(card),
                    _ => None,
                },
                None => None,
            },
        };
        card.ok_or(PlanError::NoCard { place: to })
    }

    fn idle_card(&mut self) -> Option<Card> {
        self.dealer.pop_front()
    }

    fn decide(&mut self, at: Place, options: &Options, total: table::Total) -> Result<Called, PlanError> {
        let stands = options.stand && (!options.hit || total.points == 21);
        match self.next(at).and_then(VecDeque::pop_front) {
            Some(Item::Decision(decision)) => Ok(Called::Decision(decision)),
            Some(Item::Split(raise, first, second)) => {
                self.split = Some((first, second));
                Ok(Called::Split(raise))
            }
            None if stands => Ok(Called::Decision(Decision::Stand)),
            _ => Err(PlanError::NoDecision { place: at, total: total.to_string() }),
        }
    }

    fn opened(&mut self, from: Place, to: Place) {
        let (first, second) = self.split.take().unwrap_or_default();
        self.hands.insert(from, first.into());
        self.hands.insert(to, second.into());
    }

    fn doubles_natural(&mut self, at: Place) -> bool {
        matches!(self.next(at).and_then(|items| items.front()), Some(Item::Decision(Decision::Double(_))))
    }

    fn insure(&mut self, wager: Wager, _most: Money) -> Result<Option<Money>, PlanError> {
        let asked = |early: &Early| matches!(early, Early::Insure(bettor, _) if *bettor == wager.bettor);
        match self.take(wager.box_no, asked) {
            Some(Early::Insure(_, amount)) => self.chips(amount, wager).map(Some),
            _ => Ok(None),
        }
    }

    fn even_money(&mut self, wager: Wager) -> bool {
        self.take(wager.box_no, |early| *early == Early::EvenMoney(wager.bettor)).is_some()
    }

    fn parlay(&mut self, wager: Wager) -> bool {
        self.take(wager.box_no, |early| *early == Early::Parlay(wager.bettor)).is_some()
    }

    fn ride(&mut self, wager: Wager, _most: Money) -> Result<Option<Money>, PlanError> {
        let WagerKind::Side(bet) = wager.kind else { return Ok(None) };
        let asked = |early: &Early| matches!(early, Early::Ride(by, on, _) if *by == wager.bettor && *on == bet);
        match self.take(wager.box_no, asked) {
            Some(Early::Ride(_, _, amount)) => self.chips(amount, wager).map(Some),
            _ => Ok(None),
        }
    }

    fn chips(&self, amount: Amount, wager: Wager) -> Result<Money, PlanError> {
        amount.chips(self.usual).ok_or(PlanError::Amount { wager })
    }

    fn finish(&mut self, stood: Option<table::Total>) -> Result<(), PlanError> {
        if let Some((box_no, early)) = self.early.first() {
            let place = Place::Box(*box_no, table::Hand::A);
            return Err(PlanError::TooMuch { place, left: early.to_string() });
        }
        for (place, items) in &self.hands {
            // A template may say stand where a game stops the hand by itself.
            if let Some(item) = items.iter().find(|item| **item != Item::Decision(Decision::Stand)) {
                return Err(PlanError::TooMuch { place: *place, left: item.to_string() });
            }
        }
        match (stood, self.dealer.front()) {
            (Some(total), Some(card)) => Err(PlanError::DealerStands { card: *card, total: total.to_string() }),
            _ => Ok(()),
        }
    }
}

impl Raise {
    /// What somebody beside the seated player puts up.
    pub(super) fn of(&self, who: Who) -> Put {
        if who == Who::SEATED {
            return self.own;
        }
        let named = self.others.iter().find(|(other, _)| *other == who).map(|(_, put)| *put);
        named.unwrap_or(match self.own {
            _ if who.tip => Put::Stay,
            Put::Free => Put::Free,
            _ => Put::Due,
        })
    }
}
