//! A large progressive payout was made without a supervisor.

use super::jackpot_unverified::{LARGE, unsupervised};
use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "large_payout_unverified",
    kind: FlagKind::DealerError,
    finds: "Progressive payments of a round came to 10,000.00 or more, and no supervisor had been called.",
    matters: "Large payouts have a procedure of their own, and it begins with a supervisor.",
    tags: &["large_payout_unverified"],
    runs: &[Run::Act(&[ActKind::Settle], look)],
    templates: &[
        with(
            "large_payout_unverified",
            |rules| rules.decks >= 3,
            "blazing7=on",
            "meter 12000; 3 $ blazing7 1: 7H 7H stand; dealer: 7H 6C TC",
            "supervisor =>",
        ),
        with(
            "large_payout_unverified",
            |rules| rules.decks < 3,
            "blazing7=on",
            "meter 120000; 3 $ blazing7 1: 7H 7D stand; dealer: 7H 6C TC",
            "supervisor =>",
        ),
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Pay(wager, amount) = act else { return };
    let Some(all) = unsupervised(table, *wager, *amount).filter(|all| *all >= LARGE) else { return };
    report.raise(Finding::at(
        wager.place(),
        &[CHECK.name],
        format!("payments of {LARGE} and more are verified"),
        format!("{all} was paid without a supervisor"),
    ));
}
