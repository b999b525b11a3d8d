//! A card taken out of the pack, or slipped into it, is found over the shoes (`card_missing`, `too_many_of_a_card`); whole
//! packs are left in peace.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use auditor::check::Session;
use auditor::rulebook::books;
use simulator::faults;
use simulator::players;
use simulator::setup::Setup;
use simulator::shift::{Shift, Wish, Wishes};
use simulator::truth::Label;
use table::{Flag, Game, Utc};

fn setup(game: &str) -> Setup {
    let game = Game { name: game.parse().unwrap(), options: Default::default() };
    Setup::new(books::all().unwrap(), "BJ-04".parse().unwrap(), game).unwrap()
}

/// What was done to the cards of a table, and what an audit flagged, told with the shoe it was flagged in.
fn played(game: &str, rounds: u32, fault: Option<&str>) -> (Vec<Label>, Vec<Flag>) {
    let setup = setup(game);
    let wish = |name| Wish { faults: faults::named(name).unwrap(), rate: 1.0 };
    let wishes = Wishes {
        seed: 7,
        rounds,
        begins: Utc::from_micros(1_700_000_000_000_000).unwrap(),
        mid_shoe: false,
        company: players::Wish { boxes: setup.boxes, ..players::Wish::default() },
        dealers: vec!["D-01".parse().unwrap()],
        procedure: None,
        faults: fault.map(wish).into_iter().collect(),
        several: false,
    };
    let mut session = Session::default();
    let (mut labels, mut flags) = (Vec::new(), Vec::new());
    for dealt in Shift::open(&setup, wishes).map(Result::unwrap) {
        flags.extend(session.audit(&setup.law, &dealt.round).0);
        labels.extend(dealt.labels);
    }
    (labels, flags)
}

#[test]
fn a_card_gone_from_a_single_deck_is_named_after_some_twenty_shoes() {
    let (labels, flags) = played("nh-54", 120, Some("card_missing"));
    let [label] = &labels[..] else { panic!("the pack is tampered with once: {labels:?}") };
    let [flag] = &flags[..] else { panic!("{flags:?}") };
    assert_eq!((&*flag.check, &*flag.clause), ("card_missing", "nh-sd-decks-1"));
    let after = flag.round.shoe - label.round.shoe;
    assert!((12..=30).contains(&after), "after {after} shoes");
    let gone: table::Card = label.says.split(' ').next().unwrap().parse().unwrap();
    assert!(flag.observed.contains(&gone.pretty().to_string()), "{gone}: {}", flag.observed);
    assert!(flag.observed.contains("never came"), "{}", flag.observed);
}

#[test]
fn a_card_slipped_into_six_decks_is_proved_in_one_of_the_next_shoes() {
    let (labels, flags) = played("nh-6d", 200, Some("card_added"));
    assert_eq!(labels.len(), 1, "{labels:?}");
    assert!(!flags.is_empty() && flags.iter().all(|flag| flag.check == "too_many_of_a_card"), "{flags:?}");
}

#[test]
fn whole_decks_are_left_in_peace() {
    for (game, rounds) in [("nh-54", 200), ("nh-6d", 300), ("act", 200)] {
        let (labels, flags) = played(game, rounds, None);
        assert!(labels.is_empty() && flags.is_empty(), "{game}: {flags:?}");
    }
}
