//! Something was played for the dealer that may not be.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "tip_not_allowed",
    kind: FlagKind::Irregularity,
    finds: "A tip for the dealer was placed on a bet on which the rules allow none.",
    matters: "The dealer is to have no stake in a jackpot.",
    tags: &["tip_not_allowed", "tip_not_allowed.blazing7"],
    runs: &[Run::Dealt(look)],
    templates: &[with(
        "tip_not_allowed.blazing7",
        EVERY_GAME,
        "blazing7=on",
        "3 $ blazing7 1: KH 8C stand; dealer: 9S 8D",
        "bet 3 blazing7 1 => bet 3 blazing7 1 | bet 3 tip blazing7 1; \
         take 3 blazing7 => take 3 blazing7 | take 3 tip blazing7",
    )],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    for standing in table.wagers.tips().filter(|standing| !standing.fate.returned) {
        let (tag, allowed) = match side_bet(standing.wager) {
            Some(bet) => (side_tag(&CHECK, bet), table.rules.side(bet).is_none_or(|terms| terms.tips)),
            None => ("tip_not_allowed", table.rules.tips),
        };
        if !allowed {
            let tags = [tag, "tip_not_allowed"];
            let finding = Finding::at(
                standing.wager.place(),
                &tags,
                "no tip for the dealer is placed on this bet",
                format!("{} was placed as {}", standing.stake, name(standing.wager)),
            );
            report.raise(finding.shown_by(standing.at));
        }
    }
}
