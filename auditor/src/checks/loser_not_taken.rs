//! A losing hand's stake was left to the player.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "loser_not_taken",
    kind: FlagKind::WrongPayout,
    finds: "A hand that lost was pushed or handed back, or only part of its stake was taken.",
    matters: "The house was owed the stake; repeated on one box it is worth a closer look.",
    tags: &[
        "loser_not_taken.lower",
        "loser_not_taken.bust",
        "loser_not_taken.dealer_natural.ace",
        "loser_not_taken.dealer_natural.ten",
        "loser_not_taken.dealer_natural",
        "loser_not_taken",
    ],
    runs: &[Run::Missettled(look)],
    templates: &[
        every("loser_not_taken", "3 $: TH 7C stand; dealer: 9S 9D", "take 3 => push 3"),
        every("loser_not_taken.lower", "3 $: TH 7C stand; dealer: 9S 9D", "take 3 => push 3"),
        every("loser_not_taken.bust", "3 $: TH 7C hit 9D; 5 $: TD 8C stand; dealer: 9S 8D", "take 3 => push 3"),
        every("loser_not_taken.dealer_natural", "3 $: TH 7C stand; dealer: AS KD", "take 3 => push 3"),
        every("loser_not_taken.dealer_natural.ace", "3 $: TH 7C; dealer: AS KD", "take 3 => push 3"),
        every("loser_not_taken.dealer_natural.ten", "3 $: TH 7C; dealer: KS AD", "take 3 => push 3"),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let fate = &judgement.standing.fate;
    let kept = match judgement.wrong {
        Wrong::LossLeft => fate.pushed || fate.returned,
        Wrong::LossTakenWrong => true,
        _ => false,
    };
    if !kept || !is_hand_stake(judgement.wager()) || is_free(judgement) || is_over_maximum(table, judgement) {
        return;
    }
    let natural = point(judgement) == Some(Point::DealerNatural);
    if natural && is_further(judgement.wager()) && report.cites("extra_stake_spared") {
        return;
    }
    let tags: &[&str] = match point(judgement) {
        Some(Point::Surrender | Point::SurrenderToNatural) => return,
        Some(Point::Bust) => &["loser_not_taken.bust", "loser_not_taken"],
        Some(Point::Lower) => &["loser_not_taken.lower", "loser_not_taken"],
        _ if table.dealer_hand().shows_ace() => {
            &["loser_not_taken.dealer_natural.ace", "loser_not_taken.dealer_natural", "loser_not_taken"]
        }
        _ => &["loser_not_taken.dealer_natural.ten", "loser_not_taken.dealer_natural", "loser_not_taken"],
    };
    let tags = counted(tags, cards_of(table, judgement.wager()));
    report.raise(settlement(judgement, &tags));
}
