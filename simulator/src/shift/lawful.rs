//! The next round by the book, dealt from the table's own cards.

use std::collections::VecDeque;

use auditor::Rules;
use auditor::model::random::Dice;
use auditor::model::{self, Opening, PlanError};
use table::{Act, BoxNo, Card, Place, Round, Step};

use super::{Shift, cards};
use crate::players::Taken;

/// A round by the book, and all it takes to deal it again otherwise.
pub(super) struct Lawful {
    pub(super) opening: Opening,
    pub(super) people: Dice,
    pub(super) round: Round,
    /// The faces of the cards in it that nobody saw, in order.
    pub(super) unseen: Vec<Card>,
    /// What is left in the shoe.
    pub(super) left: VecDeque<Card>,
    pub(super) people_after: Dice,
}

/// A round as it came out.
pub(super) struct Sat {
    pub(super) round: Round,
    taken: Vec<Taken>,
    left: VecDeque<Card>,
    people: Dice,
}

impl Shift<'_> {
    /// The next round by the book.
    pub(super) fn lawful(&mut self) -> Result<Lawful, PlanError> {
        let mut people = self.luck.people.clone();
        let opening = self.company.opening(self.setup, self.pack.left(), &mut people);
        let sat = self.sit(&opening, &people, &self.setup.law.rules)?;
        let (mut unseen, _) = self.pack.stock();
        unseen.extend(cards::unseen(&sat.round, sat.taken.iter().map(|taken| taken.card)));
        Ok(Lawful { opening, people, round: sat.round, unseen, left: sat.left, people_after: sat.people })
    }

    /// The same wagers, cards and luck by some rules, together with what happens around the round.
    pub(super) fn sit(&self, opening: &Opening, people: &Dice, rules: &Rules) -> Result<Sat, PlanError> {
        let (burned, mut left) = self.pack.stock();
        let mut people = people.clone();
        let script = self.company.script(self.setup, &mut left, &mut people);
        let game = self.setup.game.clone();
        let (mut round, script) =
            model::play(rules, &self.setup.limits, opening.clone(), script, self.next_id(), game)?;
        let taken = script.into_taken();
        round.steps.splice(0..0, self.prelude.iter().cloned().map(Step::from));
        if let Some(draws) = self.pack.cut_card_after() {
            cut_card_comes(&mut round, draws.max(burned.len()));
        }
        Ok(Sat { round, taken, left, people })
    }
}

/// Whether a card leaves the shoe with a step.
const fn draws(act: &Act) -> bool {
    matches!(act, Act::Card { .. } | Act::Burn(_))
}

/// Puts the cutting card where it comes out, which is after so many cards, if it does in this round.
fn cut_card_comes(round: &mut Round, after: usize) {
    let opens = round.steps.iter().position(|step| matches!(step.act, Act::Card { .. }));
    let mut drawn = 0;
    let comes = round.steps.iter().enumerate().position(|(index, step)| {
        drawn += usize::from(draws(&step.act));
        // As the first card of a round it would end the shoe there and then; let it lie one card deeper.
        drawn > after && matches!(step.act, Act::Card { .. }) && opens.is_some_and(|opens| index > opens)
    });
    if let Some(comes) = comes {
        round.steps.insert(comes, Step::from(Act::CutCardOut));
    }
}

/// Who cuts the next shoe: the box the cutting card came with, or the last box if it came with the dealer's. `out` says
/// that it came after the last card of the round before.
pub(super) fn next_cutter(round: &Round, out: bool) -> Option<BoxNo> {
    let came = round.steps.iter().rposition(|step| step.act == Act::CutCardOut);
    let with = round.steps.iter().skip(came.or(out.then_some(0))?).find_map(card_to)?;
    with.box_no().or_else(|| dealt_to(round).max())
}

/// The boxes that had cards.
pub(super) fn dealt_to(round: &Round) -> impl Iterator<Item = BoxNo> {
    round.steps.iter().filter_map(card_to).filter_map(Place::box_no)
}

fn card_to(step: &Step) -> Option<Place> {
    match step.act {
        Act::Card { to, .. } => Some(to),
        _ => None,
    }
}
