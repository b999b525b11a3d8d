//! How well an audit did: the labels of what really went wrong against the flags that were raised.
//!
//! A [`Ledger`] takes in a tape's truth and what an audit of its rounds came to, in any order, and gives the [`Score`].
//! Rounds are compared and forgotten as soon as both sides are known, so a long tape needs no more room than its faults.

pub mod certainty;
mod pairing;

use std::collections::BTreeMap;

use serde::Serialize;
use table::{Act, AtStake, Flag, FlagKind, Round, RoundId};

use crate::truth::{Kind, Label, Truth};
use pairing::By;

/// A tape's truth and the audit of its rounds, side by side.
#[derive(Default)]
pub struct Ledger {
    rounds: BTreeMap<RoundId, Entry>,
    /// Whether a flag on the same hand with the same sum answers a label whatever check it is of.
    by_money: bool,
}

/// What is known of one round.
#[derive(Default)]
struct Entry {
    known: Known,
    labels: Vec<Label>,
    flags: Vec<Flag>,
}

/// A fault that may show in the next round.
struct Pending {
    label: Label,
    /// Whether it has shown before.
    shown: bool,
}

/// How far the true round and the one on the tape have been compared.
#[derive(Default)]
enum Known {
    /// Only a label or a flag speaks of it.
    #[default]
    Neither,
    /// The steps, unless they were told more than once: such a round is exact in no way.
    True(Option<Vec<Act>>),
    /// The same of the round on the tape.
    Audited(Option<Vec<Act>>),
    /// Somebody else has compared it already.
    Judged {
        exact: bool,
    },
    Both {
        exact: bool,
    },
}

fn acts(round: &Round) -> Option<Vec<Act>> {
    Some(round.steps.iter().map(|step| step.act.clone()).collect())
}

impl Ledger {
    /// A ledger of rounds rebuilt by devices that cannot always tell what a fault is called: chips nobody touched stood off, or
    /// were overlooked. A flag on the same hand with the same sum has found it.
    pub fn of_devices() -> Self {
        Self { by_money: true, ..Self::default() }
    }

    /// Takes in a label of the truth channel. Shuffles and pictures have no part in the score.
    pub fn truth(&mut self, truth: Truth) {
        match truth {
            Truth::Round { round, .. } => {
                let known = &mut self.rounds.entry(round.id.clone()).or_default().known;
                *known = match std::mem::take(known) {
                    Known::Neither => Known::True(acts(&round)),
                    Known::Audited(seen) => Known::Both { exact: seen == acts(&round) },
                    Known::Judged { exact } => Known::Both { exact },
                    Known::True(_) => Known::True(None),
                    Known::Both { .. } => Known::Both { exact: false },
                };
            }
            Truth::Fault(label) => self.rounds.entry(label.round.clone()).or_default().labels.push(label),
            Truth::Tape(_) | Truth::Shuffle(_) | Truth::Frame(_) => {}
        }
    }

    /// Takes in a round of the tape and the flags its audit raised.
    pub fn audited(&mut self, round: &Round, flags: Vec<Flag>) {
        let entry = self.rounds.entry(round.id.clone()).or_default();
        entry.flags.extend(flags);
        entry.known = match std::mem::take(&mut entry.known) {
            Known::Neither => Known::Audited(acts(round)),
            Known::True(played) => Known::Both { exact: played == acts(round) },
            Known::Audited(_) | Known::Judged { .. } => Known::Audited(None),
            Known::Both { .. } => Known::Both { exact: false },
        };
    }

    /// Takes in the flags of a rebuilt round that was compared with the one played by whoever knows what sources can show.
    pub fn rebuilt(&mut self, id: &RoundId, exact: bool, flags: Vec<Flag>) {
        let entry = self.rounds.entry(id.clone()).or_default();
        entry.flags.extend(flags);
        entry.known = match std::mem::take(&mut entry.known) {
            Known::Neither => Known::Judged { exact },
            Known::True(_) => Known::Both { exact },
            Known::Audited(_) | Known::Judged { .. } => Known::Audited(None),
            Known::Both { .. } => Known::Both { exact: false },
        };
    }

    /// The score.
    pub fn score(self) -> Score {
        let mut score = Score::default();
        let ways: &[By] = if self.by_money { &[By::Check, By::Money, By::Payment, By::Trace] } else { &[By::Check] };
        let mut pending = Vec::new();
        for (id, entry) in self.rounds {
            score.rounds += 1;
            match entry.known {
                Known::Both { exact } => score.rounds_exact += u64::from(exact),
                Known::Audited(_) | Known::Judged { .. } => score.rounds_invented += 1,
                Known::True(_) | Known::Neither => score.rounds_lost += 1,
            }
            pending.extend(entry.labels.into_iter().map(|label| Pending { label, shown: false }));
            pending = score.round(&id, pending, entry.flags, ways);
        }
        for unshown in pending.into_iter().filter(|fault| !fault.shown) {
            score.fault(unshown.label, None, &[]);
        }
        score
    }
}

