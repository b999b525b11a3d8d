//! A hand that a dealer's 22 does not touch was pushed because of it.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "dealer22_exempt_pushed",
    kind: FlagKind::WrongPayout,
    finds: "The dealer made 22, and a natural or a surrendered hand was pushed with the others.",
    matters: "Those hands are decided before the dealer draws; the 22 changes nothing for them.",
    tags: &["dealer22_exempt_pushed.natural", "dealer22_exempt_pushed.surrender"],
    runs: &[Run::Missettled(look)],
    templates: &[
        every(
            "dealer22_exempt_pushed.natural",
            "3 $: AH KC; 5 $: TD 8C stand; dealer: TS 6D 6C",
            "pay 3 3$/2 => push 3",
        ),
        every(
            "dealer22_exempt_pushed.surrender",
            "3 $: TH 6C surrender; 5 $: TD 8C stand; dealer: 9S 6D 7C",
            "take 3 $/2 => push 3",
        ),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let fate = &judgement.standing.fate;
    if !(fate.pushed || fate.returned) || !is_hand_stake(judgement.wager()) || !dealer_made_a_pushing_22(table) {
        return;
    }
    let tag = match (point(judgement), judgement.wrong) {
        (Some(Point::Natural | Point::NaturalAlwaysWins), Wrong::WinPushed) => "dealer22_exempt_pushed.natural",
        (Some(Point::Surrender), Wrong::LossLeft) => "dealer22_exempt_pushed.surrender",
        _ => return,
    };
    report.raise(settlement(judgement, &[tag]));
}
