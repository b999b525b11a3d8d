//! Options: whatever a house chooses among what its rulebook leaves open, lawful play stays lawful.

use std::collections::BTreeMap;

use auditor::check::Law;
use auditor::model::random::{Dice, Habits};
use auditor::rulebook::books;
use auditor::rules::{Rules, SetError};
use table::notation::print;
use table::{Game, Ident, Word};

use crate::{round_under, rounds_or, said};

/// Numbers and amounts a house may choose; what is chosen from a list of words, the parameter itself names.
const NUMBERS: &[(&str, &[&str])] = &[
    ("boxes_max", &["1", "2", "3", "4", "5", "6", "7", "8", "9"]),
    ("bettors_per_box", &["1", "2", "3", "5", "9"]),
    ("hands_per_player", &["none", "1", "2", "3"]),
    ("insurance_multiple", &["none", "0.50", "1", "2.50", "5"]),
    ("bj_pays", &["3:2", "6:5", "1:1", "5:4"]),
    ("split_max_hands", &["none", "2", "3", "4"]),
    ("double_cards", &["none", "2", "3"]),
    ("double_total_max", &["9", "11", "20", "21"]),
    ("forced_hit_below", &["0", "12"]),
    ("table_min_max", &["none", "10", "25"]),
    ("ante_waive_at", &["none", "10", "25"]),
    ("ante_posted", &["none", "0.50", "0.60"]),
    ("overunder_ace", &["1", "11"]),
    ("cut_min_decks", &["0", "1", "2"]),
    ("cut_card_back_max", &["none", "25", "50"]),
    ("cut_card_back_min", &["none", "1", "2"]),
    ("cut_card_slack", &["0", "1", "2"]),
    ("shuffle", &["none", "riffles:7"]),
];

/// The values of a parameter that a house may try.
fn values(rules: &Rules, parameter: &str) -> Vec<String> {
    if parameter == "decks" {
        return (rules.decks_min..=rules.decks_max).map(|decks| decks.to_string()).collect();
    }
    if let Some((_, numbers)) = NUMBERS.iter().find(|(key, _)| *key == parameter) {
        return numbers.iter().map(ToString::to_string).collect();
    }
    let Err(SetError::Value { expected }) = rules.clone().set(parameter, "?") else { return Vec::new() };
    let words = expected.split([',', ' ']).filter(|word| rules.clone().set(parameter, word).is_ok());
    words.map(str::to_owned).collect()
}

/// Some choice of options, each parameter left alone more often than not.
fn choice(game: &auditor::Game, dice: &mut Dice) -> BTreeMap<Ident, Word> {
    let open = game.open.iter().copied().chain(game.readings.iter().map(|reading| reading.parameter));
    let mut options = BTreeMap::new();
    for parameter in open {
        let values = values(&game.rules, parameter);
        assert!(values.len() > 1, "{} leaves {parameter} open, and nothing to choose: {values:?}", game.name);
        let value = &values[dice.below(values.len())];
        if dice.once_in(3) {
            options.insert(parameter.parse().unwrap(), value.parse().unwrap());
        }
    }
    for side in &game.sides {
        if dice.once_in(3) {
            let on = if dice.once_in(2) { "on" } else { "off" };
            options.insert(side.bet.name().parse().unwrap(), on.parse().unwrap());
        }
        if dice.once_in(3) {
            let scale = 1 + dice.below(side.rules.scales.len());
            options.insert(format!("{}_scale", side.bet).parse().unwrap(), scale.to_string().parse().unwrap());
        }
    }
    options
}

#[test]
fn lawful_play_is_never_flagged_whatever_the_house_chooses() {
    let mut wolf = Vec::new();
    let (mut played, mut refused) = (0, 0);
    for game in books::all().unwrap().iter().flat_map(|book| &book.games) {
        for seed in 0..rounds_or(150) {
            let named = Game { name: game.name.clone(), options: choice(game, &mut Dice::new(seed)) };
            let Ok(law) = Law::of(books::all().unwrap(), &named) else {
                refused += 1;
                continue;
            };
            let round = round_under(&law, &named, seed, Habits::default());
            played += 1;
            let said = said(&law, &round);
            if !said.is_empty() {
                wolf.push(format!("{} seed {seed}: {}\n{}", game.name, said.join("; "), print([&round])));
                break;
            }
        }
    }
    assert!(wolf.is_empty(), "{} games cry wolf:\n{}", wolf.len(), wolf.join("\n"));
    assert!(played > refused, "{refused} of {} choices contradict themselves", played + refused);
}
