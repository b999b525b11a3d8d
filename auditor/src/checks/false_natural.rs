//! A hand that is no natural was paid as one.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "false_natural",
    kind: FlagKind::WrongPayout,
    finds: "A 21 made with further cards or after a split, an exchange or a double was paid the odds of a natural.",
    matters: "Only an ace and a ten-value card as first dealt are a natural; the player was paid the difference too \
              much.",
    tags: &[
        "false_natural.three_cards",
        "false_natural.split",
        "false_natural.zapped",
        "false_natural.doubled",
        "false_natural",
    ],
    runs: &[Run::Missettled(look)],
    templates: &[
        some("false_natural", PAYS_3_TO_2, "3 $: 5H 6C hit TD; dealer: 9S 8D", "pay 3 $ => pay 3 3$/2"),
        some("false_natural", PAYS_6_TO_5, "3 $: 5H 6C hit TD; dealer: 9S 8D", "pay 3 $ => pay 3 6$/5"),
        some("false_natural", PAYS_5_TO_4, "3 $: 5H 6C hit TD; dealer: 9S 8D", "pay 3 $ => pay 3 5$/4"),
        every("false_natural.three_cards", "3 $: 5H 6C hit TD; dealer: 9S 8D", "pay 3 $ => pay 3 3$/2"),
        some("false_natural.split", PAYS_3_TO_2, SPLIT_TENS, "pay 3b $ => pay 3b 3$/2"),
        some("false_natural.split", PAYS_6_TO_5, SPLIT_TENS, "pay 3b $ => pay 3b 6$/5"),
        some("false_natural.split", PAYS_5_TO_4, SPLIT_TENS, "pay 3b $ => pay 3b 5$/4"),
        every("false_natural.zapped", "3 $: TH 6C zap AH TC stand; dealer: 9S 8D", "pay 3 $ => pay 3 3$/2"),
        some(
            "false_natural.doubled",
            |rules| !rules.double_bj && !rules.free_double.any(),
            "3 $: 5H 6C double TD; dealer: 9S 8D",
            "pay 3 $ => pay 3 3$/2",
        ),
        some(
            "false_natural.doubled",
            |rules| rules.free_double.any(),
            "3 $: 8H 4C double 9D; dealer: 9S 8D",
            "pay 3 $ => pay 3 3$/2",
        ),
        some(
            "false_natural.doubled",
            |rules| rules.double_bj && PAYS_3_TO_2(rules),
            "3 $: AH KC double 9D; dealer: 9S 8D",
            "pay 3 $ => pay 3 3$/2",
        ),
        some(
            "false_natural.doubled",
            |rules| rules.double_bj && PAYS_5_TO_4(rules),
            "3 $: AH KC double 9D; dealer: 9S 8D",
            "pay 3 $ => pay 3 5$/4",
        ),
    ],
};

const SPLIT_TENS: &str = "3 $: TH TC split [8C stand] [AS stand]; dealer: 9S 8D";

/// Whether a plain win was paid the odds of a natural, and the hand could be taken for one.
pub(super) fn is_false(table: &Table<'_>, judgement: &Judgement<'_>) -> bool {
    let standing = judgement.standing;
    let Some(hand) = table.hand(judgement.wager().place()) else { return false };
    let odds = standing.stake.at(table.rules.bj_pays).map(|won| won.whole);
    let first_two = hand.play.cards.get(..2).is_some_and(crate::hand::is_ace_and_ten);
    judgement.wrong == Wrong::WinPaidWrong
        && is_hand_stake(judgement.wager())
        && !is_free(judgement)
        && !hand.play.is_natural()
        && (first_two || hand.points() == Some(21))
        && standing.fate.paid == odds
}

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    if !is_false(table, judgement) {
        return;
    }
    let wager = judgement.wager();
    let Some(hand) = table.hand(wager.place()) else { return };
    let how = match () {
        () if hand.play.split => "false_natural.split",
        () if hand.play.zapped => "false_natural.zapped",
        () if hand.play.doubled => "false_natural.doubled",
        () => "false_natural.three_cards",
    };
    let tags = counted(&[how, "false_natural"], cards_of(table, wager));
    report.raise(settlement(judgement, &tags));
}
