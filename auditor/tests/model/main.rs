//! The model dealer: right by the documents, right by chance, and never at fault before the checks.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop where it stands")]

mod random;
mod stories;

use auditor::Rules;
use auditor::check::{Clause, Law, Session};
use auditor::rulebook::{Game, Rulebook, books};
use table::notation::parse;
use table::{Limit, Money, Round, RoundId, WagerKind};

/// The sign at every table of these tests.
fn limits(rules: &Rules) -> Vec<Limit> {
    let sign = |min, max, step| {
        let money = Money::from_minor;
        vec![Limit { on: WagerKind::Main, min: money(min), max: money(max), step: Some(money(step)) }]
    };
    if rules.bet_max.is_some() { sign(100, 400, 100) } else { sign(500, 50_000, 500) }
}

fn id(round: u32) -> RoundId {
    RoundId { table: "T1".parse().unwrap(), shoe: 1, round }
}

fn find(name: &str) -> (&'static Rulebook, &'static Game) {
    let books = books::all().unwrap().iter();
    books.filter_map(|book| Some((book, book.game(name)?))).next().unwrap_or_else(|| panic!("no game {name}"))
}

/// What the checks find wrong with a round, a line for each.
fn faults(round: &Round) -> String {
    let (book, game) = find(round.game.name.as_str());
    let clause = |number| {
        let clause = book.clauses.get(number).unwrap();
        Clause { id: clause.id.clone(), severity: clause.severity }
    };
    let cites = game.cites.iter().map(|cite| (cite.tag.clone(), cite.clauses.iter().copied().map(clause).collect()));
    let rules = game.with_options(&round.game.options).unwrap().rules;
    let law = Law::new(rules, cites.collect(), Vec::new());
    let (flags, _) = Session::default().audit(&law, round);
    flags
        .iter()
        .map(|flag| format!("{}: expected {}, observed {}\n", flag.check, flag.expected, flag.observed))
        .collect()
}

#[test]
fn these_checks_do_find_fault_where_there_is_one() {
    let round = "game nz-base\nbet 3 10\nno-more-bets\ncard 3 TH\ncard dealer 9S\ncard 3 9C\nstand 3\n\
                 card dealer TD\npay 3 10\ncollect 3\ncollect dealer\nend";
    assert_ne!(faults(&parse(round).unwrap()[0]), "");
}
