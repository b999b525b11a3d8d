//! An ante was not the amount on the sign.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "ante_amount_wrong",
    kind: FlagKind::Irregularity,
    finds: "The ante beside a main wager was another amount than the sign at the table gives.",
    matters: "The ante is a flat fee, the same for everybody; the amount shown is what was charged too much or too little.",
    tags: &["ante_amount_wrong"],
    runs: &[Run::Dealt(look)],
    templates: &[with(
        "ante_amount_wrong",
        EVERY_GAME,
        "ante_posted=0.50",
        "3 $: TH 9C stand; dealer: 9S 8D",
        "bet 3 ante 0.50 => bet 3 ante 0.25",
    )],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let sign = table.limit(WagerKind::Ante).filter(|limit| limit.min == limit.max).map(|limit| limit.min);
    let Some(posted) = table.rules.ante_posted.or(sign) else { return };
    let above = |ante: &Standing| ante_cap(table).is_some_and(|cap| ante.stake > cap);
    for ante in antes(table).filter(|ante| ante.stake != posted && !above(ante)) {
        let finding = Finding::at(
            ante.wager.place(),
            CHECK.tags,
            format!("the ante is {posted}"),
            format!("{} was {}", name(ante.wager), ante.stake),
        );
        report.raise(finding.shown_by(ante.at).worth(posted.minus(ante.stake).unwrap_or_default()));
    }
}
