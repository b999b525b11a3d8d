//! The rules of matching, one story each.

use serde_json::Map;
use table::{BoxNo, Chance, Favours, Hand, Money, Severity, Utc, notation};

use super::*;
use crate::truth::{Until, Way};

fn round_id(round: u32) -> RoundId {
    RoundId { table: "BJ-04".parse().unwrap(), shoe: 1, round }
}

fn label(round: u32, check: &str, on: Option<u8>) -> Label {
    Label {
        round: round_id(round),
        until: None,
        fault: check.into(),
        way: Way::Lived,
        kind: Kind::Dealer,
        check: Some(check.into()),
        sure: true,
        clause: None,
        box_no: on.and_then(BoxNo::new),
        hand: on.map(|_| Hand::A),
        money: None,
        says: "something went wrong".into(),
    }
}

fn flag(round: u32, check: &str, on: Option<u8>) -> Flag {
    Flag {
        round: round_id(round),
        at: Utc::EPOCH,
        check: check.into(),
        clause: "nz-5.1(e)".into(),
        also: vec!["nz-4.1".into()],
        severity: Severity::Major,
        kind: FlagKind::DealerError,
        box_no: on.and_then(BoxNo::new),
        hand: on.map(|_| Hand::A),
        expected: "it stands off".into(),
        observed: "it was paid".into(),
        money: money(2500),
        confidence: Chance::from_millionths(1_000_000).unwrap(),
        evidence: vec![],
    }
}

fn money(minor: i64) -> AtStake {
    AtStake { amount: Money::from_minor(minor), favours: Favours::Player }
}

fn doubt(flag: Flag) -> Flag {
    Flag { kind: FlagKind::Doubt, ..flag }
}

fn round(id: u32, text: &str) -> Round {
    let mut round = notation::parse(&format!("game nz-base\n{text}")).unwrap().remove(0);
    round.id = round_id(id);
    round
}

/// The score of a tape with these labels, whose audit raised these flags.
fn scored(labels: Vec<Label>, flags: Vec<Flag>) -> Score {
    let mut ledger = Ledger::default();
    let mut numbers: Vec<_> = labels.iter().map(|label| label.round.round).collect();
    numbers.extend(flags.iter().map(|flag| flag.round.round));
    numbers.sort_unstable();
    numbers.dedup();
    for number in numbers {
        let played = round(number, "bet 3 25\nend");
        let here = flags.iter().filter(|flag| flag.round.round == number).cloned().collect();
        ledger.audited(&played, here);
        ledger.truth(Truth::Round { round: Box::new(played), drawn: Vec::new() });
    }
    labels.into_iter().for_each(|label| ledger.truth(Truth::Fault(label)));
    ledger.score()
}

fn counts(score: &Score) -> (u64, u64, usize, usize, usize) {
    (score.faults, score.found, score.doubted.len(), score.missed.len(), score.false_flags.len())
}

#[test]
fn a_fault_is_found_by_its_check_on_its_box_in_its_round() {
    let found = scored(vec![label(1, "paid_a_push", Some(3))], vec![flag(1, "paid_a_push", Some(3))]);
    assert_eq!(counts(&found), (1, 1, 0, 0, 0));
    let other_round = scored(vec![label(1, "paid_a_push", Some(3))], vec![flag(2, "paid_a_push", Some(3))]);
    assert_eq!(counts(&other_round), (1, 0, 0, 1, 1));
    let other_box = scored(vec![label(1, "paid_a_push", Some(3))], vec![flag(1, "paid_a_push", Some(4))]);
    assert_eq!(counts(&other_box), (1, 0, 0, 1, 1));
    assert!(other_box.confusion.is_empty(), "the right check on the wrong box is not another check");
}

#[test]
fn a_label_or_a_flag_that_names_no_box_fits_any() {
    let any_box = scored(vec![label(1, "paid_a_push", None)], vec![flag(1, "paid_a_push", Some(4))]);
    assert_eq!(counts(&any_box), (1, 1, 0, 0, 0));
    let whole_table = scored(vec![label(1, "paid_a_push", Some(3))], vec![flag(1, "paid_a_push", None)]);
    assert_eq!(counts(&whole_table), (1, 1, 0, 0, 0));
}

