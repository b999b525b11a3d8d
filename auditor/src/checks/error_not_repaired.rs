//! A dealing error was noticed and left.

use table::BoxNo;

use super::prelude::*;
use crate::hand::End;
use crate::replay::Standing;

pub(super) static CHECK: Check = Check {
    name: "error_not_repaired",
    kind: FlagKind::Irregularity,
    finds: "A card went astray in the deal, a supervisor was called, and the hands were neither put right nor \
            declared void. Or a hand was declared void and the dealer's hand was not finished for the others. Or an \
            error of the round before was rebuilt, or held against a round that was valid.",
    matters: "The rules say how an error is undone; left as it is, somebody is paid on another player's cards.",
    tags: &[
        "error_not_repaired.affected_hand_settled",
        "error_not_repaired.dealer_hand_abandoned",
        "error_not_repaired.earlier_round",
        "error_not_repaired",
    ],
    runs: &[Run::Ends(look), Run::Act(&[ActKind::Repair], look_at_earlier_round)],
    templates: &[
        Template {
            tag: "error_not_repaired",
            fits: EVERY_GAME,
            options: "",
            plan: one_round!(),
            spoil: "card 3 TH => ; card 5 TD => card 5 TD | card 3 TH; stand 3 => supervisor | stand 3",
        },
        Template {
            tag: "error_not_repaired.affected_hand_settled",
            fits: EVERY_GAME,
            options: "",
            plan: one_round!(),
            spoil: "card 3 TH => ; card 5 TD => card 5 TD | card 3 TH; stand 3 => supervisor | stand 3",
        },
        Template {
            tag: "error_not_repaired.dealer_hand_abandoned",
            fits: EVERY_GAME,
            options: "",
            plan: one_round!(),
            spoil: "stand 3 => supervisor | void 3; card dealer 8D => ; pay 3 $ => return 3; pay 5 $ => return 5",
        },
        Template {
            tag: "error_not_repaired.earlier_round",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(one_round!(), "\n---\n1 $: 7C TH stand; dealer: TC 8H"),
            spoil: "stand 1 => supervisor | reconstruct 5 | stand 1",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    if table.repaired || table.void {
        abandoned(table, report);
        return;
    }
    let noticed = |misdeal: &&Misdeal| table.supervisor_at.is_some_and(|called| called > misdeal.step);
    let Some(misdeal) = table.watch.misdeals.iter().find(noticed) else { return };
    let concerned = [Some(misdeal.due), misdeal.to].into_iter().flatten();
    let settled = concerned.filter_map(Place::box_no).any(|box_no| {
        table.wagers.on_box(box_no).any(|standing| standing.fate.paid.or(standing.fate.taken).is_some())
    });
    let tags: &[&str] = if settled {
        &["error_not_repaired.affected_hand_settled", "error_not_repaired"]
    } else {
        &["error_not_repaired"]
    };
    let finding = Finding::on_table(
        tags,
        "an error in the deal is put right, or the hands it touches are void",
        format!("the card due to {} was left astray", who(misdeal.due)),
    );
    report.raise(finding.shown_by(misdeal.step));
}

/// With some hands void, the dealer's hand is finished for the others.
fn abandoned(table: &Table<'_>, report: &mut Report<'_>) {
    let void = table.hands().any(|(_, hand)| hand.play.end == End::Void);
    if table.void || !void || table.rules.hole_card || table.dealer.cards.len() != 1 {
        return;
    }
    let waits = table.hands().find(|(place, hand)| {
        let live = hand.play.end == End::Played && !hand.is_bust() && !hand.play.is_natural();
        let returned = |standing: &Standing| standing.wager.place() == *place && standing.fate.returned;
        live && place.box_no().is_some_and(|box_no| table.wagers.on_box(box_no).any(returned))
    });
    if let Some((place, _)) = waits {
        report.raise(Finding::on_table(
            &["error_not_repaired.dealer_hand_abandoned", "error_not_repaired"],
            "the dealer's hand is finished for the hands that are not void",
            format!("the dealer's hand was left at one card, and the wager of {} was handed back", who(place)),
        ));
    }
}

/// An error that came to light when the next round had begun: the earlier round is void, the later one stands.
fn look_at_earlier_round(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    if table.deal == Deal::Betting || table.cleared {
        return;
    }
    let of_last_round =
        |box_no: BoxNo| table.shoe.seated.has(box_no) && table.box_at(box_no).hands.is_empty();
    let observed = match act {
        Act::VoidRound if table.shoe.left_astray && !has_other_cause(table) => "the later round was declared void",
        Act::Reconstruct(Place::Box(box_no, _)) if of_last_round(*box_no) => "a hand of the earlier round was rebuilt",
        _ => return,
    };
    report.raise(Finding::on_table(
        &["error_not_repaired.earlier_round"],
        "an error found after the next round began voids the round it happened in",
        observed,
    ));
}
