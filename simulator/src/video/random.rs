//! Tables nobody dealt: random stills with hands, chips, arms and clutter, from which a recogniser can learn more than from
//! the orderly course of a round.

use std::f32::consts::PI;
use std::num::NonZeroU8;

use auditor::model::random::Dice;
use table::{Bettor, BoxNo, Card, CardAt, Face, Hand, Money, Place, Turn, Utc, Wager, WagerKind};

use super::geometry::{CARD, DEPTH, Geometry, HALF_WIDTH};
use super::scene::{Point, Pose, Scene, Thing};
use super::stage::arms::Actor;
use super::stage::stack;

/// One table in so many is empty.
const EMPTY: usize = 20;
/// How many cards a hand has: the more common, the more often here.
const HAND_SIZES: [u8; 16] = [1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 6, 7];
/// How many hands a box has.
const HANDS: [u8; 12] = [1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 4];

/// What varies from still to still rather than from card to card.
struct Mood {
    /// How carefully cards are laid: the size of their deviations.
    care: f64,
    /// How likely a box is in play.
    busy: f64,
    /// How likely a card lies face down.
    hidden: f64,
}

/// A random table: any hands of one to seven cards, whole, split and doubled, chips, cards lying about, arms and clutter.
pub fn scene(dice: &mut Dice, geometry: &Geometry) -> Scene {
    let mut things = vec![Thing::Tray, Thing::Rack(dice.below(300)), Thing::Shoe(dice.below(417))];
    for _ in 0..dice.below(5) {
        let pose = anywhere(dice, geometry);
        things.push(Thing::Clutter { kind: dice.below(256) as u8, pose });
    }
    if dice.once_in(EMPTY) {
        return Scene { at: Utc::EPOCH, things };
    }
    let mood = Mood {
        care: dice.between(0.3, 3.0),
        busy: dice.between(0.15, 1.0),
        hidden: if dice.once_in(6) { dice.between(0.1, 1.0) } else { 0.02 },
    };
    let boxes: Vec<BoxNo> = BoxNo::all().take(usize::from(geometry.boxes())).collect();
    let mut chips = Vec::new();
    for box_no in &boxes {
        if dice.chance(mood.busy) {
            let hands = *dice.pick(&HANDS).unwrap_or(&1);
            for hand in (0..hands).filter_map(Hand::new) {
                lay_hand(dice, geometry, &mood, Place::Box(*box_no, hand), hands, &mut things);
            }
            stake(dice, geometry, *box_no, hands, &mut chips);
        }
    }
    if dice.chance(0.8) {
        lay_hand(dice, geometry, &mood, Place::Dealer, 1, &mut things);
    }
    lie_about(dice, geometry, &mut things);
    let spots: Vec<Point> = things.iter().filter_map(middle).collect();
    things.append(&mut chips);
    reach(dice, geometry, &boxes, &spots, &mut things);
    Scene { at: Utc::EPOCH, things }
}

/// The middle of a card.
fn middle(thing: &Thing) -> Option<Point> {
    match thing {
        Thing::Card { pose, .. } => Some(pose.at),
        _ => None,
    }
}

fn any_card(dice: &mut Dice) -> Card {
    Card::from_index(dice.below(52)).unwrap_or(Card::HIDDEN)
}

/// A point on the felt with room for a card about it, and any turn.
fn anywhere(dice: &mut Dice, geometry: &Geometry) -> Pose {
    const TRIES: usize = 20;
    let half = CARD.1 / 2.0;
    let turn = dice.between(f64::from(-PI), f64::from(PI)) as f32;
    for _ in 0..TRIES {
        let x = dice.between(f64::from(half - HALF_WIDTH), f64::from(HALF_WIDTH - half)) as f32;
        let y = dice.between(f64::from(2.0 * half), f64::from(DEPTH - half)) as f32;
        let beyond = Point { x: x + half.copysign(x), y: y + half };
        if geometry.on_felt(beyond) {
            return Pose { at: Point { x, y }, turn, lift: 0.0 };
        }
    }
    Pose { at: geometry.shuffling(), turn, lift: 0.0 }
}

