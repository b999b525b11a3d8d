//! A side bet was paid by another scale than the table displays.

use super::prelude::*;
use super::sides::{Fault, NZ, fault, tags};

pub(super) static CHECK: Check = Check {
    name: "pay_scale_mixed",
    kind: FlagKind::WrongPayout,
    finds: "A winning side bet was paid what the rulebook gives for its cards on a scale other than the displayed one.",
    matters: "The house chooses one scale and shows it; paying by another misleads the players or costs the house.",
    tags: &[
        "pay_scale_mixed.perfect_pair",
        "pay_scale_mixed.any_pair",
        "pay_scale_mixed.lucky_match",
        "pay_scale_mixed.push22",
    ],
    runs: &[Run::SideBet(look)],
    templates: &[
        some("pay_scale_mixed.perfect_pair", NZ, "3 $ perfect_pair $: TH TC stand; dealer: 9S 8D", "pay 3 perfect_pair 5$ => pay 3 perfect_pair 6$"),
        every("pay_scale_mixed.any_pair", "3 $ any_pair $: TH TC stand; dealer: 9S 8D", "pay 3 any_pair 11$ => pay 3 any_pair 10$"),
        every("pay_scale_mixed.lucky_match", "3 $ lucky_match $: TH TH stand; dealer: 9S 8D", "pay 3 lucky_match 25$ => pay 3 lucky_match 20$"),
        some("pay_scale_mixed.push22", NZ, "3 $ push22 $: TH 9C stand; dealer: 6S TD 6C", "pay 3 push22 8$ => pay 3 push22 7$"),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let Some((bet, Fault::OtherScale)) = fault(table, judgement, report) else { return };
    let [own, _] = tags(CHECK.name, bet, None);
    report.raise(settlement(judgement, &[&own]));
}
