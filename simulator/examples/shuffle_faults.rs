//! Crooked shuffles found from tapes: what is promised of each fault, and what an audit of simulated play found; and after
//! how many shoes a dealer who shuffles too little is found. `shuffle_faults 60 20` plays 60 shoes a table and 20 dealers.
#![allow(clippy::print_stdout, reason = "it measures, and prints")]

use std::error::Error;

use auditor::check::Session;
use auditor::model::random::Dice;
use auditor::rulebook::books;
use auditor::shuffle::{self, Follower, Ledger, PIT_YEAR, Terms, judge, proper};
use simulator::faults;
use simulator::feeds::{self, Feeds, Names};
use simulator::players;
use simulator::setup::Setup;
use simulator::shift::{Shift, Wish, Wishes};
use simulator::truth::{Label, Shuffled};
use table::config::Dialect;
use table::{Card, Flag, Game, Round, Utc};

/// Shoes of a table, and dealers of each kind, where nothing else is asked for.
const SHOES: u32 = 60;
const DEALERS: u64 = 20;
/// Rounds that surely end a shoe of so many decks.
const ROUNDS_A_DECK: u32 = 3;
/// Cards of a slug that must be read both before and after the shuffle: the audit tells of so many at once.
const SHOWS: usize = 12;
/// Shoes after which a dealer is given up.
const MOST_SHOES: u32 = 200;

/// What must be true of a crooked shuffle for the promise that it is found.
type Shows = fn(&shuffle::Dealt, &Shuffled) -> bool;

/// The faults that the order of a shoe shows, and when.
const FAULTS: [(&str, Shows); 4] = [
    ("slug_kept", |shoe, truth| kept(shoe, truth) >= SHOWS),
    ("slug_kept_on_top", |shoe, truth| kept(shoe, truth) >= SHOWS),
    ("cold_deck", |_, _| true),
    // What a wash has stirred does not show how often it was riffled afterwards.
    ("one_riffle_short", |_, truth| !truth.how.contains("wash")),
];
const GAMES: [&str; 4] = ["nz-base", "act", "nh-6d", "nh-54"];

/// Houses' shuffles and what the dealer does instead, in which game.
const LAZY: [(&str, &str, &str); 7] = [
    ("nz-base", "riffles:7", "riffles:6"),
    ("nz-base", "riffles:7", "riffles:5"),
    ("nz-base", "riffles:5", "riffles:4"),
    ("nz-base", "machine", "shelf:10"),
    ("nz-base", "wash+stack+riffle-riffle-box", "stack+riffle-riffle-box"),
    ("nh-54", "riffle-riffle-box-riffle", "riffles:2+box+riffles:2+box+riffles:1"),
    ("nh-54", "riffles:4", "riffles:3"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let shoes = words.next().map_or(Ok(SHOES), |shoes| shoes.parse())?;
    let dealers = words.next().map_or(Ok(DEALERS), |dealers| dealers.parse())?;
    println!("crooked shuffles whose shoe was dealt out, those promised to be found, those found of them and of all");
    for (name, shows) in FAULTS {
        for game in GAMES {
            let (all, promised, kept, found) = faulty(name, game, shoes, shows)?;
            println!("  {name}, {game}: {all} shuffles, {promised} promised, {kept} of those and {found} in all found");
        }
    }
    println!("packs with a card too many or too few, found within so many shoes");
    for (name, check) in [("card_added", "too_many_of_a_card"), ("card_missing", "card_missing")] {
        for game in GAMES {
            let setup = setup(game, None)?;
            let mut after = Vec::new();
            for seed in 1..=dealers {
                after.extend(tampered(&setup, seed, name, check)?);
            }
            println!("  {name}, {game}: {}", said(after, dealers));
        }
    }
    println!("dealers found along their shoes at one false alarm in {PIT_YEAR} shoes");
    for (game, house, does) in LAZY {
        let mut after = Vec::new();
        for seed in 1..=dealers {
            after.extend(drift(&setup(game, Some(house))?, seed, does)?);
        }
        println!("  {game}, {does} for {house}: {}", said(after, dealers));
    }
    Ok(())
}

/// After how many shoes something was found, of so many.
fn said(mut after: Vec<u32>, of: u64) -> String {
    after.sort_unstable();
    let at = |part: usize| after.get(after.len() * part / 100).map_or_else(|| "-".to_owned(), u32::to_string);
    let (found, half, most) = (after.len(), at(50), at(90));
    format!("{found} of {of} within {MOST_SHOES} shoes; half of those after {half}, nine in ten after {most}")
}

/// After how many shoes of a pack that was tampered with the audit says so, if it does.
fn tampered(setup: &Setup, seed: u64, name: &str, check: &str) -> Result<Option<u32>, Box<dyn Error>> {
    let rounds = MOST_SHOES * ROUNDS_A_DECK * u32::from(setup.law.rules.decks);
    let wish = Wish { faults: faults::named(name)?, rate: 1.0 };
    let mut session = Session::default();
    let mut since = None;
    for (round, labels, _) in tape(setup, seed, rounds, None, vec![wish])? {
        since = since.or_else(|| labels.first().map(|label| label.round.shoe));
        let found = session.audit(&setup.law, &round).0.iter().any(|flag| flag.check == check);
        if let Some(since) = since.filter(|_| found) {
            return Ok(Some(round.id.shoe - since + 1));
        }
        if since.is_some_and(|since| round.id.shoe >= since + MOST_SHOES) {
            break;
        }
    }
    Ok(None)
}

fn setup(game: &str, house: Option<&str>) -> Result<Setup, Box<dyn Error>> {
    let mut game = Game { name: game.parse()?, options: Default::default() };
    if let Some(procedure) = house {
        game.options.insert("shuffle".parse()?, procedure.parse()?);
    }
    Ok(Setup::new(books::all()?, "BJ-04".parse()?, game)?)
}

/// A round, what was done to its cards, and the shuffle of the shoe that was over with it.
type Told = (Round, Vec<Label>, Option<Shuffled>);

/// A shift as it is recorded, without noise: each round as somebody with the table's devices writes it down, what was
/// done to its cards, and the shuffle of the shoe that was over with it.
fn tape<'s>(
    setup: &'s Setup,
    seed: u64,
    rounds: u32,
    procedure: Option<&str>,
    faults: Vec<Wish>,
) -> Result<impl Iterator<Item = Told> + 's, Box<dyn Error>> {
    let wishes = Wishes {
        seed,
        rounds,
        begins: Utc::from_micros(1_767_643_200_000_000).ok_or("no such time")?,
        mid_shoe: false,
        company: players::Wish { boxes: setup.boxes, ..players::Wish::default() },
        dealers: vec!["D-01".parse()?],
        procedure: procedure.map(str::parse).transpose()?,
        faults,
        several: false,
    };
    let mut feeds = Feeds::new(Names::usual()?, Dialect::AngelEye, 0.0, &Dice::new(seed));
    Ok(Shift::open(setup, wishes).map_while(Result::ok).map(move |dealt| {
        let watched = feeds.of(&dealt);
        (feeds::observe(&dealt, &watched.seen), dealt.labels, dealt.shuffled)
    }))
}

