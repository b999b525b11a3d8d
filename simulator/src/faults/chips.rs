//! Chips on the table: how a lawful round came out, what it does with every wager, and what goes wrong with one.

use std::collections::BTreeSet;

use table::{Act, AtStake, Bettor, BoxNo, Card, Favours, Layout, Money, Place, Rank, Round, Wager, WagerKind};

use super::{Desk, Wrong};

/// What the lawful round does with a wager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// Pays so much beside the stake.
    Paid(Money),
    /// Takes so much of it; nothing for a lammer.
    Taken(Money),
    /// Leaves it.
    Pushed,
    /// Hands it back.
    Returned,
}

impl Due {
    pub(super) fn is_paid(self) -> bool {
        matches!(self, Self::Paid(_))
    }

    pub(super) fn is_taken(self) -> bool {
        matches!(self, Self::Taken(_))
    }
}

/// A settlement of the lawful round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settled {
    /// The step that settles.
    pub(super) step: usize,
    /// Which wager.
    pub(super) wager: Wager,
    /// What it comes to.
    pub(super) due: Due,
    /// All that stands there, parlayed winnings included; the worth of a lammer.
    pub(super) chips: Money,
    /// Whether War winnings stand on it.
    pub(super) capped: bool,
    /// Whether a lammer stands for it.
    pub(super) free: bool,
    /// How often it was settled before: a bet that rides is settled twice.
    pub(super) before: usize,
}

impl Settled {
    /// Taking all that stands there.
    pub(super) fn take(&self) -> Act {
        Act::Take(self.wager, self.capped.then_some(self.chips))
    }

    /// What is paid, if it is.
    pub(super) fn paid(&self) -> Option<Money> {
        if let Due::Paid(won) = self.due { Some(won) } else { None }
    }

    /// What is taken, if it is.
    pub(super) fn taken(&self) -> Option<Money> {
        if let Due::Taken(lost) = self.due { Some(lost) } else { None }
    }

    /// Whether it stands on the hand itself, not beside it.
    pub(super) fn is_on_hand(&self) -> bool {
        is_on_hand(&self.wager)
    }
}

/// Whether a wager stands on the hand itself, not beside it, and is the player's own.
pub(super) fn is_on_hand(wager: &Wager) -> bool {
    stands_on_hand(wager) && !wager.tip
}

/// Whether a wager stands on the hand itself, the player's own or one for the dealer.
pub(super) fn stands_on_hand(wager: &Wager) -> bool {
    matches!(wager.kind, WagerKind::Main | WagerKind::Double | WagerKind::Split)
}

/// A wrong on one wager that moved chips.
pub(super) fn on(wager: Wager, tag: &'static str, amount: Money, favours: Favours, says: String) -> Wrong {
    let money = Some(AtStake { amount, favours });
    Wrong { tag, box_no: Some(wager.box_no), hand: Some(wager.hand), money, says }
}

/// A wrong on a hand that is a matter of procedure.
pub(super) fn at(wager: Wager, tag: &'static str, says: String) -> Wrong {
    Wrong { tag, box_no: Some(wager.box_no), hand: Some(wager.hand), money: None, says }
}

/// A wrong that concerns the table.
pub(super) fn on_table(tag: &'static str, says: String) -> Wrong {
    Wrong { tag, box_no: None, hand: None, money: None, says }
}

/// How a round came out.
pub(super) struct Outcome {
    layout: Layout,
    split: BTreeSet<BoxNo>,
    doubled: BTreeSet<Place>,
    surrendered: BTreeSet<Place>,
    evened: BTreeSet<Wager>,
    /// Main wagers with War winnings on them.
    parlayed: BTreeSet<Wager>,
    /// Side bets that ride.
    ridden: BTreeSet<Wager>,
    insured: BTreeSet<BoxNo>,
    /// Every settlement in order.
    pub(super) settled: Vec<Settled>,
}

impl Outcome {
    pub(super) fn of(round: &Round) -> Self {
        let mut outcome = Self {
            layout: Layout::default(),
            split: BTreeSet::new(),
            doubled: BTreeSet::new(),
            surrendered: BTreeSet::new(),
            evened: BTreeSet::new(),
            parlayed: BTreeSet::new(),
            ridden: BTreeSet::new(),
            insured: BTreeSet::new(),
            settled: Vec::new(),
        };
        let mut caps: Vec<(Wager, Money)> = Vec::new();
        for (step, act) in round.steps.iter().map(|step| &step.act).enumerate() {
            match act {
                Act::Split(wager, _) => drop(outcome.split.insert(wager.box_no)),
                Act::Double(wager, _) => drop(outcome.doubled.insert(wager.place())),
                Act::Surrender(wager) => drop(outcome.surrendered.insert(wager.place())),
                Act::EvenMoney(wager) => drop(outcome.evened.insert(*wager)),
                Act::Ride(wager, _) => drop(outcome.ridden.insert(*wager)),
                Act::Bet(wager, _) if wager.kind == WagerKind::Insurance => {
                    outcome.insured.insert(wager.box_no);
                }
                Act::Parlay(wager, won) => {
                    outcome.parlayed.insert(*wager);
                    caps.push((*wager, *won));
                }
                act => outcome.settle(step, act, &caps),
            }
            outcome.layout.apply(act);
        }
        outcome
    }

