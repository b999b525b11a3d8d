//! A few weeks of made-up play: every check's own example, dealt at several tables, among rounds by the book.

use auditor::check::{Law, Session};
use auditor::checks::CHECKS;
use auditor::rulebook::books;
use review::store::ingest::Audited;
use table::{Ident, Round, Utc};

/// Microseconds.
const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;
const TABLES: u32 = 6;
const DEALERS: u32 = 9;

/// The first `most` checks that can show an example, the last of them ending at `until`.
pub(crate) fn audited(until: Utc, most: usize) -> Vec<Audited> {
    let books = books::all().expect("the books that ship are sound");
    let mut audited = Vec::new();
    let mut play = Play::default();
    for (number, check) in (0u32..).zip(CHECKS.iter().take(most)) {
        let Some(example) = check.example(books, check.tags) else { continue };
        for deal in [&example.clean, &example.violating] {
            let at = until.shifted(-i64::from(number) * DAY / 4 - DAY / 8).expect("within the years we know");
            let mut session = Session::default();
            for round in deal {
                let round = play.dealt(round, number, at);
                let law = Law::of(books, &round.game).expect("an example names its game");
                let (flags, coverage) = session.audit(&law, &round);
                let (seen, not_seen) = (coverage.seen_names(), coverage.missing_names());
                audited.push(Audited { round, flags, seen, not_seen });
            }
        }
    }
    audited
}

/// Counts rounds, so that each has a name and a time of its own.
#[derive(Default)]
struct Play {
    rounds: u32,
}

impl Play {
    fn dealt(&mut self, round: &Round, number: u32, at: Utc) -> Round {
        let name = |text: String| -> Ident { text.parse().expect("a plain name") };
        let mut round = round.clone();
        self.rounds += 1;
        round.id.table = name(format!("BJ-{:02}", number % TABLES + 1));
        round.id.shoe = 100 + number / TABLES;
        round.id.round = self.rounds;
        round.at = at.shifted(i64::from(self.rounds % 60) * 70 * SECOND).expect("within the years we know");
        round.dealer = Some(name(format!("D-{}", 110 + number % DEALERS)));
        for (step, after) in round.steps.iter_mut().zip(1u64..) {
            step.after = Some(after * 1_400_000);
        }
        round
    }
}
