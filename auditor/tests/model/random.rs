//! Random rounds of the model dealer: whatever is dealt, chips and cards add up.

use std::collections::BTreeMap;

use auditor::model::random::{self, Dice, Habits, Shoe};
use auditor::model::{Plan, PlanError, deal};
use auditor::rulebook::{Game, books};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use table::notation::{parse, print};
use table::round::Stake;
use table::{Act, Card, Money, Round, Wager, WagerKind};

use crate::{faults, id, limits};

const SEEDS: u64 = 400;

fn games() -> Vec<&'static Game> {
    books::all().unwrap().iter().flat_map(|book| &book.games).collect()
}

/// Rounds of every game from the option that turns every side bet on, and from the house that offers none.
fn rounds(game: &Game) -> impl Iterator<Item = (u64, Round)> {
    let mut everything = table::Game { name: game.name.clone(), options: BTreeMap::new() };
    for side in &game.sides {
        let name: table::Ident = side.bet.name().parse().unwrap();
        everything.options.insert(name, "on".parse().unwrap());
    }
    let plain = table::Game { options: BTreeMap::new(), ..everything.clone() };
    let rules = |options| game.with_options(options).map(|chosen| chosen.rules);
    let all = rules(&everything.options).ok();
    let usual = rules(&plain.options).unwrap();
    let limits = limits(&game.rules);
    (0..SEEDS).map(move |seed| {
        let (rules, game) = match &all {
            Some(all) if seed % 2 == 0 => (all, &everything),
            _ => (&usual, &plain),
        };
        let round = random::fresh(rules, &limits, Habits::default(), seed, id(1), game.clone());
        (seed, round.unwrap_or_else(|error| panic!("{} seed {seed}: {error}", game.name)))
    })
}

/// Who holds which chips while a round goes by.
#[derive(Default)]
struct Ledger {
    players: i64,
    house: i64,
    felt: BTreeMap<Wager, i64>,
    lammers: BTreeMap<Wager, i64>,
    open: BTreeMap<Wager, bool>,
}

impl Ledger {
    fn stake(&mut self, wager: Wager, amount: i64) {
        self.players -= amount;
        *self.felt.entry(wager).or_default() += amount;
        self.open.insert(wager, true);
    }

    fn raise(&mut self, of: Wager, further: Wager, stake: Stake) {
        let own = self.felt[&of].max(self.lammers.get(&of).copied().unwrap_or_default());
        match stake {
            Stake::Free => {
                self.lammers.insert(further, own);
                self.stake(further, 0);
            }
            Stake::Full => self.stake(further, own),
            Stake::Chips(amount) => self.stake(further, amount.minor()),
        }
    }

    /// The stake leaves the felt: so much to the house, the rest to its owner.
    fn clear(&mut self, wager: Wager, taken: Option<Money>, paid: Money) {
        let felt = self.felt.insert(wager, 0).unwrap_or_default();
        let taken = taken.map_or(felt, Money::minor);
        assert!(taken <= felt, "{wager}: {taken} taken of {felt}");
        self.house += taken - paid.minor();
        self.players += felt - taken + paid.minor();
        let open = self.open.insert(wager, false);
        assert!(open == Some(true) || wager.kind == WagerKind::Side(table::SideBet::Blazing7), "{wager} settled twice");
    }

    fn follow(&mut self, act: &Act, last: &BTreeMap<table::BoxNo, usize>) {
        match act {
            Act::Bet(wager, amount) => self.stake(*wager, amount.minor()),
            Act::Double(wager, stake) => self.raise(*wager, wager.of_kind(WagerKind::Double), *stake),
            Act::Split(wager, stake) => {
                let hand = table::Hand::new(u8::try_from(last[&wager.box_no]).unwrap()).unwrap();
                self.raise(*wager, Wager { hand, kind: WagerKind::Split, ..*wager }, *stake);
            }
            Act::Parlay(wager, amount) | Act::Ride(wager, amount) => self.stake(*wager, amount.minor()),
            Act::Pay(wager, amount) => self.clear(*wager, Some(Money::ZERO), *amount),
            Act::Take(wager, amount) => self.clear(*wager, *amount, Money::ZERO),
            Act::Push(wager) | Act::Return(wager) => self.clear(*wager, Some(Money::ZERO), Money::ZERO),
            _ => {}
        }
        assert_eq!(self.players + self.house + self.felt.values().sum::<i64>(), 0, "{act}");
    }
}

#[test]
fn every_wager_is_settled_once_and_no_chip_is_lost() {
    for game in games() {
        for (seed, round) in rounds(game) {
            let mut ledger = Ledger::default();
            let mut last: BTreeMap<table::BoxNo, usize> = BTreeMap::new();
            for (at, step) in round.steps.iter().enumerate() {
                if let Act::Split(wager, _) = &step.act {
                    let again =
                        matches!(&round.steps[at - 1].act, Act::Split(before, _) if before.place() == wager.place());
                    if !again {
                        *last.entry(wager.box_no).or_default() += 1;
                    }
                }
                ledger.follow(&step.act, &last);
            }
            let left: Vec<_> = ledger.open.iter().filter(|(_, open)| **open).collect();
            assert!(left.is_empty(), "{} seed {seed}: {left:?}\n{}", game.name, print([&round]));
        }
    }
}

#[test]
fn every_round_reads_back_from_its_notation() {
    for game in games() {
        for (seed, round) in rounds(game).take(100) {
            assert_eq!(parse(&print([&round])).unwrap(), [round], "{} seed {seed}", game.name);
        }
    }
}

