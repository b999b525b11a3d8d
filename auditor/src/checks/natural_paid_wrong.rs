//! A natural was paid at other odds than the table's.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "natural_paid_wrong",
    kind: FlagKind::WrongPayout,
    finds: "A winning natural was paid more or less than the odds printed on the layout give.",
    matters: "A natural comes about once in twenty-one hands, so a wrong price adds up on either side.",
    tags: &[
        "natural_paid_wrong.3to2",
        "natural_paid_wrong.6to5",
        "natural_paid_wrong.1to1",
        "natural_paid_wrong.5to4",
        "natural_paid_wrong.even_stake",
        "natural_paid_wrong.ace_up",
        "natural_paid_wrong",
    ],
    runs: &[Run::Missettled(look)],
    templates: &[
        some("natural_paid_wrong", PAYS_3_TO_2, "3 $: AH KC; dealer: 9S 8D", "pay 3 3$/2 => pay 3 $"),
        some("natural_paid_wrong", PAYS_6_TO_5, "3 $: AH KC; dealer: 9S 8D", "pay 3 6$/5 => pay 3 3$/2"),
        every("natural_paid_wrong.3to2", "3 $: AH KC; dealer: 9S 8D", "pay 3 3$/2 => pay 3 6$/5"),
        with(
            "natural_paid_wrong.6to5",
            EVERY_GAME,
            "bj_pays=6:5",
            "3 $: AH KC; dealer: 9S 8D",
            "pay 3 6$/5 => pay 3 3$/2",
        ),
        with(
            "natural_paid_wrong.1to1",
            EVERY_GAME,
            "bj_pays=1:1",
            "3 $: AH KC; dealer: 9S 8D",
            "pay 3 $ => pay 3 3$/2",
        ),
        every("natural_paid_wrong.5to4", "3 $: AH KC; dealer: 9S 8D", "pay 3 5$/4 => pay 3 $"),
        every("natural_paid_wrong.even_stake", "3 $/2: AH KC; dealer: 9S 8D", "pay 3 $/2 => pay 3 2.50"),
        some("natural_paid_wrong.ace_up", PAYS_3_TO_2, "3 $: AH KC; dealer: AS 8D", "pay 3 3$/2 => pay 3 $"),
        some("natural_paid_wrong.ace_up", PAYS_5_TO_4, "3 $: AH KC; dealer: AS 8D", "pay 3 5$/4 => pay 3 $"),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let natural = matches!(point(judgement), Some(Point::Natural | Point::NaturalAlwaysWins));
    if judgement.wrong != Wrong::WinPaidWrong || !natural || is_over_maximum(table, judgement) {
        return;
    }
    let even_stake = table.rules.bj_pays_only_on.is_some_and(|only| only != judgement.standing.stake);
    let odds = match (table.rules.bj_pays.pays(), table.rules.bj_pays.per()) {
        _ if even_stake => "natural_paid_wrong.even_stake",
        (3, 2) => "natural_paid_wrong.3to2",
        (6, 5) => "natural_paid_wrong.6to5",
        (5, 4) => "natural_paid_wrong.5to4",
        _ => "natural_paid_wrong.1to1",
    };
    let ace_up: &[&str] = &["natural_paid_wrong.ace_up", odds, "natural_paid_wrong"];
    let tags = if table.dealer_hand().shows_ace() { ace_up } else { &ace_up[1..] };
    let tags = counted(tags, cards_of(table, judgement.wager()));
    report.raise(settlement(judgement, &tags));
}
