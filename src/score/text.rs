//! The score for people: what went wrong first, the totals last.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, Write};

use indicatif::HumanCount;
use simulator::score::certainty::{rule_of_three, wilson};
use simulator::score::{CheckScore, Differs, FalseFlag, Missed, Score};
use simulator::truth::Label;
use table::{AtStake, RoundId};

use super::Scored;
use super::prompt::Prompt;
use crate::audit::several;
use crate::columns::{FAINT, STRONG};

/// Of anything, so many are named here.
const NAMED: usize = 20;

pub(super) fn write(out: &mut impl Write, tapes: &[Scored], total: &Score) -> io::Result<()> {
    write_checks(out, &total.by_check)?;
    write_list(out, "missed", &total.missed, missed)?;
    write_list(out, "doubted", &total.doubted, |label| format!("{}  {}", place(label), label.says))?;
    write_list(out, "false flags", &total.false_flags, false_flag)?;
    let confusion: Vec<_> = total.confusion.iter().collect();
    write_list(out, "taken for another", &confusion, |((check, taken_for), count)| {
        format!("{check} for {taken_for}, {}", several(**count, "time"))
    })?;
    write_list(out, "found under another name", &total.named_otherwise, |differs| {
        format!("{}  {}: {} flagged as {}", in_round(&differs.round), differs.fault, differs.labelled, differs.flagged)
    })?;
    write_list(out, "under another clause", &total.clause_differs, |differs| {
        told_differently(differs, &differs.labelled, &differs.flagged)
    })?;
    write_list(out, "with another sum", &total.money_differs, |differs| {
        told_differently(differs, sum(differs.labelled), sum(differs.flagged))
    })?;
    if tapes.len() > 1 {
        for Scored { file, score, .. } in tapes {
            writeln!(out, "{}: {}", file.display(), found(score))?;
        }
    }
    totals(total).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    let mut prompt = Prompt::default();
    tapes.iter().for_each(|tape| prompt.add(&tape.prompt));
    prompt.line().map_or(Ok(()), |line| writeln!(out, "{line}"))
}

/// The checks that missed, doubted or made something up, the worst first.
fn write_checks(out: &mut impl Write, by_check: &BTreeMap<String, CheckScore>) -> io::Result<()> {
    let (mut worth_a_look, fine): (Vec<_>, Vec<_>) =
        by_check.iter().partition(|(_, check)| check.missed + check.doubted + check.false_flags > 0);
    if !worth_a_look.is_empty() {
        worth_a_look.sort_by_key(|(_, check)| std::cmp::Reverse(check.missed + check.false_flags));
        writeln!(out, "{STRONG}  {:<36} injected  found  doubted  missed  false{STRONG:#}", "check")?;
        for (name, CheckScore { injected, found, doubted, missed, false_flags }) in worth_a_look {
            writeln!(out, "  {name:<36} {injected:>8} {found:>6} {doubted:>8} {missed:>7} {false_flags:>6}")?;
        }
    }
    if !fine.is_empty() {
        let injected = fine.iter().map(|(_, check)| check.injected).sum();
        let (checks, faults) = (several(fine.len() as u64, "check"), several(injected, "fault"));
        writeln!(out, "  {FAINT}{checks} found all there was to find: {faults}{FAINT:#}")?;
    }
    Ok(())
}

fn write_list<T>(out: &mut impl Write, title: &str, all: &[T], line: impl Fn(&T) -> String) -> io::Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{STRONG}{title}{STRONG:#}")?;
    all.iter().take(NAMED).try_for_each(|one| writeln!(out, "  {}", line(one)))?;
    if all.len() > NAMED {
        writeln!(out, "  {FAINT}and {} more, which --json names{FAINT:#}", all.len() - NAMED)?;
    }
    Ok(())
}

fn missed(Missed { label, taken_for }: &Missed) -> String {
    let taken_for = if taken_for.is_empty() { String::new() } else { format!("; flagged as {}", taken_for.join(", ")) };
    format!("{}  {}{taken_for}", place(label), label.says)
}

fn false_flag(FalseFlag { flag, handled, beside }: &FalseFlag) -> String {
    let beside = match (beside.is_empty(), handled) {
        (true, _) => String::new(),
        (false, true) => format!("; handled as the rules ask: {}", beside.join(", ")),
        (false, false) => format!("; in the round of {}", beside.join(", ")),
    };
    format!("{}  {}: {}{beside}", flag.id(), flag.clause, flag.observed)
}

fn told_differently<T>(differs: &Differs<T>, labelled: impl Display, flagged: impl Display) -> String {
    format!("{}  {}: labelled {labelled}, flagged {flagged}", in_round(&differs.round), differs.check)
}

