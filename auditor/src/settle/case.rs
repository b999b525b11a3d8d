//! Cases: one box of one round as a person writes it down to ask what it should be paid.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, IgnoredAny, Visitor};
use serde_json::Value;
use table::{Card, Money, SideBet, named};

use super::legal::Breach;

named! {
    /// What a player asked for.
    pub enum Action, "hit, stand, split, double, free_split, free_double, surrender, even_money, zap or void" {
        /// Another card.
        Hit = "hit",
        /// No more cards.
        Stand = "stand",
        /// Two hands for another stake.
        Split = "split",
        /// One more card for another stake.
        Double = "double",
        /// Two hands for a lammer.
        FreeSplit = "free_split",
        /// One more card for a lammer.
        FreeDouble = "free_double",
        /// Half the stake back.
        Surrender = "surrender",
        /// A natural paid 1:1 at once.
        EvenMoney = "even_money",
        /// Two new cards for the first two.
        Zap = "zap",
        /// Nothing: the hand was declared void.
        Void = "void",
    }
}

/// An amount in the unit of the case, exact to the hundredth and never negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Units(pub Money);

impl<'de> Deserialize<'de> for Units {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Number;

        impl Visitor<'_> for Number {
            type Value = Units;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an amount such as 25 or 12.5")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Units, E> {
                let amount: Money = text.parse().map_err(|error| E::custom(format!("{error}, found {text}")))?;
                if amount.is_negative() {
                    return Err(E::custom(format!("an amount cannot be negative, found {text}")));
                }
                Ok(Units(amount))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Units, E> {
                self.visit_str(&number.to_string())
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Units, E> {
                self.visit_str(&number.to_string())
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Units, E> {
                self.visit_str(&number.to_string())
            }
        }

        from.deserialize_any(Number)
    }
}

/// One hand of the box.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseHand {
    /// Its cards when it was over.
    pub cards: Vec<Card>,
    /// Its stake in chips.
    #[serde(default)]
    pub wager: Units,
    /// The additional stake of a double in chips.
    #[serde(default)]
    pub double_wager: Units,
    /// The worth of the lammer that stands for its stake.
    #[serde(default)]
    pub free_base: Units,
    /// The worth of the lammer that stands for a double.
    #[serde(default)]
    pub free_double: Units,
    /// War winnings parlayed onto the stake.
    #[serde(default)]
    pub cap: Units,
    /// The cards given away in an exchange.
    pub zapped_cards: Option<Vec<Card>>,
    /// What was asked for, in order.
    #[serde(default)]
    pub actions: Vec<Action>,
}

impl CaseHand {
    /// How often this was asked for.
    pub(super) fn count(&self, wanted: &[Action]) -> usize {
        self.actions.iter().filter(|action| wanted.contains(action)).count()
    }

    /// Whether this was asked for.
    pub(super) fn has(&self, action: Action) -> bool {
        self.actions.contains(&action)
    }
}

/// One side bet.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseSide {
    /// Which.
    #[serde(rename = "type")]
    pub bet: SideBet,
    /// The stake.
    pub wager: Units,
    /// The pay scale displayed, counted from one; the house's if absent.
    pub scale: Option<usize>,
    /// Chips of stake and winnings left riding on the hand.
    #[serde(default)]
    pub ride: Units,
    /// The button's prize for every unit staked.
    pub prize_per_dollar: Option<Units>,
    /// Whether the prize equipment failed in the round.
    #[serde(default)]
    pub equipment_failed: bool,
    /// Whether the winnings went onto the main stake.
    #[serde(default)]
    pub parlay: bool,
}

/// One box of one round.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What the asker calls it.
    #[serde(default)]
    pub id: Value,
    /// The game by name.
    pub game: String,
    /// House options, readings of ambiguous clauses, and the circumstances of the round.
    #[serde(default)]
    pub options: BTreeMap<String, Value>,
    /// The dealer's cards, up card first.
    pub dealer_cards: Vec<Card>,
    /// The box's first two cards.
    pub initial_cards: Vec<Card>,
    /// The hands when they were over.
    pub hands: Vec<CaseHand>,
    /// The side bets.
    #[serde(default)]
    pub side_bets: Vec<CaseSide>,
    /// The insurance stake.
    #[serde(default)]
    pub insurance: Units,
    /// The fee of Ante Up.
    #[serde(default)]
    pub ante: Units,
    #[serde(default, rename = "expected")]
    _expected: IgnoredAny,
    #[serde(default, rename = "clauses")]
    _clauses: IgnoredAny,
    #[serde(default, rename = "note")]
    _note: IgnoredAny,
}

impl Case {
    /// Reads a case; the error names the field.
    pub fn read(json: &Value) -> Result<Self, Breach> {
        if !json.is_object() {
            return Err(Breach::malformed("a case is a JSON object with game, dealer_cards, initial_cards and hands"));
        }
        serde_path_to_error::deserialize(json).map_err(|error| {
            let path = error.path().to_string();
            let cause = error.into_inner();
            Breach::malformed(if path == "." { cause.to_string() } else { format!("{path}: {cause}") })
        })
    }
}

/// What a case says about the round beside the box itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Circumstances {
    /// Whether another box kept the dealer drawing.
    pub other_live_hands: bool,
    /// The table's posted minimum.
    pub table_min: Option<Money>,
    /// The table's posted maximum.
    pub table_max: Option<Money>,
    /// The progressive meter as displayed.
    pub meter: Option<Money>,
    /// What the other players won on capped side bets.
    pub other_real_side_wins: Money,
    /// The cards the box gave away in an exchange.
    pub zapped_cards: Option<Vec<Card>>,
}

impl Circumstances {
    /// The names of options that are circumstances, not choices of the house.
    pub const NAMES: &'static [&'static str] =
        &["other_live_hands", "table_min", "table_max", "meter", "other_real_side_wins", "zapped_cards"];

    /// Takes the circumstances out of a case's options; what is left are the house's choices.
    pub fn take(options: &BTreeMap<String, Value>) -> Result<(Self, BTreeMap<String, String>), Breach> {
        let mut around = Self::default();
        let mut choices = BTreeMap::new();
        for (name, value) in options {
            match name.as_str() {
                "other_live_hands" => around.other_live_hands = read(name, value)?,
                "table_min" => around.table_min = Some(read::<Units>(name, value)?.0),
                "table_max" => around.table_max = Some(read::<Units>(name, value)?.0),
                "meter" => around.meter = Some(read::<Units>(name, value)?.0),
                "other_real_side_wins" => around.other_real_side_wins = read::<Units>(name, value)?.0,
                "zapped_cards" => around.zapped_cards = Some(read(name, value)?),
                _ => {
                    choices.insert(name.clone(), choice(name, value)?);
                }
            }
        }
        Ok((around, choices))
    }
}

fn read<'v, T: Deserialize<'v>>(name: &str, value: &'v Value) -> Result<T, Breach> {
    T::deserialize(value).map_err(|error| Breach::malformed(format!("options.{name}: {error}")))
}

/// A choice as the text that parameters are set from.
fn choice(name: &str, value: &Value) -> Result<String, Breach> {
    Ok(match value {
        Value::Null => "none".to_owned(),
        Value::Bool(yes) => yes.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(_) | Value::Object(_) => {
            return Err(Breach::malformed(format!("options.{name}: expected a single value")));
        }
    })
}
