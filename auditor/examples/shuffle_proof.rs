//! What the test of shuffles promises, measured: that fair shoes get every p equally often, and what it finds of shuffles
//! that are not fair. `make shuffle-proof` runs it; `shuffle_proof size 200` measures one part on fewer shoes.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement stops where it stands, and prints")]

use std::time::Instant;

use auditor::model::random::Dice;
use auditor::shuffle::{Faulty, Flow, Inventory, Null, Orders, Procedure, Terms, Verdict, judge};
use table::Card;

/// How much of a shoe is seen.
#[derive(Clone, Copy)]
struct Sight {
    name: &'static str,
    /// Hundredths dealt before the cutting card.
    dealt: usize,
    /// One card in so many is not read; 0 for none.
    unread: usize,
}

const WHOLE: Sight = Sight { name: "whole", dealt: 100, unread: 0 };
const THREE_QUARTERS: Sight = Sight { name: "three quarters", dealt: 75, unread: 0 };
const UNREAD: Sight = Sight { name: "2 % unread", dealt: 100, unread: 50 };
const BOTH: Sight = Sight { name: "three quarters, 2 % unread", dealt: 75, unread: 50 };

/// A pack in an order that play might leave.
fn pack(decks: u8, dice: &mut Dice) -> Vec<Card> {
    let mut cards: Vec<Card> = (0..decks).flat_map(|_| Card::faces()).collect();
    for last in (1..cards.len()).rev() {
        cards.swap(last, dice.below(last + 1));
    }
    cards
}

/// The orders of a shuffle as they are seen: the same part unseen behind the cutting card before as after.
fn orders(id: String, decks: u8, before: Vec<Card>, after: Vec<Card>, sight: Sight, dice: &mut Dice) -> Orders {
    let mut see = |mut cards: Vec<Card>| {
        cards.truncate(cards.len() * sight.dealt / 100);
        for card in &mut cards {
            if sight.unread > 0 && dice.once_in(sight.unread) {
                *card = Card::UNREAD;
            }
        }
        cards
    };
    Orders { id, decks, before: see(before), after: see(after) }
}

/// What is done to a pack.
type Does<'a> = &'a dyn Fn(Vec<Card>, &mut Dice) -> Vec<Card>;

fn by(procedure: &str) -> impl Fn(Vec<Card>, &mut Dice) -> Vec<Card> + use<> {
    let procedure: Procedure = procedure.parse().unwrap();
    move |cards, dice| cut(procedure.shuffle(cards, dice), dice)
}

fn cut(mut cards: Vec<Card>, dice: &mut Dice) -> Vec<Card> {
    let depth = cards.len() / 5 + dice.below(cards.len() * 3 / 5);
    cards.rotate_left(depth);
    cards
}

/// The p of so many shoes, and how many were called suspect.
fn judged(shoes: usize, decks: u8, does: Does<'_>, sight: Sight, terms: &Terms, salt: u64) -> (Vec<f64>, usize) {
    let mut dice = Dice::new(salt);
    let mut suspect = 0;
    let judged = (0..shoes).map(|shoe| {
        let before = pack(decks, &mut dice);
        let after = does(before.clone(), &mut dice);
        let orders = orders(format!("{salt}-{shoe}"), decks, before, after, sight, &mut dice);
        let report = judge(&orders, terms).unwrap();
        suspect += usize::from(report.verdict == Verdict::Suspect);
        report.p
    });
    (judged.collect(), suspect)
}

/// The greatest distance between how these p are spread and how they should be, times the root of their number: beyond
/// 1.63 once in a hundred times.
fn kolmogorov(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let count = values.len() as f64;
    let each = values.iter().enumerate().map(|(rank, value)| {
        let (below, with) = (rank as f64 / count, (rank + 1) as f64 / count);
        (value - below).abs().max((with - value).abs())
    });
    each.fold(0.0, f64::max) * count.sqrt()
}

fn size(shoes: usize) {
    println!("size: {shoes} fair shoes each; K is Kolmogorov's distance, 1.63 is passed once in a hundred times");
    let uniform = Terms::default();
    for decks in [1, 2, 6, 8] {
        for sight in [WHOLE, THREE_QUARTERS, UNREAD] {
            size_of(shoes, decks, "machine", sight, &uniform);
        }
    }
    for (decks, procedure) in
        [(6, "half-decks"), (6, "wash+stack+riffle-riffle-box"), (1, "riffle-riffle-box-riffle"), (6, "csm")]
    {
        let terms = Terms { null: Null::Procedure(procedure.parse().unwrap()), ..Terms::default() };
        for sight in [WHOLE, BOTH] {
            size_of(shoes / 4, decks, procedure, sight, &terms);
        }
    }
}

