//! A stand-off was paid.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "paid_a_push",
    kind: FlagKind::WrongPayout,
    finds: "A hand that stood off with the dealer's was paid as if it had won.",
    matters: "The house lost the amount paid. Repeated on one box it is the simplest way for a dealer to pass money.",
    tags: &["paid_a_push", "paid_a_push.natural", "paid_a_push.twenty_two"],
    runs: &[Run::Settled(look)],
    templates: &[
        Template {
            tag: "paid_a_push",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 9C stand; dealer: 9S TD",
            spoil: "push 3 => pay 3 $",
        },
        Template {
            tag: "paid_a_push.natural",
            fits: |rules| !rules.bj_always_wins,
            options: "",
            plan: "3 $: AH KC; dealer: TS AD",
            spoil: "push 3 => pay 3 $",
        },
        Template {
            tag: "paid_a_push.twenty_two",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 9C stand; dealer: 6S TD 6C",
            spoil: "push 3 => pay 3 $",
        },
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    if judgement.wrong != Wrong::PushPaid || !is_hand_stake(judgement.wager()) || judgement.spared {
        return;
    }
    let tags: &[&str] = match judgement.ruling.map(|ruling| ruling.point) {
        Some(Point::NaturalTie) => &["paid_a_push.natural", "paid_a_push"],
        Some(Point::Dealer22) => &["paid_a_push.twenty_two", "paid_a_push"],
        _ => &["paid_a_push"],
    };
    let wager = judgement.wager();
    let tags = counted(tags, cards_of(table, wager));
    let finding = Finding::at(
        wager.place(),
        &tags,
        format!("{} stands off", name(wager)),
        format!("{} was {}", name(wager), judgement.observed()),
    );
    report.raise(finding.worth(judgement.gain));
}