/// What an audit found of what went wrong, and what it found that did not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    /// Rounds played or rebuilt.
    pub rounds: u64,
    /// Rounds rebuilt just as they were played.
    pub rounds_exact: u64,
    /// Rounds that were played and are not on the tape.
    pub rounds_lost: u64,
    /// Rounds on the tape that were never played.
    pub rounds_invented: u64,
    /// Faults that a check should find.
    pub faults: u64,
    /// Those found.
    pub found: u64,
    /// Those of them that were found under the name of another check.
    pub named_otherwise: Vec<Differs<String>>,
    /// Those found only as a doubt.
    pub doubted: Vec<Label>,
    /// Those not found.
    pub missed: Vec<Missed>,
    /// Faults that no check can find by now, or that never showed.
    pub unchecked: Vec<Label>,
    /// Flags for a fault that was found before and goes on showing.
    pub repeated: u64,
    /// Irregularities that were put right, where nothing should be raised.
    pub handled: u64,
    /// Flags raised, doubts not counted.
    pub flags: u64,
    /// Doubts raised.
    pub doubts: u64,
    /// Flags that answer no label.
    pub false_flags: Vec<FalseFlag>,
    /// Faults found under another clause than the label's.
    pub clause_differs: Vec<Differs<String>>,
    /// Faults found with another sum than the label's.
    pub money_differs: Vec<Differs<AtStake>>,
    /// Found faults whose label names a clause, and those whose label names a sum.
    pub compared: Compared,
    /// By the name of the check.
    pub by_check: BTreeMap<String, CheckScore>,
    /// How often a fault of the first check was missed in a round where the second was flagged falsely.
    pub confusion: BTreeMap<(String, String), u64>,
}

/// How many found faults could be compared with what their flag says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Compared {
    /// By clause.
    pub clauses: u64,
    /// By money.
    pub money: u64,
}

/// One check's part of a score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CheckScore {
    /// Faults it should find.
    pub injected: u64,
    /// Those it found.
    pub found: u64,
    /// Those it found only as a doubt.
    pub doubted: u64,
    /// Those it did not find.
    pub missed: u64,
    /// Flags of its that answer no label.
    #[serde(rename = "false")]
    pub false_flags: u64,
}

/// A fault nobody flagged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Missed {
    /// The fault.
    #[serde(flatten)]
    pub label: Label,
    /// The checks that were flagged falsely in its round: what it may have been taken for.
    pub taken_for: Vec<String>,
}

/// A flag that answers no label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FalseFlag {
    /// The flag.
    #[serde(flatten)]
    pub flag: Flag,
    /// Whether an irregularity in the round was put right, so that nothing should have been raised.
    pub handled: bool,
    /// The faults that were in its round.
    pub beside: Vec<String>,
}

/// A fault that was found, but told differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Differs<T> {
    /// In which round.
    #[serde(flatten)]
    pub round: RoundId,
    /// The fault.
    pub fault: String,
    /// The check that found it.
    pub check: String,
    /// What the label says.
    pub labelled: T,
    /// What the flag says.
    pub flagged: T,
}

impl Score {
    /// The share of faults found; `None` if there were none to find.
    pub fn recall(&self) -> Option<f64> {
        (self.faults > 0).then(|| self.found as f64 / self.faults as f64)
    }

    /// The share of flags that answer a label; `None` if there were no flags.
    pub fn precision(&self) -> Option<f64> {
        (self.flags > 0).then(|| self.found as f64 / self.flags as f64)
    }

    /// Rounds that were audited.
    pub fn audited(&self) -> u64 {
        self.rounds - self.rounds_lost
    }

    /// False flags in ten thousand audited rounds; `None` if none was audited.
    pub fn false_per_10k_rounds(&self) -> Option<f64> {
        let rounds = self.audited();
        (rounds > 0).then(|| self.false_flags.len() as f64 * 10_000.0 / rounds as f64)
    }

    /// Adds the score of another tape.
    pub fn add(&mut self, other: &Self) {
        self.rounds += other.rounds;
        self.rounds_exact += other.rounds_exact;
        self.rounds_lost += other.rounds_lost;
        self.rounds_invented += other.rounds_invented;
        self.faults += other.faults;
        self.found += other.found;
        self.handled += other.handled;
        self.flags += other.flags;
        self.doubts += other.doubts;
        self.repeated += other.repeated;
        self.compared.clauses += other.compared.clauses;
        self.compared.money += other.compared.money;
        self.doubted.extend_from_slice(&other.doubted);
        self.missed.extend_from_slice(&other.missed);
        self.unchecked.extend_from_slice(&other.unchecked);
        self.false_flags.extend_from_slice(&other.false_flags);
        self.named_otherwise.extend_from_slice(&other.named_otherwise);
        self.clause_differs.extend_from_slice(&other.clause_differs);
        self.money_differs.extend_from_slice(&other.money_differs);
        for (check, part) in &other.by_check {
            self.by_check.entry(check.clone()).or_default().add(*part);
        }
        for (pair, count) in &other.confusion {
            *self.confusion.entry(pair.clone()).or_default() += count;
        }
    }

