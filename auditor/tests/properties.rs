//! What must hold for every round: lawful play is never flagged, nothing panics, money adds up.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

#[path = "properties/cuts.rs"]
mod cuts;
#[path = "properties/impossible.rs"]
mod impossible;
#[path = "properties/money.rs"]
mod money;
#[path = "properties/options.rs"]
mod options;

use auditor::check::{Law, Session, posted_limits};
use auditor::model::random::{self, Habits};
use auditor::rulebook::books;
use proptest::prelude::*;
use table::notation::print;
use table::{Game, Ident, Round, RoundId};

fn games() -> Vec<Ident> {
    books::all().unwrap().iter().flat_map(|book| book.games.iter().map(|game| game.name.clone())).collect()
}

/// The law of a game as its book has it, or with every side bet that its decks allow.
fn law_of(name: &Ident, all_sides: bool) -> (Game, Law) {
    let books = books::all().unwrap();
    let game = books.iter().find_map(|book| book.game(name.as_str())).unwrap();
    let playable = game.sides.iter().filter(|side| side.rules.decks_min.is_none_or(|least| game.rules.decks >= least));
    let on = playable.filter(|_| all_sides).map(|side| (side.bet.name().parse().unwrap(), "on".parse().unwrap()));
    let game = Game { name: name.clone(), options: on.collect() };
    let law = Law::of(books, &game).unwrap();
    (game, law)
}

/// A lawful round under a law, from a seed.
fn round_under(law: &Law, game: &Game, seed: u64, habits: Habits) -> Round {
    let id = RoundId { table: Ident::unnamed_table(), shoe: 1, round: 1 };
    random::fresh(&law.rules, &posted_limits(&law.rules), habits, seed, id, game.clone()).unwrap()
}

/// A lawful round of a game, from a seed.
fn lawful(name: &Ident, seed: u64, habits: Habits) -> (Law, Round) {
    let (game, law) = law_of(name, false);
    let round = round_under(&law, &game, seed, habits);
    (law, round)
}

fn said(law: &Law, round: &Round) -> Vec<String> {
    let (flags, _) = Session::default().audit(law, round);
    flags.iter().map(|flag| format!("{}: {flag}", flag.check)).collect()
}

/// How many rounds of each game to look at: `ROUNDS` if that is set.
fn rounds_or(usual: u64) -> u64 {
    std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(usual)
}

/// A round on one line, the step that was cut out in brackets.
fn story(round: &Round, cut: usize) -> String {
    let told = round.steps.iter().enumerate().map(|(at, step)| match at == cut {
        true => format!("[{}]", step.act),
        false => step.act.to_string(),
    });
    told.collect::<Vec<_>>().join("; ")
}

#[test]
fn lawful_play_is_never_flagged_in_any_game() {
    let mut cried_wolf = Vec::new();
    for name in games() {
        for seed in 0..rounds_or(300) {
            let (law, round) = lawful(&name, seed, Habits::default());
            let said = said(&law, &round);
            if !said.is_empty() {
                cried_wolf.push(format!("{name} seed {seed}: {}\n{}", said.join("; "), print([&round])));
                break;
            }
        }
    }
    assert!(cried_wolf.is_empty(), "{} games cry wolf:\n{}", cried_wolf.len(), cried_wolf.join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_steps_in_any_order_are_audited_without_a_panic(
        game in 0usize..13, seed: u64, keep in proptest::collection::vec(any::<prop::sample::Index>(), 0..80)
    ) {
        let name = &games()[game];
        let (law, mut round) = lawful(name, seed, Habits::default());
        let steps = round.steps.clone();
        round.steps = keep.iter().map(|index| index.get(&steps).clone()).collect();
        let mut session = Session::default();
        session.audit(&law, &round);
        session.audit(&law, &round);
    }

    #[test]
    fn the_same_round_always_gives_the_same_flags(game in 0usize..13, seed: u64, cut: prop::sample::Index) {
        let name = &games()[game];
        let (law, mut round) = lawful(name, seed, Habits::default());
        round.steps.remove(cut.index(round.steps.len()));
        prop_assert_eq!(said(&law, &round), said(&law, &round));
    }
}
