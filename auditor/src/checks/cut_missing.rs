//! The cards were not cut, or not by the one who should.

use table::BoxNo;
use table::round::Cutter;

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "cut_missing",
    kind: FlagKind::Irregularity,
    finds: "After a shuffle the cards were dealt without a cut, or the cut was made by somebody it was not offered \
            to, or by staff before the players had been asked.",
    matters: "The cut takes the order of the cards out of the dealer's hands; it protects the house and the players \
              alike.",
    tags: &[
        "cut_missing",
        "cut_missing.not_offered",
        "cut_missing.wrong_player",
        "cut_missing.wrong_player.opening",
        "cut_missing.wrong_player.box",
        "cut_missing.wrong_player.dealer",
        "cut_missing.wrong_player.replacement",
    ],
    runs: &[Run::Act(&[ActKind::Card], look)],
    templates: &[
        Template {
            tag: "cut_missing",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(ready!(), one_round!()),
            spoil: "offer-cut 3 => ; cut 3 104 =>",
        },
        Template {
            tag: "cut_missing.not_offered",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(
                one_round!(),
                "\n---\nshoe: shuffle offer-cut 3 offer-cut 5 cut staff 104 cut-card-in 52 burn XX; ",
                another_round!(),
            ),
            spoil: "offer-cut 3 => ; offer-cut 5 =>",
        },
        Template {
            tag: "cut_missing.wrong_player",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(
                one_round!(),
                "\n---\nshoe: shuffle offer-cut 3 offer-cut 5 cut 5 104 cut-card-in 52 burn XX; ",
                another_round!(),
            ),
            spoil: "offer-cut 5 =>",
        },
        Template {
            tag: "cut_missing.wrong_player.opening",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(
                "shoe: cards checked 6 shuffle offer-cut 3 offer-cut 5 cut 5 104 cut-card-in 52 burn XX; ",
                one_round!(),
            ),
            spoil: "offer-cut 5 =>",
        },
        Template {
            tag: "cut_missing.wrong_player.box",
            fits: dealt_face_up,
            options: "",
            plan: concat!(
                one_round!(),
                "\n---\nshoe: shuffle offer-cut 5 cut 5 104 cut-card-in 52 burn XX; ",
                another_round!(),
            ),
            spoil: "card 3 9C => cut-card | card 3 9C",
        },
        Template {
            tag: "cut_missing.wrong_player.dealer",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(
                one_round!(),
                "\n---\nshoe: shuffle offer-cut 3 cut 3 104 cut-card-in 52 burn XX; ",
                another_round!(),
            ),
            spoil: "card dealer 8D => cut-card | card dealer 8D",
        },
        Template {
            tag: "cut_missing.wrong_player.replacement",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(
                one_round!(),
                "\n---\nshoe: cards checked 6 shuffle offer-cut 3 cut 3 104 cut-card-in 52 burn XX; ",
                another_round!(),
            ),
            spoil: "offer-cut 3 => offer-cut 5; cut 3 104 => cut 5 104",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let shoe = &table.shoe;
    let goes_on = matches!(act, Act::Card { .. });
    if !goes_on || shoe.mixed == 0 || table.rules.csm {
        return;
    }
    if shoe.cut.is_none() {
        report.raise(Finding::on_table(
            &["cut_missing"],
            "the cards are cut after the shuffle",
            "the cards were dealt without a cut",
        ));
    } else if opens_round(table, act) {
        match shoe.cutter {
            Some(Cutter::Staff) => staff_cut(table, report),
            Some(Cutter::Box(box_no)) => player_cut(table, box_no, report),
            None => {}
        }
    }
}

/// Staff cut when every player declined. Who is known to have been there played both before and after.
fn staff_cut(table: &Table<'_>, report: &mut Report<'_>) {
    let shoe = &table.shoe;
    let everybody = report.cites("cut_missing.wrong_player");
    if !everybody && !shoe.offered.is_empty() {
        return;
    }
    let unasked = shoe.seated.iter().find(|box_no| table.watch.wagered.has(*box_no) && !shoe.offered.has(*box_no));
    if let Some(box_no) = unasked {
        report.raise(Finding::on_table(
            &["cut_missing.not_offered"],
            "staff cut when the players have been asked and declined",
            format!("staff cut and box {box_no} was not asked"),
        ));
    }
}

fn player_cut(table: &Table<'_>, by: BoxNo, report: &mut Report<'_>) {
    let shoe = &table.shoe;
    let Some(first) = shoe.offered_first else { return };
    let replacement = shoe.supply.is_some_and(|supply| supply.replacement);
    let (tag, whose) = match shoe.last_cut_card {
        _ if replacement => ("cut_missing.wrong_player.replacement", shoe.seated.iter().next()),
        Some(Came::With(Place::Box(box_no, _))) => ("cut_missing.wrong_player.box", Some(box_no)),
        Some(Came::With(Place::Dealer)) => ("cut_missing.wrong_player.dealer", shoe.seated.iter().next_back()),
        _ => ("cut_missing.wrong_player", None),
    };
    let there = whose.filter(|box_no| shoe.seated.has(*box_no) && table.watch.wagered.has(*box_no));
    if let Some(whose) = there.filter(|whose| *whose != first) {
        report.raise(Finding::on_table(
            &[tag, "cut_missing.wrong_player"],
            format!("the cut is first offered to box {whose}"),
            format!("the cut was first offered to box {first}"),
        ));
    } else if !shoe.offered.has(by) {
        let opening = shoe.supply.is_some() && !replacement;
        let tags: &[&str] = if opening {
            &["cut_missing.wrong_player.opening", "cut_missing.wrong_player"]
        } else {
            &["cut_missing.wrong_player"]
        };
        report.raise(Finding::on_table(
            tags,
            format!("the cut is made by a player it was offered to, first box {first}"),
            format!("box {by} cut without having been asked"),
        ));
    }
}
