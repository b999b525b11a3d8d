//! The cards of a bust hand went although another wager of its player still ran.

use table::SideBet;

use super::prelude::*;
use crate::dealer::must_draw;

pub(super) static CHECK: Check = Check {
    name: "bust_cards_cleared_early",
    kind: FlagKind::DealerError,
    finds: "The cards of a bust hand were put in the rack before the dealer's hand was complete, though its player had \
            insurance or a wager on the dealer's total.",
    matters: "The cards show that the player is still in the round; without them the other wager is easily overlooked.",
    tags: &["bust_cards_cleared_early.insured", "bust_cards_cleared_early.push22"],
    runs: &[Run::Act(&[ActKind::Collect], look)],
    templates: &[
        Template {
            tag: "bust_cards_cleared_early.insured",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 6C insure $/2 hit 9D; 5 $: TD 8C stand; dealer: AS 8D",
            spoil: "collect 3 => ; stand 5 => collect 3 | stand 5",
        },
        Template {
            tag: "bust_cards_cleared_early.push22",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $ push22 $: TH 6C hit 9D; 5 $: TD 8C stand; dealer: 9S 8D",
            spoil: "collect 3 => ; stand 5 => collect 3 | stand 5",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Collect(place) = act else { return };
    let Some(hand) = table.hand(*place).filter(|hand| hand.is_bust() && !table.bust_waits(hand)) else { return };
    let open = |kind: WagerKind| {
        table.wagers.iter().any(|standing| {
            standing.wager.kind == kind && place.box_no() == Some(standing.wager.box_no) && !standing.fate.is_settled()
        })
    };
    let first = table.dealer.cards.len() < 2;
    let unfinished = first || table.dealer_hand().total().is_some_and(|total| must_draw(table.rules, total));
    // Insurance that should not stand there keeps no cards on the table.
    let insured = table.dealer_hand().shows_ace() && open(WagerKind::Insurance);
    let tag = match () {
        () if first && insured => "bust_cards_cleared_early.insured",
        () if unfinished && open(WagerKind::Side(SideBet::Push22)) => "bust_cards_cleared_early.push22",
        () => return,
    };
    let points = hand.points().unwrap_or_default();
    report.raise(Finding::at(
        *place,
        &[tag],
        "the cards stay until the dealer's hand is complete",
        format!("the cards of a hand of {points} were cleared before the dealer's hand was complete"),
    ));
}
