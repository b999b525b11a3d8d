//! Stories of the stage: what a camera sees is what the steps say, when they say it.

use std::collections::{BTreeMap, BTreeSet};
use std::f32::consts::FRAC_PI_2;

use auditor::check::{Law, posted_limits};
use auditor::model::random::{self, Habits};
use auditor::rulebook::books;
use table::layout::LaidCard;
use table::notation::parse;
use table::{Act, Card, CardAt, Face, Game, Ident, Layout, Money, Place, Round, RoundId, Turn};

use super::super::geometry::corners;
use super::super::scene::{Point, Pose, Thing, Whose};
use super::*;

const FRAME: u32 = 40_000;

/// A round with human timing as it was dealt.
fn dealt(mut round: Round, seed: u64) -> Dealt {
    let mut dice = Dice::new(seed);
    round.at = "2026-11-15T21:04:05Z".parse().unwrap();
    let mut after = 0;
    for step in &mut round.steps {
        after += dice.between(150_000.0, 1_600_000.0) as u64;
        step.after = Some(after);
    }
    Dealt { round, drawn: Vec::new(), shuffled: None, labels: Vec::new(), troubles: Vec::new() }
}

/// A story told in notation, a second for every step.
fn told(steps: &str) -> Dealt {
    let mut dealt = dealt(parse(&format!("game nz-base\n{steps}")).unwrap().remove(0), 1);
    for (number, step) in dealt.round.steps.iter_mut().enumerate() {
        step.after = Some((number as u64 + 1) * 1_000_000);
    }
    dealt
}

/// Random rounds of every game there is.
fn rounds(seeds: u64) -> Vec<Dealt> {
    let books = books::all().unwrap();
    let names = books.iter().flat_map(|book| book.games.iter().map(|game| game.name.clone()));
    let deal = |name: Ident, seed| {
        let game = Game { name, options: BTreeMap::new() };
        let law = Law::of(books, &game).unwrap();
        let id = RoundId { table: Ident::unnamed_table(), shoe: 1, round: 1 };
        let habits = Habits { boxes: 9, ..Habits::default() };
        random::fresh(&law.rules, &posted_limits(&law.rules), habits, seed, id, game).unwrap()
    };
    let seeded = (0_u64..)
        .step_by(100)
        .zip(names)
        .flat_map(|(first, name)| (first..first + seeds).map(move |seed| (seed, name.clone())));
    seeded.map(|(seed, name)| dealt(deal(name, seed), seed)).collect()
}

fn stage() -> Stage {
    Stage::new(Geometry::new(9), &Dice::new(7), 312)
}

fn shown(dealt: &Dealt) -> Vec<Scene> {
    stage().scenes(dealt, FRAME).collect()
}

/// The cards that lie in a hand, with their poses.
fn lying(scene: &Scene) -> Vec<(CardAt, Card, Pose)> {
    let card = |thing: &Thing| match thing {
        Thing::Card { card, pose, at: Some(at), .. } => Some((*at, *card, *pose)),
        _ => None,
    };
    scene.things.iter().filter_map(card).collect()
}

/// All chips on the table.
fn chips(scene: &Scene) -> i64 {
    let stacks = scene.things.iter().filter_map(|thing| match thing {
        Thing::Chips { stack, .. } => Some(stack.iter().map(|chip| chip.minor()).sum::<i64>()),
        _ => None,
    });
    stacks.sum()
}

/// What should lie on the table after the steps so far.
#[derive(Default)]
struct Expected {
    layout: Layout,
    put_away: BTreeSet<Place>,
    zapped: Option<Place>,
}

impl Expected {
    fn follow(&mut self, act: &Act) {
        match act {
            // Whoever asks to exchange cards has them before him until they are discarded.
            Act::Zap(place) => self.zapped = Some(*place),
            Act::Discard(card) => {
                let hand = self.zapped.and_then(|place| self.layout.hands.get_mut(&place)).unwrap();
                let at = hand.cards.iter().position(|laid| laid.card == *card).unwrap();
                hand.cards.remove(at);
            }
            _ => self.layout.apply(act),
        }
        match act {
            Act::Collect(place) => drop(self.put_away.insert(*place)),
            Act::End => self.put_away.extend(self.layout.hands.keys()),
            _ => {}
        }
    }

