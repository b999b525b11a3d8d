//! Whole shifts: what is lawful is never flagged, what is labelled is found, and no card is lost on the way.
//! `ROUNDS=n` plays more rounds of each game.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use std::collections::BTreeMap;

use auditor::check::Session;
use auditor::rulebook::books;
use simulator::faults::{self, Way};
use simulator::players;
use simulator::setup::Setup;
use simulator::shift::{Shift, Wish, Wishes};
use table::notation::print;
use table::{Act, Card, Flag, FlagKind, Game, Ident, Utc};

fn rounds() -> u32 {
    std::env::var("ROUNDS").map_or(120, |rounds| rounds.parse().unwrap())
}

fn setup(game: &str, options: &str) -> Setup {
    let option = |option: &str| {
        let (name, value) = option.split_once('=').unwrap();
        (name.parse().unwrap(), value.parse().unwrap())
    };
    let game = Game { name: game.parse().unwrap(), options: options.split_whitespace().map(option).collect() };
    Setup::new(books::all().unwrap(), "BJ-04".parse().unwrap(), game).unwrap()
}

fn games() -> Vec<&'static str> {
    let games = books::all().unwrap().iter().flat_map(|book| &book.games);
    games.map(|game| game.name.as_str()).collect()
}

fn wishes(seed: u64, rounds: u32, faults: Vec<Wish>) -> Wishes {
    let dealers: Vec<Ident> = ["D-01", "D-02", "D-03"].iter().map(|name| name.parse().unwrap()).collect();
    let begins = Utc::from_micros(1_700_000_000_000_000).unwrap();
    let company = players::Wish::default();
    Wishes { seed, rounds, begins, mid_shoe: false, company, dealers, procedure: None, faults, several: false }
}

fn told(flags: &[Flag]) -> String {
    flags.iter().map(|flag| format!("{}: {flag}", flag.check)).collect::<Vec<_>>().join("; ")
}

#[test]
fn a_lawful_shift_of_any_game_is_never_flagged() {
    for (game, options) in
        games().into_iter().map(|game| (game, "")).chain([("nz-base", "csm=true"), ("act", "csm=true")])
    {
        let setup = setup(game, options);
        let mut session = Session::default();
        for dealt in Shift::open(&setup, wishes(7, rounds(), Vec::new())) {
            let dealt = dealt.unwrap();
            let flags = session.audit(&setup.law, &dealt.round).0;
            assert!(flags.is_empty(), "{game} {options}: {}\n{}", told(&flags), print([&dealt.round]));
            assert!(dealt.labels.is_empty());
        }
    }
}

#[test]
fn every_shoe_holds_the_cards_that_the_last_one_held() {
    for game in games() {
        let setup = setup(game, "");
        let decks = usize::from(setup.law.rules.decks);
        let mut shuffles = 0;
        let mut drawn: Vec<Card> = Vec::new();
        for dealt in Shift::open(&setup, wishes(3, rounds(), Vec::new())) {
            let dealt = dealt.unwrap();
            if let Some(shuffled) = dealt.shuffled {
                shuffles += 1;
                assert_eq!(shuffled.after.len(), decks * 52, "{game}");
                assert_eq!(shuffled.after[..drawn.len()], drawn, "{game}: the cards came in another order");
                let mut counts: BTreeMap<Card, usize> = BTreeMap::new();
                shuffled.after.iter().for_each(|card| *counts.entry(*card).or_default() += 1);
                assert!(counts.values().all(|count| *count == decks), "{game}: {counts:?}");
                drawn.clear();
            }
            drawn.extend(dealt.drawn.iter().map(|draw| draw.card));
        }
        assert!(shuffles > 0 || setup.law.rules.csm, "{game}: the first shoe lasted the whole shift");
    }
}

#[test]
fn the_same_seed_plays_the_same_shift_and_another_seed_another() {
    let setup = setup("nz-base", "");
    let all = || vec![Wish { faults: faults::all().iter().collect(), rate: 0.3 }];
    let play = |seed| -> Vec<_> {
        let shift = Shift::open(&setup, wishes(seed, 40, all())).map(Result::unwrap);
        shift.map(|dealt| (dealt.round, dealt.labels)).collect()
    };
    assert_eq!(play(1), play(1));
    assert_ne!(play(1), play(2));
}

