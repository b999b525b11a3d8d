//! Everything has its place on the table, however many boxes, hands and cards there are.

use table::Hand;

use super::*;

fn boxes(geometry: &Geometry) -> impl Iterator<Item = BoxNo> {
    BoxNo::all().take(usize::from(geometry.boxes()))
}

#[test]
fn big_hands_and_many_hands_stay_on_the_table() {
    for geometry in (1..=9).map(Geometry::new) {
        for (box_no, hands) in boxes(&geometry).flat_map(|box_no| (1..=5).map(move |hands| (box_no, hands))) {
            for (hand, position) in (0..hands).flat_map(|hand| (1..=11).map(move |position| (hand, position))) {
                for turn in [Turn::Upright, Turn::Sideways] {
                    let place = Place::Box(box_no, Hand::new(hand).unwrap());
                    let pose = geometry.card_pose(place, position, turn, hands);
                    let on = corners(pose).iter().all(|corner| geometry.on_felt(*corner));
                    assert!(on, "{} boxes, {place}, card {position}, {hands} hands: {pose:?}", geometry.boxes());
                }
            }
        }
        for position in 1..=11 {
            let pose = geometry.card_pose(Place::Dealer, position, Turn::Upright, 1);
            assert!(corners(pose).iter().all(|corner| geometry.on_felt(*corner)));
        }
    }
}

#[test]
fn every_chip_stands_on_the_table() {
    for geometry in (1..=9).map(Geometry::new) {
        for (box_no, hand, bettor) in boxes(&geometry).flat_map(|box_no| {
            let hands = (0..4).filter_map(Hand::new);
            hands.flat_map(move |hand| (1..=9).filter_map(Bettor::new).map(move |bettor| (box_no, hand, bettor)))
        }) {
            let stake = Wager::on(box_no, hand).by(bettor);
            let sides = SideBet::ALL.iter().map(|side| WagerKind::Side(*side));
            let kinds = [stake.kind, WagerKind::Double, WagerKind::Insurance, WagerKind::Ante];
            assert!(geometry.on_felt(geometry.marker(box_no)) && geometry.on_felt(geometry.beside(box_no)));
            for wager in kinds.into_iter().chain(sides).map(|kind| stake.of_kind(kind)) {
                for spot in [wager, wager.for_dealer()].map(|wager| geometry.betting_spot(&wager)) {
                    assert!(geometry.on_felt(spot), "{} boxes, {wager}: {spot:?}", geometry.boxes());
                }
            }
        }
    }
}

#[test]
fn box_one_is_at_the_dealers_left_and_the_boxes_run_clockwise() {
    let geometry = Geometry::new(7);
    let spots: Vec<Point> = boxes(&geometry).map(|no| geometry.betting_spot(&Wager::on(no, Hand::A))).collect();
    assert!(spots.windows(2).all(|pair| pair[0].x > pair[1].x));
    assert!(spots[0].x > 700.0 && spots[3].y > 850.0);
}

#[test]
fn a_sideways_card_is_turned_by_a_quarter_in_its_hand() {
    let geometry = Geometry::new(7);
    for box_no in boxes(&geometry) {
        let place = Place::Box(box_no, Hand::A);
        let upright = geometry.card_pose(place, 2, Turn::Upright, 1);
        let across = geometry.card_pose(place, 3, Turn::Sideways, 1);
        assert!((across.turn - upright.turn - FRAC_PI_2).abs() < 1e-5);
    }
}

#[test]
fn the_index_of_every_card_of_a_hand_can_be_read() {
    let geometry = Geometry::new(9);
    for (box_no, hands) in boxes(&geometry).flat_map(|box_no| [(box_no, 1), (box_no, 2)]) {
        let place = Place::Box(box_no, Hand::A);
        for position in 1..6 {
            let lower = geometry.card_pose(place, position, Turn::Upright, hands);
            let upper = geometry.card_pose(place, position + 1, Turn::Upright, hands);
            let index = offset(lower.at, lower.turn, 8.0 - CARD.0 / 2.0, CARD.1 / 2.0 - 12.0);
            let (x, y) = (index.x - upper.at.x, index.y - upper.at.y);
            let (sin, cos) = upper.turn.sin_cos();
            let (right, up) = (x * cos + y * sin, x * sin - y * cos);
            let covered = right.abs() < CARD.0 / 2.0 && up.abs() < CARD.1 / 2.0;
            assert!(!covered, "{place}, card {position} of {hands} hands");
        }
    }
}
