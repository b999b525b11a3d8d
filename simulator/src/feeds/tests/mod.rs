//! Random lawful rounds of every game, and all devices watching them.

mod camera;
mod chips;
mod shoe;

use std::collections::BTreeMap;

use auditor::check::{Law, posted_limits};
use auditor::model::random::{self, Habits};
use auditor::rulebook::books;
use table::{Act, Game, RoundId};

use super::*;
use crate::{Draw, Trouble};

const DIALECTS: [Dialect; 2] = [Dialect::AngelEye, Dialect::BeeTek];

/// Every game with every side bet that its decks allow.
fn laws() -> Vec<(Game, Law)> {
    let books = books::all().unwrap();
    let games = books.iter().flat_map(|book| &book.games);
    let laws = games.map(|game| {
        let fits = game.sides.iter().filter(|side| side.rules.decks_min.is_none_or(|least| game.rules.decks >= least));
        let on = fits.map(|side| (side.bet.name().parse().unwrap(), "on".parse().unwrap()));
        let game = Game { name: game.name.clone(), options: on.collect() };
        let law = Law::of(books, &game).unwrap();
        (game, law)
    });
    laws.collect()
}

/// A lawful round, a step every 0.9 seconds; the next seed's begins ten minutes later.
fn lawful(game: &Game, law: &Law, seed: u64) -> Dealt {
    let id = RoundId { table: "BJ-04".parse().unwrap(), shoe: 1, round: 1 };
    let limits = posted_limits(&law.rules);
    let mut dealt = dealt(random::fresh(&law.rules, &limits, Habits::default(), seed, id, game.clone()).unwrap());
    dealt.round.at = dealt.round.at.shifted(seed as i64 * 600_000_000).unwrap();
    dealt
}

/// A round in notation, a step every 0.9 seconds.
fn told(steps: &str) -> Dealt {
    dealt(table::notation::parse(&format!("game nz-base\n{steps}")).unwrap().remove(0))
}

fn dealt(mut round: Round) -> Dealt {
    round.at = "2026-11-15T21:04:05Z".parse().unwrap();
    for (number, step) in round.steps.iter_mut().enumerate() {
        step.after = Some(900_000 * (number as u64 + 1));
    }
    let drawn = drawn(&round);
    Dealt { round, drawn, shuffled: None, labels: Vec::new(), troubles: Vec::new() }
}

/// The cards as they left the shoe. One that is turned up later is known from then; one that never is, is a deuce.
fn drawn(round: &Round) -> Vec<Draw> {
    let mut drawn: Vec<Draw> = Vec::new();
    let mut down: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (step, of_round) in round.steps.iter().enumerate() {
        let deuce = "2C".parse().unwrap();
        match of_round.act {
            Act::Card { to, card, .. } => {
                if !card.is_known() {
                    down.entry(to).or_default().push(drawn.len());
                }
                drawn.push(Draw { step, card: if card.is_known() { card } else { deuce } });
            }
            Act::Burn(card) => drawn.push(Draw { step, card: if card.is_known() { card } else { deuce } }),
            Act::TurnUp(place, card) if down.get(&place).is_some_and(|down| !down.is_empty()) => {
                drawn[down.get_mut(&place).unwrap().remove(0)].card = card;
            }
            _ => {}
        }
    }
    drawn
}

fn feeds(dialect: Dialect, noise: f64, seed: u64) -> Feeds {
    Feeds::new(Names::usual().unwrap(), dialect, noise, &Dice::new(seed))
}

#[test]
fn a_line_without_noise_shows_the_true_round() {
    for (game, law) in laws() {
        for seed in 0..8 {
            let dealt = lawful(&game, &law, seed);
            let seen = feeds(DIALECTS[seed as usize % 2], 0.0, seed).of(&dealt).seen;
            let mut observed = observe(&dealt, &seen);
            let shown = observed.steps.iter().filter(|step| !step.events.is_empty()).count();
            assert!(shown > 4, "{} seed {seed}: only {shown} steps are shown", game.name);
            observed.steps.iter_mut().for_each(|step| step.events = Box::default());
            assert_eq!(observed, dealt.round, "{} seed {seed}", game.name);
        }
    }
}

#[test]
fn the_same_seed_sends_the_same_bytes_and_another_seed_others() {
    let (game, law) = laws().remove(0);
    let rounds: Vec<Dealt> = (0..3).map(|seed| lawful(&game, &law, seed)).collect();
    let all = |seed: u64| {
        let mut feeds = feeds(Dialect::AngelEye, 0.1, seed);
        rounds.iter().flat_map(|dealt| feeds.of(dealt).records).collect::<Vec<_>>()
    };
    assert_eq!(all(5), all(5));
    assert_ne!(all(5), all(6));
}

