//! The docket: cases in, one line each; settlements out, with the clauses they turn on.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use table::{Ident, Word};

use super::case::{Case, Circumstances};
use super::{Breach, Net, settle};
use crate::rulebook::{Game, OptionError, Rulebook, hint};
use crate::rules::Rules;

/// What is answered to one case.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// What every wager wins or loses.
    Settled {
        /// What the asker calls the case.
        id: Value,
        /// By hand.
        hands: Vec<Net>,
        /// By side bet.
        side_bets: Vec<Net>,
        /// The insurance.
        insurance: Net,
        /// The ante.
        ante: Net,
        /// All of it.
        total: Net,
        /// The clauses the result turns on.
        clauses: Vec<String>,
    },
    /// Why nothing can be said.
    Refused {
        /// What the asker calls the case; null if the line could not be read.
        id: Value,
        /// What is wrong with it.
        error: String,
        /// The clause that is broken, if one is.
        clause: Option<String>,
    },
}

/// Settles cases under the games of some rulebooks.
#[derive(Clone, Copy, Debug)]
pub struct Docket<'b> {
    books: &'b [Rulebook],
}

impl<'b> Docket<'b> {
    /// A docket for the games of these books.
    pub fn new(books: &'b [Rulebook]) -> Self {
        Self { books }
    }

    /// Answers a case written as one line of JSON. `number` is the line's, for the error.
    pub fn answer(&self, number: usize, line: &[u8]) -> Answer {
        match serde_json::from_slice::<Value>(line) {
            Ok(json) => self.answer_json(&json),
            Err(error) => Answer::Refused { id: Value::Null, error: not_json(number, &error), clause: None },
        }
    }

    /// Answers a case.
    pub fn answer_json(&self, json: &Value) -> Answer {
        let id = json.get("id").cloned().unwrap_or_default();
        let refused = |id, breach: Breach, clause| Answer::Refused { id, error: breach.message, clause };
        let case = match Case::read(json) {
            Ok(case) => case,
            Err(breach) => return refused(id, breach, None),
        };
        let (book, game) = match self.game(&case.game) {
            Ok(found) => found,
            Err(breach) => return refused(id, breach, None),
        };
        let settled = rules_of(game, &case).and_then(|(rules, around)| settle(&rules, &case, &around));
        match settled {
            Err(breach) => {
                let clause = breach.tags.iter().find_map(|tag| cited(book, game, tag).next());
                refused(id, breach, clause)
            }
            Ok(settled) => {
                let mut clauses = Vec::new();
                for clause in settled.turns_on.tags().flat_map(|tag| cited(book, game, tag)) {
                    if !clauses.contains(&clause) {
                        clauses.push(clause);
                    }
                }
                Answer::Settled {
                    id,
                    hands: settled.hands,
                    side_bets: settled.side_bets,
                    insurance: settled.insurance,
                    ante: settled.ante,
                    total: settled.total,
                    clauses,
                }
            }
        }
    }

    fn game(&self, name: &str) -> Result<(&'b Rulebook, &'b Game), Breach> {
        let found = self.books.iter().find_map(|book| Some((book, book.game(name)?)));
        let games = || self.books.iter().flat_map(|book| &book.games).map(|game| game.name.as_str());
        found.ok_or_else(|| Breach::malformed(format!("there is no game {name:?}{}", hint(name, games()))))
    }
}

fn not_json(number: usize, error: &serde_json::Error) -> String {
    let text = error.to_string();
    // The parser counts lines from this one, which would contradict the number we give.
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
    format!("line {number}: not JSON at column {}: {what}", error.column())
}

/// The clauses a game cites for a tag; if it cites none for all of it, those for its shorter forms.
fn cited<'b>(book: &'b Rulebook, game: &'b Game, tag: &str) -> impl Iterator<Item = String> + use<'b> {
    let mut tag = tag;
    let found = loop {
        if let Ok(at) = game.cites.binary_search_by(|cite| (*cite.tag).cmp(tag)) {
            break Some(&game.cites[at]);
        }
        match tag.rsplit_once('.') {
            Some((shorter, _)) => tag = shorter,
            None => break None,
        }
    };
    let numbers = found.into_iter().flat_map(|cite| &cite.clauses);
    numbers.filter_map(|number| book.clauses.get(*number)).map(|clause| clause.id.to_string())
}

/// Options that choose a reading, but one on which no settlement turns: their only effect is on other findings.
const WITHOUT_EFFECT: &[&str] = &["xref_fix", "lock_all_optional", "hit_soft21"];

/// The rules of the game with the case's options, and the circumstances it tells.
fn rules_of(game: &Game, case: &Case) -> Result<(Rules, Circumstances), Breach> {
    let (around, choices) = Circumstances::take(&case.options)?;
    let mut options = BTreeMap::new();
    for (name, value) in choices.iter().filter(|(name, _)| !WITHOUT_EFFECT.contains(&name.as_str())) {
        let wrong = |error: &dyn std::fmt::Display| Breach::malformed(format!("options.{name}: {error}"));
        let key: Ident = name.parse().map_err(|error| wrong(&error))?;
        let word: Word = value.parse().map_err(|error| wrong(&error))?;
        options.insert(key, word);
    }
    // A case that has the bet on the table says that the house has turned it on.
    for side in game.sides.iter().filter(|side| case.side_bets.iter().any(|made| made.bet == side.bet)) {
        let on = side.bet.name().parse::<Ident>().ok().zip("on".parse::<Word>().ok());
        options.extend(on.filter(|(key, _)| !choices.contains_key(key.as_str())));
    }
    match game.with_options(&options) {
        Ok(chosen) => Ok((chosen.rules, around)),
        Err(OptionError::Unknown { name, hint: near }) if near.is_empty() => {
            let near = hint(name.as_str(), Circumstances::NAMES.iter().copied());
            Err(Breach::malformed(format!("there is no option {name}{near}")))
        }
        Err(error) => Err(Breach::malformed(error.to_string())),
    }
}