fn size_of(shoes: usize, decks: u8, procedure: &str, sight: Sight, terms: &Terms) {
    let (values, suspect) = judged(shoes, decks, &by(procedure), sight, terms, u64::from(decks));
    let below = |rate: f64| values.iter().filter(|p| **p <= rate).count() as f64 / values.len() as f64;
    let (five, one, little) = (below(0.05), below(0.01), below(0.001));
    let distance = kolmogorov(values.clone());
    println!(
        "  {decks} decks, {procedure}, {}: K {distance:.2}, p ≤ 5 %: {five:.4}, 1 %: {one:.4}, 0.1 %: {little:.4}, suspect {suspect}",
        sight.name
    );
}

fn power(shoes: usize) {
    println!("power: the part of {shoes} shoes found at 1 % false alarms, and called suspect at one a pit and year");
    for (decks, seen) in [(6, WHOLE), (6, BOTH), (1, WHOLE), (2, WHOLE), (8, WHOLE), (1, BOTH), (2, BOTH), (8, BOTH)] {
        let unread = if seen.unread > 0 { 1.0 / seen.unread as f64 } else { 0.0 };
        let sight = auditor::shuffle::Sight { seen: seen.dealt as f64 / 100.0, unread };
        for found in auditor::shuffle::power(decks, sight, &Null::Uniform, &Faulty::usual(), shoes) {
            let (fault, one_percent, suspect) = (found.fault, found.at_one_percent, found.suspect);
            println!("  {decks} decks, {}, {fault}: {one_percent:.3} at 1 %, {suspect:.3} suspect", seen.name);
        }
    }
}

fn faults(shoes: usize) {
    println!("faults: the same for {shoes} shoes, each ranked by itself");
    let uniform = Terms::default();
    for sight in [WHOLE, BOTH] {
        power_of(shoes, 6, "wash, riffle, riffle, box", &by("wash+stack+riffle-riffle-box"), sight, &uniform);
        power_of(shoes, 6, "continuous shuffler, once through", &by("csm"), sight, &uniform);
        let half_decks = Terms { null: Null::Procedure("half-decks".parse().unwrap()), ..Terms::default() };
        power_of(shoes, 6, "half-decks, a riffle short", &one_pass, sight, &half_decks);
        let single = Terms { null: Null::Procedure("riffle-riffle-box-riffle".parse().unwrap()), ..Terms::default() };
        power_of(
            shoes,
            1,
            "riffle-riffle-box-riffle, a riffle short",
            &by("riffles:2+box+riffles:3+box"),
            sight,
            &single,
        );
        power_of(
            shoes,
            6,
            "half-decks with a slug of 30",
            &|cards, dice| {
                let kept: Vec<Card> = cards[100..130].to_vec();
                let rest = [&cards[..100], &cards[130..]].concat();
                let mut mixed = by("half-decks")(rest, dice);
                mixed.splice(60..60, kept);
                mixed
            },
            sight,
            &half_decks,
        );
    }
}

/// One of the two passes that the half-deck procedure asks for.
fn one_pass(cards: Vec<Card>, dice: &mut Dice) -> Vec<Card> {
    let moves = "half-decks".parse::<Procedure>().unwrap().moves();
    let kept = dice.below(moves.len());
    cut(auditor::shuffle::mix(&moves[kept..=kept], cards, dice), dice)
}

fn power_of(shoes: usize, decks: u8, name: &str, does: Does<'_>, sight: Sight, terms: &Terms) {
    let (values, suspect) = judged(shoes, decks, does, sight, terms, 77);
    let found = values.iter().filter(|p| **p <= 0.01).count() as f64 / values.len() as f64;
    let suspect = suspect as f64 / values.len() as f64;
    println!("  {decks} decks, {}, {name}: {found:.3} at 1 %, {suspect:.3} suspect", sight.name);
}

/// What the report on a six-deck shoe takes: the median, so that what else the machine does counts little, and the most.
fn speed(shoes: usize) {
    for procedure in ["machine", "riffles:2", "riffles:5", "riffles:6", "riffles:7", "shelf:10"] {
        for sight in [WHOLE, BOTH] {
            let mut dice = Dice::new(5);
            let does = by(procedure);
            let times = (0..shoes).map(|shoe| {
                let before = pack(6, &mut dice);
                let after = does(before.clone(), &mut dice);
                let orders = orders(shoe.to_string(), 6, before, after, sight, &mut dice);
                let began = Instant::now();
                judge(&orders, &Terms::default()).unwrap();
                began.elapsed().as_secs_f64() * 1e3
            });
            let mut times: Vec<f64> = times.collect();
            times.sort_by(f64::total_cmp);
            let (median, most) = (times[shoes / 2], times[shoes - 1]);
            println!("speed: six decks, {procedure}, {}: {median:.1} ms, {most:.1} at most", sight.name);
        }
    }
}

