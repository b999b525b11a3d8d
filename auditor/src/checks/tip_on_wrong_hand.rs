//! A bet for the dealer was settled by a hand it does not stand on.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "tip_on_wrong_hand",
    kind: FlagKind::WrongPayout,
    finds: "A wager for the dealer that was neither split nor doubled was settled by another hand of the box, or by the \
            cards that were exchanged.",
    matters: "A tip follows the original hand as it is played; choosing the hand afterwards chooses the result.",
    tags: &["tip_on_wrong_hand", "tip_on_wrong_hand.zapped"],
    runs: &[Run::Missettled(look)],
    templates: &[
        every("tip_on_wrong_hand", "3 $ tip 1: KH KC split [6D stand] [9C stand]; dealer: 9S 8D",
            "take 3 tip => pay 3 tip 1",
        ),
        every("tip_on_wrong_hand.zapped", "3 $ tip 1: 9H 7C zap TD 9C stand; dealer: 9S 8D",
            "pay 3 tip 1 => take 3 tip",
        ),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let wager = judgement.wager();
    if judgement.wrong != Wrong::ByOtherHand || !wager.tip {
        return;
    }
    let exchanged = table.box_at(wager.box_no).zap.is_some();
    let tags = [if exchanged { "tip_on_wrong_hand.zapped" } else { "tip_on_wrong_hand" }];
    let cards = if exchanged { "the cards that were exchanged" } else { "another hand" };
    let finding = Finding::at(
        wager.place(),
        &tags,
        format!("{} follows its hand: {}", name(wager), judgement.expected()),
        format!("{} was {} by {cards}", name(wager), judgement.observed()),
    );
    report.raise(finding.worth(judgement.gain));
}
