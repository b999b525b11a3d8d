//! A month at ten tables, shuffled fairly: how many alarms an audit raises about their shuffles and their cards.
//! `shuffle_month 60` plays so many shoes a table instead of a month's.
#![allow(clippy::print_stdout, reason = "it measures, and prints")]

use std::error::Error;

use auditor::check::Session;
use auditor::rulebook::books;
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
const ALARMS: [&str; 3] = ["shuffle_left_order", "card_missing", "too_many_of_a_card"];
/// Rounds to a shoe, about.
const ROUNDS: u32 = 16;
/// Shoes dealt, and alarms raised.
fn play(setup: &Setup, seed: u64, shoes: u32) -> Result<(u32, usize), Box<dyn Error>> {
    let begins = Utc::from_micros(1_767_643_200_000_000).ok_or("no such time")?;
    let wishes = Wishes {
        seed,
        rounds: shoes * ROUNDS,
        begins,
        mid_shoe: false,
        company: players::Wish { boxes: setup.boxes, ..players::Wish::default() },
        dealers: vec!["D-01".parse()?, "D-02".parse()?],
        procedure: None,
        faults: Vec::new(),
        several: false,
    };
    let mut session = Session::default();
    let (mut dealt, mut alarms) = (0, 0);
    for round in Shift::open(setup, wishes) {
        let round = round?;
        dealt = dealt.max(round.round.id.shoe);
        let flags = session.audit(&setup.law, &round.round).0;
        alarms += flags.iter().filter(|flag| ALARMS.contains(&&*flag.check)).count();
    }
    Ok((dealt, alarms))
}

fn main() -> Result<(), Box<dyn Error>> {
    let shoes = std::env::args().nth(1).and_then(|shoes| shoes.parse().ok()).unwrap_or(MONTH);
    let (mut all, mut alarms) = (0, 0);
    for (seed, game) in (1..).zip(TABLES) {
        let setup = setup(game)?;
        let (dealt, raised) = play(&setup, seed, shoes)?;
        all += dealt;
        alarms += raised;
    }
    println!("fair: {all} shoes at ten tables, {alarms} alarms");
    Ok(())
}

fn setup(game: &str) -> Result<Setup, Box<dyn Error>> {
    let game = Game { name: game.parse()?, options: Default::default() };
    Ok(Setup::new(books::all()?, "BJ-04".parse()?, game)?)
}
