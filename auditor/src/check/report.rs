//! What the checks found in a round, and how much of the law could be checked.

use table::{AtStake, BoxNo, Chance, Favours, Flag, Hand, Money, Place, Round, Severity, Unseen};

use super::law::{Clause, Law};
use super::{Check, sight};
use crate::replay::{Seen, Table};
use crate::rulebook::Need;

/// Something wrong, as a check puts it.
pub struct Finding<'f> {
    /// Tags, the most specific first.
    pub tags: &'f [&'f str],
    /// The box, unless it concerns the whole table.
    pub box_no: Option<BoxNo>,
    /// The hand, where it concerns one.
    pub hand: Option<Hand>,
    /// What the rules ask for.
    pub expected: String,
    /// What was seen.
    pub observed: String,
    /// What the player has too much (positive) or too little (negative).
    pub player_gain: Money,
    /// The step that shows it, if it is not the one being looked at.
    pub step: Option<usize>,
}

impl<'f> Finding<'f> {
    /// A finding about the whole table.
    pub fn on_table(tags: &'f [&'f str], expected: impl Into<String>, observed: impl Into<String>) -> Self {
        Self {
            tags,
            box_no: None,
            hand: None,
            expected: expected.into(),
            observed: observed.into(),
            player_gain: Money::ZERO,
            step: None,
        }
    }

    /// A finding about a hand; the dealer's is the table's.
    pub fn at(place: Place, tags: &'f [&'f str], expected: impl Into<String>, observed: impl Into<String>) -> Self {
        let mut finding = Self::on_table(tags, expected, observed);
        if let Place::Box(box_no, hand) = place {
            finding.box_no = Some(box_no);
            finding.hand = Some(hand);
        }
        finding
    }

    /// A finding about a box as a whole.
    pub fn on_box(
        box_no: BoxNo,
        tags: &'f [&'f str],
        expected: impl Into<String>,
        observed: impl Into<String>,
    ) -> Self {
        Self { box_no: Some(box_no), ..Self::on_table(tags, expected, observed) }
    }

    /// With the money that went the wrong way: positive if the player has too much.
    pub fn worth(self, player_gain: Money) -> Self {
        Self { player_gain, ..self }
    }

    /// Shown by an earlier step than the one being looked at.
    pub fn shown_by(self, step: usize) -> Self {
        Self { step: Some(step), ..self }
    }
}

/// The flags of a round.
pub struct Report<'a> {
    law: &'a Law,
    round: &'a Round,
    /// The check that is looking.
    pub(super) check: &'static Check,
    /// The step being looked at.
    pub(super) step: usize,
    flags: Vec<Flag>,
    /// Findings that count only if the cards are not put right afterwards, with the step of each.
    held: Vec<(usize, Flag)>,
}

impl<'a> Report<'a> {
    pub(super) const fn new(law: &'a Law, round: &'a Round, check: &'static Check) -> Self {
        Self { law, round, check, step: 0, flags: Vec::new(), held: Vec::new() }
    }

    /// Lets go of what was held, except what was put right after it happened.
    pub(super) fn release(&mut self, mended_at: Option<usize>) {
        for (step, flag) in std::mem::take(&mut self.held) {
            if mended_at.is_none_or(|mended| mended < step) {
                self.merge(flag);
            }
        }
    }

    pub(super) fn into_flags(self) -> Vec<Flag> {
        self.flags
    }

    /// Whether the game cites a clause for a tag.
    pub fn cites(&self, tag: &str) -> bool {
        !self.law.cited(tag).is_empty()
    }

    /// Whether the sources of the round show when hands were done: without that, no settlement came too early or late.
    pub fn times_are_seen(&self) -> bool {
        !self.round.unseen.contains(&Unseen::Signals)
    }

    /// Whether the sources of the round show how a shoe is made ready.
    pub fn procedure_is_seen(&self) -> bool {
        !self.round.unseen.contains(&Unseen::Procedure)
    }

    /// Raises a flag. Without a clause to cite there is none: what the rulebook does not ask for is not wrong.
    pub fn raise(&mut self, finding: Finding<'_>) {
        if let Some(flag) = self.flag(&finding, self.step) {
            self.merge(flag);
        }
    }

    /// Raises a flag about a step before this one.
    pub fn raise_at(&mut self, step: usize, finding: Finding<'_>) {
        if let Some(flag) = self.flag(&finding, step) {
            self.merge(flag);
        }
    }

    /// Raises a flag unless the cards are put right before the round ends: an error mended by the book is none.
    pub fn raise_unless_mended(&mut self, finding: Finding<'_>) {
        if let Some(flag) = self.flag(&finding, self.step) {
            self.held.push((self.step, flag));
        }
    }

