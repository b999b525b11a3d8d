//! An ante was given back or paid.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "ante_returned",
    kind: FlagKind::WrongPayout,
    finds: "An ante was handed back or paid although the hand it belongs to was not void.",
    matters: "The ante is a fee, not a wager: it does not win and does not come back.",
    tags: &["ante_returned"],
    runs: &[Run::Ends(look)],
    templates: &[
        every("ante_returned", "3 $ ante 0.50: TH 9C stand; dealer: 9S 8D",
            "take 3 ante => return 3 ante",
        ),
        every("ante_returned", "3 $ ante 0.50: TH 9C stand; dealer: 9S 8D",
            "pay 3 $ => pay 3 $ | pay 3 ante 0.50",
        ),
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    for ante in antes(table).filter(|ante| table.is_live(ante.wager.place()) && !table.void) {
        let fate = &ante.fate;
        let paid = fate.paid.unwrap_or_default();
        if fate.returned || fate.pushed || paid > Money::ZERO {
            let finding = Finding::at(
                ante.wager.place(),
                CHECK.tags,
                "the ante stays with the house",
                format!("{} of {} was given back", name(ante.wager), ante.stake),
            );
            report.raise(finding.worth(if paid > Money::ZERO { paid } else { ante.stake }));
        }
    }
}
