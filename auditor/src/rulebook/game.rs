//! One game of a rulebook: its rules, what it leaves to the house, and the clause it cites for each wrong.

use std::collections::BTreeMap;

use table::{Ident, SideBet, Word};

use super::diagnostic::hint;
use super::sense;
use super::side::{SideOffer, names};
use super::tag::{Citations, Cite, Tags};
use crate::rules::{Rules, SetError};

/// A parameter that settles an ambiguity of the document, and the ambiguity's id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The parameter.
    pub parameter: &'static str,
    /// The ambiguity, such as `N6`.
    pub ambiguity: Box<str>,
}

/// A game as its rulebook defines it.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// Its name, such as `nz-base`.
    pub name: Ident,
    /// What people call it.
    pub title: Box<str>,
    /// Every parameter, and the side bets that are offered.
    pub rules: Rules,
    /// Every side bet the game knows, in the order of [`SideBet`].
    pub sides: Vec<SideOffer>,
    /// The parameters the rulebook leaves to the house.
    pub open: Vec<&'static str>,
    /// The parameters that settle an ambiguity.
    pub readings: Vec<Reading>,
    /// The clauses cited, in the order of their tags.
    pub cites: Vec<Cite>,
}

/// The rules of a table: a game with the house's choices made.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The rules.
    pub rules: Rules,
    /// The ambiguities read otherwise than on record. A finding that rests on one is worth no more than `info`.
    pub other_readings: Vec<Reading>,
}

/// Why a game cannot be played with an option.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// Nothing has that name.
    #[error("there is no option {name}{hint}")]
    Unknown {
        /// The name.
        name: Ident,
        /// The nearest name, in words; empty if none is near.
        hint: String,
    },
    /// The value is none of the option's.
    #[error("option {name}: expected {expected}, found {value}")]
    Value {
        /// The option.
        name: Ident,
        /// The value.
        value: Word,
        /// What would have been right.
        expected: String,
    },
    /// The rulebook leaves no choice.
    #[error("{name} is not left to the house: {game} has {fixed}")]
    Fixed {
        /// The option.
        name: Ident,
        /// The game.
        game: Ident,
        /// The value the rulebook gives it.
        fixed: String,
    },
    /// The options, or an option and the game, contradict each other.
    #[error("{0}")]
    Contradiction(String),
}

impl Game {
    /// The game with a table's options: parameters by key, `<side bet>` = `on` or `off`, `<side bet>_scale` = the
    /// number of the scale displayed. A number of decks outside the rulebook's range is let through: that a table
    /// runs with it is for the checks to say.
    pub fn with_options(&self, options: &BTreeMap<Ident, Word>) -> Result<Chosen, OptionError> {
        let mut rules = self.rules.clone();
        let mut other_readings = Vec::new();
        let mut sides = self.sides.clone();
        for (name, value) in options {
            if self.choose_side(&mut sides, name, value)? {
                continue;
            }
            // What the rulebook leaves open is the house's to choose; only the rest is a matter of reading.
            if self.choose_parameter(&mut rules, name, value)? && !self.open.contains(&name.as_str()) {
                other_readings.extend(self.reading(name.as_str()).cloned());
            }
        }
        offer(&mut rules, &sides);
        match sense::contradictions(&rules).into_iter().next() {
            Some(contradiction) => Err(OptionError::Contradiction(contradiction.message)),
            None => Ok(Chosen { rules, other_readings }),
        }
    }

    /// Sets a parameter; whether it now differs from the rulebook's.
    fn choose_parameter(&self, rules: &mut Rules, name: &Ident, value: &Word) -> Result<bool, OptionError> {
        let key = name.as_str();
        rules.set(key, value.as_str()).map_err(|error| match error {
            SetError::Unknown => {
                OptionError::Unknown { name: name.clone(), hint: hint(key, parameters().chain(names())) }
            }
            SetError::Value { expected } => {
                OptionError::Value { name: name.clone(), value: value.clone(), expected: expected.to_owned() }
            }
        })?;
        let fixed = self.rules.get(key).unwrap_or_default();
        if rules.get(key).as_ref() == Some(&fixed) {
            return Ok(false);
        }
        if self.is_open(key) {
            return Ok(true);
        }
        Err(OptionError::Fixed { name: name.clone(), game: self.name.clone(), fixed })
    }

    /// Turns a side bet on or off or picks its scale; whether the option was about a side bet.
    fn choose_side(&self, sides: &mut [SideOffer], name: &Ident, value: &Word) -> Result<bool, OptionError> {
        let (bet, scale) = match name.as_str().strip_suffix("_scale") {
            Some(bet) => (bet, true),
            None => (name.as_str(), false),
        };
        let Ok(bet) = bet.parse::<SideBet>() else { return Ok(false) };
        let wrong = |expected: String| OptionError::Value { name: name.clone(), value: value.clone(), expected };
        let Some(side) = sides.iter_mut().find(|side| side.bet == bet) else {
            return Err(OptionError::Contradiction(format!("{} knows no {bet}", self.name)));
        };
        if scale {
            let scales = side.rules.scales.len();
            let number = value.as_str().parse().ok().filter(|number| (1..=scales).contains(number));
            side.rules.scale = number.ok_or_else(|| wrong(format!("a scale from 1 to {scales}")))?;
        } else {
            side.offered = match value.as_str() {
                "on" => true,
                "off" => false,
                _ => return Err(wrong("on or off".to_owned())),
            };
        }
        Ok(true)
    }

    /// Whether a house may set a parameter: because the rulebook leaves it open, or because it is a reading.
    pub fn is_open(&self, parameter: &str) -> bool {
        self.open.contains(&parameter) || self.reading(parameter).is_some()
    }

    /// The ambiguity a parameter settles, if it settles one.
    pub fn reading(&self, parameter: &str) -> Option<&Reading> {
        self.readings.iter().find(|reading| reading.parameter == parameter)
    }

    /// The citations bound to the tags the checks can name, for use while auditing.
    pub fn citations(&self, tags: &Tags) -> Citations {
        Citations::bind(&self.cites, tags)
    }
}

/// Puts the side bets that are offered into the rules.
pub(super) fn offer(rules: &mut Rules, sides: &[SideOffer]) {
    rules.sides = Default::default();
    for side in sides.iter().filter(|side| side.offered) {
        rules.sides[side.bet as usize] = Some(Box::new(side.rules.clone()));
    }
}

/// The keys of all parameters.
pub(super) fn parameters() -> impl Iterator<Item = &'static str> {
    Rules::PARAMETERS.iter().map(|(key, _)| *key)
}
