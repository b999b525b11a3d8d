//! The player was made to pay for a free bet that did not win.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "lammer_charged",
    kind: FlagKind::WrongPayout,
    finds: "Chips were taken from the player for a free bet.",
    matters: "A free bet costs the player nothing, won or lost; what was taken is his.",
    tags: &["lammer_charged.double", "lammer_charged.split", "lammer_charged"],
    runs: &[Run::Missettled(look)],
    templates: &[
        every("lammer_charged", "3 $: 5H 4C double 6D; dealer: 9S 8D", "take 3 double => take 3 double $"),
        every("lammer_charged.double", "3 $: 5H 4C double 6D; dealer: 9S 8D", "take 3 double => take 3 double $"),
        every("lammer_charged.split", "3 $: 8H 8C split [TD stand] [7S stand]; dealer: 9S 8D", "take 3b => take 3b $"),
    ],
};

fn look(_: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    if !matches!(judgement.wrong, Wrong::LossTakenWrong | Wrong::PushTaken) || !is_free(judgement) {
        return;
    }
    let tags: &[&str] = match judgement.wager().kind {
        WagerKind::Double => &["lammer_charged.double", "lammer_charged"],
        _ => &["lammer_charged.split", "lammer_charged"],
    };
    report.raise(settlement(judgement, tags));
}
