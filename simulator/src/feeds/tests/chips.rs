//! The chip feed, read back line by line.

use auditor::replay::{Room, Table};
use table::Money;
use table::chips::{Felt, Follows, Line, Spot};

use super::*;
use crate::feeds::chips::Chips;

fn lines(dealt: &Dealt, noise: f64, seed: u64) -> Vec<Line> {
    let sent = Chips::new(noise, Dice::new(seed)).of(&dealt.round, &times(&dealt.round));
    sent.iter().zip(1..).map(|((_, line), number)| Line::parse(number, line).unwrap()).collect()
}

/// What the house wins by the steps of a round.
fn house_wins(law: &Law, round: &Round) -> i64 {
    let mut table = Table::new(&law.rules, &round.limits, Box::default(), Room::default());
    let mut wins = 0;
    for (number, step) in round.steps.iter().enumerate() {
        table.step = number;
        table.follow(&step.act);
        match &step.act {
            Act::Pay(_, amount) => wins -= amount.minor(),
            Act::Take(_, Some(amount)) => wins += amount.minor(),
            Act::Take(wager, None) => {
                let standing = table.wagers.get(*wager).unwrap();
                let all = standing.ridden.or(standing.stake.plus(standing.cap)).unwrap();
                wins += if standing.free { 0 } else { all.minor() };
            }
            _ => {}
        }
    }
    wins
}

/// What stands where after each line, in a few words.
fn story(dealt: &Dealt) -> Vec<String> {
    let mut felt = Felt::default();
    let mut story: Vec<String> = Vec::new();
    for line in lines(dealt, 0.0, 1) {
        felt.hear(&line);
        let piles = felt
            .piles
            .values()
            .map(|pile| format!("{}: {}{}", pile.spot, pile.amount, if pile.lammer { " lammer" } else { "" }));
        let now = piles.collect::<Vec<_>>().join(", ");
        if story.last() != Some(&now) {
            story.push(now);
        }
    }
    story
}

#[test]
fn a_round_ends_with_empty_spots_and_a_tray_that_has_what_the_house_won() {
    let (mut up, mut down) = (0, 0);
    for (game, law) in laws() {
        for seed in 0..40 {
            let dealt = lawful(&game, &law, seed);
            let mut felt = Felt::default();
            let lines = lines(&dealt, 0.0, seed);
            let before = lines[0].tray.unwrap();
            for line in &lines {
                assert_eq!(felt.hear(line), Follows::Next);
            }
            assert_eq!(felt.piles, BTreeMap::new(), "{} seed {seed}", game.name);
            let won = felt.tray.unwrap().minor() - before.minor();
            assert_eq!(won, house_wins(&law, &dealt.round), "{} seed {seed}", game.name);
            up += usize::from(won > 0);
            down += usize::from(won < 0);
        }
    }
    assert!(up > 50 && down > 50, "both sides win now and then: {up}, {down}");
}

#[test]
fn winnings_stand_beside_the_stake_until_a_hand_takes_both() {
    let dealt = told("bet 3 25\nbet 4 10\ncard 3 TH\npay 3 37.50\nhit 4\nstand 4\nnote \"a while\"\ntake 4\nend");
    assert_eq!(
        story(&dealt),
        ["", "3: 25.00", "3: 25.00, 4: 10.00", "3: 25.00, 3 payout: 37.50, 4: 10.00", "4: 10.00", "",]
    );
    let trays: Vec<_> = lines(&dealt, 0.0, 1).iter().filter(|line| !line.full).filter_map(|line| line.tray).collect();
    assert_eq!(trays, [49_996_250, 49_997_250].map(Money::from_minor));
}

