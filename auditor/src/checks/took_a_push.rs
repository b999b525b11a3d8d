//! A stand-off was taken.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "took_a_push",
    kind: FlagKind::WrongPayout,
    finds: "A hand that stood off with the dealer's was taken as if it had lost.",
    matters: "The player lost a stake that should have stayed on the layout.",
    tags: &["took_a_push", "took_a_push.natural", "took_a_push.natural.ten", "took_a_push.twenty_two"],
    runs: &[Run::Missettled(look)],
    templates: &[
        every("took_a_push", "3 $: TH 9C stand; dealer: 9S TD", "push 3 => take 3"),
        every("took_a_push.natural", "3 $: AH KC; dealer: TS AD", "push 3 => take 3"),
        every("took_a_push.natural.ten", "3 $: AH KC; dealer: TS AD", "push 3 => take 3"),
        every("took_a_push.twenty_two", "3 $: TH 9C stand; dealer: 6S TD 6C", "push 3 => take 3"),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let wager = judgement.wager();
    if judgement.wrong != Wrong::PushTaken || !is_hand_stake(wager) || judgement.spared || is_free(judgement) {
        return;
    }
    let tags: &[&str] = match point(judgement) {
        Some(Point::Surrender | Point::SurrenderToNatural) => return,
        Some(Point::NaturalTie) if table.dealer_hand().shows_ace() => &["took_a_push.natural", "took_a_push"],
        Some(Point::NaturalTie) => &["took_a_push.natural.ten", "took_a_push.natural", "took_a_push"],
        Some(Point::Dealer22) => &["took_a_push.twenty_two", "took_a_push"],
        _ => &["took_a_push"],
    };
    let tags = counted(tags, cards_of(table, wager));
    report.raise(settlement(judgement, &tags));
}