/// Where a fault was, and what should have found it.
pub(super) fn place(label: &Label) -> String {
    let on = label.box_no.map(|box_no| format!(" box {box_no}")).unwrap_or_default();
    let hand = label.hand.filter(|hand| hand.index() > 0).map(|hand| hand.to_string()).unwrap_or_default();
    format!("{}{on}{hand}  {}", in_round(&label.round), label.check.as_deref().unwrap_or(&label.fault))
}

fn in_round(id: &RoundId) -> String {
    format!("{} shoe {} round {}", id.table, id.shoe, id.round)
}

fn sum(money: AtStake) -> String {
    format!("{} for {}", money.amount, money.favours)
}

/// The last lines, which say it all.
pub(super) fn totals(score: &Score) -> Vec<String> {
    let mut lines = vec![String::new(), found(score), made_up(score), exact(score)];
    let (clauses, money) = (score.compared.clauses, score.compared.money);
    if clauses + money > 0 {
        let agree = |of: u64, differ: usize| format!("{} of {}", of - differ as u64, of);
        let (clauses, money) = (agree(clauses, score.clause_differs.len()), agree(money, score.money_differs.len()));
        lines.push(format!("of the faults found, {clauses} labelled clauses and {money} labelled sums agree"));
    }
    if !score.named_otherwise.is_empty() {
        let named = score.named_otherwise.len();
        lines.push(format!("{named} of them go by the name of another check, on the same hand and with the same sum"));
    }
    if score.handled > 0 {
        lines.push(format!("irregularities put right as the rules ask: {}", HumanCount(score.handled)));
    }
    if score.doubts > 0 {
        lines.push(format!("{}, which accuse nobody and are not counted as flags", several(score.doubts, "doubt")));
    }
    lines.extend(unchecked(&score.unchecked));
    lines
}

fn found(score: &Score) -> String {
    let (recall, interval) = (score.recall(), wilson(score.found, score.faults));
    let (Some(recall), Some((low, high))) = (recall, interval) else {
        return format!("{}, no fault that a check could find", rounds(score.rounds));
    };
    let certain = format!("{:.2} to {:.2} % with 95 % certainty", low * 100.0, high * 100.0);
    format!(
        "found {} of {} faults: {:.2} % ({certain}); {} missed, {} doubted",
        HumanCount(score.found),
        HumanCount(score.faults),
        recall * 100.0,
        score.missed.len(),
        score.doubted.len()
    )
}

fn made_up(score: &Score) -> String {
    let flags = several(score.false_flags.len() as u64, "false flag");
    let seen = format!("{flags} in {}", rounds(score.audited()));
    match (score.false_flags.is_empty(), rule_of_three(score.audited()), score.false_per_10k_rounds()) {
        (true, Some(most), _) => {
            format!("{seen}: fewer than {} per 10,000 with 95 % certainty", short(most * 10_000.0))
        }
        (false, _, Some(rate)) => format!("{seen}: {} per 10,000", short(rate)),
        _ => seen,
    }
}

fn exact(score: &Score) -> String {
    let mut line = format!("{} of {} rebuilt exactly", HumanCount(score.rounds_exact), rounds(score.rounds));
    for (count, what) in [(score.rounds_lost, "not on the tape"), (score.rounds_invented, "never played")] {
        if count > 0 {
            line += &format!(", {} {what}", HumanCount(count));
        }
    }
    line
}

/// What no check can find by now, by fault.
fn unchecked(labels: &[Label]) -> Option<String> {
    let mut faults: BTreeMap<&str, u64> = BTreeMap::new();
    for label in labels {
        *faults.entry(&label.fault).or_default() += 1;
    }
    let named: Vec<_> = faults.iter().map(|(fault, count)| format!("{fault} {count}")).collect();
    let counted = several(labels.len() as u64, "fault");
    (!labels.is_empty()).then(|| format!("{counted} no check can find by now, not counted: {}", named.join(", ")))
}

fn rounds(count: u64) -> String {
    if count == 1 { "1 round".into() } else { format!("{} rounds", HumanCount(count)) }
}

/// Two digits that matter are enough of an estimate.
fn short(rate: f64) -> String {
    if rate >= 10.0 { format!("{rate:.0}") } else { format!("{rate:.1}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_false_flag_in_many_rounds_says_how_many_there_may_be() {
        let score = Score { rounds: 20_000, rounds_exact: 19_990, ..Score::default() };
        assert_eq!(made_up(&score), "0 false flags in 20,000 rounds: fewer than 1.5 per 10,000 with 95 % certainty");
        assert_eq!(exact(&score), "19,990 of 20,000 rounds rebuilt exactly");
    }

    #[test]
    fn recall_comes_with_its_interval() {
        let score = Score { rounds: 900, faults: 100, found: 98, ..Score::default() };
        let told = "found 98 of 100 faults: 98.00 % (93.00 to 99.45 % with 95 % certainty); 0 missed, 0 doubted";
        assert_eq!(found(&score), told);
        assert_eq!(found(&Score { rounds: 1, ..Score::default() }), "1 round, no fault that a check could find");
    }
}
