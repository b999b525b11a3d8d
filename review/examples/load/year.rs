//! A year of fifty tables, every twentieth round with a flag, the same every time.

use auditor::check::{Law, Session};
use auditor::rulebook::books;
use review::store::ingest::{Audited, round_name};
use table::{Utc, notation};

use crate::Outcome;

const TABLES: u32 = 50;
const ROUNDS_A_SHOE: u32 = 40;
/// From the beginning of a table's shoe to that of its next, in microseconds: a million rounds fill a year.
const BETWEEN_SHOES: i64 = 63_000_000_000;
/// Every so many rounds there is one with flags.
const FLAGGED: u32 = 20;

/// Rounds of a real evening with the flags of a real audit, those without flags and those with.
pub(crate) struct Year {
    plain: Vec<Audited>,
    flagged: Vec<Audited>,
}

impl Year {
    pub(crate) fn new() -> Outcome<Self> {
        let mut session = Session::default();
        let text = include_str!("../../../fixtures/evening/evening.round");
        let rounds = notation::parse(text)?.into_iter().map(|round| {
            let law = Law::of(books::all()?, &round.game)?;
            let (flags, coverage) = session.audit(&law, &round);
            Ok(Audited { round, flags, seen: coverage.seen_names(), not_seen: coverage.missing_names() })
        });
        let rounds: Vec<Audited> = rounds.collect::<Outcome<_>>()?;
        let (plain, flagged) = rounds.into_iter().partition(|audited| audited.flags.is_empty());
        Ok(Self { plain, flagged })
    }

    /// The `number`th round of the year.
    pub(crate) fn round(&self, number: u32) -> Audited {
        let of_kind = if is_flagged(number) { &self.flagged } else { &self.plain };
        let mut audited = of_kind[(number / FLAGGED) as usize % of_kind.len()].clone();
        let (table, turn, round) = place(number);
        let id = &mut audited.round.id;
        id.table = format!("BJ-{table:02}").parse().unwrap_or(id.table.clone());
        id.shoe = turn + 1;
        id.round = round;
        let begin = 1_735_689_600_000_000 + i64::from(turn) * BETWEEN_SHOES + i64::from(round) * 60_000_000;
        audited.round.at = Utc::from_micros(begin).unwrap_or(Utc::EPOCH);
        audited.round.dealer = format!("D-{:03}", (table * 7 + turn / 3) % 200).parse().ok();
        for flag in &mut audited.flags {
            flag.round = audited.round.id.clone();
            flag.at = audited.round.at;
        }
        audited
    }
}

/// Whether the `number`th round of the year has flags.
pub(crate) const fn is_flagged(number: u32) -> bool {
    number.is_multiple_of(FLAGGED)
}

/// The name of the `number`th round of the year.
pub(crate) fn name(number: u32) -> String {
    let (table, turn, round) = place(number);
    round_name(&format!("BJ-{table:02}"), i64::from(turn) + 1, round.into())
}

/// Its table, how many shoes that table had before, and its number in the shoe.
const fn place(number: u32) -> (u32, u32, u32) {
    (number / ROUNDS_A_SHOE % TABLES, number / (ROUNDS_A_SHOE * TABLES), number % ROUNDS_A_SHOE + 1)
}