#[test]
fn one_flag_answers_one_label() {
    let twice = vec![label(1, "paid_a_push", None), label(1, "paid_a_push", Some(3))];
    assert_eq!(counts(&scored(twice.clone(), vec![flag(1, "paid_a_push", Some(3))])), (2, 1, 0, 1, 0));
    let both = scored(twice, vec![flag(1, "paid_a_push", None), flag(1, "paid_a_push", Some(5))]);
    assert_eq!(counts(&both), (2, 2, 0, 0, 0), "the label without a box leaves the flag without one to the other");
}

#[test]
fn nothing_should_be_raised_where_a_fault_was_handled() {
    let handled = || Label { kind: Kind::Handled, check: None, ..label(1, "card_dropped", Some(3)) };
    let quiet = scored(vec![handled()], vec![]);
    assert_eq!((counts(&quiet), quiet.handled, quiet.unchecked.len()), ((0, 0, 0, 0, 0), 1, 0));
    let loud = scored(vec![handled()], vec![flag(1, "fault_not_handled", None)]);
    assert_eq!(counts(&loud), (0, 0, 0, 0, 1));
    assert!(loud.false_flags[0].handled);
    assert_eq!(loud.false_flags[0].beside, ["card_dropped"]);
    let other_fault_too =
        scored(vec![handled(), label(1, "paid_a_push", Some(3))], vec![flag(1, "paid_a_push", Some(3))]);
    assert_eq!(counts(&other_fault_too), (1, 1, 0, 0, 0));
}

#[test]
fn what_no_check_can_find_is_not_missed() {
    let score = scored(vec![Label { check: None, ..label(1, "edge_sorting", None) }], vec![]);
    assert_eq!(counts(&score), (0, 0, 0, 0, 0));
    assert_eq!(score.unchecked[0].fault, "edge_sorting");
    assert_eq!(score.recall(), None);
}

#[test]
fn a_doubt_neither_finds_nor_accuses() {
    let labelled = scored(vec![label(1, "paid_a_push", Some(3))], vec![doubt(flag(1, "paid_a_push", Some(3)))]);
    assert_eq!((counts(&labelled), labelled.doubts, labelled.flags), ((1, 0, 1, 0, 0), 1, 0));
    let unlabelled = scored(vec![], vec![doubt(flag(1, "paid_a_push", Some(3)))]);
    assert_eq!((counts(&unlabelled), unlabelled.doubts), ((0, 0, 0, 0, 0), 1));
    let both = vec![doubt(flag(1, "paid_a_push", Some(3))), flag(1, "paid_a_push", Some(3))];
    assert_eq!(counts(&scored(vec![label(1, "paid_a_push", Some(3))], both)), (1, 1, 0, 0, 0));
}

#[test]
fn a_fault_taken_for_another_stands_in_the_table_of_confusion() {
    let score = scored(vec![label(1, "paid_a_push", Some(3))], vec![flag(1, "loser_paid", Some(3))]);
    assert_eq!(score.missed[0].taken_for, ["loser_paid"]);
    assert_eq!(score.confusion[&("paid_a_push".to_owned(), "loser_paid".to_owned())], 1);
    let pushes = score.by_check["paid_a_push"];
    assert_eq!((pushes.injected, pushes.missed, pushes.false_flags), (1, 1, 0));
    assert_eq!(score.by_check["loser_paid"].false_flags, 1);
}

#[test]
fn clause_and_money_are_compared_where_the_label_has_them() {
    let told = |clause: &str, minor| Label {
        clause: Some(clause.into()),
        money: Some(money(minor)),
        ..label(1, "paid_a_push", Some(3))
    };
    let flags = || vec![flag(1, "paid_a_push", Some(3))];
    let silent = scored(vec![label(1, "paid_a_push", Some(3))], flags());
    assert_eq!(silent.compared, Compared::default());
    let same = scored(vec![told("nz-4.1", 2500)], flags());
    assert_eq!(same.compared, Compared { clauses: 1, money: 1 });
    assert!(same.clause_differs.is_empty() && same.money_differs.is_empty(), "a clause the flag also rests on agrees");
    let other = scored(vec![told("nz-9.9", 5000)], flags());
    assert_eq!(other.found, 1);
    assert_eq!((&*other.clause_differs[0].labelled, &*other.clause_differs[0].flagged), ("nz-9.9", "nz-5.1(e)"));
    assert_eq!((other.money_differs[0].labelled, other.money_differs[0].flagged), (money(5000), money(2500)));
}

