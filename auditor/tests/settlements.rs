//! A wrong settlement is found, once: in lawful rounds one payment is changed after the other.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use std::collections::BTreeMap;

use auditor::check::{Law, Session, posted_limits};
use auditor::model::random::{self, Habits};
use auditor::rulebook::books;
use table::notation::print;
use table::{Act, Bettor, FlagKind, Game, Ident, Money, Round, RoundId};

/// A game with every side bet its decks allow.
fn laws() -> Vec<(Game, Law)> {
    let games = books::all().unwrap().iter().flat_map(|book| &book.games);
    games
        .map(|game| {
            let playable = game.sides.iter().filter(|side| side.rules.decks_min.is_none_or(|n| game.rules.decks >= n));
            let on = playable.map(|side| (side.bet.name().parse().unwrap(), "on".parse().unwrap()));
            let game = Game { name: game.name.clone(), options: on.collect::<BTreeMap<_, _>>() };
            let law = Law::of(books::all().unwrap(), &game).unwrap();
            (game, law)
        })
        .collect()
}

/// What a careless hand could have done instead of paying.
fn instead(act: &Act) -> Vec<Act> {
    match act {
        Act::Pay(wager, amount) if !wager.tip => {
            let more = Money::from_minor(amount.minor() * 3 + 700);
            vec![Act::Take(*wager, None), Act::Push(*wager), Act::Pay(*wager, more)]
        }
        _ => Vec::new(),
    }
}

/// A bettor behind may choose which hand of a split box his stake is on, and nobody sees which.
fn may_have_chosen(round: &Round, act: &Act) -> bool {
    let Act::Pay(wager, _) = act else { return false };
    let split = |act: &Act| matches!(act, Act::Split(split, _) if split.box_no == wager.box_no);
    wager.bettor != Bettor::SEATED && round.steps.iter().any(|step| split(&step.act))
}

fn wrong_payouts(law: &Law, round: &Round) -> Vec<String> {
    let (flags, _) = Session::default().audit(law, round);
    let wrong = flags.iter().filter(|flag| flag.kind == FlagKind::WrongPayout);
    wrong.map(|flag| format!("{}: {flag}", flag.check)).collect()
}

#[test]
fn a_winner_taken_pushed_or_paid_too_much_is_one_flag() {
    let habits = Habits { boxes: 3, ..Habits::default() };
    let mut changed = 0;
    for (game, law) in laws() {
        let limits = posted_limits(&law.rules);
        for seed in 0..25 {
            let id = RoundId { table: Ident::unnamed_table(), shoe: 1, round: 1 };
            let round = random::fresh(&law.rules, &limits, habits, seed, id, game.clone()).unwrap();
            for (at, step) in round.steps.iter().enumerate().filter(|(_, step)| !may_have_chosen(&round, &step.act)) {
                for act in instead(&step.act) {
                    let mut wrong = round.clone();
                    wrong.steps[at].act = act;
                    let said = wrong_payouts(&law, &wrong);
                    assert_eq!(said.len(), 1, "{} seed {seed}: {said:?}\n{}", game.name, print([&wrong]));
                    changed += 1;
                }
            }
        }
    }
    assert!(changed > 1000, "only {changed} payments were changed");
}