    fn cards(&self) -> BTreeMap<(Place, u8), LaidCard> {
        let hands = self.layout.hands.iter().filter(|(place, _)| !self.put_away.contains(place));
        hands.flat_map(|(place, hand)| (1..).zip(&hand.cards).map(|(at, laid)| ((*place, at), *laid))).collect()
    }
}

#[test]
fn a_card_lies_at_its_place_from_its_step_until_its_hand_is_collected() {
    for dealt in rounds(1) {
        let times = times(&dealt);
        let mut expected = Expected::default();
        let mut done = 0;
        for scene in shown(&dealt) {
            let before = done;
            while times.get(done).is_some_and(|time| *time <= scene.at.micros()) {
                expected.follow(&dealt.round.steps[done].act);
                done += 1;
            }
            let cards = expected.cards();
            let seen = lying(&scene);
            let step = dealt.round.steps.get(done.saturating_sub(1)).map(|step| step.act.to_string());
            let story = format!("{} at {}: {step:?}", dealt.round.game.name, scene.at);
            for (at, card, pose) in &seen {
                let laid = cards.get(&(at.place, at.position.get()));
                let laid = laid.unwrap_or_else(|| panic!("{story}: {at:?} should not be there"));
                assert_eq!(laid.turn, at.turn, "{story}");
                let on_felt = corners(*pose).iter().all(|corner| Geometry::new(9).on_felt(*corner));
                assert!(on_felt, "{story}: {at:?} lies over the edge");
                assert!(!laid.card.is_known() || laid.card == *card, "{story}: {card}");
            }
            let places: BTreeSet<_> = seen.iter().map(|(at, ..)| (at.place, at.position)).collect();
            assert_eq!(places.len(), seen.len(), "{story}: two cards in one place");
            if done > before {
                let missing = cards.keys().find(|(place, number)| {
                    !seen.iter().any(|(at, ..)| (at.place, at.position.get()) == (*place, *number))
                });
                assert_eq!(missing, None, "{story}: a card is missing");
            }
        }
        assert_eq!(done, times.len(), "every step is shown");
    }
}

#[test]
fn there_are_never_more_cards_than_were_dealt() {
    for dealt in rounds(1) {
        let from_shoe = |act: &Act| matches!(act, Act::Card { .. } | Act::Burn(_));
        let dealt_in_all = dealt.round.steps.iter().filter(|step| from_shoe(&step.act)).count();
        let first_card = dealt.round.steps.iter().position(|step| matches!(step.act, Act::Card { .. })).unwrap();
        let from = times(&dealt)[first_card];
        let shown = shown(&dealt);
        for scene in shown.iter().filter(|scene| scene.at.micros() >= from) {
            let on_table = scene.things.iter().filter(|thing| matches!(thing, Thing::Card { .. })).count();
            let in_shoe = scene.things.iter().find_map(|thing| match thing {
                Thing::Shoe(cards) => Some(*cards),
                _ => None,
            });
            let in_rack = scene.things.iter().find_map(|thing| match thing {
                Thing::Rack(cards) => Some(*cards),
                _ => None,
            });
            assert_eq!(in_shoe.unwrap() + on_table + in_rack.unwrap(), 312, "{} {}", dealt.round.game.name, scene.at);
        }
        let last = shown.last().unwrap();
        assert!(last.things.contains(&Thing::Rack(dealt_in_all)), "all cards are in the rack");
    }
}

#[test]
fn chips_follow_bets_and_are_all_gone_at_the_end() {
    for dealt in rounds(1) {
        let times = times(&dealt);
        let shown = shown(&dealt);
        let bets = dealt.round.steps.iter().map_while(|step| match step.act {
            Act::Card { .. } | Act::Take(..) => None,
            Act::Bet(_, amount) => Some(amount.minor()),
            _ => Some(0),
        });
        let (staked, steps) = bets.fold((0, 0), |(sum, steps), bet| (sum + bet, steps + 1));
        let settled = |scene: &&Scene| scene.at.micros() >= times[steps - 1];
        assert_eq!(chips(shown.iter().find(settled).unwrap()), staked, "{}", dealt.round.game.name);
        let last = shown.last().unwrap();
        assert_eq!(chips(last), 0, "{}", dealt.round.game.name);
        assert!(!last.things.iter().any(|thing| matches!(thing, Thing::Lammer(_) | Thing::Card { .. })));
    }
}