#[test]
fn no_face_comes_more_often_than_the_decks_hold() {
    for game in games() {
        for (seed, round) in rounds(game) {
            let mut seen: BTreeMap<Card, u8> = BTreeMap::new();
            for step in &round.steps {
                let card = match step.act {
                    Act::Card { card, .. } => card,
                    Act::TurnUp(table::Place::Dealer, card) => card,
                    _ => continue,
                };
                if card.is_known() {
                    *seen.entry(card).or_default() += 1;
                }
            }
            let most = seen.values().max().copied().unwrap_or_default();
            assert!(most <= game.rules.decks, "{} seed {seed}", game.name);
        }
    }
}

#[test]
fn hands_that_are_dealt_are_collected_and_the_dealers_last() {
    for game in games() {
        for (seed, round) in rounds(game) {
            let mut hands: BTreeMap<table::Place, bool> = BTreeMap::new();
            for step in &round.steps {
                match step.act {
                    Act::Card { to, .. } => {
                        assert_ne!(hands.insert(to, false), Some(true), "{} seed {seed}: {to}", game.name);
                    }
                    Act::Collect(place) => {
                        assert_eq!(hands.insert(place, true), Some(false), "{} seed {seed}: {place}", game.name);
                        let others = hands.iter().filter(|(other, _)| **other != place).all(|(_, gone)| *gone);
                        assert!(place != table::Place::Dealer || others, "{} seed {seed}", game.name);
                    }
                    _ => {}
                }
            }
            assert!(hands.values().all(|gone| *gone), "{} seed {seed}", game.name);
        }
    }
}

#[test]
fn one_seed_is_one_round() {
    for game in games() {
        assert!(rounds(game).take(20).eq(rounds(game).take(20)), "{}", game.name);
    }
}

#[test]
fn a_shoe_is_dealt_until_it_runs_out_and_then_says_so() {
    let game = games().into_iter().find(|game| game.name.as_str() == "nz-base").unwrap();
    let (mut dice, limits) = (Dice::new(7), limits(&game.rules));
    let mut shoe = Shoe::shuffled(game.rules.decks, &mut dice);
    let name = table::Game { name: game.name.clone(), options: BTreeMap::new() };
    for round in 1.. {
        let before = shoe.left();
        match random::next(&game.rules, &limits, Habits::default(), (&mut dice, &mut shoe), id(round), name.clone()) {
            Ok(_) => assert!(shoe.left() < before),
            Err(error) => {
                assert!(matches!(error, PlanError::NoCard { .. }), "{error}");
                assert!(round > 5 && shoe.left() == 0);
                return;
            }
        }
    }
}

#[test]
fn no_check_finds_fault_with_legal_play() {
    for game in games() {
        for (seed, round) in rounds(game) {
            assert_eq!(faults(&round), "", "{} seed {seed}\n{}", game.name, print([&round]));
        }
    }
}

/// Play by chance is worth something only if it goes everywhere.
#[test]
fn chance_reaches_every_side_bet_and_every_kind_of_step_a_game_has() {
    for game in games() {
        let mut words: Vec<String> = Vec::new();
        for (_, round) in rounds(game) {
            for step in &round.steps {
                let text = step.act.to_string();
                words.extend(text.split(' ').filter(|word| word.len() > 2).map(str::to_owned));
            }
            words.sort_unstable();
            words.dedup();
        }
        let rules = &game.rules;
        let mut expected = vec!["hit", "stand", "double", "split", "insure", "pay", "take", "push"];
        let at_once = rules.bj_timing == auditor::rules::NaturalTiming::AtOnce;
        expected.extend((!at_once).then_some("even-money"));
        expected.extend(rules.free_split.then_some("free"));
        expected.extend(rules.zap.any().then_some("zap"));
        expected.extend(rules.hole_card.then_some("peek"));
        expected.extend(rules.ante.then_some("ante"));
        expected.extend(rules.tips.then_some("tip"));
        expected.extend((rules.surrender != auditor::rules::Surrender::None).then_some("surrender"));
        expected.extend(game.sides.iter().filter(|side| rules.side(side.bet).is_some()).map(|side| side.bet.name()));
        let missing: Vec<_> = expected.into_iter().filter(|word| !words.iter().any(|said| said == word)).collect();
        assert!(missing.is_empty(), "{}: {missing:?}", game.name);
    }
}

proptest! {
    #[test]
    fn a_plan_of_any_words_is_dealt_or_refused(words in vec(select(WORDS), 0..40), game: prop::sample::Index) {
        let games = games();
        let game = game.get(&games);
        let name = table::Game { name: game.name.clone(), options: BTreeMap::new() };
        for text in [words.join(" "), format!("3 $: 8H 8C {}; dealer: AS KD 5C 9D TS", words.join(" "))] {
            if let Ok(plan) = text.parse::<Plan>() {
                let _ = deal(&game.rules, &limits(&game.rules), &plan, id(1), name.clone());
            }
        }
    }
}

const WORDS: &[&str] = &[
    "3",
    "$",
    ":",
    "3 $:",
    ";",
    "8H",
    "8C",
    "AS",
    "KD",
    "2C",
    "??",
    "XX",
    "hit",
    "stand",
    "double",
    "split",
    "[",
    "]",
    "[8D",
    "KS]",
    "hit 5D",
    "double 5 TD",
    "free",
    "surrender",
    "zap",
    "insure",
    "even-money",
    "parlay",
    "ride",
    "war",
    "push22",
    "super_sevens 5",
    "kings_bounty 1",
    "tip",
    "tip 1",
    "/2",
    "/2 20",
    "/9",
    "stay",
    "ante none",
    "dealer:",
    "dealer: 9S TH",
    "shoe: shuffle",
    "after: cut-card",
    "meter 0",
    "prize 3 24",
    "99999999999999999",
    "$/3",
    "0",
];
