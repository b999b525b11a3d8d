//! What stood over the maximum was paid or taken.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "excess_settled",
    kind: FlagKind::WrongPayout,
    finds: "A wager over the displayed maximum, without a marker that allows it, was paid or taken in full instead of \
            up to the maximum.",
    matters: "The amount shown changed hands beyond the limit and is owed back.",
    tags: &["excess_settled"],
    runs: &[Run::Missettled(look)],
    templates: &[
        every("excess_settled", WIN, "bet 3 $ => bet 3 9000; pay 3 $ => pay 3 9000"),
        every("excess_settled", "3 $: TH 6C stand; dealer: 9S 8D", "bet 3 $ => bet 3 9000"),
        every("excess_settled", WIN, "bet 3 $ => marker 3 $/2 | bet 3 $"),
    ],
};

const WIN: &str = "3 $: TH 9C stand; dealer: 9S 8D";

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    if judgement.wrong != Wrong::ExcessSettled {
        return;
    }
    let wager = judgement.wager();
    let Some(most) = table.table_max(wager.box_no) else { return };
    let finding = Finding::at(
        wager.place(),
        CHECK.tags,
        format!("{} is settled up to {most}", name(wager)),
        format!("{} of {} was {}", name(wager), judgement.standing.stake, judgement.observed()),
    );
    report.raise(finding.worth(judgement.gain));
}
