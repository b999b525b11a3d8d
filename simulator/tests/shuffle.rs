//! Shuffles lose no card, mix as much as their moves can and no more, and are spoiled exactly as they say.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use std::collections::BTreeSet;

use auditor::check::Law;
use auditor::model::random::Dice;
use auditor::rulebook::books;
use proptest::prelude::*;
use simulator::shuffle::{Continuous, Cut, Procedure, ShuffleFault, ready};
use table::{BoxNo, Card, Game};

/// Every word, and words in a row.
const PROCEDURES: [&str; 13] = [
    "riffles:1",
    "riffles:7",
    "half-decks",
    "riffle-riffle-box-riffle",
    "riffle-riffle-box",
    "wash",
    "stack",
    "strip",
    "box",
    "shelf:10",
    "machine",
    "csm",
    "wash+riffles:2+box",
];

fn procedure(text: &str) -> Procedure {
    text.parse().unwrap()
}

fn law(game: &str) -> Law {
    let game = Game { name: game.parse().unwrap(), options: Default::default() };
    Law::of(books::all().unwrap(), &game).unwrap()
}

fn pack(decks: usize) -> Vec<Card> {
    (0..decks).flat_map(|_| Card::faces()).collect()
}

fn sorted<T: Ord + Clone>(cards: &[T]) -> Vec<T> {
    let mut sorted = cards.to_vec();
    sorted.sort();
    sorted
}

/// Where each of the numbers 0, 1, 2… has come to lie.
fn places(order: &[usize]) -> Vec<usize> {
    let mut places = vec![0; order.len()];
    for (place, card) in order.iter().enumerate() {
        places[*card] = place;
    }
    places
}

fn rising_sequences(order: &[usize]) -> usize {
    1 + places(order).windows(2).filter(|pair| pair[1] < pair[0]).count()
}

/// Neighbours of the old order that are neighbours still.
fn neighbours_kept(order: &[usize]) -> usize {
    order.windows(2).filter(|pair| pair[1] == pair[0] + 1).count()
}

