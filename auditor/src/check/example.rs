//! A check shown at work: the same deal by the book, and with the wrong that the check finds.

use table::Round;

use super::{Check, Law, Session, Template};
use crate::Rulebook;
use crate::rulebook::Game;

/// A clean deal and the same one spoiled; several rounds where the wrong needs a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// By the book.
    pub clean: Vec<Round>,
    /// With the wrong in it.
    pub violating: Vec<Round>,
}

impl Check {
    /// The first template for one of these tags that a game can show, without the sign's limits unless the check needs
    /// them.
    pub fn example(&self, books: &[Rulebook], tags: &[&str]) -> Option<Example> {
        let games = || books.iter().flat_map(|book| &book.games);
        let wanted = |template: &&Template| tags.contains(&template.tag);
        self.templates.iter().filter(wanted).find_map(|template| {
            let cited = |game: &&Game| game.cites.iter().any(|cite| &*cite.tag == template.tag);
            let game = games().find(|game| (template.fits)(&game.rules) && cited(game))?;
            let options = template.options().ok()?;
            let law = Law::of(books, &table::Game { name: game.name.clone(), options }).ok()?;
            let shown = Example {
                clean: template.clean(&game.name, &law.rules).ok()?,
                violating: template.spoiled(&game.name, &law.rules).ok()?,
            };
            let mut bare = shown.clone();
            bare.clean.iter_mut().chain(&mut bare.violating).for_each(|round| round.limits.clear());
            Some(if self.finds_in(&law, &bare.violating) { bare } else { shown })
        })
    }

    /// Whether it finds something in these rounds.
    fn finds_in(&self, law: &Law, rounds: &[Round]) -> bool {
        let mut session = Session::default();
        rounds.iter().any(|round| session.audit(law, round).0.iter().any(|flag| flag.check == self.name))
    }
}
