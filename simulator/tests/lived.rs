//! Faults that are lived, in random rounds of every game: each fits somewhere, and the auditor finds it, and nothing else.
//! `FAULTS=name,name` looks at those alone, `ROUNDS=n` plays more, and what was wrong is printed with its round.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use std::collections::BTreeMap;

use auditor::check::Session;
use auditor::model::random::{self, Dice, Habits, Shoe};
use auditor::rulebook::books;
use simulator::faults::{self, Desk, Fault, Way, Wrong};
use simulator::setup::Setup;
use simulator::truth::Kind;
use table::notation::print;
use table::{BoxNo, Flag, Game, Round, RoundId, Step};

fn wanted(fault: &Fault) -> bool {
    std::env::var("FAULTS").map_or(true, |names| names.split(',').any(|name| name == fault.name))
}

fn rounds() -> u64 {
    std::env::var("ROUNDS").map_or(150, |rounds| rounds.parse().unwrap())
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

/// What was played before a random round, that round by the rules given, and what is left in its shoe. With every other
/// seed it is the first round of a fresh shoe.
fn lawful(setup: &Setup, rules: &auditor::Rules, seed: u64) -> Option<(Round, Round, Shoe)> {
    let (mut dice, law) = (Dice::new(seed), &setup.law.rules);
    let mut shoe = Shoe::shuffled(law.decks, &mut dice);
    let id = |shoe, round| RoundId { table: setup.table.clone(), shoe, round };
    let habits = Habits::default();
    let cutter = BoxNo::new(1)?;
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
    Some((earlier, round, shoe))
}

/// A round that went wrong, what was played before it, and what was done.
struct Spoiled {
    earlier: Round,
    round: Round,
    wrong: Wrong,
}

/// The round with the fault, if it fits.
fn spoiled(setup: &Setup, seed: u64, spoil: fn(&mut Desk<'_>) -> Option<Wrong>) -> Option<Spoiled> {
    let (earlier, round, mut shoe) = lawful(setup, &setup.law.rules, seed)?;
    let redeal = |rules: &auditor::Rules| lawful(setup, rules, seed).map(|(_, round, _)| round);
    let mut dice = Dice::new(seed).fork("fault");
    let stock = std::iter::from_fn(|| shoe.draw()).collect();
    let mut desk = Desk::new(setup, round, stock, &redeal, &mut dice);
    let wrong = spoil(&mut desk)?;
    let cited = wrong.tag.is_empty() || !setup.law.cited(wrong.tag).is_empty();
    cited.then_some(Spoiled { earlier, round: desk.round, wrong })
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

#[test]
fn what_goes_wrong_in_a_round_is_found_and_nothing_else() {
    let setups = setups();
    let mut faulty = Vec::new();
    for fault in faults::all().iter().filter(|fault| wanted(fault)) {
        let spoils = fault.ways.iter().filter_map(|way| match way {
            Way::Lived(spoil) => Some(*spoil),
            Way::Staged(_) => None,
        });
        for spoil in spoils {
            let (mut fitted, mut failed) = (0, 0);
            for setup in &setups {
                for seed in 0..rounds() {
                    let Some(Spoiled { earlier, round, wrong }) = spoiled(setup, seed, spoil) else { continue };
                    fitted += 1;
                    let mut session = Session::default();
                    session.audit(&setup.law, &earlier);
                    let flags = session.audit(&setup.law, &round).0;
                    if let Err(why) = verdict(fault, &wrong, &flags) {
                        failed += 1;
                        if failed <= 3 {
                            faulty.push(format!(
                                "{} in {} seed {seed}: {why}\n{}\n{}",
                                fault.name,
                                setup.game.name,
                                wrong.says,
                                print([&round])
                            ));
                        }
                    }
                }
            }
            println!("{:40} fits {fitted:6} failed {failed:6}", fault.name);
            if fitted == 0 {
                faulty.push(format!("{} fits no round", fault.name));
            }
        }
    }
    assert!(faulty.is_empty(), "{} faults:\n{}", faulty.len(), faulty.join("\n\n"));
}
