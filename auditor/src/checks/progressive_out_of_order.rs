//! Shares of the meter were paid in the wrong direction.

use super::prelude::*;
use super::sides::{is_from_meter, judged};

pub(super) static CHECK: Check = Check {
    name: "progressive_out_of_order",
    kind: FlagKind::DealerError,
    finds: "Two players won a share of the meter and were not paid from the dealer's right to the left.",
    matters: "The first paid takes from the fuller meter, so the order decides who gets how much.",
    tags: &["progressive_out_of_order"],
    runs: &[Run::SideBet(look)],
    templates: &[
        with(
            "progressive_out_of_order",
            |rules| rules.decks >= 4,
            "blazing7=on",
            "3 $ blazing7 1: 7H 7D stand; 5 $ blazing7 1: 7D 7D stand; dealer: 7H 6C TC",
            "pay 5 blazing7 200.04 => pay 3 blazing7 200.04; pay 3 blazing7 200.04 => pay 5 blazing7 200.04",
        ),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let standing = judgement.standing;
    let kind = WagerKind::Side(SideBet::Blazing7);
    let paid = standing.wager.kind == kind && standing.fate.paid.is_some();
    if !paid || !is_from_meter(table, SideBet::Blazing7, judgement.tier) {
        return;
    }
    let sooner = table.wagers.iter().find(|other| {
        other.wager.kind == kind
            && other.fate.paid.is_some()
            && other.wager.box_no < standing.wager.box_no
            && other.fate.last < standing.fate.last
            && is_from_meter(table, SideBet::Blazing7, judged(table, other.wager, SideBet::Blazing7))
    });
    if let Some(sooner) = sooner {
        report.raise(Finding::on_table(
            &[CHECK.name],
            "shares of the meter are paid from the dealer's right to the left",
            format!("box {} was paid before box {}", sooner.wager.box_no, standing.wager.box_no),
        ));
    }
}
