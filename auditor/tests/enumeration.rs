//! Exact odds: every side bet and the dealer's hand, enumerated card by card with the engine that settles them,
//! come to the known fractions.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

#[path = "enumeration/deal.rs"]
mod deal;
#[path = "enumeration/dealer.rs"]
mod dealer;

use std::collections::BTreeMap;
use std::path::Path;

use auditor::rulebook::books;
use auditor::settle::side::{Award, Equipment, award};
use auditor::settle::{Due, on_insurance};
use auditor::sidebet::MADNESS_PRIZES;
use auditor::{Pay, Rules, Tier};
use deal::{Odds, Third};
use num_bigint::BigInt;
use num_rational::BigRational;
use table::{Card, Money, SideBet, Winnings};

/// The rows of a table of odds, by column.
fn rows(file: &str) -> Vec<BTreeMap<String, String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/odds").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned));
    let head: Vec<String> = lines.next().unwrap().collect();
    lines.map(|cells| head.iter().cloned().zip(cells).collect()).collect()
}

fn rules(game: &str, options: &str) -> Rules {
    let games = books::all().unwrap().iter().flat_map(|book| &book.games);
    let game = games.into_iter().find(|found| found.name.as_str() == game).unwrap();
    let mut rules = game.rules.clone();
    for side in &game.sides {
        rules.sides[side.bet as usize] = Some(Box::new(side.rules.clone()));
    }
    for (key, value) in options.split(',').filter_map(|option| option.split_once('=')) {
        rules.set(key, value).unwrap();
    }
    rules
}

fn fraction(text: &str) -> BigRational {
    text.parse().unwrap()
}

fn ratio(over: impl Into<BigInt>, per: impl Into<BigInt>) -> BigRational {
    BigRational::new(over.into(), per.into())
}

fn float(exact: &BigRational) -> f64 {
    use num_rational::Ratio;
    // Numerator and denominator may each be beyond a float; their quotient scaled to 18 digits is not.
    let scale = BigInt::from(10u64).pow(18);
    let scaled = (exact * Ratio::from_integer(scale)).to_integer();
    scaled.to_string().parse::<f64>().unwrap() / 1e18
}

fn units(won: Winnings, stake: Money) -> BigRational {
    let minor = ratio(won.whole.minor(), 1) + ratio(won.over, won.per);
    minor / ratio(stake.minor(), 1)
}

/// What a tier wins for every unit staked.
fn net(rules: &Rules, bet: SideBet, tier: Tier, scale: usize, stake: Money, equipment: &Equipment) -> BigRational {
    match award(rules, bet, tier, scale, stake, equipment).unwrap() {
        Award::Beside(won) => units(won, stake),
        Award::Instead(won) => units(won, stake) - ratio(1, 1),
    }
}

/// What a tier wins on average: the button picks each of its entries alike.
fn mean_net(rules: &Rules, bet: SideBet, tier: Tier, scale: usize, stake: Money) -> BigRational {
    if bet != SideBet::Madness21 {
        return net(rules, bet, tier, scale, stake, &Equipment::default());
    }
    let entries: u32 = MADNESS_PRIZES.iter().map(|(_, entries)| u32::from(*entries)).sum();
    assert_eq!(entries, 3750);
    let prize = |(amount, count): &(u16, u16)| {
        let prize = Some(Money::from_minor(i64::from(*amount) * 100));
        let equipment = Equipment { prize, ..Equipment::default() };
        net(rules, bet, tier, scale, stake, &equipment) * ratio(*count, entries)
    };
    MADNESS_PRIZES.iter().map(prize).sum()
}

/// The tiers of a row as the table gives them, without those that cannot come up.
fn tiers(row: &BTreeMap<String, String>) -> BTreeMap<Tier, BigRational> {
    let parse = |part: &str| {
        let (tier, chance) = part.split_once('=').unwrap();
        (tier.parse::<Tier>().unwrap(), fraction(chance))
    };
    row["tiers"].split(';').map(parse).filter(|(_, chance)| *chance != ratio(0, 1)).collect()
}

