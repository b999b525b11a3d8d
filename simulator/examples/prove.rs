//! Proves the auditor on simulated play through feeds without noise: how many lawful rounds it flags, and how many of the
//! faults it finds, each brought about at least fifty times.
//!
//! `cargo run --release -p simulator --example prove -- [CLEAN_ROUNDS] [TIMES]`; `FAULTS=name,name` tries those alone.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use auditor::check::{Law, Session};
use auditor::checks::CHECKS;
use auditor::model::random::Dice;
use auditor::rulebook::{Rulebook, books};
use simulator::faults::{self, Fault};
use simulator::feeds::{self, Feeds, Names};
use simulator::players;
use simulator::score::{Ledger, Score};
use simulator::setup::Setup;
use simulator::shift::{Shift, Wish, Wishes};
use simulator::truth::{Kind, Truth};
use table::config::Dialect;
use table::{Game, Utc};

/// Options that no template sets, and without which some faults cannot happen.
const OPTIONS: &[&str] = &[
    "",
    "perfect_pair_scale=2",
    "perfect_pair_scale=3",
    "any_pair_scale=2",
    "lucky_match_scale=2",
    "push22_scale=2",
    "match_dealer=on",
    "over13=on",
    "under13=on",
    "bj_pays=1:1",
    "bj_pays=6:5",
    "bettors_per_box=1",
];
/// Rounds of one shift in which a fault is tried.
const TRIED: u32 = 60;
/// Shifts in which it is tried at one table.
const SHIFTS: u64 = 60;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let clean: u32 = words.next().map_or(Ok(100_000), |rounds| rounds.parse())?;
    let times: u64 = words.next().map_or(Ok(50), |times| times.parse())?;
    let books = books::all()?;
    let tables = tables(books)?;
    prove_lawful(&tables, clean)?;
    prove_faults(&tables, times)
}

/// A table of every game, and one more for every option it has.
fn tables(books: &[Rulebook]) -> Result<Vec<Setup>, Box<dyn Error>> {
    let mut tables = Vec::new();
    let set: BTreeSet<&str> =
        CHECKS.iter().flat_map(|check| check.templates).map(|template| template.options).collect();
    for options in OPTIONS.iter().copied().chain(set.into_iter().filter(|options| !options.is_empty())) {
        for game in books.iter().flat_map(|book| &book.games) {
            let mut game = Game { name: game.name.clone(), options: BTreeMap::new() };
            for (name, value) in options.split_whitespace().filter_map(|option| option.split_once('=')) {
                game.options.insert(name.parse()?, value.parse()?);
            }
            if Law::of(books, &game).is_ok() {
                tables.push(Setup::new(books, "BJ-04".parse()?, game)?);
            }
        }
    }
    Ok(tables)
}

fn prove_lawful(tables: &[Setup], rounds: u32) -> Result<(), Box<dyn Error>> {
    let plain: Vec<&Setup> = tables.iter().filter(|table| table.game.options.is_empty()).collect();
    let each = rounds.div_ceil(plain.len() as u32);
    let handled =
        Wish { faults: faults::all().iter().filter(|fault| fault.kind == Kind::Handled).collect(), rate: 0.05 };
    let mut all = Score::default();
    for table in plain {
        all.add(&play(table, 1, each, handled.clone())?);
    }
    println!(
        "lawful play: {} rounds of all games, {} irregularities put right, {} flags, {} rounds rebuilt exactly",
        all.rounds,
        all.handled,
        all.false_flags.len(),
        all.rounds_exact
    );
    for stray in &all.false_flags {
        println!("  {}: {} ({})", stray.flag.id(), stray.flag, stray.flag.clause);
    }
    Ok(())
}

