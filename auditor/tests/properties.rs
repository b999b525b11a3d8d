//! What must hold for every round: lawful play is never flagged, nothing panics, money adds up.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use auditor::check::{Law, Session, posted_limits};
use auditor::model::random::{self, Habits};
use auditor::rulebook::books;
use proptest::prelude::*;
use table::notation::print;
use table::{Game, Ident, Round, RoundId};

fn games() -> Vec<Ident> {
    books::all().unwrap().iter().flat_map(|book| book.games.iter().map(|game| game.name.clone())).collect()
}

/// A lawful round of a game, from a seed.
fn lawful(name: &Ident, seed: u64, habits: Habits) -> (Law, Round) {
    let game = Game { name: name.clone(), options: Default::default() };
    let law = Law::of(books::all().unwrap(), &game).unwrap();
    let id = RoundId { table: Ident::unnamed_table(), shoe: 1, round: 1 };
    let limits = posted_limits(&law.rules);
    let round = random::fresh(&law.rules, &limits, habits, seed, id, game).unwrap();
    (law, round)
}

fn said(law: &Law, round: &Round) -> Vec<String> {
    let (flags, _) = Session::default().audit(law, round);
    flags.iter().map(|flag| format!("{}: {flag}", flag.check)).collect()
}

#[test]
fn lawful_play_is_never_flagged_in_any_game() {
    let rounds: u64 = std::env::var("ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let mut cried_wolf = Vec::new();
    for name in games() {
        for seed in 0..rounds {
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
