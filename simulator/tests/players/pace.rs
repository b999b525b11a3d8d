//! Time passes at the simulated table as it does at real ones.

use auditor::model::random::Dice;
use simulator::players::{Roster, Temper, Wish};
use simulator::timing::Pace;
use table::{Act, Ident, Round, Utc};

use crate::{Evening, only, setup};

/// Rounds of an evening with their times, and when the last was over.
fn timed(game: &str, wish: Wish, seed: u64, rounds: usize) -> (Vec<Round>, Utc) {
    let mut evening = Evening::new(setup(game, false), wish, seed);
    let mut pace = Pace::new(&Dice::new(seed));
    let mut now = Utc::EPOCH;
    let mut played = Vec::new();
    for _ in 0..rounds {
        let (mut round, _) = evening.next();
        pace.played_by(evening.company.tempers());
        now = pace.time(&mut round, now);
        played.push(round);
    }
    (played, now)
}

fn per_hour(rounds: usize, over: Utc) -> f64 {
    rounds as f64 * 3600e6 / over.micros() as f64
}

/// The step and the microseconds since the one before.
fn gaps(round: &Round) -> impl Iterator<Item = (&Act, u64)> {
    let mut last = 0;
    round.steps.iter().map(move |step| {
        let after = step.after.unwrap();
        let gap = after - std::mem::replace(&mut last, after);
        (&step.act, gap)
    })
}

#[test]
fn three_boxes_play_fifty_to_seventy_rounds_an_hour_and_more_boxes_fewer() {
    for game in ["nz-base", "act", "nh-6d", "bclc-basic"] {
        let wish = |boxes| Wish { boxes, ..Wish::default() };
        let three = per_hour(300, timed(game, wish(3), 8, 300).1);
        assert!((50.0..70.0).contains(&three), "{game}: {three} rounds an hour");
        let seven = per_hour(100, timed(game, wish(7), 8, 100).1);
        assert!((20.0..45.0).contains(&seven), "{game}: {seven} rounds an hour with seven boxes");
    }
}

#[test]
fn steps_follow_one_another_and_hands_move_no_faster_than_hands_can() {
    let (rounds, over) = timed("bclc-basic", Wish { boxes: 9, ..Wish::default() }, 3, 150);
    let mut ended = Utc::EPOCH;
    for round in &rounds {
        assert!(round.at >= ended);
        for (act, gap) in gaps(round) {
            assert!(gap >= 150_000, "{act} after {gap} microseconds");
            let within = match act {
                Act::Card { .. } => 600_000..=1_200_000,
                Act::Pay(..) | Act::Take(..) | Act::Push(_) => 800_000..=2_000_000,
                Act::Shuffle(_) => 10_000_000..=300_000_000,
                _ => 0..=u64::MAX,
            };
            assert!(within.contains(&gap), "{act} after {gap} microseconds");
        }
        let last = round.steps.last().and_then(|step| step.after).unwrap();
        ended = round.at.shifted(last as i64).unwrap();
    }
    assert!(over > ended);
}

#[test]
fn betting_takes_ten_to_twenty_five_seconds_or_so() {
    for boxes in [1, 3, 9] {
        let (rounds, _) = timed("nz-base", Wish { boxes, ..Wish::default() }, 4, 100);
        let closed =
            |round: &Round| round.steps.iter().find(|step| step.act == Act::NoMoreBets).unwrap().after.unwrap();
        let prepared = |round: &&Round| matches!(round.steps[0].act, Act::Shuffle(_));
        let times: Vec<u64> = rounds.iter().filter(|round| !prepared(round)).map(closed).collect();
        let mean = times.iter().sum::<u64>() / times.len() as u64;
        assert!((9_500_000..26_000_000).contains(&mean), "{boxes} boxes: {mean} microseconds");
        assert!(times.iter().all(|time| (6_000_000..34_000_000).contains(time)), "{boxes} boxes: {times:?}");
    }
}

#[test]
fn beginners_think_longer_and_quick_dealers_deal_faster() {
    let thought = |temper| {
        let (rounds, _) = timed("act", only(temper, 4), 6, 150);
        let of_all = rounds.iter().flat_map(gaps).filter(|(act, _)| matches!(act, Act::Hit(_) | Act::Stand(_)));
        let (sum, count) = of_all.fold((0, 0), |(sum, count), (_, gap)| (sum + gap, count + 1));
        sum / count
    };
    assert!(thought(Temper::Beginner) > thought(Temper::Basic) * 5 / 4);
    let hour = |slowness| {
        let mut evening = Evening::new(setup("act", false), only(Temper::Basic, 4), 6);
        let mut pace = Pace::new(&Dice::new(1));
        pace.dealt_by(slowness);
        per_hour(100, (0..100).fold(Utc::EPOCH, |now, _| pace.time(&mut evening.next().0, now)))
    };
    assert!(hour(0.85) > hour(1.2) * 1.05);
}

#[test]
fn the_same_seed_keeps_the_same_time() {
    let wish = || Wish::default();
    assert_eq!(timed("nz-base", wish(), 9, 40), timed("nz-base", wish(), 9, 40));
}

#[test]
fn a_dealer_change_is_no_fault_where_it_falls_between_rounds() {
    let mut evening = Evening::new(setup("act", false), Wish::default(), 12);
    let mut session = auditor::check::Session::default();
    let names: Vec<Ident> = ["Mia", "Tomas"].iter().map(|name| name.parse().unwrap()).collect();
    let mut roster = Roster::new(&names, Utc::EPOCH, &Dice::new(12));
    let mut pace = Pace::new(&Dice::new(12));
    let (mut last, mut now, mut changes) = (Utc::EPOCH, Utc::EPOCH, 0);
    for _ in 0..200 {
        let (mut round, _) = evening.next();
        let change = roster.change(last, now);
        changes += usize::from(change.is_some());
        round.steps.splice(0..0, change.map(table::Step::from));
        round.dealer = roster.at(now).map(|dealer| dealer.name.clone());
        last = now;
        now = pace.time(&mut round, now);
        assert!(session.audit(&evening.setup.law, &round).0.is_empty());
    }
    assert!((3..=15).contains(&changes), "{changes} changes");
}