#[test]
fn a_doubled_hand_is_paid_and_its_player_takes_stakes_and_winnings() {
    let shown = shown(&told(
        "bet 3 25\ncard 3 5H\ncard 3 6C\ndouble 3\ncard 3 9D sideways\ncard dealer TS\n\
         pay 3 25\npay 3 double 25\ncollect 3\ncollect dealer\nnote \"waiting\"\nend",
    ));
    let at = |second: usize| &shown[second * 25];
    assert_eq!([1, 4, 7, 8, 11].map(|second| chips(at(second))), [2500, 5000, 7500, 10_000, 0]);
    let takes =
        |scene: &&Scene| scene.things.iter().any(|thing| matches!(thing, Thing::Arm { whose: Whose::Player(_), .. }));
    assert!(shown[8 * 25..11 * 25].iter().filter(takes).count() > 5, "the player's arm takes them");

    let hand = lying(at(6));
    let (across, upright) = (hand[2].2.turn, hand[1].2.turn);
    assert_eq!(hand[2].0.turn, Turn::Sideways);
    assert!((across - upright - FRAC_PI_2).abs() < 0.25, "{across} to {upright}");
}

#[test]
fn a_lost_stake_goes_to_the_tray_and_half_of_a_surrendered_one() {
    let shown = shown(&told("bet 1 10\nbet 2 10\ntake 1\ntake 2 5\nnote \"a\"\nnote \"b\"\nend"));
    let at = |second: usize| chips(&shown[second * 25]);
    assert_eq!([2, 3, 4, 6].map(at), [2000, 1000, 500, 0]);
}

#[test]
fn a_card_is_brought_by_the_dealers_hand_and_turns_up_at_its_place() {
    let shown = shown(&told("card 4 7H\ncard dealer 9S\ncard dealer XX down\nturn dealer KD\nend"));
    let mut carried = 0;
    for scene in &shown[..3 * 25] {
        for thing in &scene.things {
            let Thing::Card { pose, at: None, up, .. } = thing else { continue };
            let near = |thing: &Thing| match thing {
                Thing::Arm { hand: Point { x, y }, whose: Whose::Dealer, .. } => {
                    (x - pose.at.x).hypot(y - pose.at.y) < 40.0
                }
                _ => false,
            };
            assert!(scene.things.iter().any(near), "{} {pose:?}", scene.at);
            carried += usize::from(!up);
        }
    }
    assert!(carried > 10, "it is face down on most of its way");
    let before = lying(&shown[3 * 25]);
    let hole = before.iter().position(|(at, ..)| at.face == Face::Down).unwrap();
    let up = before.iter().position(|(at, ..)| at.place == Place::Dealer && at.face == Face::Up).unwrap();
    assert!(hole < up, "the hole card lies below the card that is up");
    assert_eq!(before[hole].1, "KD".parse().unwrap(), "it was the king all along");
    assert!(lying(&shown[4 * 25]).iter().all(|(at, ..)| at.face == Face::Up));
}

#[test]
fn a_card_does_not_move_while_it_lies() {
    let shown = shown(&told("bet 5 5\ncard 5 7H\nhit 5\ncard 5 8C\nstand 5\ncard dealer 9S\ntake 5\ncollect 5\nend"));
    let first = |scene: &Scene| lying(scene).into_iter().find(|(at, ..)| at.position.get() == 1).map(|card| card.2);
    assert!(shown[2 * 25..7 * 25].windows(2).all(|pair| first(&pair[0]) == first(&pair[1])));
    assert!(first(&shown[2 * 25]).is_some());
}

#[test]
fn a_split_lays_the_second_card_beside_the_first_with_a_stake_of_its_own() {
    let shown = shown(&told("bet 3 25\ncard 3 8H\ncard 3 8C\nsplit 3\ncard 3 2D\ncard 3b 3D\nend"));
    let hands = lying(&shown[4 * 25]);
    let places: Vec<String> = hands.iter().map(|(at, ..)| at.place.to_string()).collect();
    assert_eq!(places, ["3", "3b"]);
    let apart = (hands[0].2.at.x - hands[1].2.at.x).hypot(hands[0].2.at.y - hands[1].2.at.y);
    assert!(apart > 60.0, "{apart}");
    assert_eq!(chips(&shown[4 * 25]), 5000);
}

