//! Given what the devices told, then this round.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may")]

#[path = "round/script.rs"]
mod script;

use proptest::prelude::*;
use recognizer::round::{Rebuilder, Settings};
use script::{AHEAD, DOUBTFUL, events, playing, rounds, rounds_ahead, rounds_of, rounds_of_events, steps};
use table::event::{Health, Source};
use table::{Event, Fact, Grammar, SourceKind, Unseen};

/// Two boxes, ten and twenty on them, and cards up to the players' decisions.
const DEALT: &str = "chips tray=1000
    chips 3=10
    chips 5=20
    deal 3 TH
    deal 5 8C
    deal dealer 7S
    deal 3 9C
    deal 5 3D";

/// Box 3 is paid, box 5 is taken, and all goes to the rack.
const SETTLED: &str = "chips 5=0 tray=1020
    clear 5
    chips 3.payout=10 tray=1010
    chips 3=0 3.payout=0
    clear 3
    clear dealer
    standby
    wait 2";

fn story(middle: &str) -> String {
    format!("{DEALT}\n{middle}\n{SETTLED}")
}

fn play(story: &str) -> Vec<String> {
    let rounds = rounds(story);
    assert_eq!(rounds.len(), 1, "{rounds:#?}");
    steps(&rounds[0])
}

#[test]
fn a_plain_round_is_told_with_its_decisions() {
    let steps = play(&story("deal 5 5H\n deal dealer KD"));
    let expected = "bet 3 10.00, bet 5 20.00, card 3 TH, card 5 8C, card dealer 7S, card 3 9C, card 5 3D, stand 3, hit 5, \
                    card 5 5H, stand 5, card dealer KD, take 5, collect 5, pay 3 10.00, collect 3, collect dealer, end";
    assert_eq!(steps.join(", "), expected);
}

#[test]
fn a_round_is_told_when_its_last_chip_is_gone_when_its_last_card_is_and_when_it_is_over() {
    let told = rounds_ahead(&events(&story("deal 5 5H\n deal dealer KD")));
    let [settled, cleared, whole] = &told[..] else { panic!("{told:#?}") };
    assert!(!settled.over && !cleared.over && whole.over);
    assert!([settled, cleared].iter().all(|ahead| ahead.round.id == whole.round.id));
    assert_eq!(settled.known.micros() - settled.settled.unwrap().micros(), 1, "in the moment after the chip");
    assert_eq!(steps(cleared), steps(whole), "nothing is learned by waiting, but that nothing comes");
    assert!(cleared.known < whole.known);
    let (settled, whole) = (steps(settled), steps(whole));
    assert_eq!(settled[..settled.len() - 1], whole[..settled.len() - 1], "what follows is the clearing away of cards");
    assert_eq!(whole[settled.len() - 1..].join(", "), "collect 3, collect dealer, end");
}

#[test]
fn cards_that_nobody_saw_go_do_not_keep_the_next_round_from_beginning() {
    let unseen = story("deal 5 5H\n deal dealer KD").replace("clear dealer\n    standby", "leave dealer.1");
    let rounds = rounds(&format!("{unseen}\n wait 9\n{}", story("deal 5 5H\n deal dealer KD")));
    assert_eq!(rounds.len(), 2, "{rounds:#?}");
    assert_eq!(steps(&rounds[1])[..3], ["bet 3 10.00", "bet 5 20.00", "card 3 TH"]);
}

