//! The ledger of a finished round: every wager with what it is due, what became of it, and the clauses that decide it.

use table::{Money, Round, Wager, WagerKind};

use super::due::{Judgement, judge_all};
use super::law::{Clause, Law};
use crate::replay::{Room, Shoe, Table};
use crate::settle::{Due, Ruling};

/// One wager of a finished round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Which.
    pub wager: Wager,
    /// What stood there; a lammer's worth if free.
    pub stake: Money,
    /// Whether a lammer stands for it.
    pub free: bool,
    /// What the hand it stands on comes to, and why, for the hand's own stakes.
    pub ruling: Option<Ruling>,
    /// What it is due; `None` if the cards do not tell.
    pub due: Option<Due>,
    /// What it is due, in words.
    pub expected: String,
    /// What became of it, in words; `None` if no settlement of the round was seen.
    pub observed: Option<String>,
    /// What the player has too much (positive) or too little (negative).
    pub gain: Money,
    /// The clauses the result turns on.
    pub clauses: Vec<Clause>,
}

impl Law {
    /// Judges every wager of a round by itself, in the order placed. What earlier rounds left in the shoe does not
    /// matter to what a wager is due.
    pub fn ledger(&self, round: &Round) -> Vec<Entry> {
        let mut table = Table::new(&self.rules, &round.limits, Box::<Shoe>::default(), Room::default());
        for (step, act) in round.steps.iter().map(|step| &step.act).enumerate() {
            table.step = step;
            table.follow(act);
        }
        table.ended = true;
        let mut entries = Vec::new();
        judge_all(&table, |judgement| entries.push(self.entry(&table, judgement)));
        entries
    }

    fn entry(&self, table: &Table<'_>, judgement: &Judgement<'_>) -> Entry {
        let mut clauses: Vec<Clause> = Vec::new();
        for tag in tags(judgement) {
            for clause in self.cited_or_shorter(&tag) {
                if !clauses.contains(clause) {
                    clauses.push(clause.clone());
                }
            }
        }
        Entry {
            wager: judgement.wager(),
            stake: judgement.standing.stake,
            free: judgement.standing.free,
            ruling: judgement.ruling,
            due: judgement.due,
            expected: judgement.expected(),
            observed: table.seen.payouts.then(|| judgement.observed()),
            gain: judgement.gain,
            clauses,
        }
    }

    /// The clauses cited for a tag, or for the longest part of it that anything is cited for.
    fn cited_or_shorter(&self, tag: &str) -> &[Clause] {
        let mut tag = tag;
        loop {
            match (self.cited(tag), tag.rsplit_once('.')) {
                ([], Some((shorter, _))) => tag = shorter,
                (found, _) => return found,
            }
        }
    }
}

/// The tags under which a rulebook cites what decides a wager.
fn tags(judgement: &Judgement<'_>) -> Vec<String> {
    let words = |tags: &[&str]| tags.iter().map(|tag| (*tag).to_owned()).collect();
    let won = matches!(judgement.due, Some(Due::Pay(_)));
    match (judgement.wager().kind, judgement.ruling, judgement.tier) {
        (WagerKind::Main | WagerKind::Split | WagerKind::Double, Some(ruling), _) => words(ruling.point.tags()),
        (WagerKind::Insurance, ..) if judgement.due == Some(Due::Return) => words(&["void_insurance_settled"]),
        (WagerKind::Insurance, ..) if won => words(&["insurance_paid_wrong.odds", "insurance_won_but_unpaid"]),
        (WagerKind::Insurance, ..) => words(&["losing_insurance_left", "insurance_lost_but_paid"]),
        (WagerKind::Ante, ..) => words(&["ante_not_taken"]),
        (WagerKind::Side(_), ..) if judgement.due == Some(Due::Return) => words(&["void_side_bet_settled"]),
        (WagerKind::Side(bet), _, Some(tier)) => {
            vec![format!("side_bet_paid_wrong.{bet}.{tier}"), format!("side_bet_winner_taken.{bet}.{tier}")]
        }
        (WagerKind::Side(bet), ..) => vec![format!("side_bet_loser_paid.{bet}")],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rulebook::books;

    fn ledger(steps: &str) -> Vec<Entry> {
        let round = &table::notation::parse(&format!("game nz-base bj_pays=3:2\n{steps}")).unwrap()[0];
        Law::of(books::all().unwrap(), &round.game).unwrap().ledger(round)
    }

    #[test]
    fn a_push_that_was_paid_stands_beside_what_it_was_due() {
        let entries = ledger(
            "bet 1 25\nbet 3 50\ncard 1 TH\ncard 3 9C\ncard dealer 8S\ncard 1 8C\ncard 3 TD\nstand 1\nstand 3\n\
             card dealer TC\npay 3 50\npay 1 25\nend",
        );
        let told: Vec<_> = entries.iter().map(|e| (e.wager.to_string(), &*e.expected, e.gain.minor())).collect();
        assert_eq!(told, [("1".to_owned(), "push", 2500), ("3".to_owned(), "pay 50.00", 0)]);
        assert_eq!(entries[0].observed.as_deref(), Some("paid 25.00"));
        assert!(entries.iter().all(|entry| !entry.clauses.is_empty()), "{entries:?}");
    }

    #[test]
    fn a_round_without_chips_paid_tells_only_what_is_due() {
        let entries = ledger("bet 1 20\ncard 1 AH\ncard dealer 8S\ncard 1 KC\ncard dealer TC\nend");
        assert_eq!(entries[0].expected, "pay 30.00");
        assert_eq!((&entries[0].observed, entries[0].gain), (&None, Money::ZERO));
    }
}
