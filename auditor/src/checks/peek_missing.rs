//! The dealer did not look for a natural when the up card called for it.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "peek_missing",
    kind: FlagKind::DealerError,
    finds: "The dealer showed an ace or a ten, and play went on without the hole card having been looked at.",
    matters: "Players who double or split against a natural put up money that is already lost.",
    tags: &["peek_missing.ace", "peek_missing.ten"],
    runs: &[Run::Act(
        &[ActKind::Hit, ActKind::Stand, ActKind::Double, ActKind::Split, ActKind::DrawnCard, ActKind::Turn],
        look,
    )],
    templates: &[
        every("peek_missing.ace", "3 $: TH 9C stand; dealer: AS 7D", "peek =>"),
        every("peek_missing.ten", "3 $: TH 9C stand; dealer: KS 8D", "peek =>"),
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let dealer = table.dealer_hand();
    let hidden = table.rules.hole_card && table.dealer.down > 0;
    let players_own = matches!(act, Act::TurnUp(Place::Box(..), _) | Act::Tuck(_) | Act::TurnSideways(_));
    if table.deal != Deal::Done || !hidden || table.dealer.peeked || !dealer.shows_ace_or_ten() || players_own {
        return;
    }
    let (tags, up): (&[&str], _) =
        if dealer.shows_ace() { (&["peek_missing.ace"], "an ace") } else { (&["peek_missing.ten"], "a ten") };
    report.raise(Finding::on_table(
        tags,
        format!("with {up} up the dealer looks at the hole card first"),
        "play went on without a look at the hole card",
    ));
}
