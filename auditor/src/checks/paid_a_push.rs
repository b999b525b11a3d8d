//! A stand-off was paid.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "paid_a_push",
    kind: FlagKind::WrongPayout,
    finds: "A hand that stood off with the dealer's was paid as if it had won.",
    matters: "The house lost the amount paid; repeated on one box it is worth a closer look.",
    tags: &["paid_a_push", "paid_a_push.natural", "paid_a_push.natural.ten", "paid_a_push.twenty_two"],
    runs: &[Run::Missettled(look)],
    templates: &[
        every("paid_a_push", "3 $: TH 9C stand; dealer: 9S TD", "push 3 => pay 3 $"),
        every("paid_a_push.natural", "3 $: AH KC; dealer: TS AD", "push 3 => pay 3 $"),
        every("paid_a_push.natural.ten", "3 $: AH KC; dealer: TS AD", "push 3 => pay 3 $"),
        every("paid_a_push.twenty_two", "3 $: TH 9C stand; dealer: 6S TD 6C", "push 3 => pay 3 $"),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let wager = judgement.wager();
    if judgement.wrong != Wrong::PushPaid || !is_hand_stake(wager) || judgement.spared {
        return;
    }
    let tags: &[&str] = match point(judgement) {
        Some(Point::Surrender | Point::SurrenderToNatural) => return,
        Some(Point::NaturalTie) if table.dealer_hand().shows_ace() => &["paid_a_push.natural", "paid_a_push"],
        Some(Point::NaturalTie) => &["paid_a_push.natural.ten", "paid_a_push.natural", "paid_a_push"],
        Some(Point::Dealer22) => &["paid_a_push.twenty_two", "paid_a_push"],
        _ => &["paid_a_push"],
    };
    let tags = counted(tags, cards_of(table, wager));
    report.raise(settlement(judgement, &tags));
}
