//! Even money was asked for and not paid as such.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "even_money_paid_wrong",
    kind: FlagKind::WrongPayout,
    finds: "A player with a natural asked for even money and was not paid 1:1, or was paid only after further cards.",
    matters: "The player gave up the higher odds for a sure and immediate win.",
    tags: &["even_money_paid_wrong.late", "even_money_paid_wrong"],
    runs: &[Run::Missettled(look), Run::Act(&[ActKind::Settle], look_at_time)],
    templates: &[
        some("even_money_paid_wrong", PAYS_3_TO_2, "3 $: AH KC even-money; dealer: AS 8D", "pay 3 $ => pay 3 3$/2"),
        some("even_money_paid_wrong", PAYS_6_TO_5, "3 $: AH KC even-money; dealer: AS 8D", "pay 3 $ => pay 3 6$/5"),
        some("even_money_paid_wrong", PAYS_5_TO_4, "3 $: AH KC even-money; dealer: AS 8D", "pay 3 $ => pay 3 5$/4"),
        every(
            "even_money_paid_wrong.late",
            "3 $: AH KC even-money; 5 $: TD 8C stand; dealer: AS 8D",
            "pay 3 $ => ; card dealer 8D => card dealer 8D | pay 3 $",
        ),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let wrong = matches!(
        judgement.wrong,
        Wrong::WinPaidWrong | Wrong::WinTaken | Wrong::WinPushed | Wrong::WinLeft
    );
    if !wrong || point(judgement) != Some(Point::EvenMoney) || !is_hand_stake(judgement.wager()) {
        return;
    }
    let tags = counted(&["even_money_paid_wrong"], cards_of(table, judgement.wager()));
    report.raise(settlement(judgement, &tags));
}

fn look_at_time(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Pay(wager, _) = act else { return };
    let asked = table.wagers.get(*wager).and_then(|standing| standing.even_money);
    let Some(further) = asked.and_then(|cards| table.cards_dealt.checked_sub(cards)).filter(|further| *further > 0)
    else {
        return;
    };
    report.raise(Finding::at(
        wager.place(),
        &["even_money_paid_wrong.late"],
        "even money is paid when it is asked for",
        format!("even money was paid {} after it was asked for", several(further, "card")),
    ));
}
