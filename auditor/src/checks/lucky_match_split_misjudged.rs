//! Lucky Match was judged on a third card after a split.

use super::prelude::*;
use super::sides::{Fault, fault};

pub(super) static CHECK: Check = Check {
    name: "lucky_match_split_misjudged",
    kind: FlagKind::WrongPayout,
    finds: "A suited pair was split, and Lucky Match was paid as if the card dealt next were its third.",
    matters: "A split settles the bet on two cards; the third card was not part of it.",
    tags: &["lucky_match_split_misjudged"],
    runs: &[Run::SideBet(look)],
    templates: &[every(
        "lucky_match_split_misjudged",
        "3 $ lucky_match $: 7H 7H split [7H hit TD] [TS stand]; dealer: 9S 8D",
        "pay 3 lucky_match 25$ => ; hit 3 => pay 3 lucky_match 100$ | hit 3",
    )],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    if let Some((SideBet::LuckyMatch, Fault::Split)) = fault(table, judgement, report) {
        report.raise(settlement(judgement, &[CHECK.name]));
    }
}
