//! A shoe was played without its cutting card.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "cut_card_missing",
    kind: FlagKind::Irregularity,
    finds: "After shuffle and cut no cutting card was put into the stack, and a second round was dealt from it; or one was \
            left in a continuous shuffler.",
    matters: "Without the cutting card nothing says when the shoe ends.",
    tags: &["cut_card_missing", "cut_card_missing.left_in_machine"],
    runs: &[Run::Act(&[ActKind::FirstCard, ActKind::Shoe], look)],
    templates: &[
        Template {
            tag: "cut_card_missing",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(
                "shoe: shuffle offer-cut 3 cut 3 cut-card-in 52 burn XX; ",
                one_round!(),
                "\n---\n",
                another_round!(),
            ),
            spoil: "cut-card-in 52 =>",
        },
        Template {
            tag: "cut_card_missing.left_in_machine",
            fits: EVERY_GAME,
            options: "csm=true",
            plan: one_round!(),
            spoil: "card dealer 8D => cut-card | card dealer 8D",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let shoe = &table.shoe;
    if table.rules.csm {
        if matches!(act, Act::CutCardOut | Act::CutCardIn(_)) {
            report.raise(Finding::on_table(
                &["cut_card_missing.left_in_machine"],
                "the cutting card is put aside before the cards go into a continuous shuffler",
                "the cutting card was among the cards in the shuffler",
            ));
        }
        return;
    }
    let second = opens_round(table, act) && shoe.rounds == 1 && shoe.watched_from_start;
    let (true, Some(depth)) = (second && shoe.mixed == 0, shoe.cut) else { return };
    // As long as the cut has not been dealt past, the card may simply have been left where the player put it.
    let may_come = depth.is_some_and(|depth| shoe.count <= depth.saturating_add(1));
    if shoe.cut_card_in.is_none() && shoe.cut_card_out.is_none() && !may_come {
        report.raise(Finding::on_table(
            &["cut_card_missing"],
            "a shoe without a cutting card is shuffled again after the round",
            "a second round was dealt without a cutting card",
        ));
    }
}