#[test]
fn after_a_long_pause_the_cards_may_have_been_put_right_by_word() {
    let says = |pause: &str| {
        let told = rounds(&story(&format!("{pause}\n deal 5 5H\n deal dealer KD")));
        told[0].others.iter().map(|other| other.says.clone()).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(says("wait 5"), "");
    assert!(says("wait 40").contains("may have been put right"), "{}", says("wait 40"));
}

#[test]
fn two_cards_paid_their_stake_while_the_dealer_shows_an_ace_asked_for_even_money() {
    let round = rounds(
        "chips tray=1000
        chips 3=10
        deal 3 AH
        deal dealer AS
        deal 3 KC
        chips 3.payout=10 tray=990
        chips 3=0 3.payout=0
        deal dealer 7D
        clear 3
        clear dealer
        standby",
    );
    assert!(steps(&round[0]).join(", ").contains("even-money 3, pay 3 10.00"), "{:?}", steps(&round[0]));
}

#[test]
fn every_step_says_how_sure_it_is_and_what_shows_it() {
    let rounds = rounds(&story("deal 5 5H\n deal dealer KD"));
    let steps = &rounds[0].round.steps;
    assert!(steps.iter().all(|step| step.chance.is_some() && step.after.is_some()));
    let card = steps.iter().find(|step| step.act.to_string() == "card 5 5H").unwrap();
    assert_eq!(card.events.len(), 2, "the draw and the sighting");
    assert_eq!(rounds[0].round.unseen, [Unseen::Signals, Unseen::Calls, Unseen::Procedure]);
}

#[test]
fn a_second_stake_is_a_double_and_its_card_was_not_asked_for() {
    let steps = play(&story("chips 5.double=20\n deal 5 5H sideways\n deal dealer KD\n chips 5.double=0 tray=1020"));
    assert!(steps.contains(&"double 5".to_owned()) && steps.contains(&"card 5 5H sideways".to_owned()), "{steps:?}");
    assert!(!steps.contains(&"hit 5".to_owned()) && !steps.contains(&"stand 5".to_owned()), "{steps:?}");
}

#[test]
fn cards_that_part_with_a_stake_on_the_new_hand_are_a_split() {
    let steps = play(
        "chips 3=10
        deal 3 8H
        deal dealer 6C
        deal 3 8D
        chips 3b=10
        leave 3.2
        see 3b.1 8D 1
        deal 3 TC
        deal 3b 9S
        deal dealer TD
        deal dealer 9H
        chips 3=0 3b=0
        clear 3
        clear 3b
        clear dealer",
    );
    let expected = "bet 3 10.00, card 3 8H, card dealer 6C, card 3 8D, split 3, card 3 TC, stand 3, card 3b 9S, stand 3b, \
                    card dealer TD, card dealer 9H";
    assert!(steps.join(", ").starts_with(expected), "{steps:?}");
}

#[test]
fn a_hole_card_lies_face_down_until_it_is_turned() {
    let grammar = Grammar { hole_card: true, ..Grammar::default() };
    let rounds = rounds_of(
        "chips 3=10
        deal 3 TH
        deal dealer 6C
        deal 3 9D
        deal dealer TC down
        see dealer.2 TC 1
        chips 3=0
        clear 3
        clear dealer",
        grammar,
    );
    let steps = steps(&rounds[0]).join(", ");
    assert!(steps.contains("card dealer XX down, stand 3, turn dealer TC"), "{steps}");
}

#[test]
fn a_card_that_the_camera_did_not_see_is_put_where_it_was_due() {
    let steps = play(
        &story("deal 5 5H\n deal dealer KD").replace("deal 3 9C", "draw 9C\n wait 0").replace("clear 3", "leave 3.1"),
    );
    assert!(steps.contains(&"card 3 9C".to_owned()), "{steps:?}");
}

#[test]
fn a_card_that_the_shoe_did_not_tell_is_what_the_camera_saw() {
    let steps = play(&story("gap 1\n see 5.3 5H 0.98\n deal dealer KD"));
    assert!(steps.contains(&"card 5 5H".to_owned()), "{steps:?}");
}

#[test]
fn of_two_readings_the_shoe_decides_and_says_how_surely() {
    let rounds = rounds(&story("draw 5H\n see 5.3 5D 0.6\n deal dealer KD"));
    let step = rounds[0].round.steps.iter().find(|step| step.act.to_string() == "card 5 5H").unwrap();
    assert!(step.chance.unwrap().as_f64() > 0.99, "{step:?}");
}

#[test]
fn another_card_seen_without_doubt_is_another_card_than_left_the_shoe() {
    let steps = play(&story("draw 7H\n see 5.3 7D 1\n deal dealer KD"));
    let at = steps.iter().position(|step| step == "drawn 7H").unwrap();
    assert!(steps[at..].contains(&"card 5 7D".to_owned()), "{steps:?}");
}

#[test]
fn a_card_in_doubt_leaves_another_reading_with_its_round() {
    let rounds = rounds(&story("gap 1\n see 5.3 5H 0.8\n deal dealer KD"));
    let chance = |text: &str| {
        let step = rounds[0].round.steps.iter().find(|step| step.act.to_string() == text).unwrap();
        step.chance.unwrap().as_f64()
    };
    assert!(chance("card 5 5H") < 0.9, "{}", chance("card 5 5H"));
    let other = rounds[0].others.iter().find(|other| other.says.contains("5♥")).unwrap();
    assert_ne!(other.round, rounds[0].round);
}

#[test]
fn a_card_seen_late_lay_there_in_its_turn() {
    let late = DEALT.replace("deal 3 9C\n    deal 5 3D", "draw 9C\n deal 5 3D\n see 3.2 9C 1");
    let steps = play(&format!("{late}\n deal 5 5H\n deal dealer KD\n{SETTLED}"));
    let place = |text: &str| steps.iter().position(|step| step == text).unwrap();
    assert!(place("card 3 9C") < place("card 5 3D"), "{steps:?}");
}

#[test]
fn a_reflection_is_no_card() {
    let mut told = events(&story("deal 5 5H\n see 5.4 2C 0.4\n leave 5.4\n deal dealer KD"));
    let phantom = told.iter_mut().find(|event| format!("{:?}", event.fact).contains("2C")).unwrap();
    phantom.chance = table::Chance::from_f64(0.3).unwrap();
    let mut rebuilder = Rebuilder::new(playing(Grammar::default()), Settings::default());
    let mut rounds: Vec<_> = told.iter().flat_map(|event| rebuilder.push(event)).collect();
    rounds.extend(rebuilder.finish());
    assert!(!steps(&rounds[0]).iter().any(|step| step.contains("2C")), "{:?}", steps(&rounds[0]));
}

#[test]
fn a_blind_camera_costs_its_round_and_not_the_next() {
    let blind = format!("{DEALT}\n camera lost\n draw 5H\n draw KD\n wait 10\n camera ok\n{SETTLED}");
    let whole = story("deal 5 5H\n deal dealer KD");
    let rounds = rounds(&format!("{blind}\n wait 20\n{whole}"));
    assert_eq!(rounds.len(), 2, "{rounds:#?}");
    assert!(rounds[0].troubled && !rounds[1].troubled);
    assert_eq!(steps(&rounds[1]).len(), 18, "{:?}", steps(&rounds[1]));
}

/// The same with a second camera, which sees everything a little later, unless told otherwise.
fn with_a_second_camera(story: &str, sees: impl Fn(&Event) -> bool) -> Vec<Event> {
    let mut told = events(story);
    let of_camera = |event: &&Event| event.source.kind == SourceKind::Camera;
    let second = told.iter().filter(of_camera).filter(|event| sees(event)).cloned().map(|mut event| {
        event.source.name = "second".parse().unwrap();
        event.at = event.at.shifted(150_000).unwrap();
        event
    });
    let second: Vec<_> = second.collect();
    told.extend(second);
    told.sort_by_key(|event| event.at);
    told
}

fn steps_of(told: &[Event]) -> Vec<String> {
    let rounds = rounds_of_events(told);
    assert_eq!(rounds.len(), 1, "{rounds:#?}");
    steps(&rounds[0])
}

#[test]
fn two_cameras_tell_of_one_round() {
    let split = "deal 5 5H
        chips 5.double=20
        deal 5 2C
        deal dealer KD";
    for middle in ["deal 5 5H\n deal dealer KD", split] {
        let story = story(middle);
        assert_eq!(steps_of(&with_a_second_camera(&story, |_| true)), play(&story));
    }
}

#[test]
fn what_one_camera_misses_the_other_has_seen() {
    let whole = story("deal 5 5H\n deal dealer KD");
    let misses = |event: &Event| !matches!(event.fact, Fact::Settled { at, .. } if at.place.to_string() == "3");
    assert_eq!(steps_of(&with_a_second_camera(&whole, misses)), play(&whole));
}

#[test]
fn a_camera_that_falls_out_leaves_the_cards_to_the_other() {
    let whole = story("deal 5 5H\n deal dealer KD");
    let mut told = with_a_second_camera(&whole, |_| true);
    let fails = told.iter().position(|event| format!("{:?}", event.fact).contains("KD")).unwrap();
    let at = told[fails].at;
    let lost = Event { fact: Fact::Health { state: Health::Lost }, ..told[fails].clone() };
    told.retain(|event| event.source.name.as_str() != "second" || event.at < at);
    let second = Source { kind: SourceKind::Camera, name: "second".parse().unwrap() };
    told.insert(fails, Event { source: second, ..lost });
    assert_eq!(steps_of(&told), play(&whole));
}

#[test]
fn a_shoe_that_starts_again_in_a_round_goes_on_with_it() {
    let steps = play(&story("start\n deal 5 5H\n deal dealer KD"));
    assert!(steps.contains(&"card 5 5H".to_owned()), "{steps:?}");
}

#[test]
fn without_chips_cards_and_decisions_are_told_and_what_was_not_seen_is_said() {
    let cards: String = story("deal 5 5H\n deal dealer KD")
        .lines()
        .filter(|line| !line.contains("chips"))
        .map(|line| format!("{line}\n"))
        .collect();
    let rounds = rounds(&cards);
    assert!(steps(&rounds[0]).contains(&"hit 5".to_owned()), "{:?}", steps(&rounds[0]));
    assert!(rounds[0].round.unseen.contains(&Unseen::Wagers) && rounds[0].round.unseen.contains(&Unseen::Payouts));
}

#[test]
fn without_a_camera_the_initial_deal_goes_where_it_must_and_the_rest_is_only_drawn() {
    let blind: String = story("deal 5 5H\n deal dealer KD")
        .replace("deal 3 ", "draw ")
        .replace("deal 5 ", "draw ")
        .replace("deal dealer ", "draw ")
        .lines()
        .filter(|line| !line.contains("clear"))
        .map(|line| format!("{line}\n"))
        .collect();
    let rounds = rounds(&blind);
    let steps = steps(&rounds[0]);
    assert!(steps.contains(&"card 3 9C".to_owned()) && steps.contains(&"drawn 5H".to_owned()), "{steps:?}");
    assert!(rounds[0].round.unseen.contains(&Unseen::Cards));
}

#[test]
fn a_burn_after_a_pause_begins_another_shoe() {
    let one = story("deal 5 5H\n deal dealer KD");
    let rounds = rounds(&format!("{one}\n cut\n wait 5\n{one}\n wait 120\n burn\n{one}"));
    let numbers: Vec<_> = rounds.iter().map(|rebuilt| (rebuilt.round.id.shoe, rebuilt.round.id.round)).collect();
    assert_eq!(numbers, [(1, 1), (1, 2), (2, 1)]);
    let begins = |rebuilt| steps(rebuilt)[..2].join(", ");
    assert_eq!(begins(&rounds[2]), "shuffle, burn XX", "the shuffle is told, for its order to be judged");
}

/// Any line of a story.
fn line() -> impl Strategy<Value = String> {
    let place = prop_oneof![Just("dealer"), Just("1"), Just("3"), Just("3b"), Just("9")];
    let card = prop_oneof![Just("TH"), Just("8C"), Just("AS"), Just("??")];
    let known = prop_oneof![Just("TH"), Just("8C"), Just("AS")];
    prop_oneof![
        (place.clone(), card.clone()).prop_map(|(place, card)| format!("deal {place} {card}")),
        card.prop_map(|card| format!("draw {card}")),
        (place.clone(), 1u8..6, known, 0u8..=10).prop_map(|(place, position, card, sure)| format!(
            "see {place}.{position} {card} {}",
            f64::from(sure) / 10.0
        )),
        (place.clone(), 1u8..6).prop_map(|(place, position)| format!("leave {place}.{position}")),
        place.prop_map(|place| format!("clear {place}")),
        (0u8..4, 0i64..4).prop_map(|(spot, amount)| format!(
            "chips {}={amount} tray={}",
            ["3", "3.payout", "3b", "5.double"][usize::from(spot)],
            100 - amount
        )),
        prop_oneof![
            Just("burn"),
            Just("cut"),
            Just("start"),
            Just("standby"),
            Just("gap 2"),
            Just("wait 9"),
            Just("camera lost")
        ]
        .prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever comes, in whatever order: no panic, the same twice, and a clean round after it is told cleanly.
    #[test]
    fn after_any_events_the_next_round_starts_clean(lines in proptest::collection::vec(line(), 0..60)) {
        let noise = lines.join("\n");
        let whole = story("deal 5 5H\n deal dealer KD");
        let reset = "clear 1\n clear 3\n clear 3b\n clear 9\n clear dealer\n chips 3=0 3b=0 5.double=0 3.payout=0 tray=1000\n \
                     standby\n wait 30";
        let story = format!("{noise}\n{reset}\n{whole}");
        let one = rounds(&story);
        prop_assert_eq!(&one, &rounds(&story));
        let last = steps(one.last().unwrap());
        // What made the shoe ready before it is part of the round: a burn, a shuffle.
        let played = last.iter().skip_while(|step| !step.starts_with("bet")).count();
        prop_assert!(played == 18, "{last:?}");
    }

    /// A round ends when it is over, not when somebody looks: live and from a tape the rounds are the same.
    #[test]
    fn however_often_somebody_looks_the_rounds_are_the_same(
        lines in proptest::collection::vec(line(), 0..40),
        looks in proptest::collection::vec(0u8..4, 1..30),
    ) {
        let whole = story("deal 5 5H\n deal dealer KD");
        let told = events(&format!("{}\n{whole}\n wait 9\n{whole}", lines.join("\n")));
        let mut rebuilder = Rebuilder::new(playing(Grammar::default()), AHEAD);
        let (mut rounds, mut before) = (Vec::new(), told[0].at);
        for (event, looks) in told.iter().zip(looks.iter().cycle()) {
            let between = event.at.micros() - before.micros();
            for look in 1..=i64::from(*looks) {
                rounds.extend(rebuilder.tick(before.shifted(between * look / 4).unwrap()));
            }
            before = event.at;
            rounds.extend(rebuilder.push(event));
        }
        rounds.extend(rebuilder.finish());
        prop_assert_eq!(rounds, rounds_ahead(&told));
    }

    /// Events told twice, late or not at all never break anything.
    #[test]
    fn lost_repeated_and_late_events_are_survived(
        fates in proptest::collection::vec(0u8..8, 60),
    ) {
        let told = events(&story("chips 5.double=20\n deal 5 5H sideways\n deal dealer KD"));
        let mut rebuilder = Rebuilder::new(playing(Grammar::default()), Settings::default());
        let mut held = Vec::new();
        let mut rounds = Vec::new();
        for (event, fate) in told.iter().zip(fates.iter().cycle()) {
            match fate {
                0 => {}
                1 => rounds.extend([event, event].into_iter().flat_map(|event| rebuilder.push(event)).collect::<Vec<_>>()),
                2 => held.push(event),
                _ => {
                    rounds.extend(rebuilder.push(event));
                    rounds.extend(held.drain(..).flat_map(|event| rebuilder.push(event)).collect::<Vec<_>>());
                }
            }
        }
        rounds.extend(rebuilder.finish());
        prop_assert!(rounds.len() <= 4, "{}", rounds.len());
    }
}

#[test]
fn a_card_whose_telegram_was_lost_and_that_is_seen_late_lay_there_before_the_next() {
    let late =
        DEALT.replace("deal 3 9C\n    deal 5 3D", "wait 1\n    gap 1\n    draw 3D\n    see 5.2 3D 1\n    see 3.2 9C 1");
    let steps = play(&format!("{late}\n deal 5 5H\n deal dealer KD\n{SETTLED}"));
    let at = |step: &str| steps.iter().position(|other| other == step).unwrap();
    assert!(at("card 3 9C") < at("card 5 3D"), "{steps:?}");
}

#[test]
fn of_two_cards_alike_the_one_seen_before_the_shoe_noticed_a_loss_is_the_lost_one() {
    let alike =
        DEALT.replace("deal 3 9C\n    deal 5 3D", "see 3.2 3D 0.98\n    gap 1\n    draw 3D\n    see 5.2 3D 0.98");
    let steps = play(&format!("{alike}\n deal 5 5H\n deal dealer KD\n{SETTLED}"));
    let at = |step: &str| steps.iter().position(|other| other == step).unwrap();
    assert!(at("card 3 3D") < at("card 5 3D"), "{steps:?}");
}

#[test]
fn a_card_that_nobody_saw_lies_in_the_position_left_free_for_it() {
    let steps = play(&story("deal 5 5H\n draw 2C\n draw KD\n see dealer.3 KD 0.98"));
    assert!(steps.join(", ").contains("card dealer 2C, card dealer KD"), "{steps:?}");
}

#[test]
fn a_hand_that_busts_on_a_card_nobody_saw_had_it_before_it_was_cleared_away() {
    let unseen = "deal 5 5H\n draw TD\n chips 5=0 tray=1020\n clear 5\n wait 4\n deal dealer KD";
    let rest = SETTLED.replace("chips 5=0 tray=1020\n    clear 5\n", "");
    let rounds = rounds(&format!("{DOUBTFUL}\n{DEALT}\n{unseen}\n{rest}"));
    let steps = steps(&rounds[1]);
    assert!(steps.contains(&"card 5 TD".to_owned()), "{steps:?}");
}

#[test]
fn bets_for_the_next_round_are_not_of_one_that_lingers_because_a_card_seems_to_lie() {
    let unseen = story("deal 5 5H\n deal dealer KD")
        .replace("clear dealer\n    standby\n    wait 2", "leave dealer.1\n standby");
    let rounds = rounds(&format!("{unseen}\n wait 3\n chips 3=10\n wait 9\n{}", story("deal 5 5H\n deal dealer KD")));
    let told: Vec<String> = rounds.iter().map(|round| steps(round).join(", ")).collect();
    assert_eq!(told[0].matches("bet 3").count(), 1, "{told:?}");
    assert!(told[1].starts_with("bet 3 10.00"), "{told:?}");
}

#[test]
fn chips_that_the_last_round_left_and_that_go_before_the_deal_are_not_of_the_next() {
    let left = story("chips 5.double=20\n deal 5 5H\n deal dealer KD");
    let next = story("deal 5 5H\n deal dealer KD");
    let next = [("1020", "1030"), ("1010", "1020"), ("1000", "1010")]
        .iter()
        .fold(next, |story, (was, is)| story.replace(was, is));
    let rounds = rounds(&format!("{left}\n wait 9\n chips 5.double=0\n{next}"));
    let last = steps(&rounds[rounds.len() - 1]).join(", ");
    assert!(!last.contains("double") && last.contains("take 5"), "{last}");
}

#[test]
fn a_card_that_comes_after_the_last_chip_is_told_at_once() {
    let after = "chips 5=0 tray=1020\n chips 3=0 tray=1030\n deal dealer KD\n wait 5\n clear 5\n clear 3\n clear dealer\n standby";
    let told = rounds_ahead(&events(&format!("{DEALT}\n{after}")));
    let drawn = told.iter().find(|round| steps(round).contains(&"card dealer KD".to_owned())).unwrap();
    assert!(!drawn.over && !steps(drawn).contains(&"collect 3".to_owned()), "{told:#?}");
}