fn lay_hand(dice: &mut Dice, geometry: &Geometry, mood: &Mood, place: Place, hands: u8, things: &mut Vec<Thing>) {
    let cards = *dice.pick(&HAND_SIZES).unwrap_or(&2);
    let hole = place == Place::Dealer && dice.once_in(2);
    let across = place != Place::Dealer && dice.once_in(8);
    for position in (1..=cards).filter_map(NonZeroU8::new) {
        let number = position.get();
        let turn = if across && number == cards { Turn::Sideways } else { Turn::Upright };
        let up = !(hole && number == 2 || dice.chance(mood.hidden));
        let face = if up { Face::Up } else { Face::Down };
        let pose = askew(dice, mood, geometry.card_pose(place, number, turn, hands));
        let at = Some(CardAt { place, position, face, turn });
        things.push(Thing::Card { card: any_card(dice), up, pose, at });
    }
}

fn askew(dice: &mut Dice, mood: &Mood, meant: Pose) -> Pose {
    let mut by = |deviation: f64| (dice.normal().clamp(-2.5, 2.5) * deviation * mood.care) as f32;
    let at = Point { x: meant.at.x + by(2.5), y: meant.at.y + by(2.5) };
    Pose { at, turn: meant.turn + by(0.05), ..meant }
}

/// Chips on a box: its stakes, now and then a side bet, a bettor behind, winnings, a lammer.
fn stake(dice: &mut Dice, geometry: &Geometry, box_no: BoxNo, hands: u8, chips: &mut Vec<Thing>) {
    let main = Wager::on(box_no, Hand::A);
    let behind = Bettor::new(2 + dice.below(3) as u8).map(|bettor| main.by(bettor));
    let sides = geometry.sides().iter().map(|side| (main.of_kind(WagerKind::Side(*side)), 0.15));
    let split = (1..hands).filter_map(Hand::new).map(|hand| (Wager::on(box_no, hand), 0.8));
    let others = [(main, 0.9), (main.of_kind(WagerKind::Double), 0.1), (main.of_kind(WagerKind::Insurance), 0.05)];
    let wagers: Vec<(Wager, f64)> =
        others.into_iter().chain(behind.map(|wager| (wager, 0.15))).chain(sides).chain(split).collect();
    for (wager, likely) in wagers {
        if !dice.chance(likely) {
            continue;
        }
        let at = geometry.betting_spot(&wager);
        if dice.once_in(25) {
            chips.push(Thing::Lammer(at));
            continue;
        }
        chips.push(Thing::Chips { at, stack: stack(amount(dice)), lift: 0.0 });
        if dice.once_in(8) {
            chips.push(Thing::Chips { at: geometry.payout_spot(&wager), stack: stack(amount(dice)), lift: 0.0 });
        }
    }
}

/// Small amounts more often than great ones.
fn amount(dice: &mut Dice) -> Money {
    let unit = *dice.pick(&[50, 100, 500, 500, 2_500, 10_000]).unwrap_or(&100);
    Money::from_minor(unit * (1 + dice.below(12) as i64))
}

/// Cards of no hand, and sometimes the cutting card.
fn lie_about(dice: &mut Dice, geometry: &Geometry, things: &mut Vec<Thing>) {
    let most = if dice.once_in(3) { 8 } else { 2 };
    for _ in 0..dice.below(most) {
        let pose = anywhere(dice, geometry);
        things.push(Thing::Card { card: any_card(dice), up: dice.chance(0.8), pose, at: None });
    }
    if dice.once_in(6) {
        let pose = if dice.once_in(2) { geometry.aside() } else { anywhere(dice, geometry) };
        things.push(Thing::CutCard(pose));
    }
}