#[test]
fn what_goes_wrong_in_a_shift_is_found_and_little_else() {
    let mut report = Vec::new();
    let (mut labelled, mut found, mut others) = (0, 0, 0);
    for game in games() {
        let setup = setup(game, "");
        let all = Wish { faults: faults::all().iter().collect(), rate: 0.3 };
        let mut session = Session::default();
        let mut due: Vec<simulator::truth::Label> = Vec::new();
        for dealt in Shift::open(&setup, wishes(11, 3 * rounds(), vec![all])) {
            let dealt = dealt.unwrap();
            let flags = session.audit(&setup.law, &dealt.round).0;
            let at = (dealt.round.id.shoe, dealt.round.id.round);
            due.extend(dealt.labels.iter().filter(|label| label.check.is_some()).cloned());
            due.sort_by_key(|label| !label.sure);
            labelled += dealt.labels.iter().filter(|label| label.check.is_some() && label.sure).count();
            for flag in flags {
                let answers = |label: &simulator::truth::Label| label.check.as_deref() == Some(flag.check.as_str());
                match due.iter().position(answers) {
                    Some(answered) => {
                        // A pack with a card too many goes on being one until it is replaced.
                        if due[answered].sure {
                            due.remove(answered);
                            found += 1;
                        }
                    }
                    // Staged faults take their cards out of the shuffled order, which a watch over shuffles may well notice.
                    None if flag.kind == FlagKind::SuspectShuffle => {}
                    None => {
                        others += 1;
                        let why: Vec<_> = dealt.labels.iter().map(|label| label.fault.as_str()).collect();
                        report.push(format!("{game} {why:?}: {}: {flag}\n{}", flag.check, print([&dealt.round])));
                    }
                }
            }
            let over = |label: &simulator::truth::Label| {
                label.until.map_or((label.round.shoe, label.round.round), |until| (until.shoe, until.round)) <= at
            };
            for label in due.extract_if(.., |label| over(label)).filter(|label| label.sure) {
                report.push(format!("{game} missed {}: {}\n{}", label.fault, label.says, print([&dealt.round])));
            }
        }
    }
    println!("{labelled} faults, {found} found, {others} other flags");
    assert!(report.is_empty(), "{labelled} faults, {found} found, {others} other flags:\n{}", report.join("\n\n"));
}

#[test]
fn what_seldom_happens_at_a_table_happens_all_the_same_when_it_is_asked_for() {
    let rare = [
        ("nz-base", "ride_after_decision"),
        ("nz-base", "ridden_lost_hand_paid"),
        ("nz-base", "ridden_pushed"),
        ("nz-base", "taken_chips_still_played"),
        ("bclc-basic", "tip_claimed_on_better_hand"),
    ];
    for (game, name) in rare {
        let setup = setup(game, "");
        let wish = Wish { faults: faults::named(name).unwrap(), rate: 1.0 };
        let mut session = Session::default();
        let mut times = 0;
        for dealt in Shift::open(&setup, wishes(5, 12, vec![wish])) {
            let dealt = dealt.unwrap();
            let flags = session.audit(&setup.law, &dealt.round).0;
            let due: Vec<_> = dealt.labels.iter().filter_map(|label| label.check.as_deref()).collect();
            let seen: Vec<_> = flags.iter().map(|flag| flag.check.as_str()).collect();
            assert_eq!(seen, due, "{name}: {}\n{}", told(&flags), print([&dealt.round]));
            times += due.len();
        }
        assert!(times >= 5, "{name} happened {times} times in 12 rounds");
    }
}

#[test]
fn a_shuffle_in_the_last_rounds_is_found_even_in_the_first_round_of_an_opening_table() {
    let setup = setup("act", "");
    for seed in 1..20 {
        let wish = Wish { faults: faults::named("shuffled_in_final_rounds").unwrap(), rate: 1.0 };
        let dealt = Shift::open(&setup, wishes(seed, 1, vec![wish])).next().unwrap().unwrap();
        let flags = Session::default().audit(&setup.law, &dealt.round).0;
        let checks: Vec<_> = flags.iter().map(|flag| flag.check.as_str()).collect();
        assert_eq!(dealt.labels.len(), 1);
        assert_eq!(checks, ["shuffled_in_final_rounds"], "seed {seed}: {}\n{}", told(&flags), print([&dealt.round]));
    }
}

/// Every fault that is never lived.
fn staged() -> Wish {
    let faults = faults::all().iter().filter(|fault| matches!(fault.ways[..], [Way::Staged(_)])).collect();
    Wish { faults, rate: 1.0 }
}

#[test]
fn an_option_that_leaves_no_room_for_a_staged_fault_does_not_end_the_shift() {
    let setup = setup("act", "boxes_max=4");
    let shift = Shift::open(&setup, wishes(1, 3 * rounds(), vec![staged()]));
    let labels: usize = shift.map(|dealt| dealt.unwrap().labels.len()).sum();
    assert!(labels > 0, "nothing fits");
}

#[test]
fn nothing_is_staged_on_boxes_that_the_table_does_not_have() {
    let setup = Setup { boxes: 3, ..setup("nz-base", "") };
    let mut labels = 0;
    for dealt in Shift::open(&setup, wishes(2, rounds(), vec![staged()])) {
        let dealt = dealt.unwrap();
        labels += dealt.labels.len();
        for step in &dealt.round.steps {
            if let Act::Bet(wager, _) = step.act {
                assert!(wager.box_no.number() <= 3, "{}\n{}", dealt.labels[0].fault, print([&dealt.round]));
            }
        }
    }
    assert!(labels > 0);
}
