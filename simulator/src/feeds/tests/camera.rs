//! What the camera reports, held against what lay on the table.

use table::event::Health;
use table::{Card, CardAt, Event, Face, Fact};

use super::*;

fn events(watched: &Watched) -> Vec<Event> {
    let events = watched.records.iter().filter_map(|(_, record)| match record {
        Record::Event(event) => Some(event.clone()),
        _ => None,
    });
    events.collect()
}

/// Each event in a few words.
fn words(events: &[Event]) -> Vec<String> {
    let spot = |at: &CardAt| format!("{}#{}", at.place, at.position);
    let tell = |event: &Event| match &event.fact {
        Fact::Settled { at, card } => format!("{} at {}", card.card, spot(at)),
        Fact::Left { at } => format!("{} empty", spot(at)),
        Fact::Health { state } => format!("camera {state}"),
        _ => String::new(),
    };
    events.iter().map(tell).collect()
}

#[test]
fn without_noise_every_card_is_named_at_its_place_and_time() {
    for (game, law) in laws() {
        for seed in 0..5 {
            let dealt = lawful(&game, &law, seed);
            let watched = feeds(Dialect::AngelEye, 0.0, seed).of(&dealt);
            let events = events(&watched);
            let observed = observe(&dealt, &watched.seen);
            let steps = times(&dealt.round);
            for (number, step) in observed.steps.iter().enumerate() {
                let shows: Vec<&Event> = step.events.iter().map(|id| &events[id.0 as usize - 1]).collect();
                assert!(shows.iter().all(|event| event.at.micros() == steps[number]));
                match &step.act {
                    Act::Card { to, card, face, turn } => {
                        let [Event { fact: Fact::Settled { at, card: seen }, .. }] = shows[..] else {
                            panic!("{shows:?}")
                        };
                        let shows = if *face == Face::Up { *card } else { Card::HIDDEN };
                        assert_eq!((at.place, at.face, at.turn, seen.card), (*to, *face, *turn, shows));
                        assert_eq!(seen.chance, table::Chance::CERTAIN);
                    }
                    Act::TurnUp(place, card) => {
                        let [Event { fact: Fact::Settled { at, card: seen }, .. }] = shows[..] else {
                            panic!("{shows:?}")
                        };
                        assert_eq!((at.place, at.face, seen.card), (*place, Face::Up, *card));
                    }
                    _ => {}
                }
            }
            let mut lie = Vec::new();
            for event in &events {
                match &event.fact {
                    Fact::Settled { at, .. } => lie.push((at.place, at.position)),
                    Fact::Left { at } => lie.retain(|spot| *spot != (at.place, at.position)),
                    _ => {}
                }
            }
            assert_eq!(lie, [], "all cards leave in the end");
        }
    }
}

#[test]
fn a_split_card_moves_to_the_new_hand_and_the_hole_card_is_seen_twice() {
    let dealt = told(
        "card 3 8H\ncard dealer AS\ncard 3 8C\ncard dealer XX down\nsplit 3\ncard 3 2D\n\
         turn dealer 9D\ncollect 3\nmove 8C 3b 4\nend",
    );
    let told = words(&events(&feeds(Dialect::AngelEye, 0.0, 1).of(&dealt)));
    assert_eq!(
        told[..8],
        [
            "8H at 3#1",
            "AS at dealer#1",
            "8C at 3#2",
            "XX at dealer#2",
            "3#2 empty",
            "8C at 3b#1",
            "2D at 3#2",
            "9D at dealer#2"
        ]
    );
    assert_eq!(told[8..12], ["3#1 empty", "3#2 empty", "3b#1 empty", "8C at 4#1"]);
}

#[test]
fn about_as_many_cards_are_misread_or_missed_as_the_noise_says() {
    let (game, law) = laws().remove(0);
    for noise in [0.02, 0.1, 0.3] {
        let mut feeds = feeds(Dialect::AngelEye, noise, 9);
        let (mut wrong, mut cards) = (0, 0);
        for seed in 0..150 {
            let dealt = lawful(&game, &law, seed);
            let watched = feeds.of(&dealt);
            let observed = observe(&dealt, &watched.seen);
            let events: BTreeMap<u64, Event> = events(&watched).into_iter().map(|event| (event.id.0, event)).collect();
            for (truth, step) in dealt.round.steps.iter().zip(&observed.steps) {
                let Act::Card { card, face: Face::Up, .. } = truth.act else { continue };
                cards += 1;
                let right = step
                    .events
                    .iter()
                    .any(|id| matches!(&events[&id.0].fact, Fact::Settled { card: seen, .. } if seen.card == card));
                wrong += usize::from(!right);
            }
        }
        let rate = wrong as f64 / cards as f64;
        assert!((rate - noise).abs() < 0.2 * noise + 0.005, "{rate} of {cards} at noise {noise}");
    }
}

#[test]
fn a_blind_camera_catches_up_when_it_sees_again() {
    let mut dealt = told("card 1 9H\ncard dealer 7S\ncard 1 8C\ncard 2 2D\ncollect 2\ncollect 1\ncard 3 KD\nend");
    dealt.troubles = vec![Trouble::CameraGap { step: 1, micros: 3_000_000 }];
    let events = events(&feeds(Dialect::AngelEye, 0.0, 1).of(&dealt));
    let told = words(&events);
    assert_eq!(told[..2], ["9H at 1#1", "camera lost"]);
    let back = told.iter().position(|told| told == "camera ok").unwrap();
    assert_eq!(told[back + 1..].iter().filter(|told| told.contains(" at ")).count(), 3, "{told:?}");
    assert!(!told.iter().any(|told| told.contains("2#1")), "what came and went meanwhile is not seen: {told:?}");
}

#[test]
fn a_clock_that_jumps_misleads_until_it_is_noticed() {
    let mut dealt = told("card 1 9H\ncard dealer 7S\ncard 1 8C\ncard 2 2D\ncard 2 3D\nend");
    dealt.troubles = vec![Trouble::ClockJump { step: 1, micros: 700_000 }];
    let events = events(&feeds(Dialect::AngelEye, 0.0, 1).of(&dealt));
    let steps = times(&dealt.round);
    let settled: Vec<&Event> = events.iter().filter(|event| matches!(event.fact, Fact::Settled { .. })).collect();
    let off: Vec<i64> = settled.iter().zip(&steps).map(|(event, at)| event.at.micros() - at).collect();
    assert_eq!(off, [0, 700_000, 700_000, 700_000, 0]);
    let own: Vec<i64> = settled.iter().map(|event| event.source_clock.unwrap()).collect();
    assert!((own[1] - own[0] - 1_600_000).abs() < 1000 && (own[4] - own[3] - 900_000).abs() < 1000, "{own:?}");
    let noticed = events.iter().any(|event| event.fact == Fact::Health { state: Health::ClockJump });
    assert!(noticed);
}
