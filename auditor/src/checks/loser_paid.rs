//! A losing hand was paid.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "loser_paid",
    kind: FlagKind::WrongPayout,
    finds: "A hand that lost to the dealer's, or went over 21, was paid.",
    matters: "The house lost the stake it should have taken and the amount it paid.",
    tags: &[
        "loser_paid.lower",
        "loser_paid.bust",
        "loser_paid.dealer_natural.ace",
        "loser_paid.dealer_natural.ten",
        "loser_paid.dealer_natural",
        "loser_paid",
    ],
    runs: &[Run::Missettled(look)],
    templates: &[
        every("loser_paid", "3 $: TH 7C stand; dealer: 9S 9D", "take 3 => pay 3 $"),
        every("loser_paid.lower", "3 $: TH 7C stand; dealer: 9S 9D", "take 3 => pay 3 $"),
        every("loser_paid.bust", "3 $: TH 7C hit 9D; 5 $: TD 8C stand; dealer: 9S 8D", "take 3 => pay 3 $"),
        every("loser_paid.dealer_natural", "3 $: TH 7C stand; dealer: AS KD", "take 3 => pay 3 $"),
        every("loser_paid.dealer_natural.ace", "3 $: TH 7C; dealer: AS KD", "take 3 => pay 3 $"),
        every("loser_paid.dealer_natural.ten", "3 $: TH 7C; dealer: KS AD", "take 3 => pay 3 $"),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let spared = judgement.wrong == Wrong::PushPaid && judgement.spared;
    if !(judgement.wrong == Wrong::LossPaid || spared) || !is_hand_stake(judgement.wager()) {
        return;
    }
    let tags: &[&str] = match point(judgement) {
        Some(Point::Surrender | Point::SurrenderToNatural) => return,
        Some(Point::Bust) if !spared => &["loser_paid.bust", "loser_paid"],
        Some(Point::Lower) => &["loser_paid.lower", "loser_paid"],
        _ if table.dealer_hand().shows_ace() => {
            &["loser_paid.dealer_natural.ace", "loser_paid.dealer_natural", "loser_paid"]
        }
        _ => &["loser_paid.dealer_natural.ten", "loser_paid.dealer_natural", "loser_paid"],
    };
    let tags = counted(tags, cards_of(table, judgement.wager()));
    report.raise(settlement(judgement, &tags));
}
