//! Crooked shuffles found from the rounds of a table alone, and fair ones left in peace. `SHOES=n` plays longer.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use auditor::check::Session;
use auditor::rulebook::books;
use auditor::shuffle::{Follower, Ledger, Terms, Verdict, judge, proper};
use simulator::Dealt;
use simulator::faults::{self, Fault};
use simulator::players;
use simulator::setup::Setup;
use simulator::shift::{Shift, Wish, Wishes};
use simulator::truth::Label;
use table::{Flag, Game, Utc};

/// Rounds a six-deck shoe lasts at a busy table, about.
const SHOE: u32 = 16;

fn shoes() -> u32 {
    std::env::var("SHOES").map_or(12, |shoes| shoes.parse().unwrap())
}

fn setup(game: &str) -> Setup {
    let game = Game { name: game.parse().unwrap(), options: Default::default() };
    Setup::new(books::all().unwrap(), "BJ-04".parse().unwrap(), game).unwrap()
}

fn shift<'s>(setup: &'s Setup, seed: u64, shoes: u32, faults: Vec<Wish>) -> impl Iterator<Item = Dealt> + 's {
    let begins = Utc::from_micros(1_700_000_000_000_000).unwrap();
    let company = players::Wish::default();
    let dealers = vec!["D-01".parse().unwrap(), "D-02".parse().unwrap()];
    let rounds = shoes * SHOE;
    let wishes =
        Wishes { seed, rounds, begins, mid_shoe: false, company, dealers, procedure: None, faults, several: false };
    Shift::open(setup, wishes).map(Result::unwrap)
}

fn fault(name: &str) -> &'static Fault {
    faults::named(name).unwrap()[0]
}

/// What was done to the shuffles of a shift, and what an audit made of it.
fn audited(setup: &Setup, seed: u64, faults: Vec<Wish>) -> (Vec<Label>, Vec<Flag>) {
    let mut session = Session::default();
    let (mut labels, mut flags) = (Vec::new(), Vec::new());
    for dealt in shift(setup, seed, shoes(), faults) {
        flags.extend(session.audit(&setup.law, &dealt.round).0);
        labels.extend(dealt.labels);
    }
    (labels, flags)
}

/// A slug may stay behind the cutting card; the other wrongs named here show in every shoe.
fn crooks_are_found(game: &str, always: &[&str]) {
    let setup = setup(game);
    for (name, least) in [("slug_kept", 0.5)].into_iter().chain(always.iter().map(|name| (*name, 1.0))) {
        let (labels, flags) = audited(&setup, 3, vec![Wish { faults: vec![fault(name)], rate: 1.0 }]);
        let told: Vec<&Flag> = flags.iter().filter(|flag| flag.check == "shuffle_left_order").collect();
        // The last of them may be on the tape only in part.
        let crooked = labels.len().saturating_sub(1);
        assert!(crooked >= 3, "{game} {name}: {crooked} crooked shuffles");
        assert!(told.len() as f64 >= least * crooked as f64, "{game} {name}: {} of {crooked}", told.len());
        assert!(told.len() <= labels.len(), "{game} {name}: told twice");
        let other: Vec<_> = flags.iter().filter(|flag| flag.check != "shuffle_left_order").collect();
        assert!(other.is_empty(), "{game} {name}: {other:?}");
    }
}

#[test]
fn a_slug_and_an_exchanged_pack_are_found_after_a_wash() {
    crooks_are_found("nz-base", &["slug_kept_on_top", "cold_deck"]);
}

#[test]
fn a_slug_and_an_exchanged_pack_are_found_where_much_is_cut_off() {
    crooks_are_found("act", &["slug_kept_on_top", "cold_deck"]);
}

#[test]
fn a_slug_an_exchanged_pack_and_a_pass_left_out_are_found_among_half_deck_riffles() {
    crooks_are_found("nh-6d", &["slug_kept_on_top", "cold_deck", "one_riffle_short"]);
}

#[test]
fn fair_shuffles_are_left_in_peace() {
    for game in ["nz-base", "act", "nh-6d", "nh-54"] {
        let setup = setup(game);
        let (labels, flags) = audited(&setup, 11, Vec::new());
        assert!(labels.is_empty() && flags.is_empty(), "{game}: {flags:?}");
    }
}

#[test]
fn the_orders_of_a_shuffle_are_those_that_the_truth_tells() {
    let setup = setup("nz-base");
    let mut follower = Follower::default();
    let mut compared = 0;
    let mut truth = Vec::new();
    let mut followed = Vec::new();
    for dealt in shift(&setup, 5, 4, Vec::new()) {
        followed.extend(follower.follow(&setup.law.rules, &dealt.round));
        truth.extend(dealt.shuffled);
    }
    for shoe in &followed {
        let shuffled = truth.iter().find(|shuffled| shuffled.shoe == shoe.shoe).unwrap();
        for (seen, real) in [(&shoe.orders.before, &shuffled.before), (&shoe.orders.after, &shuffled.after)] {
            let wrong = seen.iter().zip(real).filter(|(seen, real)| seen.is_known() && seen != real).count();
            let read = seen.iter().filter(|card| card.is_known()).count();
            assert_eq!(wrong, 0, "shoe {}: {wrong} of {read} cards in another place", shoe.shoe);
            assert!(read > 150, "shoe {}: only {read} cards", shoe.shoe);
            compared += read;
        }
    }
    assert!(followed.len() >= 2 && compared > 600);
}

#[test]
fn a_dealer_who_riffles_too_little_is_found_along_the_shoes() {
    let setup = setup("nz-base");
    let terms = |machine| Terms { null: proper(&setup.law.rules, machine), ..Terms::default() };
    let evidence = |procedure: Option<&str>| {
        let begins = Utc::from_micros(1_700_000_000_000_000).unwrap();
        let wishes = Wishes {
            seed: 9,
            rounds: 6 * SHOE,
            begins,
            mid_shoe: false,
            company: players::Wish::default(),
            dealers: vec!["D-01".parse().unwrap()],
            procedure: procedure.map(|text| text.parse().unwrap()),
            faults: Vec::new(),
            several: false,
        };
        let mut follower = Follower::default();
        let mut ledger = Ledger::default();
        let mut suspect = 0;
        for dealt in Shift::open(&setup, wishes).map(Result::unwrap) {
            let Some(shoe) = follower.follow(&setup.law.rules, &dealt.round) else { continue };
            let report = judge(&shoe.orders, &terms(shoe.machine)).unwrap();
            suspect += usize::from(report.verdict == Verdict::Suspect);
            ledger.enter(report.e);
        }
        (ledger, suspect)
    };
    let (fair, suspect) = evidence(None);
    assert!(fair.shoes >= 3 && !fair.is_beyond(1000.0) && suspect == 0, "{fair:?}");
    let (lazy, suspect) = evidence(Some("riffles:3"));
    assert!(lazy.is_beyond(100_000.0) && suspect > 0, "{lazy:?}");
}