    fn settle(&mut self, step: usize, act: &Act, caps: &[(Wager, Money)]) {
        let (Act::Pay(wager, _) | Act::Take(wager, _) | Act::Push(wager) | Act::Return(wager)) = act else { return };
        let Some(on) = self.layout.wagers.get(wager) else { return };
        let cap = caps.iter().find(|(main, _)| main == wager).map(|(_, won)| *won);
        let chips = on.stake.plus(cap.unwrap_or_default()).unwrap_or(on.stake);
        let due = match act {
            Act::Pay(_, won) => Due::Paid(*won),
            Act::Take(_, Some(lost)) => Due::Taken(*lost),
            Act::Take(..) if on.free => Due::Taken(Money::ZERO),
            Act::Take(..) => Due::Taken(chips),
            Act::Push(_) => Due::Pushed,
            _ => Due::Returned,
        };
        let before = self.settled.iter().filter(|settled| settled.wager == *wager).count();
        let (capped, free) = (cap.is_some(), on.free);
        self.settled.push(Settled { step, wager: *wager, due, chips, capped, free, before });
    }

    /// The hands on the table.
    pub(super) fn places(&self) -> impl Iterator<Item = Place> {
        self.layout.hands.keys().copied()
    }

    /// The cards a hand ended with.
    pub(super) fn cards(&self, place: Place) -> Vec<Card> {
        self.layout.hands.get(&place).map(|hand| hand.cards.iter().map(|laid| laid.card).collect()).unwrap_or_default()
    }

    /// What a hand came to.
    pub(super) fn points(&self, place: Place) -> Option<u16> {
        table::Total::of(self.cards(place)).map(|total| total.points)
    }

    pub(super) fn is_bust(&self, place: Place) -> bool {
        self.points(place).is_some_and(|points| points > 21)
    }

    pub(super) fn is_split(&self, box_no: BoxNo) -> bool {
        self.split.contains(&box_no)
    }

    pub(super) fn is_doubled(&self, place: Place) -> bool {
        self.doubled.contains(&place)
    }

    pub(super) fn is_surrendered(&self, place: Place) -> bool {
        self.surrendered.contains(&place)
    }

    pub(super) fn took_even_money(&self, wager: Wager) -> bool {
        self.evened.contains(&wager)
    }

    /// Whether anybody on a box took even money.
    pub(super) fn has_even_money(&self, box_no: BoxNo) -> bool {
        self.evened.iter().any(|wager| wager.box_no == box_no)
    }

    pub(super) fn is_insured(&self, box_no: BoxNo) -> bool {
        self.insured.contains(&box_no)
    }

    pub(super) fn is_zapped(&self, box_no: BoxNo) -> bool {
        let first = Place::Box(box_no, table::Hand::A);
        self.layout.hands.get(&first).is_some_and(|hand| !hand.zapped.is_empty())
    }

    /// Whether chips of a side bet ride on a box.
    pub(super) fn has_ride(&self, box_no: BoxNo) -> bool {
        self.ridden.iter().any(|wager| wager.box_no == box_no)
    }

    pub(super) fn rides(&self, wager: Wager) -> bool {
        self.ridden.contains(&wager)
    }

    /// Whether War winnings were put on a bettor's main wager.
    pub(super) fn is_parlayed(&self, wager: Wager) -> bool {
        self.parlayed.contains(&Wager { hand: table::Hand::A, kind: WagerKind::Main, ..wager })
    }

    /// Whether a hand is a natural: ace and ten as dealt.
    pub(super) fn is_natural(&self, place: Place) -> bool {
        let whole = place.box_no().is_none_or(|box_no| !self.is_split(box_no) && !self.is_zapped(box_no));
        whole && !self.is_doubled(place) && is_ace_and_ten(&self.cards(place))
    }

    pub(super) fn dealer_has_natural(&self) -> bool {
        self.is_natural(Place::Dealer)
    }

    /// Whether whoever made a wager can only have meant the hand it stands on: those behind and tips may go with
    /// another hand of a split box, or with cards that were exchanged.
    pub(super) fn is_tied_to_hand(&self, wager: Wager) -> bool {
        let follows = wager.bettor != Bettor::SEATED || wager.tip;
        !follows || !(self.is_split(wager.box_no) || self.is_zapped(wager.box_no))
    }

