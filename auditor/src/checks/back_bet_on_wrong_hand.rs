//! A bet behind was settled by a hand it does not stand on.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "back_bet_on_wrong_hand",
    kind: FlagKind::WrongPayout,
    finds: "A bettor behind did not join a split, and the stake was settled by a hand other than the first.",
    matters: "A stake that did not split follows the first hand; moving it lets somebody choose the better one.",
    tags: &["back_bet_on_wrong_hand"],
    runs: &[Run::Missettled(look)],
    templates: &[every("back_bet_on_wrong_hand", "3 $ /2 $: KH KC split /2 stay [6D stand] [9C stand]; dealer: 9S 8D",
        "take 3/2 => pay 3/2 $",
    )],
};

fn look(_: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let wager = judgement.wager();
    if judgement.wrong != Wrong::ByOtherHand || wager.tip {
        return;
    }
    let finding = Finding::at(
        wager.place(),
        &["back_bet_on_wrong_hand"],
        format!("{} follows the first hand: {}", name(wager), judgement.expected()),
        format!("{} was {} by the result of another hand", name(wager), judgement.observed()),
    );
    report.raise(finding.worth(judgement.gain));
}
