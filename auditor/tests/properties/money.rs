//! Money: what a hand is due does not depend on where it sits, and what the players win the house loses.

use std::collections::BTreeMap;

use auditor::check::{Law, Session};
use auditor::hand::{End, PlayerHand};
use auditor::model::random::{Dice, Habits};
use auditor::replay::{Room, Standing, Table};
use auditor::settle::side::{Award, Equipment, Judged, award, capped, judge, on_ridden};
use auditor::settle::{Due, HandDue, Stakes, is_kept_tip, on_insurance, on_one};
use table::notation::print;
use table::round::Cutter;
use table::{Act, Bettor, BoxNo, Flag, FlagKind, Hand, Money, Place, Round, SideBet, Wager, WagerKind, Winnings};

use crate::{games, law_of, round_under, rounds_or, said};

/// The round with its boxes renumbered.
fn reseated(round: &Round, to: &BTreeMap<BoxNo, BoxNo>) -> Round {
    let seat = |no: BoxNo| to.get(&no).copied().unwrap_or(no);
    let place = |place: Place| match place {
        Place::Box(no, hand) => Place::Box(seat(no), hand),
        Place::Dealer => Place::Dealer,
    };
    let wager = |wager: Wager| Wager { box_no: seat(wager.box_no), ..wager };
    let mut round = round.clone();
    for step in &mut round.steps {
        match &mut step.act {
            Act::Bet(on, _) | Act::Double(on, _) | Act::Split(on, _) | Act::Parlay(on, _) | Act::Ride(on, _) => {
                *on = wager(*on);
            }
            Act::EvenMoney(on) | Act::Surrender(on) | Act::Push(on) | Act::Return(on) => *on = wager(*on),
            Act::Prize(on, _) | Act::Pay(on, _) | Act::Take(on, _) => *on = wager(*on),
            Act::Hit(at) | Act::Stand(at) | Act::Zap(at) | Act::Tuck(at) | Act::Collect(at) => *at = place(*at),
            Act::TurnUp(at, _) | Act::TurnSideways(at) | Act::Card { to: at, .. } => *at = place(*at),
            Act::OfferCut(no) | Act::Cut { by: Cutter::Box(no), .. } => *no = seat(*no),
            _ => {}
        }
    }
    round
}

/// The boxes in play.
fn boxes(round: &Round) -> Vec<BoxNo> {
    let mut boxes: Vec<_> = round.steps.iter().filter_map(|step| bet(&step.act)).map(|wager| wager.box_no).collect();
    boxes.sort_unstable();
    boxes.dedup();
    boxes
}

fn bet(act: &Act) -> Option<Wager> {
    if let Act::Bet(wager, _) = act { Some(*wager) } else { None }
}

/// The wrong payments that are found: by which check, and how much is owed to whom.
fn wrong_payments(law: &Law, round: &Round) -> Vec<String> {
    let (flags, _) = Session::default().audit(law, round);
    let told = |flag: &Flag| format!("{} {:?} {}", flag.check, flag.money, flag.expected);
    let mut wrong: Vec<_> = flags.iter().filter(|flag| flag.kind == FlagKind::WrongPayout).map(told).collect();
    wrong.sort();
    wrong
}

#[test]
fn a_table_whose_boxes_are_numbered_otherwise_is_settled_as_it_was() {
    for name in games() {
        let (game, law) = law_of(&name, true);
        for seed in 0..rounds_or(60) {
            let round = round_under(&law, &game, seed, Habits { boxes: 4, ..Habits::default() });
            let taken = boxes(&round);
            let mut dice = Dice::new(seed);
            let mut free: Vec<BoxNo> = BoxNo::all().filter(|no| no.number() <= law.rules.boxes_max).collect();
            while free.len() > taken.len() {
                free.remove(dice.below(free.len()));
            }
            let moved = reseated(&round, &taken.iter().copied().zip(free).collect());
            assert_eq!(said(&law, &moved), Vec::<String>::new(), "{name} seed {seed}\n{}", print([&moved]));
        }
    }
}