#[test]
fn doubles_splits_insurance_and_lammers_have_spots_of_their_own() {
    let dealt = told(
        "bet 3 20\ncard 3 8H\ncard 3 8C\nbet 3 insurance 5\nsplit 3\ncard 3 3H\n\
         double 3 free\ncard 3b 2C\ndouble 3b 10\ntake 3 insurance\nend",
    );
    let story = story(&dealt);
    assert_eq!(
        story[2..7],
        [
            "3: 20.00, 3 insurance: 5.00",
            "3: 20.00, 3 insurance: 5.00, 3b: 20.00",
            "3: 20.00, 3 double: 0.00 lammer, 3 insurance: 5.00, 3b: 20.00",
            "3: 20.00, 3 double: 0.00 lammer, 3 insurance: 5.00, 3b: 20.00, 3b double: 10.00",
            "3: 20.00, 3 double: 0.00 lammer, 3b: 20.00, 3b double: 10.00",
        ]
    );
}

#[test]
fn parlayed_and_ridden_winnings_move_on_the_layout() {
    let parlay =
        told("bet 3 20\nbet 3 war 10\npay 3 war 10\nparlay 3 10\nnote \"1\"\nnote \"2\"\nnote \"3\"\ntake 3 30\nend");
    assert_eq!(
        story(&parlay)[3..],
        ["3: 20.00, 3 war: 10.00, 3 war payout: 10.00", "3: 30.00, 3 war: 10.00", "3: 30.00", "",]
    );
    let ride = told(
        "bet 3 20\nbet 3 house_money 5\npay 3 house_money 15\nride 3 house_money 12\n\
         pay 3 20\npay 3 house_money 12\nend",
    );
    assert_eq!(
        story(&ride)[3..6],
        [
            "3: 20.00, 3 house_money: 5.00, 3 house_money payout: 15.00",
            "3: 20.00, 3 house_money: 12.00",
            "3: 20.00, 3 payout: 20.00, 3 house_money: 12.00",
        ]
    );
}

#[test]
fn a_lost_line_is_made_good_by_the_next_full_one() {
    let (game, law) = laws().remove(0);
    for seed in 0..4 {
        let lines = lines(&lawful(&game, &law, seed), 0.0, seed);
        for lost in 0..lines.len() {
            let (mut all, mut heard) = (Felt::default(), Felt::default());
            for (number, line) in lines.iter().enumerate() {
                all.hear(line);
                let follows = if number == lost { Follows::Next } else { heard.hear(line) };
                assert_eq!(follows == Follows::After(1), number == lost + 1 && lost > 0);
                if line.full && number > lost {
                    assert_eq!((&all.piles, all.tray), (&heard.piles, heard.tray), "line {lost} lost, seed {seed}");
                }
            }
            assert_eq!(heard.piles.len(), 0);
        }
    }
}

#[test]
fn a_noisy_sensor_flickers_loses_and_repeats_but_not_for_long() {
    let (game, law) = laws().remove(0);
    let (mut again, mut lost, mut flickers) = (0, 0, 0);
    for seed in 0..10 {
        let mut felt = Felt::default();
        let lines = lines(&lawful(&game, &law, seed), 0.3, seed);
        for (number, line) in lines.iter().enumerate() {
            match felt.hear(line) {
                Follows::Again => again += 1,
                Follows::After(_) => lost += 1,
                Follows::Next | Follows::Anew => {}
            }
            let Some(spot) = line.spots.first().filter(|_| line.spots.len() == 1) else { continue };
            let mended = |later: &&Line| later.spots.iter().any(|pile| pile.spot == spot.spot && pile != spot);
            let back = lines.iter().skip(number + 1).find(mended);
            flickers += usize::from(back.is_some_and(|back| back.at - line.at < 300_000 && !back.full));
        }
    }
    assert!(again > 5 && lost > 5 && flickers > 10, "{again} again, {lost} lost, {flickers} flickers");
}

#[test]
fn a_stake_that_is_bet_again_after_it_was_handed_back_is_counted_once() {
    let dealt = told("bet 3 25\nreturn 3\nbet 3 10\nalter 3 15\npush 3\nend");
    let held: Vec<String> = story(&dealt).into_iter().filter(|now| !now.is_empty()).collect();
    assert_eq!(held, ["3: 25.00", "3: 10.00", "3: 15.00"]);
    assert!(Spot::of("3".parse().unwrap()) < Spot::beside("3".parse().unwrap()));
}
