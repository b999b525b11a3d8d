//! A continuous shuffler whose wheel stands still is found while the game goes on, and one that mixes is left in peace.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use auditor::check::Session;
use auditor::rulebook::books;
use simulator::players;
use simulator::setup::Setup;
use simulator::shift::{Shift, Wishes};
use table::{Flag, Game, Utc};

/// The flags about the shuffler in so many rounds at a busy table.
fn flags(game: &str, options: &[(&str, &str)], shuffle: &str, seed: u64, rounds: u32) -> Vec<Flag> {
    let options = options.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
    let game = Game { name: game.parse().unwrap(), options: options.collect() };
    let setup = Setup::new(books::all().unwrap(), "BJ-04".parse().unwrap(), game).unwrap();
    let wishes = Wishes {
        seed,
        rounds,
        begins: Utc::from_micros(1_700_000_000_000_000).unwrap(),
        mid_shoe: false,
        company: players::Wish { boxes: setup.boxes, ..players::Wish::default() },
        dealers: vec!["D-01".parse().unwrap()],
        procedure: Some(shuffle.parse().unwrap()),
        faults: Vec::new(),
        several: false,
    };
    let mut session = Session::default();
    let rounds = Shift::open(&setup, wishes).map(Result::unwrap);
    let flags = rounds.flat_map(|dealt| session.audit(&setup.law, &dealt.round).0);
    flags.filter(|flag| flag.check == "shuffler_left_order").collect()
}

#[test]
fn a_wheel_that_stands_still_is_found_and_the_book_cited() {
    let continuous = [("csm", "true")];
    for (game, options, clause) in [
        ("nz-base", &continuous[..], "nz-16.13"),
        ("act", &continuous, "act-19.3"),
        ("bclc-freebet", &[], "bclc-3-1.2"),
    ] {
        let flags = flags(game, options, "csm-stuck", 4, 200);
        let first = flags.first().unwrap_or_else(|| panic!("{game}: nothing found"));
        assert_eq!(first.clause.as_str(), clause);
        assert!(first.observed.contains("came out again as they had been put back"), "{first}");
    }
}

#[test]
fn a_wheel_that_turns_is_left_in_peace() {
    for (game, options) in [("nz-base", &[("csm", "true")][..]), ("bclc-zappit", &[])] {
        let flags = flags(game, options, "csm", 5, 600);
        assert!(flags.is_empty(), "{game}: {flags:?}");
    }
}
