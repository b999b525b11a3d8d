//! A natural was taken as a loss.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "natural_taken",
    kind: FlagKind::WrongPayout,
    finds: "The stake of a winning natural was collected.",
    matters: "The player is owed the stake and the win.",
    tags: &["natural_taken"],
    runs: &[Run::Missettled(look)],
    templates: &[
        some("natural_taken", PAYS_3_TO_2, "3 $: AH KC; dealer: 9S 8D", "pay 3 3$/2 => take 3"),
        some("natural_taken", PAYS_6_TO_5, "3 $: AH KC; dealer: 9S 8D", "pay 3 6$/5 => take 3"),
        some("natural_taken", PAYS_5_TO_4, "3 $: AH KC; dealer: 9S 8D", "pay 3 5$/4 => take 3"),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let natural = matches!(point(judgement), Some(Point::Natural | Point::NaturalAlwaysWins));
    if judgement.wrong != Wrong::WinTaken || !natural {
        return;
    }
    let tags = counted(&["natural_taken"], cards_of(table, judgement.wager()));
    report.raise(settlement(judgement, &tags));
}