#[test]
fn records_come_in_order_of_time_and_events_in_order_of_arrival() {
    let (game, law) = laws().remove(0);
    let mut feeds = feeds(Dialect::BeeTek, 0.3, 1);
    let (mut last, mut events) = (Utc::EPOCH, 0);
    for seed in 0..12 {
        for (at, record) in feeds.of(&lawful(&game, &law, seed)).records {
            assert!(last <= at, "{last} then {at}");
            last = at;
            if let Record::Event(event) = record {
                events += 1;
                assert_eq!(event.id.0, events);
            }
        }
    }
    assert!(events > 100);
}

#[test]
fn a_card_that_nobody_read_is_unread_and_one_seen_by_the_camera_alone_is_named() {
    let mut dealt = told("bet 1 10\ncard 1 9H\ncard dealer 7S\nburn 4D\ncard 1 8C\nend");
    dealt.troubles = vec![Trouble::ShoeLost { draw: 2 }, Trouble::ShoeUnread { draw: 3 }];
    let seen = feeds(Dialect::AngelEye, 0.0, 1).of(&dealt).seen;
    let observed = observe(&dealt, &seen);
    let lines: Vec<String> = observed.steps.iter().map(|step| step.act.to_string()).collect();
    assert_eq!(lines, ["bet 1 10.00", "card 1 9H", "card dealer 7S", "burn ??", "card 1 8C", "end"]);
}

#[test]
fn what_lies_in_plain_sight_goes_before_what_left_the_shoe() {
    let mut dealt = told("bet 1 10\ncard 1 KS\ncard dealer 7S\ndrawn 4D\ncard 1 8C\ndiscard 4D\nend");
    dealt.drawn = [(1, "9H"), (2, "7S"), (3, "4D"), (4, "8C")]
        .map(|(step, card)| Draw { step, card: card.parse().unwrap() })
        .to_vec();
    dealt.troubles = vec![Trouble::ShoeMisread { draw: 1, says: "2C".parse().unwrap() }];
    let mut observed = observe(&dealt, &feeds(Dialect::BeeTek, 0.0, 1).of(&dealt).seen);
    observed.steps.iter_mut().for_each(|step| step.events = Box::default());
    assert_eq!(observed, dealt.round);
}

#[test]
fn noise_makes_faces_doubtful_and_doubt_is_told() {
    let (mut wrong, mut doubted, mut cards) = (0, 0, 0);
    let (game, law) = laws().remove(0);
    let mut feeds = feeds(Dialect::AngelEye, 0.2, 1);
    for seed in 0..60 {
        let dealt = lawful(&game, &law, seed);
        let observed = observe(&dealt, &feeds.of(&dealt).seen);
        for (truth, seen) in dealt.round.steps.iter().zip(&observed.steps) {
            if let Act::Card { card, .. } = truth.act
                && card.is_known()
            {
                cards += 1;
                wrong += usize::from(truth.act != seen.act);
                doubted += usize::from(seen.chance.is_some() || truth.act != seen.act);
            }
        }
    }
    assert!(cards > 500 && wrong * 20 < cards, "{wrong} wrong of {cards}");
    assert!(wrong > 0 && doubted > 3 * wrong, "{wrong} wrong, {doubted} doubted of {cards}");
}

#[test]
fn any_steps_at_any_time_with_any_trouble_are_shown_without_a_panic() {
    let laws = laws();
    for seed in 0..150 {
        let mut dice = Dice::new(seed);
        let (game, law) = &laws[seed as usize % laws.len()];
        let mut dealt = lawful(game, law, seed);
        let steps = dealt.round.steps.clone();
        for step in &mut dealt.round.steps {
            step.act = dice.pick(&steps).unwrap().act.clone();
            step.after = [step.after, None, Some(dice.roll()), Some(dice.roll() >> 20)][dice.below(4)];
        }
        for draw in &mut dealt.drawn {
            draw.step = dice.below(steps.len() * 2);
        }
        let micros = dice.roll();
        dealt.troubles = vec![
            Trouble::CameraGap { step: dice.below(90), micros: micros >> dice.below(64) },
            Trouble::ClockJump { step: dice.below(90), micros: (micros as i64) >> dice.below(64) },
            Trouble::ShoeMisread { draw: dice.below(90), says: table::Card::HIDDEN },
            Trouble::ShoeRepeated { draw: dice.below(90) },
        ];
        if dice.once_in(4) {
            dealt.round.at = Utc::from_micros(253_402_300_799_999_999).unwrap();
        }
        let mut feeds = feeds(DIALECTS[dice.below(2)], dice.unit(), seed);
        for _ in 0..2 {
            let watched = feeds.of(&dealt);
            assert!(watched.records.is_sorted_by_key(|(at, _)| *at), "seed {seed}");
            assert_eq!(observe(&dealt, &watched.seen).steps.len(), dealt.round.steps.len());
        }
    }
}
