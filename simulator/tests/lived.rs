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
use table::{BoxNo, Card, Flag, Game, Round, RoundId, Step};

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

/// The tables of all games, as they come, with every side bet that the house may add, and from a machine.
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
        // Where the house may deal from a machine, it does so at another table.
        let machine = BTreeMap::from([("csm".parse().unwrap(), "true".parse().unwrap())]);
        let game = Game { name: of.name.clone(), options: machine };
        setups.extend(Setup::new(books, "T".parse().unwrap(), game).ok());
    }
    setups
}

/// A lawful round that may go wrong.
struct Dealt {
    /// The round before it at the same table, the first of its shoe.
    earlier: Round,
    round: Round,
    /// The round after it, which nothing is wrong with.
    later: Option<Round>,
    /// What is left in the shoe, the next card first.
    stock: VecDeque<Card>,
}

/// What is left in a shoe, the next card first.
fn cards(mut shoe: Shoe) -> VecDeque<Card> {
    std::iter::from_fn(|| shoe.draw()).collect()
}

/// A random round by the rules given: the second of a shoe, or with every other seed the first of another.
fn lawful(setup: &Setup, rules: &auditor::Rules, seed: u64) -> Option<Dealt> {
    let (mut dice, law) = (Dice::new(seed), &setup.law.rules);
    let mut shoe = Shoe::shuffled(law.decks, &mut dice);
    let id = |shoe, round| RoundId { table: setup.table.clone(), shoe, round };
    let (habits, cutter) = (Habits::default(), BoxNo::new(1)?);
    let mut prepared = random::prepare(law, cutter, &mut dice, &mut shoe);
    let luck = (&mut dice, &mut shoe);
    let mut earlier = random::next(law, &setup.limits, habits, luck, id(1, 1), setup.game.clone()).ok()?;
    earlier.steps.splice(0..0, prepared.drain(..).map(Step::from));
    let mut of = id(1, 2);
    if seed % 2 == 1 || law.decks == 1 {
        shoe = Shoe::shuffled(law.decks, &mut dice);
        prepared = random::prepare(law, cutter, &mut dice, &mut shoe);
        of = id(2, 1);
    }
    let luck = (&mut dice, &mut shoe);
    let mut round = random::next(rules, &setup.limits, habits, luck, of, setup.game.clone()).ok()?;
    round.steps.splice(0..0, prepared.into_iter().map(Step::from));
    let left = shoe.clone();
    // A fault may take a few cards more.
    for _ in 0..12 {
        shoe.draw();
    }
    let next = id(round.id.shoe, round.id.round + 1);
    let later = random::next(law, &setup.limits, habits, (&mut dice, &mut shoe), next, setup.game.clone()).ok();
    Some(Dealt { earlier, round, later, stock: cards(left) })
}

/// The round with the fault, if it fits.
fn spoiled(setup: &Setup, seed: u64, dealt: &Dealt, spoil: Spoil) -> Option<(Round, Wrong)> {
    let redeal = |rules: &auditor::Rules| lawful(setup, rules, seed).map(|dealt| dealt.round);
    let mut dice = Dice::new(seed).fork("fault");
    let mut desk = Desk::new(setup, dealt.round.clone(), dealt.stock.clone(), &redeal, &mut dice);
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
                let mut session = Session::default();
                session.audit(&setup.law, &dealt.earlier);
                let mut flags = session.audit(&setup.law, &round).0;
                flags.extend(dealt.later.iter().flat_map(|later| session.audit(&setup.law, later).0));
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