/// How near the number of riffles is estimated.
fn riffles(shoes: usize) {
    for sight in [WHOLE, BOTH] {
        for riffles in [2, 4, 5, 6, 7, 9] {
            let mut dice = Dice::new(9);
            let does = by(&format!("riffles:{riffles}"));
            let (mut within, mut sum, mut none) = (0, 0.0, 0);
            for shoe in 0..shoes {
                let before = pack(6, &mut dice);
                let after = does(before.clone(), &mut dice);
                let report =
                    judge(&orders(shoe.to_string(), 6, before, after, sight, &mut dice), &Terms::default()).unwrap();
                let found = report.riffles;
                let truth = f64::from(riffles);
                within += usize::from(found.least <= truth && found.most.is_none_or(|most| truth <= most));
                match found.estimate {
                    Some(estimate) => sum += estimate,
                    None => none += 1,
                }
            }
            let mean = sum / (shoes - none).max(1) as f64;
            println!(
                "riffles: {riffles}, {}: estimated {mean:.2} on average ({none} without), within the interval {within} of {shoes}",
                sight.name
            );
        }
    }
}

/// The bar that evidence of a missing card is held to here; at that of a pit and year nothing would be counted in a day.
const LOW_BAR: f64 = 1000.0;

/// How often whole decks are said to lack a card.
fn missing(shoes: usize) {
    println!(
        "missing: alarms in {shoes} shoes of whole decks at a bar of {LOW_BAR}; allowed are {}",
        shoes as f64 / LOW_BAR
    );
    for (decks, text) in [
        (1, "riffle-riffle-box-riffle"),
        (2, "half-decks"),
        (2, "riffles:3"),
        (6, "machine"),
        (6, "half-decks"),
        (6, "wash+stack+riffle-riffle-box"),
        (6, "riffles:2"),
        (8, "half-decks"),
    ] {
        // The dealer cuts about the middle, or always near the same place.
        for (cuts, from, to) in [("the middle third", 33, 66), ("a quarter", 22, 28)] {
            let alarms = missing_of(shoes, decks, &text.parse().unwrap(), from, to);
            println!("  {decks} decks, {text}, cut at {cuts}: {alarms}");
        }
    }
}

/// Deals shoe after shoe of the same cards to a cutting card at three quarters or a little more; whenever a card is said
/// to be missing, counting begins anew.
fn missing_of(shoes: usize, decks: u8, procedure: &Procedure, from: usize, to: usize) -> usize {
    let mut dice = Dice::new(u64::from(decks)).fork(&procedure.to_string());
    let mut cards = pack(decks, &mut dice);
    let flow = Flow::of(&Null::Procedure(procedure.clone()), cards.len());
    let mut inventory = Inventory::default();
    let (mut seen, mut alarms) = (0, 0);
    for _ in 0..shoes {
        let before = cards[..seen].to_vec();
        cards = procedure.shuffle(cards, &mut dice);
        let (least, margin) = (cards.len() * from / 100, cards.len() * (to - from) / 100);
        cards.rotate_left(least + dice.below(margin));
        seen = cards.len() * 3 / 4 + dice.below(cards.len() / 10);
        let orders = Orders { id: String::new(), decks, before, after: cards[..seen].to_vec() };
        inventory.enter(&flow, &orders);
        if inventory.evidence() >= LOW_BAR {
            alarms += 1;
            inventory.exchanged();
        }
    }
    alarms
}

fn main() {
    let mut words = std::env::args().skip(1);
    let part = words.next().unwrap_or_else(|| "all".to_owned());
    let shoes = words.next().and_then(|count| count.parse().ok());
    let asked = |name: &str| part == name || part == "all";
    if asked("speed") {
        speed(shoes.unwrap_or(50));
    }
    if asked("riffles") {
        riffles(shoes.unwrap_or(100));
    }
    if asked("power") {
        power(shoes.unwrap_or(1000));
    }
    if asked("faults") {
        faults(shoes.unwrap_or(200));
    }
    if asked("missing") {
        missing(shoes.unwrap_or(100_000));
    }
    if asked("size") {
        size(shoes.unwrap_or(2000));
    }
}
