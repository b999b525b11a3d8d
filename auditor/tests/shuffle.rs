//! The test of shuffles on small numbers of shoes: fair ones get every p equally often, faulty ones are found, and no two
//! orders whatever break it. `make shuffle-proof` measures the same on thousands.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use auditor::model::random::Dice;
use auditor::shuffle::{Null, OrderError, Orders, Procedure, Terms, Verdict, judge};
use proptest::prelude::*;
use table::Card;

fn shuffled(by: &str, cards: Vec<Card>, dice: &mut Dice) -> Vec<Card> {
    by.parse::<Procedure>().unwrap().shuffle(cards, dice)
}

/// A pack as play may have left it, and the same shuffled in some way and cut.
fn shoe(decks: u8, by: &str, dice: &mut Dice) -> Orders {
    let before = shuffled("machine", (0..decks).flat_map(|_| Card::faces()).collect(), dice);
    let mut after = shuffled(by, before.clone(), dice);
    let depth = after.len() / 5 + dice.below(after.len() * 3 / 5);
    after.rotate_left(depth);
    Orders { id: dice.roll().to_string(), decks, before, after }
}

fn only_seen(orders: Orders, hundredths: usize) -> Orders {
    let see = |cards: Vec<Card>| cards.iter().copied().take(cards.len() * hundredths / 100).collect();
    Orders { before: see(orders.before), after: see(orders.after), ..orders }
}

#[test]
fn fair_shoes_get_every_p_equally_often() {
    for (procedure, null) in [("machine", Null::Uniform), ("riffles:3", Null::Procedure("riffles:3".parse().unwrap()))]
    {
        let mut dice = Dice::new(3);
        let terms = Terms { null, ..Terms::default() };
        let mut values: Vec<f64> = (0..150).map(|_| judge(&shoe(1, procedure, &mut dice), &terms).unwrap().p).collect();
        values.sort_by(f64::total_cmp);
        let off =
            values.iter().enumerate().map(|(rank, p)| (p - (rank as f64 + 0.5) / 150.0).abs()).fold(0.0, f64::max);
        // Kolmogorov's bound that is passed once in a thousand times.
        assert!(off < 1.95 / 150_f64.sqrt(), "{procedure}: {off}");
    }
}

#[test]
fn five_riffles_are_found_in_a_shoe_of_six_decks_and_with_a_quarter_of_it_unseen() {
    let mut dice = Dice::new(5);
    for hundredths in [100, 75] {
        let found = (0..10).filter(|_| {
            let orders = only_seen(shoe(6, "riffles:5", &mut dice), hundredths);
            judge(&orders, &Terms::default()).unwrap().p <= 0.01
        });
        assert!(found.count() >= 9, "{hundredths} % seen");
    }
}

#[test]
fn a_slug_and_a_stacked_pack_are_suspect_and_a_shelf_machine_is_found() {
    let mut dice = Dice::new(7);
    let shelved = shoe(6, "shelf:10", &mut dice);
    let mut slug = shoe(6, "machine", &mut dice);
    slug.after.splice(50..70, slug.before[200..220].to_vec());
    let stacked = Orders { after: (0..6).flat_map(|_| Card::faces()).collect(), ..shoe(6, "machine", &mut dice) };
    // A shelf machine is found at 1 % in every shoe, and at one alarm a pit and year in nearly every one.
    assert!(judge(&shelved, &Terms::default()).unwrap().p <= 0.01);
    for (name, orders) in [("slug", slug), ("stacked", stacked)] {
        let report = judge(&orders, &Terms::default()).unwrap();
        assert_eq!(report.verdict, Verdict::Suspect, "{name}: p {}", report.p);
    }
}

#[test]
fn what_a_shuffle_was_worth_is_told_about_right() {
    let mut dice = Dice::new(9);
    for riffles in [2, 4, 6] {
        let report = judge(&shoe(6, &format!("riffles:{riffles}"), &mut dice), &Terms::default()).unwrap();
        let truth = f64::from(riffles);
        let found = report.riffles;
        assert!(
            found.least <= truth + 0.5 && found.most.is_none_or(|most| truth - 0.5 <= most),
            "{riffles}: {found:?}"
        );
        let near = found.estimate.is_none_or(|estimate| (estimate - truth).abs() <= 1.0);
        assert!(near, "{riffles}: {found:?}");
    }
    let fair = judge(&shoe(6, "machine", &mut dice), &Terms::default()).unwrap();
    assert_eq!(fair.riffles.estimate, None);
}

#[test]
fn half_a_shoe_is_inconclusive_unless_it_is_suspect() {
    let mut dice = Dice::new(11);
    let fair = judge(&only_seen(shoe(6, "machine", &mut dice), 50), &Terms::default()).unwrap();
    assert_eq!(fair.verdict, Verdict::Inconclusive);
    let lazy = judge(&only_seen(shoe(6, "riffles:2", &mut dice), 50), &Terms::default()).unwrap();
    assert_eq!(lazy.verdict, Verdict::Suspect);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn no_orders_break_it(
        decks in 0_u8..3,
        before in proptest::collection::vec(0_usize..54, 0..112),
        after in proptest::collection::vec(0_usize..54, 0..112),
    ) {
        let cards = |faces: Vec<usize>| faces.into_iter().map(|face| Card::from_index(face).unwrap_or(Card::UNREAD)).collect();
        let orders = Orders { id: "any".to_owned(), decks, before: cards(before), after: cards(after) };
        match judge(&orders, &Terms::default()) {
            Ok(report) => {
                prop_assert!((0.0..=1.0).contains(&report.p) && report.e.is_finite() && report.e >= 0.0);
                prop_assert_eq!(judge(&orders, &Terms::default()).unwrap(), report);
            }
            Err(OrderError::Decks { decks }) => prop_assert_eq!(decks, 0),
            Err(OrderError::Empty { .. } | OrderError::TooMany { .. }) => {}
        }
    }
}
