//! The dealer drew before the players were done.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "dealer_drew_early",
    kind: FlagKind::DealerError,
    finds: "The dealer took a further card while a player's hand was still open, and that hand was played afterwards.",
    matters: "The player decided with the dealer's card in sight, and the card was meant for somebody else.",
    tags: &["dealer_drew_early"],
    runs: &[Run::Act(
        &[ActKind::Hit, ActKind::Stand, ActKind::Double, ActKind::Split, ActKind::Zap, ActKind::DrawnCard],
        look,
    )],
    templates: &[
        Template {
            tag: "dealer_drew_early",
            fits: |rules| !rules.hole_card,
            options: "",
            plan: "3 $: TH 9C stand; 5 $: TD 6C hit 3D stand; dealer: 9S 8D",
            spoil: "card dealer 8D => ; hit 5 => card dealer 8D | hit 5",
        },
        Template {
            tag: "dealer_drew_early",
            fits: |rules| rules.hole_card,
            options: "",
            plan: "3 $: TH 9C stand; 5 $: TD 6C hit 3D stand; dealer: 6S KH 4D",
            spoil: "card dealer 4D => ; hit 5 => card dealer 4D | hit 5",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Some((place, hand)) = played(act).and_then(|place| Some((place, table.hand(place)?))) else { return };
    if table.dealer.at_players_done.is_none() || hand.stood || table.is_closed(place) {
        return;
    }
    report.raise_unless_mended(Finding::at(
        Place::Dealer,
        &["dealer_drew_early"],
        "the dealer draws when every player is done",
        format!("the dealer drew while {} was still open", whose(place)),
    ));
}
