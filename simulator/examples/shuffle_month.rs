//! A month at ten tables, shuffled fairly: how many alarms an audit raises about their shuffles and their cards; and as
//! much at three with a continuous shuffler. `shuffle_month 60` plays so many shoes a table instead of a month's.
#![allow(clippy::print_stdout, reason = "it measures, and prints")]

use std::error::Error;

use auditor::check::Session;
use auditor::rulebook::books;
use auditor::shuffle::{Follower, Procedure, Terms};
use simulator::players;
use simulator::setup::Setup;
use simulator::shift::{Shift, Wishes};
use table::{Game, Utc};

/// Games of the ten tables.
const TABLES: [&str; 10] =
    ["nz-base", "nz-base", "nz-base", "nz-freebet", "nz-styleA", "act", "act", "act", "nh-6d", "nh-6d"];
/// Shoes a table deals in a month, at one an hour.
const MONTH: u32 = 720;
/// What cries wolf if the cards are fair.
const ALARMS: [&str; 4] = ["shuffle_left_order", "shuffler_left_order", "card_missing", "too_many_of_a_card"];
/// Tables with a continuous shuffler.
const CONTINUOUS: [(&str, &str); 3] = [("nz-base", "csm=true"), ("act", "csm=true"), ("bclc-freebet", "")];
/// Rounds to a shoe, about.
const ROUNDS: u32 = 16;
/// Rounds at a continuous shuffler that does not mix.
const STUCK: u32 = 1000;

/// What came of a table's play.
#[derive(Default)]
struct Played {
    shoes: u32,
    alarms: usize,
    /// Of each stretch at a continuous shuffler, how often a proper one looks as improper.
    stretches: Vec<f64>,
}

fn play(setup: &Setup, seed: u64, rounds: u32, procedure: Option<Procedure>) -> Result<Played, Box<dyn Error>> {
    let begins = Utc::from_micros(1_767_643_200_000_000).ok_or("no such time")?;
    let wishes = Wishes {
        seed,
        rounds,
        begins,
        mid_shoe: false,
        company: players::Wish { boxes: setup.boxes, ..players::Wish::default() },
        dealers: vec!["D-01".parse()?, "D-02".parse()?],
        procedure,
        faults: Vec::new(),
        several: false,
    };
    let mut session = Session::default();
    let mut follower = Follower::default();
    let mut played = Played::default();
    for dealt in Shift::open(setup, wishes) {
        let round = dealt?.round;
        played.shoes = played.shoes.max(round.id.shoe);
        let flags = session.audit(&setup.law, &round).0;
        played.alarms += flags.iter().filter(|flag| ALARMS.contains(&&*flag.check)).count();
        if setup.law.rules.csm {
            follower.follow(&setup.law.rules, &round);
            played.stretches.extend(follower.stretch(&round).map(|stretch| stretch.judge(&Terms::default()).p));
        }
    }
    Ok(played)
}

fn main() -> Result<(), Box<dyn Error>> {
    let shoes = std::env::args().nth(1).and_then(|shoes| shoes.parse().ok()).unwrap_or(MONTH);
    let (mut all, mut alarms) = (0, 0);
    for (seed, game) in (1..).zip(TABLES) {
        let played = play(&setup(game, "")?, seed, shoes * ROUNDS, None)?;
        all += played.shoes;
        alarms += played.alarms;
    }
    println!("fair: {all} shoes at ten tables, {alarms} alarms");
    for (seed, (game, options)) in (1..).zip(CONTINUOUS) {
        let setup = setup(game, options)?;
        let Played { alarms, stretches, .. } = play(&setup, seed, shoes * ROUNDS, None)?;
        let count = stretches.len();
        let below = |bar: f64| stretches.iter().filter(|p| **p <= bar).count();
        let (half, tenth, hundredth) = (below(0.5), below(0.1), below(0.01));
        println!(
            "continuous shuffler, {game}: {count} stretches, {alarms} alarms; p below a half in {half}, a tenth in {tenth}, \
             a hundredth in {hundredth}"
        );
        let stuck = play(&setup, seed, STUCK, Some("csm-stuck".parse()?))?;
        let (found, of) = (stuck.alarms, stuck.stretches.len());
        println!("  with the wheel standing still: {found} alarms in {of} stretches");
    }
    Ok(())
}

/// A table with options written as `name=value`.
fn setup(game: &str, options: &str) -> Result<Setup, Box<dyn Error>> {
    let mut game = Game { name: game.parse()?, options: Default::default() };
    for (name, value) in options.split_whitespace().filter_map(|option| option.split_once('=')) {
        game.options.insert(name.parse()?, value.parse()?);
    }
    Ok(Setup::new(books::all()?, "BJ-04".parse()?, game)?)
}
