//! How two games differ: parameters, what is left open, side bets and their scales, citations.

use std::collections::BTreeMap;

use serde::Serialize;
use table::named;

use super::game::parameters;
use super::side::SideOffer;
use super::{Game, Rulebook};

named! {
    /// In what part of a game a difference lies.
    pub enum Part, "parameter, open, reading, side-bet or citation" {
        /// A parameter's value.
        Parameter = "parameter",
        /// Whether a parameter is left to the house.
        Open = "open",
        /// Which ambiguity a parameter settles.
        Reading = "reading",
        /// The terms of a side bet.
        SideBet = "side-bet",
        /// The clauses cited for a tag.
        Citation = "citation",
    }
}

/// One thing in which two games differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// In what part.
    pub part: Part,
    /// Of what: a parameter, a term of a side bet, a tag.
    pub name: String,
    /// In the first game; `None` if it has no such thing.
    pub left: Option<String>,
    /// In the second game; `None` if it has no such thing.
    pub right: Option<String>,
}

/// Everything in which two games differ, part by part. The games may be of different books.
pub fn differences(left: (&Rulebook, &Game), right: (&Rulebook, &Game)) -> Vec<Difference> {
    let mut found = Vec::new();
    for part in Part::ALL {
        let mut rows: BTreeMap<(usize, String), (Option<String>, Option<String>)> = BTreeMap::new();
        for (order, name, value) in facts(*part, left) {
            rows.entry((order, name)).or_default().0 = Some(value);
        }
        for (order, name, value) in facts(*part, right) {
            rows.entry((order, name)).or_default().1 = Some(value);
        }
        let telling = |name: &str| *part != Part::SideBet || name.contains(".scales.") || name.ends_with(".offered");
        let differing = rows.into_iter().filter(|((_, name), (left, right))| {
            // Of a side bet that one game does not know, what it pays says enough.
            left != right && (left.is_some() && right.is_some() || telling(name))
        });
        found.extend(differing.map(|((_, name), (left, right))| Difference { part: *part, name, left, right }));
    }
    found
}

/// What a game says in one part: an order to show it in, its name, its value.
fn facts(part: Part, (book, game): (&Rulebook, &Game)) -> Vec<(usize, String, String)> {
    let parameters = || parameters().enumerate();
    match part {
        Part::Parameter => {
            parameters().filter_map(|(order, key)| Some((order, key.to_owned(), game.rules.get(key)?))).collect()
        }
        Part::Open => parameters()
            .filter(|(_, key)| game.open.contains(key))
            .map(|(order, key)| (order, key.to_owned(), "left to the house".to_owned()))
            .collect(),
        Part::Reading => parameters()
            .filter_map(|(order, key)| Some((order, key.to_owned(), game.reading(key)?.ambiguity.to_string())))
            .collect(),
        Part::SideBet => {
            let terms = |side: &SideOffer| {
                let order = side.bet as usize * 100;
                let terms = side.terms().into_iter().enumerate();
                terms.map(|(n, (name, value))| (order + n, format!("{}.{name}", side.bet), value)).collect::<Vec<_>>()
            };
            game.sides.iter().flat_map(terms).collect()
        }
        Part::Citation => game
            .cites
            .iter()
            .map(|cite| {
                let ids: Vec<_> = cite.clauses.iter().filter_map(|n| book.clauses.get(*n)).map(|c| &*c.id).collect();
                (0, cite.tag.to_string(), ids.join(", "))
            })
            .collect(),
    }
}