#[test]
fn what_a_hand_is_due_does_not_depend_on_which_box_it_is_dealt_to() {
    for name in games() {
        let (game, law) = law_of(&name, true);
        for seed in 0..rounds_or(60) {
            let mut round = round_under(&law, &game, seed, Habits { boxes: 4, ..Habits::default() });
            let mut dice = Dice::new(seed);
            let taken = boxes(&round);
            let mut shuffled = taken.clone();
            for last in (1..shuffled.len()).rev() {
                shuffled.swap(last, dice.below(last + 1));
            }
            let to: BTreeMap<_, _> = taken.into_iter().zip(shuffled).collect();
            let swapped = reseated(&round, &to);
            assert_eq!(wrong_payments(&law, &swapped), Vec::<String>::new(), "{name} {seed}\n{}", print([&swapped]));
            let seated = |wager: &Wager| wager.bettor == Bettor::SEATED && !wager.tip;
            let main = |act: &Act| matches!(act, Act::Pay(wager, _) if wager.kind == WagerKind::Main && seated(wager));
            let Some(paid) = round.steps.iter().position(|step| main(&step.act)) else { continue };
            if let Act::Pay(_, amount) = &mut round.steps[paid].act {
                *amount = Money::from_minor(amount.minor() * 3 + 700);
            }
            let (before, after) = (wrong_payments(&law, &round), wrong_payments(&law, &reseated(&round, &to)));
            assert_eq!((before.len(), &before), (1, &after), "{name} seed {seed}\n{}", print([&round]));
        }
    }
}

/// Where every chip is: in the players' pockets, on the layout, in the house's tray. A lammer is no chip.
#[derive(Default)]
struct Ledger {
    pockets: i64,
    tray: i64,
    layout: BTreeMap<Wager, i64>,
}

impl Ledger {
    /// Follows a step. `table` is as it is after the step.
    fn follow(&mut self, act: &Act, table: &Table<'_>) {
        match act {
            Act::Bet(..) | Act::Double(..) | Act::Split(..) => {
                let placed = table.wagers.iter().filter(|standing| standing.at == table.step && !standing.free);
                for standing in placed {
                    self.stake(standing.wager, standing.stake.minor());
                }
            }
            Act::Parlay(wager, amount) => self.stake(*wager, amount.minor()),
            Act::Ride(wager, amount) => {
                let lay = self.layout.insert(*wager, amount.minor()).unwrap_or_default();
                self.pockets += lay - amount.minor();
            }
            Act::Pay(wager, amount) => {
                self.tray -= amount.minor();
                *self.layout.entry(*wager).or_default() += amount.minor();
            }
            Act::Take(wager, amount) => {
                let standing = table.wagers.get(*wager).unwrap();
                let all = standing.ridden.map_or(standing.stake.minor() + standing.cap.minor(), Money::minor);
                let lost = amount.map_or(if standing.free { 0 } else { all }, Money::minor);
                self.tray += lost;
                let left = self.layout.entry(*wager).or_default();
                *left -= lost;
                assert!(*left >= 0, "{wager}: more is taken than lies there");
            }
            _ => {}
        }
    }

    fn stake(&mut self, wager: Wager, amount: i64) {
        self.pockets -= amount;
        *self.layout.entry(wager).or_default() += amount;
    }

    /// What the players have won when everything left on the layout is theirs again.
    fn players(&self) -> i64 {
        self.pockets + self.layout.values().sum::<i64>()
    }
}

/// What a wager of a finished round wins or loses by the settlement rules.
fn due(table: &Table<'_>, standing: &Standing) -> i64 {
    let (rules, dealer, wager) = (table.rules, table.dealer_hand(), standing.wager);
    let net = |due: Due| due.net().unwrap().minor();
    match wager.kind {
        WagerKind::Main | WagerKind::Split | WagerKind::Double => {
            let due = hand_due(table, wager);
            let kept = is_kept_tip(rules, wager.tip, standing.stake, due.ruling.point);
            let due = if wager.kind == WagerKind::Double { due.double.unwrap() } else { due.base };
            net(if kept { Due::Push } else { due })
        }
        WagerKind::Insurance => net(on_insurance(rules, dealer, standing.stake, &held(table, wager, Hand::A)).unwrap()),
        WagerKind::Ante => -standing.stake.minor(),
        WagerKind::Side(bet) => side_due(table, standing, bet),
    }
}

/// The hand as a bettor holds it: he alone may have taken even money.
fn held(table: &Table<'_>, wager: Wager, letter: Hand) -> PlayerHand {
    let hand = table.hand(Place::Box(wager.box_no, letter)).unwrap();
    let asked = table.wagers.main_of(wager).is_some_and(|main| main.even_money.is_some());
    match hand.play.end {
        End::Played | End::EvenMoney if hand.play.is_natural() => {
            PlayerHand { end: if asked { End::EvenMoney } else { End::Played }, ..hand.play.clone() }
        }
        _ => hand.play.clone(),
    }
}

