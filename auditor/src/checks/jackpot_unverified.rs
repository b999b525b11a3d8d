//! A share of the meter was paid without a supervisor.

use super::prelude::*;
use super::sides::{is_from_meter, judged};

pub(super) static CHECK: Check = Check {
    name: "jackpot_unverified",
    kind: FlagKind::DealerError,
    finds: "A percentage award of Blazing 7s was paid, and no supervisor had been called to see the hand.",
    matters: "Dealer and supervisor both confirm a jackpot before the chips move.",
    tags: &["jackpot_unverified"],
    runs: &[Run::Act(&[ActKind::Settle], look)],
    templates: &[with(
        "jackpot_unverified",
        EVERY_GAME,
        "blazing7=on",
        "3 $ blazing7 1: 7H 7D stand; dealer: 7H 6C TC",
        "supervisor =>",
    )],
};

/// From this amount on in a round further procedures apply.
pub(super) const LARGE: Money = Money::from_minor(1_000_000);

/// What Blazing 7s has paid in the round with this payment, where no supervisor was called.
pub(super) fn unsupervised(table: &Table<'_>, wager: Wager, amount: Money) -> Option<Money> {
    let kind = WagerKind::Side(SideBet::Blazing7);
    if wager.kind != kind || table.supervisor {
        return None;
    }
    let mut paid = table.wagers.of_kind(kind).filter_map(|one| one.fate.paid);
    paid.try_fold(amount, Money::plus)
}

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Pay(wager, amount) = act else { return };
    let Some(all) = unsupervised(table, *wager, *amount) else { return };
    let shared = is_from_meter(table, SideBet::Blazing7, judged(table, *wager, SideBet::Blazing7));
    if !shared || (all >= LARGE && report.cites("large_payout_unverified")) {
        return;
    }
    report.raise(Finding::at(
        wager.place(),
        &[CHECK.name],
        "a supervisor sees the hand before a share of the meter is paid",
        format!("{amount} was paid without a supervisor"),
    ));
}