#[test]
fn a_round_is_exact_if_every_act_is_as_played_whatever_its_marks() {
    let played = |id| Truth::Round { round: Box::new(round(id, "bet 3 25\ncard 3 TH\nend")), drawn: Vec::new() };
    let mut ledger = Ledger::default();
    (1..=4).for_each(|id| ledger.truth(played(id)));
    ledger.audited(&round(1, "bet 3 25 @0.5 ~0.98 ^7\ncard 3 TH ~0.7\nend"), vec![]);
    ledger.audited(&round(2, "bet 3 25\ncard 3 9H\nend"), vec![]);
    ledger.audited(&round(3, "bet 3 25\ncard 3 TH\nend"), vec![]);
    ledger.audited(&round(3, "bet 3 25\ncard 3 TH\nend"), vec![]);
    ledger.audited(&round(5, "end"), vec![]);
    let score = ledger.score();
    assert_eq!((score.rounds, score.rounds_exact, score.rounds_lost, score.rounds_invented), (5, 1, 1, 1));
    assert_eq!(score.audited(), 4);
}

#[test]
fn truth_may_come_before_the_round_or_after_it() {
    let played = || round(1, "bet 3 25\nend");
    let truth = || Truth::Round { round: Box::new(played()), drawn: Vec::new() };
    let mut before = Ledger::default();
    before.truth(truth());
    before.audited(&played(), vec![]);
    let mut after = Ledger::default();
    after.audited(&played(), vec![]);
    after.truth(truth());
    assert_eq!(before.score(), after.score());
}

#[test]
fn tapes_add_up() {
    let mut all = scored(vec![label(1, "paid_a_push", Some(3))], vec![flag(1, "loser_paid", Some(3))]);
    all.add(&scored(vec![label(1, "paid_a_push", Some(3))], vec![flag(1, "paid_a_push", Some(3))]));
    assert_eq!(counts(&all), (2, 1, 0, 1, 1));
    assert_eq!((all.rounds, all.rounds_exact, all.recall(), all.precision()), (2, 2, Some(0.5), Some(0.5)));
    assert_eq!(all.by_check["paid_a_push"].injected, 2);
    assert_eq!(all.false_per_10k_rounds(), Some(5000.0));
}

#[test]
fn a_missed_fault_is_told_with_all_that_is_needed_to_look_at_it() {
    let score = scored(vec![Label { clause: Some("nz-5.1(e)".into()), ..label(7, "paid_a_push", Some(3)) }], vec![]);
    let told: Map<_, _> = serde_json::from_str(&serde_json::to_string(&score.missed[0]).unwrap()).unwrap();
    for (field, value) in [("table", "BJ-04"), ("fault", "paid_a_push"), ("check", "paid_a_push")] {
        assert_eq!(told[field], value);
    }
    assert_eq!((&told["shoe"], &told["round"], &told["box"]), (&1.into(), &7.into(), &3.into()));
    assert!(told.contains_key("clause") && told.contains_key("says"));
}

#[test]
fn a_fault_that_shows_a_round_later_is_found_there_and_one_that_never_does_is_missed() {
    let later = |until| Label { until: Some(Until { shoe: 1, round: until }), ..label(1, "tip_rode_on", None) };
    let played = |until| scored(vec![later(until), label(3, "burn_missing", None)], vec![flag(2, "tip_rode_on", None)]);
    assert_eq!(counts(&played(2)), (2, 1, 0, 1, 0));
    assert_eq!(counts(&played(1)), (2, 0, 0, 2, 1), "a flag outside its rounds is no answer");
}

#[test]
fn a_card_too_many_may_show_again_and_again_or_never() {
    let added = Label { sure: false, until: Some(Until { shoe: 1, round: 9 }), ..label(1, "too_many_of_a_card", None) };
    let shown = scored(vec![added.clone()], (2..5).map(|round| flag(round, "too_many_of_a_card", None)).collect());
    assert_eq!((counts(&shown), shown.repeated), ((1, 1, 0, 0, 0), 2));
    let never = scored(vec![added], Vec::new());
    assert_eq!((counts(&never), never.unchecked.len()), ((0, 0, 0, 0, 0), 1));
}
