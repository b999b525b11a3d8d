//! A Madness 21 prize was none the button can give.

use super::prelude::*;
use super::sides::{is_prize, prize_paid};

pub(super) static CHECK: Check = Check {
    name: "madness_prize_off_table",
    kind: FlagKind::WrongPayout,
    finds: "The prize shown, or the one paid where none was shown, is not in the rulebook's table of prizes.",
    matters: "The button picks from a fixed list; any other prize is a fault of the equipment or of the payment.",
    tags: &["madness_prize_off_table"],
    runs: &[Run::Act(&[ActKind::Other], look), Run::SideBet(look_at_payment)],
    templates: &[every(
        "madness_prize_off_table",
        "prize 3 24; 3 $ madness21 $: AH KC; dealer: 9S 8D",
        "prize 3 madness21 24 => prize 3 madness21 60; pay 3 madness21 24$ => pay 3 madness21 60$",
    )],
};

fn look(_: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Prize(wager, prize) = act else { return };
    if is_prize(*prize) {
        return;
    }
    report.raise(Finding::at(
        wager.place(),
        &[CHECK.name],
        "the button gives a prize of the table",
        format!("the button gave {prize} for every unit"),
    ));
}

fn look_at_payment(_: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let standing = judgement.standing;
    let unread = judgement.wager().kind == WagerKind::Side(SideBet::Madness21)
        && judgement.tier.is_some()
        && judgement.due.is_none();
    let Some(paid) = standing.fate.paid.filter(|_| unread && prize_paid(standing).is_none_or(|prize| !is_prize(prize)))
    else {
        return;
    };
    report.raise(Finding::at(
        standing.wager.place(),
        &[CHECK.name],
        "a prize of the table is paid for every unit",
        format!("{paid} was paid on {}", standing.stake),
    ));
}
