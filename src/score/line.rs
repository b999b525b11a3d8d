//! The score of a tape as one line of JSON.

use std::collections::BTreeMap;

use serde::Serialize;
use simulator::score::certainty::{rule_of_three, wilson};
use simulator::score::{CheckScore, Compared, Differs, FalseFlag, Missed};
use simulator::truth::Label;
use table::AtStake;

use super::Scored;

/// Fields in the order in which one reads them; rates that nothing was counted for are null.
#[derive(Serialize)]
pub(super) struct Line<'s> {
    tape: String,
    rounds: u64,
    faults: u64,
    found: u64,
    missed: &'s [Missed],
    /// Those found under the name of another check.
    named_otherwise: &'s [Differs<String>],
    flags: u64,
    false_flags: usize,
    doubts: u64,
    rounds_exact: u64,
    recall: Option<f64>,
    false_per_10k_rounds: Option<f64>,
    recall_95: Option<(f64, f64)>,
    /// With 95 % certainty the rate is below this, if none was seen.
    false_per_10k_rounds_below: Option<f64>,
    precision: Option<f64>,
    rounds_lost: u64,
    rounds_invented: u64,
    handled: u64,
    doubted: &'s [Label],
    unchecked: &'s [Label],
    falsely_flagged: &'s [FalseFlag],
    compared: Compared,
    clause_differs: &'s [Differs<String>],
    money_differs: &'s [Differs<AtStake>],
    by_check: &'s BTreeMap<String, CheckScore>,
    confusion: Vec<Confusion<'s>>,
    /// Of rounds rebuilt from feeds: from the last chip, or what went wrong after it, to the flag, half and 99 of a hundred
    /// within so many milliseconds.
    delay_ms: Option<[i64; 2]>,
    /// Flags told ahead of their round's end, and those among them that the round did not bear out.
    told_ahead: u64,
    withdrawn: &'s [String],
}

#[derive(Serialize)]
struct Confusion<'s> {
    check: &'s str,
    taken_for: &'s str,
    count: u64,
}

impl<'s> Line<'s> {
    pub(super) fn of(Scored { file, score, prompt }: &'s Scored) -> Self {
        let none_false = score.false_flags.is_empty();
        let confusion =
            score.confusion.iter().map(|((check, taken_for), count)| Confusion { check, taken_for, count: *count });
        Self {
            tape: file.display().to_string(),
            rounds: score.rounds,
            faults: score.faults,
            found: score.found,
            missed: &score.missed,
            named_otherwise: &score.named_otherwise,
            flags: score.flags,
            false_flags: score.false_flags.len(),
            doubts: score.doubts,
            rounds_exact: score.rounds_exact,
            recall: score.recall(),
            false_per_10k_rounds: score.false_per_10k_rounds(),
            recall_95: wilson(score.found, score.faults),
            false_per_10k_rounds_below: rule_of_three(score.audited())
                .filter(|_| none_false)
                .map(|share| share * 10_000.0),
            precision: score.precision(),
            rounds_lost: score.rounds_lost,
            rounds_invented: score.rounds_invented,
            handled: score.handled,
            doubted: &score.doubted,
            unchecked: &score.unchecked,
            falsely_flagged: &score.false_flags,
            compared: score.compared,
            clause_differs: &score.clause_differs,
            money_differs: &score.money_differs,
            by_check: &score.by_check,
            confusion: confusion.collect(),
            delay_ms: prompt.delay_ms(),
            told_ahead: prompt.ahead,
            withdrawn: &prompt.withdrawn,
        }
    }
}