#[test]
fn cards_that_went_astray_lie_about_until_they_are_put_somewhere() {
    let shown = shown(&told("card 2 7H\ndrawn XX\nexposed KD\ncard 2 KD\ndropped 4S\ndiscard 4S\ncut-card\nend"));
    let loose = |second: usize| {
        let card = |thing: &&Thing| matches!(thing, Thing::Card { at: None, .. });
        shown[second * 25].things.iter().filter(card).count()
    };
    assert_eq!([1, 2, 3, 4, 5, 6].map(loose), [0, 1, 1, 0, 1, 0]);
    assert!(shown[7 * 25].things.iter().any(|thing| matches!(thing, Thing::CutCard(_))));
}

#[test]
fn a_card_nobody_saw_is_the_one_that_left_the_shoe() {
    let mut dealt = told("card dealer XX down\nexposed KD\nend");
    let card = "KD".parse().unwrap();
    dealt.drawn = vec![crate::Draw { step: 0, card }];
    let shown = shown(&dealt);
    for second in [1, 2] {
        let seen: Vec<(Face, Card)> = lying(&shown[second * 25]).iter().map(|(at, card, _)| (at.face, *card)).collect();
        assert_eq!(seen, [(Face::Down, card)], "no other card came with second {second}");
    }
}

#[test]
fn the_same_dice_show_the_same_scenes() {
    let dealt = &rounds(1)[0];
    assert_eq!(shown(dealt), shown(dealt));
    let other: Vec<Scene> = Stage::new(Geometry::new(9), &Dice::new(8), 312).scenes(dealt, FRAME).collect();
    assert_ne!(shown(dealt), other);
}

#[test]
fn a_round_follows_the_one_before_without_a_gap() {
    let mut stage = stage();
    let mut last: Option<Utc> = None;
    for (number, mut dealt) in rounds(1).into_iter().enumerate() {
        dealt.round.at = dealt.round.at.shifted(number as i64 * 120_000_000).unwrap();
        for scene in stage.scenes(&dealt, FRAME) {
            assert!(last.is_none_or(|last| scene.at.micros() - last.micros() == i64::from(FRAME)));
            last = Some(scene.at);
        }
    }
}

#[test]
fn rounds_that_make_no_sense_are_shown_as_far_as_they_go() {
    let mut stage = stage();
    let mut dice = Dice::new(11);
    for mut dealt in rounds(3) {
        let steps = dealt.round.steps.clone();
        dealt.round.steps.retain(|_| dice.chance(0.7));
        for _ in 0..6 {
            let step = dice.pick(&steps).unwrap().clone();
            let at = dice.below(dealt.round.steps.len() + 1);
            dealt.round.steps.insert(at, step);
        }
        assert!(stage.scenes(&dealt, 200_000).all(|scene| !scene.things.is_empty()));
    }
    let nonsense =
        told("turn 3 7H\nsplit 4\nmove 9H 1 2\ntake 5\npush 9\nzap 7\ntuck 8\nsideways 2\nreplaced 4D\nvoid round");
    assert_eq!(shown(&nonsense).len(), 10 * 25 + 1);
}

#[test]
fn steps_without_sensible_times_follow_one_another() {
    let mut dealt = told("bet 3 25\ncard 3 8H\ncard 3 8C\nstand 3");
    dealt.round.steps[1].after = None;
    dealt.round.steps[2].after = Some(u64::MAX);
    dealt.round.steps[3].after = Some(0);
    let begun = dealt.round.at.micros();
    let after: Vec<Micros> = times(&dealt).into_iter().map(|time| time - begun).collect();
    assert_eq!(after, [1_000_000, 1_700_000, 2_400_000, 2_400_000]);
}

#[test]
fn a_stack_is_always_worth_its_amount() {
    for minor in [0, 1, 49, 50, 12_50, 99_99, 1_234_567, i64::MAX] {
        let stack = stack(Money::from_minor(minor));
        assert_eq!(stack.iter().map(|chip| i128::from(chip.minor())).sum::<i128>(), i128::from(minor));
        assert!(stack.len() < 70);
    }
    assert!(stack(Money::from_minor(-5)).is_empty());
}
