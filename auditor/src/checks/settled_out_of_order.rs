//! Wagers were settled in another order than around the table.

use arrayvec::ArrayVec;

use super::prelude::*;
use crate::replay::Standing;

pub(super) static CHECK: Check = Check {
    name: "settled_out_of_order",
    kind: FlagKind::DealerError,
    finds: "At the end of the round the dealer jumped between boxes, or took lost insurance from left to right.",
    matters: "Settling box by box is what lets a camera, and a supervisor, follow every stake.",
    tags: &["settled_out_of_order", "settled_out_of_order.insurance"],
    runs: &[Run::Ends(look)],
    templates: &[
        Template {
            tag: "settled_out_of_order",
            fits: EVERY_GAME,
            options: "",
            plan: "1 $: TH 9C stand; 3 $: TD 8C stand; 5 $: TS 9H stand; dealer: 9S 8D",
            spoil: "pay 3 $ => pay 1 $; pay 1 $ => pay 3 $",
        },
        Template {
            tag: "settled_out_of_order.insurance",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 9C insure $/2 stand; 5 $: TD 8C insure $/2 stand; dealer: AS 8D",
            spoil: "take 5 insurance => take 3 insurance; take 3 insurance => take 5 insurance",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let final_stake = |standing: &Standing| is_hand_stake(standing.wager) && settled_last(table, standing);
    if let Some(box_no) = first_jump(table, final_stake).filter(|_| report.cites("settled_out_of_order")) {
        report.raise(Finding::on_box(
            box_no,
            &["settled_out_of_order"],
            "positions are settled in turn around the table",
            format!("box {box_no} was settled out of turn"),
        ));
    }
    if !table.wagers.has_kind(WagerKind::Insurance) {
        return;
    }
    let lost = |standing: &Standing| standing.wager.kind == WagerKind::Insurance && standing.fate.taken.is_some();
    let mut before: Option<(usize, table::BoxNo)> = None;
    for standing in in_order(table, lost) {
        if let Some((_, last)) = before.filter(|(_, last)| *last < standing.1) {
            report.raise_at(
                standing.0,
                Finding::on_box(
                    standing.1,
                    &["settled_out_of_order.insurance"],
                    "lost insurance is taken from the dealer's right to left",
                    format!("box {} was taken after box {last}", standing.1),
                ),
            );
        }
        before = Some(standing);
    }
}

/// Whether a wager was settled once the dealer's hand was complete.
fn settled_last(table: &Table<'_>, standing: &Standing) -> bool {
    standing.fate.at.is_some_and(|at| at > table.last_play_at)
}

type Settled = ArrayVec<(usize, table::BoxNo), 192>;

/// The wagers meant, by the step that settled each.
fn in_order(table: &Table<'_>, meant: impl Fn(&Standing) -> bool) -> Settled {
    let mut settled = Settled::new();
    for standing in table.wagers.iter().filter(|standing| meant(standing)) {
        if let Some(at) = standing.fate.at {
            let _ = settled.try_push((at, standing.wager.box_no));
        }
    }
    settled.sort_unstable();
    settled
}

/// The first box that breaks the walk around the table, in whichever direction it began.
fn first_jump(table: &Table<'_>, meant: impl Fn(&Standing) -> bool) -> Option<table::BoxNo> {
    let mut direction = std::cmp::Ordering::Equal;
    let mut before: Option<table::BoxNo> = None;
    for (_, box_no) in in_order(table, meant) {
        let step = before.map_or(std::cmp::Ordering::Equal, |last| box_no.cmp(&last));
        if step.is_ne() && direction.is_ne() && step != direction {
            return Some(box_no);
        }
        if step.is_ne() {
            direction = step;
        }
        before = Some(box_no);
    }
    None
}
