//! The cards of a jackpot hand went to the rack before the jackpot was paid.

use super::prelude::*;
use super::sides::{is_from_meter, judged};

pub(super) static CHECK: Check = Check {
    name: "jackpot_cards_cleared_early",
    kind: FlagKind::DealerError,
    finds: "A hand had won a share of the meter, and its cards were collected before that was paid.",
    matters: "The cards are the proof; once in the rack the award rests on memory.",
    tags: &["jackpot_cards_cleared_early"],
    runs: &[Run::Act(&[ActKind::Collect], look)],
    templates: &[with(
        "jackpot_cards_cleared_early",
        EVERY_GAME,
        "blazing7=on",
        "3 $ blazing7 1: 7H 7D stand; dealer: 7H 6C TC",
        "collect 3 => ; supervisor => collect 3 | supervisor",
    )],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Collect(place @ Place::Box(box_no, _)) = act else { return };
    let kind = WagerKind::Side(SideBet::Blazing7);
    let open = table.wagers.on_box(*box_no).any(|standing| {
        standing.wager.kind == kind
            && standing.fate.paid.is_none()
            && is_from_meter(table, SideBet::Blazing7, judged(table, standing.wager, SideBet::Blazing7))
    });
    if open {
        report.raise(Finding::at(
            *place,
            &[CHECK.name],
            "a jackpot hand lies until it is paid",
            "its cards were collected before that",
        ));
    }
}