fn hand_due(table: &Table<'_>, wager: Wager) -> HandDue {
    let stake = |letter: Hand| {
        table.wagers.get(Wager { hand: letter, kind: WagerKind::stake(letter), ..wager }).filter(|on| !on.withdrawn)
    };
    let letters: Vec<Hand> = (0..26).filter_map(Hand::new).filter(|letter| stake(*letter).is_some()).collect();
    let index = letters.iter().position(|letter| *letter == wager.hand).unwrap();
    let base = stake(wager.hand).unwrap();
    let mut stakes = Stakes { cap: base.cap, ..Stakes::default() };
    *(if base.free { &mut stakes.free_base } else { &mut stakes.base }) = base.stake;
    if let Some(double) = table.wagers.get(wager.of_kind(WagerKind::Double)) {
        *(if double.free { &mut stakes.free_double } else { &mut stakes.double }) = double.stake;
    }
    let hand = held(table, wager, wager.hand);
    let most = table.table_max(wager.box_no);
    on_one(table.rules, table.dealer_hand(), (&hand, stakes), (index, letters.len()), most).unwrap()
}

fn side_won(table: &Table<'_>, standing: &Standing, bet: SideBet) -> Option<Winnings> {
    let facts = table.side_facts(standing.wager);
    let Judged::Win(tier) = judge(table.rules, bet, &facts) else { return None };
    let meter = standing.meter.or(table.meter).unwrap_or_default();
    let equipment = Equipment { meter, prize: standing.prize, failed: false };
    let scale = table.rules.side(bet)?.scale;
    match award(table.rules, bet, tier, scale, standing.stake, &equipment)? {
        Award::Beside(won) => Some(won),
        Award::Instead(won) => Some(Winnings { whole: won.whole.minus(standing.stake)?, ..won }),
    }
}

fn side_due(table: &Table<'_>, standing: &Standing, bet: SideBet) -> i64 {
    let Some(won) = side_won(table, standing, bet) else { return -standing.stake.minor() };
    let won = match table.rules.side(bet).and_then(|terms| terms.cap) {
        Some(cap) => share(table, standing, won, cap),
        None => won,
    };
    let main = Wager { hand: Hand::A, kind: WagerKind::Main, ..standing.wager };
    let rode = standing.ridden.map_or(0, |ridden| {
        let ruling = hand_due(table, main).ruling;
        on_ridden(table.rules, ridden, ruling, table.dealer_hand()).unwrap().net().unwrap().minor()
    });
    won.whole.minor() + rode
}

/// A winner's share of the most the house pays on its capped side bets in a round.
fn share(table: &Table<'_>, standing: &Standing, won: Winnings, cap: Money) -> Winnings {
    let wins = table.wagers.iter().filter(|other| other.wager.kind == standing.wager.kind && !other.wager.tip);
    let wins = wins.filter_map(|other| match other.wager.kind {
        WagerKind::Side(bet) => side_won(table, other, bet),
        _ => None,
    });
    let all = wins.fold(Money::ZERO, |sum, won| sum.plus(won.whole).unwrap());
    match all > cap && standing.wager.tip {
        true => Winnings { whole: standing.stake, over: 0, per: 1 },
        false => capped(won, all, cap).unwrap(),
    }
}

#[test]
fn what_the_players_win_the_house_loses_and_both_are_what_was_due() {
    let mut decided = [0; 2];
    for name in games() {
        let (game, law) = law_of(&name, true);
        for seed in 0..rounds_or(150) {
            let round = round_under(&law, &game, seed, Habits::default());
            let mut table = Table::new(&law.rules, &round.limits, Box::default(), Room::default());
            let mut ledger = Ledger::default();
            for (number, step) in round.steps.iter().enumerate() {
                table.step = number;
                table.follow(&step.act);
                ledger.follow(&step.act, &table);
            }
            let dues: i64 = table.wagers.iter().map(|standing| due(&table, standing)).sum();
            assert_eq!(ledger.players() + ledger.tray, 0, "{name} seed {seed}\n{}", print([&round]));
            assert_eq!(ledger.players(), dues, "{name} seed {seed}\n{}", print([&round]));
            decided[usize::from(dues > 0)] += 1;
        }
    }
    assert!(decided.iter().all(|rounds| *rounds > 100), "both sides must win now and then: {decided:?}");
}
