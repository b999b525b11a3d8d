//! Faults that are lived, in random rounds of every game: each fits somewhere, and the auditor finds it, and nothing else.
//! `FAULTS=name,name` looks at those alone, `ROUNDS=n` plays more, and what was wrong is printed with its round.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use std::collections::{BTreeMap, VecDeque};

use auditor::check::Session;
use auditor::model::random::{self, Dice, Habits, Shoe};
use auditor::rulebook::books;
use simulator::faults::{self, Desk, Fault, Way, Wrong};
use simulator::setup::Setup;
use simulator::truth::Kind;
use table::notation::print;
use table::{Card, Flag, Game, Round, RoundId};

/// A fault's function.
type Spoil = fn(&mut Desk<'_>) -> Option<Wrong>;

fn wanted(fault: &Fault) -> bool {
    std::env::var("FAULTS").map_or(true, |names| names.split(',').any(|name| name == fault.name))
}

/// How many rounds are dealt at every table, at most.
fn rounds() -> u64 {
    asked().unwrap_or(400)
}

/// In how many of them a fault is tried that has fitted often enough.
fn few() -> u64 {
    asked().unwrap_or(10)
}

/// How often a rare fault has to fit before it is left alone.
const ENOUGH: u64 = 3;

fn asked() -> Option<u64> {
    std::env::var("ROUNDS").ok().map(|rounds| rounds.parse().unwrap())
}

/// The tables of all games, as they come and with every side bet that the house may add.
fn setups() -> Vec<Setup> {
    let books = books::all().unwrap();
    let mut setups = Vec::new();
    for of in books.iter().flat_map(|book| &book.games) {
        let more = of.sides.iter().filter(|side| !side.offered);
        let on: BTreeMap<_, _> = more.map(|side| (side.bet.name().parse().unwrap(), "on".parse().unwrap())).collect();
        let options = if on.is_empty() { vec![on] } else { vec![BTreeMap::new(), on] };
        for options in options {
            let game = Game { name: of.name.clone(), options };
            setups.push(Setup::new(books, "T".parse().unwrap(), game).unwrap());
        }
    }
    setups
}

/// A random round by the rules given, and what is left in its shoe, the next card first.
fn lawful(setup: &Setup, rules: &auditor::Rules, seed: u64) -> Option<(Round, VecDeque<Card>)> {
    let id = RoundId { table: setup.table.clone(), shoe: 1, round: 1 };
    let mut dice = Dice::new(seed);
    let mut shoe = Shoe::shuffled(setup.law.rules.decks, &mut dice);
    let luck = (&mut dice, &mut shoe);
    let round = random::next(rules, &setup.limits, Habits::default(), luck, id, setup.game.clone()).ok()?;
    Some((round, std::iter::from_fn(|| shoe.draw()).collect()))
}

/// The round with the fault, if it fits.
fn spoiled(setup: &Setup, seed: u64, (round, stock): &(Round, VecDeque<Card>), spoil: Spoil) -> Option<(Round, Wrong)> {
    let redeal = |rules: &auditor::Rules| lawful(setup, rules, seed).map(|(round, _)| round);
    let mut dice = Dice::new(seed).fork("fault");
    let mut desk = Desk::new(setup, round.clone(), stock.clone(), &redeal, &mut dice);
    desk.friend = table::BoxNo::new(3);
    let wrong = spoil(&mut desk)?;
    let cited = wrong.tag.is_empty() || !setup.law.cited(wrong.tag).is_empty();
    cited.then_some((desk.round, wrong))
}

/// What is wrong with the flags that a fault raised.
fn verdict(fault: &Fault, wrong: &Wrong, flags: &[Flag]) -> Result<(), String> {
    let said: Vec<_> =
        flags.iter().map(|flag| format!("{} box {:?} {:?}: {flag}", flag.check, flag.box_no, flag.money)).collect();
    let due = fault.check.filter(|_| fault.kind != Kind::Handled);
    match (due, flags) {
        (None, []) => Ok(()),
        (None, _) => Err(format!("nothing should be flagged, but: {}", said.join("; "))),
        (Some(_), []) => Err("is not found".into()),
        (Some(check), [flag]) if flag.check == check => {
            let box_no = wrong.box_no.is_none() || flag.box_no.is_none() || wrong.box_no == flag.box_no;
            let money = wrong.money.is_none_or(|money| money == flag.money);
            if box_no && money { Ok(()) } else { Err(format!("{wrong:?} is flagged as {}", said.join("; "))) }
        }
        (Some(check), _) => Err(format!("{check} should be the one flag, but: {}", said.join("; "))),
    }
}

/// How often a fault fitted, and how often it was not found as it should have been.
#[derive(Default)]
struct Tally {
    fitted: u64,
    failed: u64,
}

#[test]
fn what_goes_wrong_in_a_round_is_found_and_nothing_else() {
    let lived: Vec<(&Fault, Spoil)> = faults::all()
        .iter()
        .filter(|fault| wanted(fault))
        .flat_map(|fault| fault.ways.iter().map(move |way| (fault, way)))
        .filter_map(|(fault, way)| match way {
            Way::Lived(spoil) => Some((fault, *spoil)),
            Way::Staged(_) | Way::Trouble(_) | Way::Shuffle(_) => None,
        })
        .collect();
    let mut tallies: Vec<Tally> = lived.iter().map(|_| Tally::default()).collect();
    let mut faulty = Vec::new();
    let tables = setups();
    for seed in 0..rounds() {
        let tried = |tally: &Tally| tally.fitted < ENOUGH || seed < few();
        for setup in &tables {
            if !tallies.iter().any(tried) {
                break;
            }
            let Some(dealt) = lawful(setup, &setup.law.rules, seed) else { continue };
            for ((fault, spoil), tally) in lived.iter().zip(&mut tallies).filter(|(_, tally)| tried(tally)) {
                let Some((round, wrong)) = spoiled(setup, seed, &dealt, *spoil) else { continue };
                tally.fitted += 1;
                let flags = Session::default().audit(&setup.law, &round).0;
                let Err(why) = verdict(fault, &wrong, &flags) else { continue };
                tally.failed += 1;
                if tally.failed <= 3 {
                    let (name, game, says) = (fault.name, &setup.game.name, &wrong.says);
                    faulty.push(format!("{name} in {game} seed {seed}: {why}\n{says}\n{}", print([&round])));
                }
            }
        }
    }
    for ((fault, _), Tally { fitted, failed }) in lived.iter().zip(&tallies) {
        println!("{:40} fits {fitted:6} failed {failed:6}", fault.name);
        if *fitted == 0 {
            faulty.push(format!("{} fits no round", fault.name));
        }
    }
    assert!(faulty.is_empty(), "{} faults:\n{}", faulty.len(), faulty.join("\n\n"));
}
