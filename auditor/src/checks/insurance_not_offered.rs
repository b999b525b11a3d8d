//! The dealer showed an ace and offered no insurance.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "insurance_not_offered",
    kind: FlagKind::DealerError,
    finds: "The dealer's up card was an ace and the second card came, or was looked at, before insurance was offered.",
    matters: "Players miss a bet they were entitled to; until the second card comes the offer can still be made.",
    tags: &["insurance_not_offered"],
    runs: &[Run::Act(&[ActKind::Card, ActKind::Peek, ActKind::Turn], look), Run::Ends(look_at_end)],
    templates: &[every("insurance_not_offered", "3 $: TH 9C stand; dealer: AS 7D",
        "offer-insurance =>",
    )],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let second = match act {
        Act::Card { to, .. } => *to == Place::Dealer && !table.rules.hole_card,
        Act::TurnUp(place, _) => *place == Place::Dealer,
        Act::Peek => true,
        _ => false,
    };
    if second && !table.second_card_known() {
        told(table, report);
    }
}

fn look_at_end(table: &Table<'_>, report: &mut Report<'_>) {
    if !table.second_card_known() {
        told(table, report);
    }
}

fn told(table: &Table<'_>, report: &mut Report<'_>) {
    let insured = table.wagers.has_kind(WagerKind::Insurance);
    let silent = !table.shoe.calls_heard || table.void || table.repaired;
    if table.deal != Deal::Done || !table.dealer_hand().shows_ace() || table.insurance_offered || insured || silent {
        return;
    }
    report.raise(Finding::on_table(
        CHECK.tags,
        "with an ace up insurance is offered before the second card",
        "insurance was not offered",
    ));
}
