//! The cards of a jackpot hand went to the rack before the jackpot was paid.

use super::prelude::*;
use super::sides::is_from_meter;

pub(super) static CHECK: Check = Check {
    name: "jackpot_cards_cleared_early",
    kind: FlagKind::DealerError,
    finds: "A hand had won a share of the meter, and the cards of a jackpot hand were collected before it was paid was paid.",
    matters: "The cards are the proof of the award.",
    tags: &["jackpot_cards_cleared_early"],
    runs: &[Run::SideBet(look)],
    templates: &[with(
        "jackpot_cards_cleared_early",
        EVERY_GAME,
        "blazing7=on",
        "3 $ blazing7 1: 7H 7D stand; dealer: 7H 6C TC",
        "collect 3 => ; supervisor => collect 3 | supervisor",
    )],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let standing = judgement.standing;
    let place = standing.wager.place();
    let blazing = standing.wager.kind == WagerKind::Side(SideBet::Blazing7) && standing.fate.paid.is_some();
    if !blazing || !is_from_meter(table, SideBet::Blazing7, judgement.tier) {
        return;
    }
    let collected = table.hand(place).and_then(|hand| hand.collected_at);
    if collected.is_some_and(|collected| collected < standing.fate.last) {
        report.raise(Finding::at(
            place,
            &[CHECK.name],
            "a jackpot hand lies until it is paid",
            "the cards of a jackpot hand were collected before it was paid",
        ));
    }
}