    /// Takes in one round's flags and the faults that may show in it. Returns those that may show in a later one.
    fn round(&mut self, id: &RoundId, pending: Vec<Pending>, flags: Vec<Flag>, ways: &[By]) -> Vec<Pending> {
        let doubts = flags.iter().filter(|flag| flag.kind == FlagKind::Doubt).count() as u64;
        self.doubts += doubts;
        self.flags += flags.len() as u64 - doubts;
        let (here, mut later): (Vec<_>, Vec<_>) = pending.into_iter().partition(|of| of.label.round.table == id.table);
        let (handled, mut faults): (Vec<_>, Vec<_>) = here.into_iter().partition(|of| of.label.kind == Kind::Handled);
        self.handled += handled.len() as u64;
        // What must be found comes before what may be.
        faults.sort_by_key(|of| !of.label.sure);
        let beside: Vec<_> = handled.iter().chain(&faults).map(|of| of.label.fault.clone()).collect();
        let answers = pairing::answers(&faults.iter().map(|of| &of.label).collect::<Vec<_>>(), &flags, ways);

        let stray: Vec<_> = flags
            .iter()
            .enumerate()
            .filter(|(place, flag)| flag.kind != FlagKind::Doubt && !answers.contains(&Some(*place)))
            .map(|(_, flag)| flag)
            .collect();
        for (mut fault, answer) in faults.into_iter().zip(&answers) {
            let answer = answer.and_then(|place| flags.get(place));
            let over = fault.label.until.is_none_or(|until| (until.shoe, until.round) <= (id.shoe, id.round));
            match answer {
                Some(_) if fault.shown => self.repeated += 1,
                Some(_) => self.fault(fault.label.clone(), answer, &stray),
                None if over && !fault.shown => self.fault(fault.label.clone(), None, &stray),
                None => {}
            }
            fault.shown |= answer.is_some();
            // What is not sure to show may show more than once.
            let settled = fault.shown && fault.label.sure;
            if !(over || settled) {
                later.push(fault);
            }
        }
        for flag in stray {
            self.by_check.entry(flag.check.clone()).or_default().false_flags += 1;
            let handled = !handled.is_empty();
            self.false_flags.push(FalseFlag { flag: flag.clone(), handled, beside: beside.clone() });
        }
        later
    }

    /// Takes in one fault and the flag that answers it.
    fn fault(&mut self, label: Label, answer: Option<&Flag>, stray: &[&Flag]) {
        let unshown = !label.sure && answer.is_none();
        let Some(check) = label.check.clone().filter(|_| !unshown) else {
            self.unchecked.push(label);
            return;
        };
        self.faults += 1;
        let part = self.by_check.entry(check.clone()).or_default();
        part.injected += 1;
        match answer {
            Some(flag) if flag.kind == FlagKind::Doubt => {
                part.doubted += 1;
                self.doubted.push(label);
            }
            Some(flag) => {
                part.found += 1;
                self.found += 1;
                if flag.check == check {
                    self.agree(&label, flag);
                } else {
                    self.named_otherwise.push(differs(&label, flag, check, flag.check.clone()));
                }
            }
            None => {
                part.missed += 1;
                let mut taken_for: Vec<_> =
                    stray.iter().filter(|flag| flag.check != check).map(|flag| flag.check.clone()).collect();
                for other in &taken_for {
                    *self.confusion.entry((check.clone(), other.clone())).or_default() += 1;
                }
                taken_for.sort_unstable();
                taken_for.dedup();
                self.missed.push(Missed { label, taken_for });
            }
        }
    }

    /// Holds what a flag says of a fault against what its label says.
    fn agree(&mut self, label: &Label, flag: &Flag) {
        if let Some(clause) = &label.clause {
            self.compared.clauses += 1;
            if flag.clause != *clause && !flag.also.contains(clause) {
                self.clause_differs.push(differs(label, flag, clause.clone(), flag.clause.clone()));
            }
        }
        if let Some(money) = label.money {
            self.compared.money += 1;
            if money != flag.money {
                self.money_differs.push(differs(label, flag, money, flag.money));
            }
        }
    }
}

impl CheckScore {
    fn add(&mut self, other: Self) {
        self.injected += other.injected;
        self.found += other.found;
        self.doubted += other.doubted;
        self.missed += other.missed;
        self.false_flags += other.false_flags;
    }
}

fn differs<T>(label: &Label, flag: &Flag, labelled: T, flagged: T) -> Differs<T> {
    let (round, fault, check) = (label.round.clone(), label.fault.clone(), flag.check.clone());
    Differs { round, fault, check, labelled, flagged }
}

#[cfg(test)]
mod tests;
