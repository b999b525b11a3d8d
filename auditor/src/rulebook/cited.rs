//! The way back: from a clause to the checks that audit it and the games they do it in.

use std::collections::{BTreeMap, BTreeSet};

use table::Ident;

use super::clause::ClauseNo;
use super::{Game, Rulebook};
use crate::checks;

/// Who cites a clause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Citers<'b> {
    /// The checks that can find it broken.
    pub checks: BTreeSet<&'static str>,
    /// The games whose rulebook cites it, in the order of the book.
    pub games: Vec<&'b Ident>,
}

/// Who cites what, of a whole book or of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CitedBy<'b>(BTreeMap<ClauseNo, Citers<'b>>);

impl<'b> CitedBy<'b> {
    /// Who cites a clause; `None` if nobody does.
    pub fn get(&self, clause: ClauseNo) -> Option<&Citers<'b>> {
        self.0.get(&clause)
    }

    fn add(&mut self, game: &'b Game) {
        for cite in &game.cites {
            for clause in &cite.clauses {
                let citers = self.0.entry(*clause).or_default();
                citers.checks.extend(checks::raising(&cite.tag).map(|check| check.name));
                if citers.games.last() != Some(&&game.name) {
                    citers.games.push(&game.name);
                }
            }
        }
    }
}

impl Rulebook {
    /// Who cites what among all games of the book.
    pub fn cited_by(&self) -> CitedBy<'_> {
        let mut cited = CitedBy::default();
        self.games.iter().for_each(|game| cited.add(game));
        cited
    }
}

impl Game {
    /// Which of the book's clauses this game cites.
    pub fn cited_by(&self) -> CitedBy<'_> {
        let mut cited = CitedBy::default();
        cited.add(self);
        cited
    }
}
