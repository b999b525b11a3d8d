//! A winning hand was paid at other odds than 1:1.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "win_paid_wrong",
    kind: FlagKind::WrongPayout,
    finds: "A hand that won, and is no natural, was paid more or less than its stake.",
    matters: "Either the house or the player is short by the difference.",
    tags: &["win_paid_wrong.double", "win_paid_wrong.split", "win_paid_wrong"],
    runs: &[Run::Missettled(look)],
    templates: &[
        every("win_paid_wrong", "3 $: TH 9C stand; dealer: 9S 8D", "pay 3 $ => pay 3 2$"),
        some(
            "win_paid_wrong.double",
            |rules| !rules.free_double.any(),
            "3 $: 5H 4C double TD; dealer: 9S 8D",
            "pay 3 double $ => pay 3 double $/2",
        ),
        some(
            "win_paid_wrong.double",
            |rules| rules.free_double.any(),
            "3 $: 5H 7C double 8D; dealer: 9S 8D",
            "pay 3 double $ => pay 3 double $/2",
        ),
        every(
            "win_paid_wrong.split",
            "3 $: TH TC split [8D stand] [9S stand]; dealer: 9S 8D",
            "pay 3b $ => pay 3b 2$",
        ),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let wager = judgement.wager();
    let plain = !matches!(
        point(judgement),
        Some(Point::Natural | Point::NaturalAlwaysWins | Point::EvenMoney)
    );
    if judgement.wrong != Wrong::WinPaidWrong
        || !is_hand_stake(wager)
        || !plain
        || is_free(judgement)
        || is_over_maximum(table, judgement)
        || super::false_natural::is_false(table, judgement)
    {
        return;
    }
    let split = table.hand(wager.place()).is_some_and(|hand| hand.play.split);
    let tags: &[&str] = match wager.kind {
        WagerKind::Double => &["win_paid_wrong.double", "win_paid_wrong"],
        _ if split => &["win_paid_wrong.split", "win_paid_wrong"],
        _ => &["win_paid_wrong"],
    };
    let tags = counted(tags, cards_of(table, wager));
    report.raise(settlement(judgement, &tags));
}