fn prove_faults(tables: &[Setup], times: u64) -> Result<(), Box<dyn Error>> {
    let wanted =
        |fault: &&Fault| std::env::var("FAULTS").map_or(true, |names| names.split(',').any(|name| name == fault.name));
    let checked: Vec<&'static Fault> =
        faults::all().iter().filter(|fault| fault.check.is_some()).filter(wanted).collect();
    let mut all = Score::default();
    let mut seldom = Vec::new();
    for (fault, score) in checked.iter().zip(bring_all_about(tables, &checked, times)?) {
        if brought_about(&score) < times {
            seldom.push(format!("{} {}", fault.name, brought_about(&score)));
        }
        if !score.unchecked.is_empty() {
            println!("  {} need not show: {} of {} did", fault.name, score.faults, brought_about(&score));
        }
        for missed in &score.missed {
            println!("  missed {} shoe {} round {}", fault.name, missed.label.round.shoe, missed.label.round.round);
        }
        for stray in &score.false_flags {
            println!("  beside {} also {}", fault.name, stray.flag.id());
        }
        all.add(&score);
    }
    println!(
        "faults: {} kinds, {} brought about, {} found, {} missed, {} left no trace that must show; {} other flags in {} \
         rounds",
        checked.len(),
        brought_about(&all),
        all.found,
        all.missed.len(),
        all.unchecked.len(),
        all.false_flags.len(),
        all.rounds
    );
    println!("sums: {} of {} agree", all.compared.money - all.money_differs.len() as u64, all.compared.money);
    println!("fewer than {times} times: {}", if seldom.is_empty() { "none".into() } else { seldom.join(", ") });
    println!("by check, faults that must show and those found:");
    for (check, part) in &all.by_check {
        println!("  {check} {} {}", part.injected, part.found);
    }
    Ok(())
}

/// How often a fault happened, whether it had to show or not.
fn brought_about(score: &Score) -> u64 {
    score.faults + score.unchecked.len() as u64
}

/// Brings every fault about, as many at a time as the machine has cores; the scores in the faults' order.
fn bring_all_about(tables: &[Setup], faults: &[&'static Fault], times: u64) -> Result<Vec<Score>, Box<dyn Error>> {
    let next = AtomicUsize::new(0);
    let scores: Mutex<BTreeMap<usize, Result<Score, String>>> = Mutex::default();
    let work = || {
        while let Some((number, fault)) = Some(next.fetch_add(1, Ordering::Relaxed))
            .and_then(|number| faults.get(number).map(|fault| (number, fault)))
        {
            let score = bring_about(tables, fault, times).map_err(|error| format!("{}: {error}", fault.name));
            if let Ok(mut scores) = scores.lock() {
                scores.insert(number, score);
                eprint!("\r{} of {} kinds of fault …", scores.len(), faults.len());
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    eprintln!();
    let scores = scores.into_inner().map_err(|_| "a proof broke off")?;
    Ok(scores.into_values().collect::<Result<_, _>>()?)
}

/// Plays until the fault has happened so many times, at one table after another.
fn bring_about(tables: &[Setup], fault: &'static Fault, times: u64) -> Result<Score, Box<dyn Error>> {
    let mut all = Score::default();
    // Several tables shall see a fault rather than one; what fits few of them is tried there again.
    let visits =
        [times.div_ceil(4), times].into_iter().flat_map(|enough| tables.iter().map(move |table| (enough, table)));
    for (visit, (enough, table)) in (0..).zip(visits) {
        let before = brought_about(&all);
        // Every visit has evenings of its own: with the same seeds, all tables of a book would offer the same side bets.
        let first = visit * SHIFTS + 1;
        for seed in first..first + SHIFTS {
            let played = play(table, seed, TRIED, Wish { faults: vec![fault], rate: 1.0 })?;
            let fitted = brought_about(&played) > 0;
            all.add(&played);
            if brought_about(&all) >= times {
                return Ok(all);
            }
            if !fitted || brought_about(&all) - before >= enough {
                break;
            }
        }
    }
    Ok(all)
}

/// A shift, watched without noise and audited.
fn play(setup: &Setup, seed: u64, rounds: u32, wish: Wish) -> Result<Score, Box<dyn Error>> {
    let begins = Utc::from_micros(1_767_643_200_000_000).ok_or("no such time")?;
    let dealers = vec!["D-01".parse()?, "D-02".parse()?];
    let company = players::Wish { boxes: setup.boxes, ..players::Wish::default() };
    let wishes = Wishes {
        seed,
        rounds,
        begins,
        mid_shoe: false,
        company,
        dealers,
        procedure: None,
        faults: vec![wish],
        several: false,
    };
    let mut feeds = Feeds::new(Names::usual()?, Dialect::AngelEye, 0.0, &Dice::new(seed));
    let mut session = Session::default();
    let mut ledger = Ledger::default();
    for dealt in Shift::open(setup, wishes) {
        let dealt = dealt?;
        let watched = feeds.of(&dealt);
        let seen = feeds::observe(&dealt, &watched.seen);
        ledger.audited(&seen, session.audit(&setup.law, &seen).0);
        let drawn = dealt.drawn.iter().map(|draw| draw.card).collect();
        ledger.truth(Truth::Round { round: Box::new(dealt.round), drawn });
        dealt.labels.into_iter().for_each(|label| ledger.truth(Truth::Fault(label)));
    }
    Ok(ledger.score())
}
