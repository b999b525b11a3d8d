//! Cards were dealt to a wager that owes an ante and has none.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "ante_missing",
    kind: FlagKind::DealerError,
    finds: "A box was dealt cards although a main wager on it had no ante beside it, and the hand was not declared void.",
    matters: "The ante is the price of the hand; without it the wager is void and nobody may win or lose by it.",
    tags: &["ante_missing"],
    runs: &[Run::Ends(look)],
    templates: &[every("ante_missing", "3 $ ante 0.50: TH 9C stand; dealer: 9S 8D",
        "bet 3 ante 0.50 => ; take 3 ante => ; pay 3 $ =>",
    )],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    // One that was settled all the same is the graver finding of another check.
    for standing in without_ante(table).filter(|standing| !standing.fate.is_settled()) {
        let finding = Finding::at(
            standing.wager.place(),
            CHECK.tags,
            "a main wager has its ante before the first card",
            format!("{} of {} had no ante", name(standing.wager), standing.stake),
        );
        report.raise(finding.shown_by(standing.at));
    }
}
