//! More players bet on a box than may.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "too_many_bettors",
    kind: FlagKind::Irregularity,
    finds: "More players had a main wager on one box than the rulebook, or the house, allows.",
    matters: "With too many stacks in a box nobody can say whose chips are whose when it is paid.",
    tags: &["too_many_bettors"],
    runs: &[Run::Dealt(look)],
    templates: &[
        with(
            "too_many_bettors",
            |rules| rules.bettors_per_box == 3 && !rules.ante,
            "",
            "3 $ /2 $ /3 $: TH 9C stand; dealer: 9S 8D",
            "bet 3/3 $ => bet 3/3 $ | bet 3/4 $; pay 3/3 $ => pay 3/3 $ | pay 3/4 $",
        ),
        with(
            "too_many_bettors",
            |rules| rules.ante,
            "",
            "3 $ /2 $ /3 $: TH 9C stand; dealer: 9S 8D",
            "bet 3/3 $ => bet 3/3 $ | bet 3/4 $ | bet 3/4 ante 0.50; take 3/3 ante => take 3/3 ante | take 3/4 ante; \
             pay 3/3 $ => pay 3/3 $ | pay 3/4 $",
        ),
        with(
            "too_many_bettors",
            |rules| rules.bettors_per_box == 2,
            "",
            "3 $ /2 $: TH 9C stand; dealer: 9S 8D",
            "bet 3/2 $ => bet 3/2 $ | bet 3/3 $; pay 3/2 $ => pay 3/2 $ | pay 3/3 $",
        ),
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let most = table.rules.bettors_per_box;
    // Where nobody may bet behind at all, that is its own finding.
    if most <= 1 {
        return;
    }
    for box_no in table.wagered_boxes().iter() {
        let bettors = mains(table).filter(|standing| standing.wager.box_no == box_no && !standing.fate.returned).count();
        if bettors > usize::from(most) {
            report.raise(Finding::on_box(
                box_no,
                &["too_many_bettors"],
                format!("at most {most} players bet on a box"),
                format!("{bettors} players bet on the box"),
            ));
        }
    }
}