/// Arms over the table, most of them over cards; the dealer's may have a card in it.
fn reach(dice: &mut Dice, geometry: &Geometry, boxes: &[BoxNo], spots: &[Point], things: &mut Vec<Thing>) {
    let mut arms = Vec::new();
    if dice.once_in(3) {
        let hand = aim(dice, geometry, spots);
        let lift = dice.between(5.0, 120.0) as f32;
        if dice.once_in(2) {
            let turn = dice.between(f64::from(-PI), f64::from(PI)) as f32;
            let pose = Pose { at: hand, turn, lift };
            things.push(Thing::Card { card: any_card(dice), up: dice.once_in(2), pose, at: None });
        }
        arms.push(Actor::Dealer.arm(geometry, hand, lift, dice.once_in(4)));
    }
    for _ in 0..dice.below(4) {
        let Some(box_no) = dice.pick(boxes).copied() else { break };
        let chips = geometry.betting_spot(&Wager::on(box_no, Hand::A));
        let near: Vec<Point> =
            spots.iter().copied().filter(|spot| (spot.x - chips.x).hypot(spot.y - chips.y) < 350.0).collect();
        let hand = near.get(dice.below(near.len() + 1)).copied().unwrap_or(chips);
        let lift = dice.between(0.0, 90.0) as f32;
        arms.push(Actor::Player(box_no, Bettor::SEATED).arm(geometry, hand, lift, dice.once_in(2)));
    }
    things.append(&mut arms);
}

/// A card to reach for, or any point.
fn aim(dice: &mut Dice, geometry: &Geometry, spots: &[Point]) -> Point {
    if dice.chance(0.7) && !spots.is_empty() {
        return dice.pick(spots).copied().unwrap_or_default();
    }
    anywhere(dice, geometry).at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stills(seed: u64) -> Vec<Scene> {
        let mut dice = Dice::new(seed);
        (0..250).map(|still| scene(&mut dice, &Geometry::new(1 + still % 9))).collect()
    }

    #[test]
    fn the_same_dice_lay_the_same_table() {
        assert_eq!(stills(5), stills(5));
        assert_ne!(stills(5), stills(6));
    }

    #[test]
    fn stills_hold_everything_a_camera_may_meet() {
        let stills = stills(7);
        let holds = |what: fn(&Thing) -> bool| stills.iter().any(|still| still.things.iter().any(what));
        assert!(holds(|thing| matches!(thing, Thing::Card { up: false, at: Some(_), .. })), "a card face down");
        assert!(holds(|thing| matches!(thing, Thing::Card { up: true, at: None, .. })), "a card lying about");
        assert!(holds(|thing| matches!(thing, Thing::Card { pose, .. } if pose.lift > 0.0)), "a card in a hand");
        assert!(
            holds(
                |thing| matches!(thing, Thing::Card { at: Some(CardAt { position, .. }), .. } if position.get() == 7)
            ),
            "a hand of seven"
        );
        assert!(
            holds(|thing| matches!(thing, Thing::Card { at: Some(CardAt { turn: Turn::Sideways, .. }), .. })),
            "a double"
        );
        for what in [
            |thing: &Thing| matches!(thing, Thing::Arm { .. }),
            |thing: &Thing| matches!(thing, Thing::Lammer(_)),
            |thing: &Thing| matches!(thing, Thing::CutCard(_)),
            |thing: &Thing| matches!(thing, Thing::Chips { .. }),
        ] {
            assert!(holds(what));
        }
        let plain = |still: &Scene| still.things.iter().all(|thing| middle(thing).is_none());
        assert!(stills.iter().any(plain), "a plain table");
    }

    #[test]
    fn cards_of_every_still_are_on_the_table() {
        for (number, still) in stills(9).iter().enumerate() {
            let geometry = Geometry::new(1 + number as u8 % 9);
            for spot in still.things.iter().filter_map(middle) {
                assert!(geometry.on_felt(spot), "still {number}: {spot:?}");
            }
        }
    }
}
