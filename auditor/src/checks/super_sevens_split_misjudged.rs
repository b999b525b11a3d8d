//! Super Sevens was judged on the wrong cards after a split.

use super::prelude::*;
use super::sides::{ACT, Fault, NZ, fault};

pub(super) static CHECK: Check = Check {
    name: "super_sevens_split_misjudged",
    kind: FlagKind::WrongPayout,
    finds: "Two sevens were split, and the next card was counted for Super Sevens where it does not count, or left out \
            where it does.",
    matters: "Rulebooks differ on this point, and three sevens pay many times what two do.",
    tags: &["super_sevens_split_misjudged"],
    runs: &[Run::SideBet(look)],
    templates: &[
        some(
            "super_sevens_split_misjudged",
            NZ,
            "3 $ super_sevens $: 7H 7C split [7D hit TD] [TS stand]; dealer: 9S 8D",
            "pay 3 super_sevens 50$ => ; card 3 7D => card 3 7D | pay 3 super_sevens 500$",
        ),
        some(
            "super_sevens_split_misjudged",
            ACT,
            "3 $ super_sevens $: 7H 7C split [7D hit TD] [TS stand]; dealer: 9S 8D",
            "pay 3 super_sevens 500$ => pay 3 super_sevens 50$",
        ),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    if let Some((SideBet::SuperSevens, Fault::Split)) = fault(table, judgement, report) {
        report.raise(settlement(judgement, &[CHECK.name]));
    }
}