#[test]
fn every_side_bet_returns_its_exact_fraction() {
    let rows = rows("side_bets.tsv");
    assert_eq!(rows.len(), 166);
    for row in &rows {
        let rules = rules(&row["game"], &row["options"]);
        let bet: SideBet = row["bet"].parse().unwrap();
        let (decks, scale) = (row["decks"].parse().unwrap(), row["scale"].parse().unwrap());
        let stake: Money = row["stake"].parse().unwrap();
        let third = match row["third"].as_str() {
            "third_never" => Third::Never,
            "third_always_peek" => Third::UnlessDealerNatural,
            _ => Third::Always,
        };
        let odds = match bet {
            SideBet::Push22 => dealer::push22(&rules, decks),
            _ => Odds::of(&rules, bet, decks, stake, third),
        };
        assert_eq!(odds.tiers, tiers(row), "{row:?}");
        assert_eq!(&odds.won() + &odds.lost, ratio(1, 1), "{row:?}");
        let paid = odds.tiers.iter().map(|(tier, chance)| chance * mean_net(&rules, bet, *tier, scale, stake));
        assert_eq!(paid.sum::<BigRational>() - odds.lost, fraction(&row["return"]), "{row:?}");
    }
}

#[test]
fn blazing_sevens_returns_what_its_document_states() {
    for row in rows("blazing7.tsv") {
        let rules = rules("bclc-basic", "");
        let decks: u64 = row["decks"].parse().unwrap();
        let unit = Money::from_minor(100);
        let odds = Odds::of(&rules, SideBet::Blazing7, decks, unit, Third::Never);
        assert_eq!(odds.tiers, tiers(&row));
        let thousand = Equipment { meter: Money::from_minor(100_000), ..Equipment::default() };
        let paid = |fixed: bool, staked: i32| -> BigRational {
            let pay = |tier| rules.side(SideBet::Blazing7).unwrap().pay(1, tier).unwrap();
            let of_kind = odds.tiers.iter().filter(|(tier, _)| matches!(pay(**tier), Pay::Award(_)) == fixed);
            let gross = |tier| net(&rules, SideBet::Blazing7, tier, 1, unit, &thousand) + ratio(staked, 1);
            of_kind.map(|(tier, chance)| chance * gross(*tier)).sum()
        };
        assert_eq!(paid(true, 1), fraction(&row["fixed_return"]));
        let percent = |exact: &BigRational| float(exact) * 100.0;
        let near = |found: f64, column: &str, within: f64| {
            let wanted: f64 = row[column].parse().unwrap();
            assert!((found - wanted).abs() <= within, "{column}: {found}, expected {wanted}");
        };
        near(percent(&paid(true, 2)), "fixed_return_to_one_percent", 1e-5);
        near(percent(&paid(false, 1)), "percent_per_1000_of_meter", 1e-5);
        near(percent(&paid(false, 1)) * 2.0, "percent_at_2000", 1e-5);
        let no_edge = (ratio(1, 1) - paid(true, 1)) / paid(false, 1) * ratio(1000, 1);
        near(float(&no_edge), "meter_of_no_edge", 0.01);
        if decks == 6 {
            let printed = (percent(&paid(true, 1)) * 100.0).round() / 100.0;
            assert!((printed - 48.03).abs() < 1e-9, "fixed pays return {printed} %");
        }
    }
}

#[test]
fn insurance_returns_its_exact_fraction() {
    for row in rows("insurance.tsv") {
        let decks: i64 = row["decks"].parse().unwrap();
        for game in ["nz-base", "act", "nh-6d", "bclc-basic"] {
            let rules = rules(game, "");
            let ace: Card = "AS".parse().unwrap();
            let stake = Money::from_minor(100);
            let hand = auditor::hand::PlayerHand::default();
            let second = |card: Card| {
                let cards = [ace, card];
                let dealer = auditor::hand::DealerHand { cards: &cards };
                let left = decks - i64::from(card == ace);
                let won = match on_insurance(&rules, dealer, stake, &hand).unwrap() {
                    Due::Pay(won) => units(won, stake),
                    Due::Take(lost) => -units(lost, stake),
                    Due::Push | Due::Return => ratio(0, 1),
                };
                won * ratio(left, 52 * decks - 1)
            };
            assert_eq!(Card::faces().map(second).sum::<BigRational>(), fraction(&row["return"]), "{game} {decks}");
        }
    }
}