#[test]
fn no_procedure_loses_or_doubles_a_card_whatever_the_size_of_the_pack() {
    for text in PROCEDURES {
        for size in [0, 1, 2, 3, 25, 51, 52, 104, 311, 312, 313, 416] {
            let shuffled = procedure(text).shuffle((0..size).collect(), &mut Dice::new(size as u64));
            assert_eq!(sorted(&shuffled), (0..size).collect::<Vec<_>>(), "{text} of {size} cards");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_order_and_another_seed_another() {
    for text in PROCEDURES.into_iter().filter(|text| *text != "stack") {
        let order = |seed| procedure(text).shuffle((0..312).collect::<Vec<_>>(), &mut Dice::new(seed));
        assert_eq!(order(4), order(4), "{text}");
        assert_ne!(order(4), order(5), "{text}");
    }
}

#[test]
fn riffles_make_as_many_rising_sequences_as_theory_says() {
    const CARDS: i32 = 52;
    const TRIALS: u64 = 600;
    for riffles in 1..=8 {
        let most = 1 << riffles;
        let shuffle = procedure(&format!("riffles:{riffles}"));
        let mut sum = 0;
        for seed in 0..TRIALS {
            let order = shuffle.shuffle((0..CARDS as usize).collect(), &mut Dice::new(seed));
            let rising = rising_sequences(&order);
            assert!(rising <= most, "{rising} rising sequences after {riffles} riffles, seed {seed}");
            sum += rising;
        }
        // k riffles are one riffle of a = 2^k packets, which makes a − (n+1) Σ (r/a)^n rising sequences, r from 0 to a−1.
        let packets = most as f64;
        let lost: f64 = (0..most).map(|packet| (packet as f64 / packets).powi(CARDS)).sum();
        let theory = packets - f64::from(CARDS + 1) * lost;
        let mean = sum as f64 / TRIALS as f64;
        assert!((mean - theory).abs() < 0.35, "{riffles} riffles: mean {mean:.2}, theory {theory:.2}");
    }
}

/// Chi-squared of where the cards of a deck come to lie, over zones of four cards and four places.
fn zones_chi_squared(text: &str, trials: u64) -> f64 {
    let mut counts = [[0_u32; 13]; 13];
    for seed in 0..trials {
        let order = procedure(text).shuffle((0..52).collect::<Vec<usize>>(), &mut Dice::new(seed));
        for (place, card) in order.into_iter().enumerate() {
            counts[card / 4][place / 4] += 1;
        }
    }
    let expected = trials as f64 * 16.0 / 52.0;
    counts.iter().flatten().map(|seen| (f64::from(*seen) - expected).powi(2) / expected).sum()
}

#[test]
fn the_machine_is_uniform_by_position_and_a_wash_is_thorough_but_not_uniform() {
    // 144 degrees of freedom: 193 is passed once in 250 times.
    let machine = zones_chi_squared("machine", 2_000);
    assert!((100.0..193.0).contains(&machine), "{machine:.0}");
    let washed = zones_chi_squared("wash", 2_000);
    assert!(washed > 250.0, "{washed:.0}");
    let riffled = zones_chi_squared("riffles:2", 2_000);
    assert!(washed < riffled / 4.0, "washed {washed:.0}, riffled {riffled:.0}");
}

#[test]
fn a_wash_parts_nearly_all_neighbours_and_a_box_nearly_none() {
    let kept = |text: &str, seed| neighbours_kept(&procedure(text).shuffle((0..312).collect(), &mut Dice::new(seed)));
    for seed in 0..20 {
        assert!(kept("wash", seed) < 40, "seed {seed}: {}", kept("wash", seed));
        assert!(kept("box", seed) >= 307, "seed {seed}: {}", kept("box", seed));
        assert!((298..=304).contains(&kept("strip", seed)), "seed {seed}: {}", kept("strip", seed));
    }
}

#[test]
fn half_decks_mix_only_as_their_packets_allow() {
    for seed in 0..50 {
        let order = procedure("half-decks").shuffle((0..312).collect::<Vec<usize>>(), &mut Dice::new(seed));
        // The last packet of each half is riffled into the pile last, so it cannot sink below the first 87 cards of it.
        // Those are the first packets of the second pass, which end at the bottom: the top 98 cards hold none of them.
        let last_packets = |card: usize| (133..156).contains(&card) || card >= 289;
        let on_top = order[..98].iter().filter(|card| last_packets(**card)).count();
        assert_eq!(on_top, 0, "seed {seed}");
        // What was riffled first lies at the bottom after one pass and on top after two.
        let first_packets = |card: usize| card < 29 || (156..185).contains(&card);
        let on_top = order[..52].iter().filter(|card| first_packets(**card)).count();
        assert!(on_top > 13, "seed {seed}: {on_top}");
        // Two passes of packets leave far more of the old order than chance would, which is one pair.
        assert!(neighbours_kept(&order) > 20, "seed {seed}: {}", neighbours_kept(&order));
    }
}

#[test]
fn a_shelf_machine_keeps_runs_that_a_fair_one_would_not() {
    // Each shelf holds a falling run on a rising one: valleys and peaks are fewer than chance makes them, 34 of 52.
    let turns = |text: &str| {
        let order = |seed| procedure(text).shuffle((0..52).collect::<Vec<usize>>(), &mut Dice::new(seed));
        let turns = |order: Vec<usize>| order.windows(3).filter(|at| (at[0] < at[1]) != (at[1] < at[2])).count();
        (0..200).map(|seed| turns(order(seed))).sum::<usize>() / 200
    };
    assert!(turns("shelf:10") < 20, "{}", turns("shelf:10"));
    assert!(turns("machine") > 30, "{}", turns("machine"));
}

#[test]
fn a_continuous_shuffler_gives_every_card_again_and_never_one_twice() {
    let mut shuffler = Continuous::load((0..312).collect::<Vec<usize>>(), &mut Dice::new(9));
    let mut seen = BTreeSet::new();
    let mut at_once = 0;
    let mut last: Vec<usize> = Vec::new();
    for round in 0..400 {
        let played: Vec<usize> = (0..20).filter_map(|_| shuffler.draw()).collect();
        assert_eq!(played.iter().collect::<BTreeSet<_>>().len(), 20, "round {round}");
        assert_eq!(shuffler.left(), 292, "round {round}");
        at_once += played.iter().filter(|card| last.contains(card)).count();
        seen.extend(played.iter().copied());
        shuffler.put_back(played.iter().copied());
        last = played;
    }
    assert_eq!(seen.len(), 312);
    assert!(at_once > 50, "cards just played may come again in the next round: {at_once} did");
    let rest: Vec<usize> = std::iter::from_fn(|| shuffler.draw()).collect();
    assert_eq!(sorted(&rest), (0..312).collect::<Vec<_>>());
    assert_eq!(shuffler.draw(), None);
}

#[test]
fn procedures_print_as_they_are_written() {
    for text in PROCEDURES {
        assert_eq!(procedure(text).to_string(), text);
    }
}

proptest! {
    #[test]
    fn no_text_breaks_the_parser_and_what_it_reads_returns_unharmed(
        text in prop_oneof!["\\PC*", "(wash|riffles:[0-9]{0,3}|shelf:[0-9]{1,2}|csm)(\\+(box|strip|half-decks|machine)){0,4}"]
    ) {
        if let Ok(read) = text.parse::<Procedure>() {
            prop_assert_eq!(read.to_string().parse::<Procedure>(), Ok(read));
        }
    }
}

#[test]
fn a_slip_in_a_procedure_is_answered_with_what_was_meant() {
    let refused = |text: &str| text.parse::<Procedure>().unwrap_err().to_string();
    assert_eq!(refused("wsah"), "there is no shuffle \"wsah\", did you mean wash?");
    assert_eq!(refused("wash+rifles:3"), "there is no shuffle \"rifles\", did you mean riffles?");
    assert!(refused("zzz").starts_with("there is no shuffle \"zzz\", expected riffles:K, half-decks"));
    assert!(refused("").starts_with("there is no shuffle \"\", expected"));
    assert!(refused("wash+").starts_with("there is no shuffle \"\", expected"));
    for text in ["riffles", "riffles:0", "riffles:31", "riffles:", "riffles:two", "riffles:256"] {
        assert_eq!(refused(text), "the shuffle riffles takes a number from 1 to 30, as in riffles:1", "{text}");
    }
    assert_eq!(refused("wash:3"), "the shuffle wash takes no number");
}

#[test]
fn books_ask_for_their_own_shuffles() {
    let usual = |game: &str| Procedure::usual(&law(game).rules).to_string();
    assert_eq!(usual("nh-6d"), "half-decks");
    assert_eq!(usual("nh-54"), "riffle-riffle-box-riffle");
    assert_eq!(usual("nz-base"), "wash+stack+riffle-riffle-box");
    assert_eq!(usual("bclc-freebet"), "csm");
    let new_cards = |text: &str| procedure(text).for_new_cards().to_string();
    assert_eq!(new_cards("half-decks"), "wash+stack+half-decks");
    assert_eq!(new_cards("csm"), "wash+stack+riffles:1+csm");
    assert_eq!(new_cards("wash+stack+riffles:2"), "wash+stack+riffles:2");
}

#[test]
fn people_cut_about_the_middle_and_never_too_near_an_end() {
    let law = law("nz-base");
    let depths: Vec<usize> = (0..2_000).map(|seed| Cut::by_hand(&law.rules, 312, &mut Dice::new(seed)).depth).collect();
    assert!(depths.iter().all(|depth| (52..=260).contains(depth)));
    let middle = depths.iter().filter(|depth| (104..208).contains(*depth)).count();
    assert!((1_400..1_600).contains(&middle), "three cuts of four in the middle third or so: {middle}");
    let cut = Cut { depth: 2, measured: true };
    assert_eq!(cut.apply(vec![1, 2, 3, 4, 5]), [3, 4, 5, 1, 2]);
}

#[test]
fn a_shoe_made_ready_holds_the_cards_that_went_in() {
    let box_no = BoxNo::new(3).unwrap();
    for game in ["nz-base", "act", "nh-6d", "nh-54", "bclc-dd", "bclc-zappit"] {
        let rules = law(game).rules;
        let cards = pack(usize::from(rules.decks));
        for seed in 0..20 {
            let shoe = ready(&rules, &Procedure::usual(&rules), box_no, cards.clone(), &mut Dice::new(seed));
            assert_eq!(shoe.before, cards, "{game}");
            assert_eq!(sorted(&shoe.after), sorted(&cards), "{game}");
            assert_eq!([shoe.burned.clone(), shoe.stock.clone()].concat(), shoe.after, "{game}");
            assert!(shoe.cut_card_behind < shoe.stock.len(), "{game}");
            assert_eq!(shoe.cut_card_behind == 0, rules.csm, "{game}");
            assert_eq!(shoe.shuffled(4).after, shoe.after, "{game}");
        }
    }
}

#[test]
fn a_pack_of_no_cards_is_made_ready_all_the_same() {
    let rules = law("act").rules;
    let shoe = ready(&rules, &Procedure::usual(&rules), BoxNo::new(1).unwrap(), Vec::new(), &mut Dice::new(1));
    assert!(shoe.stock.is_empty() && shoe.burned.is_empty());
    assert_eq!(shoe.cut_card_behind, 0);
}

/// A six-deck pack in no order, and the shoe a fault makes of it.
fn spoiled(fault: ShuffleFault, text: &str, seed: u64) -> Option<(Vec<Card>, simulator::shuffle::Spoiled)> {
    let rules = law("act").rules;
    let mut dice = Dice::new(seed);
    let cards = procedure("machine").shuffle(pack(6), &mut dice);
    let shoe = fault.apply(&rules, &procedure(text), BoxNo::new(3).unwrap(), cards.clone(), &mut dice)?;
    Some((cards, shoe))
}

/// The longest run of the first cards that the second hold too.
fn longest_run(before: &[Card], after: &[Card]) -> usize {
    let mut longest = 0;
    let mut runs = vec![0; after.len() + 1];
    for card in before {
        for place in (0..after.len()).rev() {
            runs[place + 1] = if after[place] == *card { runs[place] + 1 } else { 0 };
            longest = longest.max(runs[place + 1]);
        }
    }
    longest
}

#[test]
fn a_slug_comes_through_together_and_on_top_where_it_was_kept_there() {
    for seed in 0..20 {
        let (cards, shoe) = spoiled(ShuffleFault::SlugKeptOnTop, "riffles:7", seed).unwrap();
        let kept = cards.iter().zip(&shoe.ready.after).take_while(|(before, after)| before == after).count();
        assert!((20..=45).contains(&kept), "seed {seed}: {kept}, {}", shoe.says);
        assert_eq!(sorted(&shoe.ready.after), sorted(&cards));

        let (cards, shoe) = spoiled(ShuffleFault::SlugKept, "riffles:7", seed).unwrap();
        let kept = longest_run(&cards, &shoe.ready.after);
        assert!((20..=45).contains(&kept), "seed {seed}: {kept}, {}", shoe.says);
        assert_eq!(sorted(&shoe.ready.after), sorted(&cards));
    }
}

#[test]
fn a_cold_deck_is_complete_and_each_card_tells_the_next() {
    let (cards, shoe) = spoiled(ShuffleFault::ColdDeck, "half-decks", 3).unwrap();
    let after = &shoe.ready.after;
    assert_eq!(sorted(after), sorted(&cards));
    let follows: BTreeSet<(Card, Card)> = after.windows(2).map(|pair| (pair[0], pair[1])).collect();
    assert_eq!(follows.len(), 52);
}

#[test]
fn a_card_lost_or_added_changes_the_pack_by_that_card() {
    let (cards, fewer) = spoiled(ShuffleFault::CardMissing, "riffles:7", 1).unwrap();
    assert_eq!((fewer.ready.before.len(), fewer.ready.after.len()), (cards.len(), cards.len() - 1));
    let (cards, more) = spoiled(ShuffleFault::CardAdded, "riffles:7", 1).unwrap();
    assert_eq!((more.ready.before.len(), more.ready.after.len()), (cards.len(), cards.len() + 1));
    let one_more = (0..52).filter(|index| {
        let count = |cards: &[Card]| cards.iter().filter(|card| card.index() == Some(*index)).count();
        count(&more.ready.after) == count(&cards) + 1
    });
    assert_eq!(one_more.count(), 1);
}

#[test]
fn a_riffle_short_is_seen_in_the_steps_and_a_single_pass_cannot_be_left_out() {
    let riffles =
        |acts: &[table::Act]| acts.iter().filter(|act| **act == table::Act::Shuffle(table::round::Mix::Riffle)).count();
    let (_, shoe) = spoiled(ShuffleFault::OneRiffleShort, "riffles:7", 1).unwrap();
    assert_eq!(riffles(&shoe.ready.acts), 6);
    assert_eq!(shoe.says, "6 of 7 riffling passes were made");
    let (_, shoe) = spoiled(ShuffleFault::OneRiffleShort, "half-decks", 1).unwrap();
    assert!([6, 11].contains(&riffles(&shoe.ready.acts)));
    for text in ["riffles:1", "machine", "wash"] {
        assert!(spoiled(ShuffleFault::OneRiffleShort, text, 1).is_none(), "{text}");
    }
}

#[test]
fn faults_have_names_and_leave_a_continuous_shuffler_and_a_small_pack_alone_where_they_must() {
    let rules = law("bclc-zappit").rules;
    let usual = Procedure::usual(&rules);
    for fault in ShuffleFault::ALL {
        assert_eq!(fault.name().parse(), Ok(*fault));
        let shoe = fault.apply(&rules, &usual, BoxNo::new(1).unwrap(), pack(6), &mut Dice::new(1));
        let composition = matches!(fault, ShuffleFault::CardMissing | ShuffleFault::CardAdded);
        assert_eq!(shoe.is_some(), composition, "{fault}");
    }
    let rules = law("act").rules;
    for fault in [ShuffleFault::SlugKept, ShuffleFault::SlugKeptOnTop, ShuffleFault::CardMissing] {
        let none = fault.apply(&rules, &procedure("riffles:3"), BoxNo::new(1).unwrap(), vec![], &mut Dice::new(1));
        assert_eq!(none, None, "{fault}");
    }
}
