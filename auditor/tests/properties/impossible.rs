//! Rounds that no table can have: they are flagged or passed over, and never stop or hold up the audit.

use std::time::{Duration, Instant};

use auditor::check::Session;
use table::notation::parse;
use table::round::Stake;
use table::{Act, Money, Round};

use crate::{games, law_of};

/// Longer than any of these may take on a busy machine by far; an endless loop takes longer still.
const LONG: Duration = Duration::from_secs(20);

/// Audits steps under every game, twice in one session, and says which checks spoke.
fn audited(steps: &str) -> Vec<String> {
    let mut spoke = Vec::new();
    for name in games() {
        let text = format!("round T1 1 1\ngame {name}\n{}\n", steps.replace("; ", "\n"));
        spoke.extend(checks(&parse(&text).unwrap()[0]));
    }
    spoke.sort();
    spoke.dedup();
    spoke
}

fn checks(round: &Round) -> Vec<String> {
    let began = Instant::now();
    let (_, law) = law_of(&round.game.name, true);
    let mut session = Session::default();
    let first = session.audit(&law, round).0;
    session.audit(&law, round);
    assert_eq!(first, Session::default().audit(&law, round).0, "the same round, other flags");
    assert!(began.elapsed() < LONG, "{} steps took {:?}", round.steps.len(), began.elapsed());
    first.into_iter().map(|flag| flag.check).collect()
}

#[test]
fn five_aces_of_spades_from_two_decks_are_too_many() {
    let steps = "shuffle; bet 1 10; no-more-bets; card 1 AS; card dealer AS; card 1 AS; card 1 AS; card 1 AS; end";
    let text = format!("round T1 1 1\ngame bclc-dd\n{}\n", steps.replace("; ", "\n"));
    assert!(checks(&parse(&text).unwrap()[0]).contains(&"too_many_of_a_card".to_owned()));
    audited(steps);
}

#[test]
fn a_card_to_a_box_without_a_wager_is_told() {
    let steps = "bet 1 10; no-more-bets; card 1 9S; card 5 8H; card dealer 7D; card 1 8D; card 5 8C; stand 1; \
                 card dealer TC; push 1; end";
    assert!(audited(steps).contains(&"empty_box_dealt".to_owned()));
}

#[test]
fn a_hand_that_goes_on_after_the_end_of_its_round_stops_nobody() {
    let round = "bet 1 10; no-more-bets; card 1 9S; card dealer 7D; card 1 8D; stand 1; card dealer TC; push 1; end";
    audited(&format!("{round}; hit 1; card 1 2C; double 1; card 1 5C; split 1; pay 1 10; void round; end; end"));
}

#[test]
fn twenty_hands_on_a_box_are_too_many_and_followed_as_far_as_there_is_room() {
    let mut steps = "bet 1 10; no-more-bets; card 1 8S; card dealer 7D; card 1 8D".to_owned();
    for _ in 0..20 {
        steps.push_str("; split 1; card 1 8C");
    }
    for letter in 'b'..='u' {
        steps.push_str(&format!("; card 1{letter} 5H; double 1{letter}; card 1{letter} 2H; pay 1{letter} 10"));
    }
    assert!(audited(&format!("{steps}; card dealer TC; end")).contains(&"too_many_hands".to_owned()));
}

#[test]
fn steps_without_end_are_audited_in_time() {
    let some = "bet 1 10; bet 2/2 10; bet 3 tip 1; card 1 8S; card dealer 2D; card 1 8D; split 1; hit 1; card 1b 2C; \
                double 1b; turn dealer 5C; pay 1 10; take 1b; collect 1; move 8S 1 2; shuffle; burn XX; touch 1 cards; \
                drawn 5C; discard 5C; even-money 1; insure 1 5; surrender 2; zap 1; meter 100; prize 1 madness21 5; end";
    let count = some.split("; ").count();
    audited(&vec![some; 10_000 / count + 1].join("; "));
}

#[test]
fn amounts_at_the_end_of_all_numbers_overflow_nothing() {
    let round = "bet 1 10; bet 1/2 10; bet 1 tip 10; bet 1 super_sevens 10; bet 1 kings_bounty 10; bet 1 war 10; \
                 bet 1 blazing7 10; bet 1 house_money 10; bet 1 madness21 10; bet 1 push22 10; marker 1 10; meter 10; \
                 no-more-bets; card 1 7S; card dealer AS; pay 1 war 10; parlay 1 10; card 1 7S; insure 1 10; \
                 pay 1 house_money 10; ride 1 house_money 10; prize 1 madness21 10; split 1; split 1/2 10; card 1 7S; \
                 double 1; double 1/2 10; card 1 7S; card 1b TS; alter 1b 10; card dealer KS; pay 1 insurance 10; \
                 take 1 10; take 1 double 10; pay 1b 10; pay 1b 10; pay 1 super_sevens 10; pay 1 kings_bounty 10; \
                 pay 1 blazing7 10; pay 1 push22 10; pay 1 madness21 10; end";
    for amount in [i64::MAX, i64::MAX / 2 + 1, i64::MAX / 3, 0, 1, -1, i64::MIN + 1, i64::MIN] {
        for name in games() {
            let text = format!(
                "round T1 1 1\ngame {name}\nlimits main 5.00 500.00 step 1.00\n{}\n",
                round.replace("; ", "\n")
            );
            let mut round = parse(&text).unwrap().remove(0);
            let amount = Money::from_minor(amount);
            for limit in &mut round.limits {
                (limit.min, limit.max, limit.step) = (amount, amount, Some(amount));
            }
            for step in &mut round.steps {
                restake(&mut step.act, amount);
            }
            checks(&round);
        }
    }
}

/// Writes another amount wherever a step names one.
fn restake(act: &mut Act, to: Money) {
    let amount: &mut Money = match act {
        Act::Bet(_, amount) | Act::Alter(_, amount) | Act::Parlay(_, amount) | Act::Ride(_, amount) => amount,
        Act::Pay(_, amount) | Act::Prize(_, amount) | Act::Marker(_, amount) | Act::Meter(amount) => amount,
        Act::Take(_, Some(amount)) => amount,
        Act::Double(_, Stake::Chips(amount)) | Act::Split(_, Stake::Chips(amount)) => amount,
        _ => return,
    };
    *amount = to;
}

#[test]
fn a_table_of_which_no_card_was_read_is_accused_of_nothing_that_turns_on_cards() {
    let steps = "bet 1 10; bet 2 10; no-more-bets; card 1 ??; card 2 ??; card dealer ??; card 1 ??; card 2 ??; stand 1; \
                 hit 2; card 2 ??; stand 2; card dealer ??; card dealer ??; take 2; collect 2; pay 1 10; collect 1; \
                 collect dealer; end";
    for check in audited(steps) {
        assert!(
            !check.starts_with("dealer_stood") && !check.ends_with("_paid") && !check.contains("natural"),
            "{check}"
        );
    }
}
