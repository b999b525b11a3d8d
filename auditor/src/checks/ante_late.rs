//! An ante was placed after the first card.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "ante_late",
    kind: FlagKind::Irregularity,
    finds: "The ante was put beside the main wager only after the first card of the round.",
    matters: "A hand without its ante is void, so a player who adds it late can choose after seeing a card.",
    tags: &["ante_late"],
    runs: &[Run::Act(&[ActKind::Bet], look)],
    templates: &[every("ante_late", "3 $ ante 0.50: TH 9C stand; dealer: 9S 8D",
        "bet 3 ante 0.50 => ; card dealer 9S => card dealer 9S | bet 3 ante 0.50",
    )],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Bet(wager, amount) = act else { return };
    if wager.kind == WagerKind::Ante && table.deal != Deal::Betting {
        report.raise(Finding::at(
            wager.place(),
            CHECK.tags,
            "the ante is down before the first card",
            format!("{} of {amount} was placed after the first card", name(*wager)),
        ));
    }
}
