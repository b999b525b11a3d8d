//! Somebody bet behind where nobody may.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "back_bet_not_allowed",
    kind: FlagKind::Irregularity,
    finds: "Somebody other than the player bet on a box at a table where betting behind is not offered.",
    matters: "Where the layout has no place for it, a second stack cannot be told from the player's own.",
    tags: &["back_bet_not_allowed"],
    runs: &[Run::Dealt(look)],
    templates: &[with(
        "back_bet_not_allowed",
        EVERY_GAME,
        "bettors_per_box=1",
        "3 $: TH 9C stand; dealer: 9S 8D",
        "bet 3 $ => bet 3 $ | bet 3/2 $; pay 3 $ => pay 3 $ | pay 3/2 $",
    )],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    if table.rules.bettors_per_box > 1 {
        return;
    }
    for standing in mains(table).filter(|standing| standing.wager.bettor != Bettor::SEATED && !standing.fate.returned) {
        let finding = Finding::at(
            standing.wager.place(),
            &["back_bet_not_allowed"],
            "only the player of a box bets on it",
            format!("{} of {} stood behind", name(standing.wager), standing.stake),
        );
        report.raise(finding.shown_by(standing.at));
    }
}