/// Crooked shuffles whose shoe was dealt out, those promised to be found, those of them and those of all that were.
fn faulty(name: &str, game: &str, shoes: u32, shows: Shows) -> Result<(u32, u32, u32, u32), Box<dyn Error>> {
    let setup = setup(game, None)?;
    let wish = Wish { faults: faults::named(name)?, rate: 1.0 };
    let rounds = shoes * ROUNDS_A_DECK * u32::from(setup.law.rules.decks);
    let (mut session, mut follower) = (Session::default(), Follower::default());
    let (mut labels, mut flags, mut over, mut truth) = (Vec::new(), Vec::<Flag>::new(), Vec::new(), Vec::new());
    for (round, told, shuffled) in tape(&setup, 5, rounds, None, vec![wish])? {
        if round.id.shoe > shoes + 1 {
            break;
        }
        flags.extend(session.audit(&setup.law, &round).0);
        over.extend(follower.follow(&setup.law.rules, &round));
        labels.extend(told.into_iter().map(|label| label.round.shoe));
        truth.extend(shuffled);
    }
    let (mut all, mut promised, mut kept, mut found) = (0, 0, 0, 0);
    for shoe in over.iter().filter(|shoe| labels.contains(&shoe.shoe)) {
        let shown = truth.iter().find(|truth| truth.shoe == shoe.shoe).is_some_and(|truth| shows(shoe, truth));
        // An order is judged at the latest when the next shuffle begins.
        let next = |flag: &Flag| flag.round.shoe == shoe.shoe + 1 && flag.round.round == 1;
        let begins = |flag: &&Flag| flag.round.shoe == shoe.shoe || next(flag);
        let checks = ["shuffle_left_order", "shuffle_wrong"];
        let flagged = flags.iter().filter(begins).any(|flag| checks.contains(&&*flag.check));
        all += 1;
        promised += u32::from(shown);
        kept += u32::from(shown && flagged);
        found += u32::from(flagged);
    }
    Ok((all, promised, kept, found))
}

/// How many cards of the longest run that really came through a shuffle were read both before and after it.
fn kept(shoe: &shuffle::Dealt, truth: &Shuffled) -> usize {
    let (before, after) = (&truth.before, &truth.after);
    let run = |from: usize, to: usize| {
        before[from..].iter().zip(&after[to..]).take_while(|(one, other)| one == other).count()
    };
    let places = (0..before.len()).flat_map(|from| (0..after.len()).map(move |to| (from, to)));
    let longest = places.map(|(from, to)| (run(from, to), from, to)).max().unwrap_or_default();
    let (length, from, to) = longest;
    let read = |cards: &[Card], at: usize| cards.get(at).is_some_and(|card| card.is_known());
    (0..length).filter(|at| read(&shoe.orders.before, from + at) && read(&shoe.orders.after, to + at)).count()
}

/// After how many shoes the evidence along a dealer passes the bar, if it does.
fn drift(setup: &Setup, seed: u64, does: &str) -> Result<Option<u32>, Box<dyn Error>> {
    let rules = &setup.law.rules;
    let rounds = MOST_SHOES * ROUNDS_A_DECK * u32::from(rules.decks);
    let (mut follower, mut ledger) = (Follower::default(), Ledger::default());
    for (round, ..) in tape(setup, seed, rounds, Some(does), Vec::new())? {
        let Some(shoe) = follower.follow(rules, &round) else { continue };
        let report = judge(&shoe.orders, &Terms { null: proper(rules, shoe.machine), ..Terms::default() })?;
        ledger.enter(report.e);
        if ledger.is_beyond(PIT_YEAR) {
            return Ok(Some(ledger.shoes));
        }
        if ledger.shoes >= MOST_SHOES {
            break;
        }
    }
    Ok(None)
}