    /// The wagers that were placed, with what stood there last.
    pub(super) fn wagers(&self) -> impl Iterator<Item = (Wager, Money)> {
        self.layout.wagers.iter().map(|(wager, chips)| (*wager, chips.stake))
    }

    pub(super) fn has(&self, wager: Wager) -> bool {
        self.layout.wagers.contains_key(&wager)
    }

    /// What stood on a wager.
    pub(super) fn stake(&self, wager: Wager) -> Option<Money> {
        self.layout.wagers.get(&wager).map(|chips| chips.stake)
    }

    /// Whether the dealer plays for a hand beside this wager's: one that is settled after the last card.
    pub(super) fn needs_dealer_beside(&self, wager: Wager, last_card: usize) -> bool {
        self.settled.iter().any(|on| {
            let place = on.wager.place();
            let by_total = !self.is_bust(place) && !self.is_natural(place) && !self.is_surrendered(place);
            on.is_on_hand() && on.wager != wager && on.step > last_card && by_total
        })
    }

    /// The last settlement of a wager.
    pub(super) fn settlement(&self, wager: Wager) -> Option<&Settled> {
        self.settled.iter().rev().find(|settled| settled.wager == wager)
    }
}

/// Whether these are an ace and a ten-value card and nothing else.
pub(super) fn is_ace_and_ten(cards: &[Card]) -> bool {
    let points: Vec<_> = cards.iter().filter_map(|card| card.rank()).map(Rank::points).collect();
    matches!(points.as_slice(), [1, 10] | [10, 1])
}

/// One of the settlements of some kind, each as likely as the other.
pub(super) fn any_settled(desk: &mut Desk<'_>, outcome: &Outcome, is_it: impl Fn(&Settled) -> bool) -> Option<Settled> {
    let fitting: Vec<&Settled> = outcome.settled.iter().filter(|settled| is_it(settled)).collect();
    desk.dice.pick(&fitting).map(|settled| **settled)
}

/// The first of these tags that the game cites.
pub(super) fn cited(desk: &Desk<'_>, tags: &[&'static str]) -> Option<&'static str> {
    tags.iter().copied().find(|tag| !desk.setup.law.cited(tag).is_empty())
}

/// The step that placed a wager.
pub(super) fn placed(desk: &Desk<'_>, wager: Wager) -> Option<usize> {
    desk.steps(|act| matches!(act, Act::Bet(of, _) if *of == wager)).first().copied()
}

/// The hand a step of play is about: a decision, or a further card.
pub(super) fn decides(act: &Act) -> Option<Place> {
    match act {
        Act::Hit(place) | Act::Stand(place) | Act::Zap(place) => Some(*place),
        Act::Double(wager, _) | Act::Split(wager, _) | Act::Surrender(wager) => Some(wager.place()),
        _ => None,
    }
}

/// The first step at which play goes on after the initial deal: a decision, or the dealer's second card.
pub(super) fn play_begins(desk: &Desk<'_>) -> Option<usize> {
    let rules = desk.rules();
    let dealers = desk.steps(|act| matches!(act, Act::Card { to: Place::Dealer, .. } | Act::TurnUp(Place::Dealer, _)));
    let second = dealers.get(if rules.hole_card { 2 } else { 1 }).copied();
    let decided = desk.steps(|act| decides(act).is_some()).first().copied();
    decided.into_iter().chain(second).min()
}

/// The last card of the round.
pub(super) fn last_card(desk: &Desk<'_>) -> Option<usize> {
    desk.steps(|act| matches!(act, Act::Card { .. } | Act::TurnUp(Place::Dealer, _))).last().copied()
}

/// Where a box comes in the final settlement, from the dealer's right to the left.
pub(super) fn final_place(desk: &Desk<'_>, box_no: BoxNo) -> Option<usize> {
    let from = last_card(desk)? + 1;
    let later = |act: &Act| match act {
        Act::Pay(wager, _) | Act::Take(wager, _) | Act::Push(wager) => stands_on_hand(wager) && wager.box_no < box_no,
        Act::Collect(Place::Box(other, _)) | Act::TurnUp(Place::Box(other, _), _) => *other < box_no,
        Act::Collect(Place::Dealer) | Act::Supervisor => true,
        _ => false,
    };
    desk.steps(later).into_iter().find(|step| *step >= from)
}

/// Takes steps out of the round and puts them back, in their order, before another.
pub(super) fn move_before(desk: &mut Desk<'_>, steps: &[usize], to: usize) {
    let acts: Vec<Act> = steps.iter().filter_map(|step| desk.act(*step).cloned()).collect();
    let earlier = steps.iter().filter(|step| **step < to).count();
    for step in steps.iter().rev() {
        desk.replace(*step, []);
    }
    desk.insert(to - earlier, acts);
}
