//! The dealer drew a card on which nothing depended.

use table::SideBet;

use super::prelude::*;
use crate::dealer::must_draw;
use crate::rules::DealerSkip;

pub(super) static CHECK: Check = Check {
    name: "dealer_drew_for_nothing",
    kind: FlagKind::DealerError,
    finds: "The dealer took a card although it could not change what any wager came to.",
    matters: "The card belonged to the next round, in which every hand then got another card than it should have.",
    tags: &["dealer_drew_for_nothing"],
    runs: &[Run::Act(&[ActKind::DrawnCard], look)],
    templates: &[
        Template {
            tag: "dealer_drew_for_nothing",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 6C hit 9D; dealer: 9S",
            spoil: "collect dealer => card dealer 8D | collect dealer",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Card { to: Place::Dealer, .. } = act else { return };
    let cards = table.dealer.cards.len();
    if !table.seen.wagers || table.deal != Deal::Done || table.rules.dealer_skip == DealerSkip::Unstated || table.loose.is_some() {
        return;
    }
    // From a total that stands the card is too many for another reason.
    let stands = cards >= 2 && table.dealer_hand().total().is_none_or(|total| !must_draw(table.rules, total));
    if stands || matters(table, cards) {
        return;
    }
    report.raise_unless_mended(Finding::on_table(
        &["dealer_drew_for_nothing"],
        "the dealer takes no card that changes nothing",
        format!("the dealer took card {} with nothing depending on it", cards + 1),
    ));
}

/// Whether any wager still turns on the dealer's next card. The second one matters to every wager not settled; from the
/// third on a rulebook asks either for an effect or only for a wager still open. A box whose chips were not seen may
/// have any.
fn matters(table: &Table<'_>, cards: usize) -> bool {
    if !table.dealt_boxes().without(table.wagered_boxes()).is_empty() {
        return true;
    }
    let open = || table.wagers.iter().any(|standing| !table.is_settled_in_time(standing));
    let contested = || {
        table.hands().any(|(place, hand)| table.is_unsettled(place) && table.turns_on_dealer(hand) != Some(false))
            || table.has_open_side(SideBet::Push22)
    };
    if cards < 2 || table.rules.dealer_skip == DealerSkip::AllSettled { open() } else { contested() }
}
