//! A wager over the maximum was let stand.

use table::BoxNo;

use super::prelude::*;
use crate::rules::OverMax;

pub(super) static CHECK: Check = Check {
    name: "wager_above_maximum",
    kind: FlagKind::Irregularity,
    finds: "A main wager, or all wagers on a box with a maximum of its own together, came to more than the maximum.",
    matters: "The maximum is what the house is prepared to lose on one hand and what all players are held to alike.",
    tags: &["wager_above_maximum", "wager_above_maximum.box_total"],
    runs: &[Run::Dealt(look)],
    templates: &[
        with(
            "wager_above_maximum",
            |rules| rules.over_max == OverMax::Refused,
            "",
            "3 $: TH 9C stand; dealer: 9S 8D",
            "bet 3 $ => bet 3 9000; pay 3 $ => pay 3 9000",
        ),
        every("wager_above_maximum.box_total", "3 $ /2 $: TH 9C stand; dealer: 9S 8D",
            "bet 3 $ => marker 3 15 | bet 3 $",
        ),
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    for box_no in table.wagered_boxes().iter() {
        let Some(most) = table.table_max(box_no) else { continue };
        // Where the rest over the maximum is simply not settled, the wager may lie there.
        let refused = table.rules.over_max == OverMax::Refused;
        let over = on_box(table, box_no).find(|standing| refused && standing.stake > most);
        if let Some(standing) = over {
            let finding = Finding::at(
                standing.wager.place(),
                &["wager_above_maximum"],
                format!("a main wager is at most {most}"),
                format!("{} was {}", name(standing.wager), standing.stake),
            );
            report.raise(finding.shown_by(standing.at));
        } else if table.markers.iter().any(|(on, _)| *on == box_no) {
            look_at_total(table, box_no, most, report);
        }
    }
}

fn on_box<'t>(table: &'t Table<'_>, box_no: BoxNo) -> impl Iterator<Item = &'t Standing> {
    let mains = |standing: &&Standing| standing.wager.kind == WagerKind::Main && !standing.wager.tip;
    table.wagers.on_box(box_no).filter(mains).filter(|standing| !standing.fate.returned)
}

/// A box with a maximum of its own: all that is bet on it counts together.
fn look_at_total(table: &Table<'_>, box_no: BoxNo, most: Money, report: &mut Report<'_>) {
    let total = on_box(table, box_no).fold(Money::ZERO, |sum, on| sum.plus(on.stake).unwrap_or(sum));
    if total > most && on_box(table, box_no).nth(1).is_some() {
        report.raise(Finding::on_box(
            box_no,
            &["wager_above_maximum.box_total", "wager_above_maximum"],
            format!("all wagers on the box together are at most {most}"),
            format!("together they were {total}"),
        ));
    }
}
