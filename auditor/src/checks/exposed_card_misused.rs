//! A card shown in error was not used as it must be.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "exposed_card_misused",
    kind: FlagKind::Irregularity,
    finds: "A card whose face was shown too early was thrown away or passed over instead of being the next card; or \
            a player who refused it drew another; or a refused card did not become the dealer's.",
    matters: "Once a card is seen, the rules fix where it goes, so that nobody can choose with knowledge.",
    tags: &["exposed_card_misused.refuser_drew", "exposed_card_misused.refused_not_to_dealer", "exposed_card_misused"],
    runs: &[Run::Act(&[ActKind::Loose, ActKind::Shoe], look), Run::Act(&[ActKind::CardAfterLoose], look_at_next)],
    templates: &[
        Template {
            tag: "exposed_card_misused",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 9C stand; dealer: 9S 8D",
            spoil: "stand 3 => exposed 4D | discard 4D | stand 3",
        },
        Template {
            tag: "exposed_card_misused.refuser_drew",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 4C hit 5D stand; dealer: 9S 8D",
            spoil: "hit 3 => exposed 4D | refuse 3 | hit 3",
        },
        Template {
            tag: "exposed_card_misused.refused_not_to_dealer",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 9C stand; dealer: 9S 8D",
            spoil: "stand 3 => exposed 4D | refuse 3 | discard 4D | stand 3",
        },
    ],
};

const NEXT: &str = "a card shown in error is used as the next card";

/// Whether players may refuse such a card; that book speaks only of cards shown after the initial deal.
fn may_be_refused(report: &Report<'_>) -> bool {
    report.cites("exposed_card_misused.refuser_drew")
}

fn is_judged(table: &Table<'_>, report: &Report<'_>) -> bool {
    let exposed = table.loose.is_some() && table.loosed.how == LooseBy::Exposed;
    exposed && (table.deal == Deal::Done || !may_be_refused(report)) && table.deal != Deal::Betting
}

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let (Act::Discard(card) | Act::Burn(card)) = act else { return };
    if !is_judged(table, report) || !table.is_loose(*card) || !cards_are_due(table) {
        return;
    }
    let observed = format!("{} went to the rack", card.pretty());
    if table.loosed.answer == Some(false) && may_be_refused(report) {
        report.raise(Finding::on_table(
            &["exposed_card_misused.refused_not_to_dealer", "exposed_card_misused"],
            "a card the players refuse becomes the dealer's second card",
            observed,
        ));
    } else {
        report.raise(Finding::on_table(&["exposed_card_misused"], NEXT, observed));
    }
}

fn look_at_next(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Card { to, card, .. } = act else { return };
    let refuser = to.box_no().is_some_and(|box_no| table.box_at(box_no).refused);
    if refuser && may_be_refused(report) {
        report.raise(Finding::at(
            *to,
            &["exposed_card_misused.refuser_drew", "exposed_card_misused"],
            "a player who refuses a card gets no more in that round",
            format!("{} got {}", who(*to), card.pretty()),
        ));
        return;
    }
    if !is_judged(table, report) || table.is_loose(*card) {
        return;
    }
    let refused = table.loosed.answer == Some(false) && may_be_refused(report);
    let (tags, expected): (&[&str], _) = if refused && *to == Place::Dealer {
        (
            &["exposed_card_misused.refused_not_to_dealer", "exposed_card_misused"],
            "a card the players refuse becomes the dealer's second card",
        )
    } else {
        (&["exposed_card_misused"], NEXT)
    };
    report.raise(Finding::on_table(tags, expected, format!("{} got {} instead", who(*to), card.pretty())));
}
