//! A natural got no Madness 21 prize because the dealer had a natural too.

use super::prelude::*;
use super::sides::{Fault, fault};

pub(super) static CHECK: Check = Check {
    name: "madness_prize_refused",
    kind: FlagKind::WrongPayout,
    finds: "Player and dealer both had a natural, and the Madness 21 wager was not paid its prize.",
    matters: "The hands stand off, the side bet does not: the player should have been offered the button.",
    tags: &["madness_prize_refused"],
    runs: &[Run::SideBet(look)],
    templates: &[every(
        "madness_prize_refused",
        "prize 3 24; 3 $ madness21 $: AH KC; 5 $: TD 8C stand; dealer: TS AD",
        "prize 3 madness21 24 => ; pay 3 madness21 24$ => take 3 madness21",
    )],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    if let Some((_, Fault::PrizeRefused)) = fault(table, judgement, report) {
        let wager = judgement.wager();
        let taken = judgement.standing.fate.taken.unwrap_or_default();
        let finding = Finding::at(
            wager.place(),
            CHECK.tags,
            "a natural wins the prize even against the dealer's",
            format!("{} was {}", name(wager), judgement.observed()),
        );
        report.raise(finding.worth(Money::ZERO.minus(taken).unwrap_or_default()));
    }
}