    fn flag(&self, finding: &Finding<'_>, step: usize) -> Option<Flag> {
        if sight::is_blind(self.check.name, finding.tags, &self.round.unseen) {
            return None;
        }
        let mut clauses: Vec<&Clause> = Vec::new();
        for tag in finding.tags {
            for clause in self.law.cited(tag) {
                if !clauses.iter().any(|there| there.id == clause.id) {
                    clauses.push(clause);
                }
            }
        }
        let (first, also) = clauses.split_first()?;
        let step = self.round.steps.get(step);
        let after = step.and_then(|step| step.after).and_then(|after| i64::try_from(after).ok());
        let gain = finding.player_gain;
        Some(Flag {
            round: self.round.id.clone(),
            at: after.and_then(|after| self.round.at.shifted(after)).unwrap_or(self.round.at),
            check: self.check.name.to_owned(),
            clause: first.id.to_string(),
            also: also.iter().map(|clause| clause.id.to_string()).collect(),
            severity: if self.law.is_disputed(finding.tags) { Severity::Info } else { first.severity },
            kind: self.check.kind,
            box_no: finding.box_no,
            hand: finding.hand,
            expected: finding.expected.clone(),
            observed: finding.observed.clone(),
            money: AtStake {
                amount: if gain.is_negative() { Money::ZERO.minus(gain).unwrap_or(gain) } else { gain },
                favours: match gain.minor() {
                    0 => Favours::None,
                    minor if minor > 0 => Favours::Player,
                    _ => Favours::House,
                },
            },
            confidence: step.and_then(|step| step.chance).unwrap_or(Chance::CERTAIN),
            evidence: Vec::new(),
        })
    }

    /// The same wrong on the same hand is one flag: a second stake adds its money to it.
    fn merge(&mut self, flag: Flag) {
        let id = flag.id();
        let Some(there) = self.flags.iter_mut().find(|there| there.id() == id) else {
            self.flags.push(flag);
            return;
        };
        if there.money.favours == flag.money.favours || there.money.favours == Favours::None {
            there.money.favours = flag.money.favours;
            there.money.amount = there.money.amount.plus(flag.money.amount).unwrap_or(there.money.amount);
        }
        for clause in std::iter::once(flag.clause).chain(flag.also) {
            if there.clause != clause && !there.also.contains(&clause) {
                there.also.push(clause);
            }
        }
        there.severity = there.severity.max(flag.severity);
    }
}

/// How much of the law a round allowed to be checked: a clause is checked if all the evidence it needs was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// What was seen.
    pub seen: Seen,
    /// What the sources of the round cannot show, as bits of [`Unseen`].
    unseen: u8,
}

impl Coverage {
    pub(super) fn of(table: &Table<'_>, unseen: &[Unseen]) -> Self {
        // A shoe followed from its shuffle on is seen even in a round in which nothing happens to it.
        let shoe = table.seen.shoe || table.shoe.watched_from_start;
        let unseen = unseen.iter().fold(0, |all, unseen| all | 1 << *unseen as u8);
        Self { seen: Seen { shoe, ..table.seen }, unseen }
    }

    /// What the sources of the round cannot show beyond the kinds of evidence: signals, calls, procedure.
    fn beyond(&self) -> impl Iterator<Item = Unseen> {
        let unseen = self.unseen;
        let beyond = [Unseen::Signals, Unseen::Calls, Unseen::Procedure];
        beyond.into_iter().filter(move |kind| unseen & (1 << *kind as u8) != 0)
    }

    const fn kinds(&self) -> [(Need, bool); 5] {
        let seen = &self.seen;
        [
            (Need::Cards, seen.cards),
            (Need::Shoe, seen.shoe),
            (Need::Wagers, seen.wagers),
            (Need::Payouts, seen.payouts),
            (Need::Decisions, seen.decisions),
        ]
    }

    /// Whether a clause with these needs could be checked. The order of steps is always known; what only a person can
    /// see in the picture never is.
    pub fn allows(&self, needs: &[Need]) -> bool {
        needs.iter().all(|need| match need {
            Need::Timing => true,
            Need::Video => false,
            need => self.kinds().iter().any(|(kind, seen)| kind == need && *seen),
        })
    }

    /// The kinds of evidence that were seen.
    pub fn seen_names(&self) -> Vec<&'static str> {
        self.kinds().iter().filter(|(_, seen)| *seen).map(|(need, _)| need.name()).collect()
    }

    /// The kinds of evidence that were not.
    pub fn missing_names(&self) -> Vec<&'static str> {
        let kinds = self.kinds();
        let missing = kinds.iter().filter(|(_, seen)| !*seen).map(|(need, _)| need.name());
        missing.chain(self.beyond().map(Unseen::name)).collect()
    }
}
