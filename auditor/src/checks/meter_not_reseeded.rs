//! The meter was not set back after the whole of it was paid.

use super::prelude::*;
use super::sides::judged;
use crate::sidebet::Pay;

pub(super) static CHECK: Check = Check {
    name: "meter_not_reseeded",
    kind: FlagKind::WrongPayout,
    finds: "The whole meter was paid out, and a later award was paid from the old amount, or the meter went on without \
            being set to at least its opening amount.",
    matters: "The jackpot exists once: paying it twice costs the house, a meter below its opening amount costs the \
              players.",
    tags: &["meter_not_reseeded"],
    runs: &[Run::Act(&[ActKind::Other], look), Run::Act(&[ActKind::Settle], look_at_award)],
    templates: &[with(
        "meter_not_reseeded",
        |rules| rules.decks >= 3,
        "blazing7=on",
        "3 $ blazing7 1: 7H 7H stand; dealer: 7H 6C TC",
        "meter 2000 => meter 2000; meter 2000 => meter 1500",
    )],
};

/// What the meter starts from.
const SEED: Money = Money::from_minor(200_000);

/// What the meter showed when the whole of it was paid, if it was and nothing newer was shown.
fn paid_out(table: &Table<'_>) -> Option<Money> {
    let kind = WagerKind::Side(SideBet::Blazing7);
    let winner = table.wagers.iter().find(|standing| {
        standing.wager.kind == kind
            && standing.fate.paid.is_some()
            && standing.meter.is_some()
            && table.meter_at.is_none_or(|shown| shown < standing.fate.last)
            && share(table, standing.wager) == Some(100)
    });
    winner.and_then(|standing| standing.meter)
}

/// The hundredths of the meter a wager has won.
fn share(table: &Table<'_>, wager: Wager) -> Option<u8> {
    let terms = table.rules.side(SideBet::Blazing7)?;
    match terms.pay(terms.scale, judged(table, wager, SideBet::Blazing7)?)? {
        Pay::Meter(percent) => Some(percent),
        _ => None,
    }
}

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Meter(shown) = act else { return };
    let Some(old) = paid_out(table) else { return };
    if *shown >= SEED && (*shown < old || old <= SEED) {
        return;
    }
    report.raise(Finding::on_table(
        &[CHECK.name],
        format!("after {old} was paid the meter starts again from {SEED} or the reserve"),
        format!("the meter showed {shown}"),
    ));
}

fn look_at_award(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Pay(wager, amount) = act else { return };
    if wager.kind != WagerKind::Side(SideBet::Blazing7) || share(table, *wager).is_none() {
        return;
    }
    let Some(old) = paid_out(table) else { return };
    let finding = Finding::at(
        wager.place(),
        CHECK.tags,
        format!("after {old} was paid the next award is of the new meter"),
        format!("{amount} was paid before the meter was set"),
    );
    report.raise(finding);
}
