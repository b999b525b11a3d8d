//! A stand-off was taken.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "took_a_push",
    kind: FlagKind::WrongPayout,
    finds: "A hand that stood off with the dealer's was taken as if it had lost.",
    matters: "The player lost a stake that was his to keep: the complaint an officer hears most.",
    tags: &["took_a_push", "took_a_push.natural", "took_a_push.twenty_two"],
    runs: &[Run::Settled(look)],
    templates: &[
        Template {
            tag: "took_a_push",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 9C stand; dealer: 9S TD",
            spoil: "push 3 => take 3",
        },
        Template {
            tag: "took_a_push.natural",
            fits: |rules| !rules.bj_always_wins,
            options: "",
            plan: "3 $: AH KC; dealer: TS AD",
            spoil: "push 3 => take 3",
        },
        Template {
            tag: "took_a_push.twenty_two",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 9C stand; dealer: 6S TD 6C",
            spoil: "push 3 => take 3",
        },
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    if judgement.wrong != Wrong::PushTaken || !is_hand_stake(judgement.wager()) || judgement.spared {
        return;
    }
    let tags: &[&str] = match judgement.ruling.map(|ruling| ruling.point) {
        Some(Point::NaturalTie) => &["took_a_push.natural", "took_a_push"],
        Some(Point::Dealer22) => &["took_a_push.twenty_two", "took_a_push"],
        _ => &["took_a_push"],
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
