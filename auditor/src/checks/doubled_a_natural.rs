//! A natural was doubled where that is not allowed.

use super::prelude::*;
use crate::hand::is_ace_and_ten;
use crate::rules::{NaturalTiming, PlayerCards};

pub(super) static CHECK: Check = Check {
    name: "doubled_a_natural",
    kind: FlagKind::DealerError,
    finds: "A stake was doubled on a natural, or on an exchanged ace and ten where the house does not allow that.",
    matters: "A natural is finished: a further stake and card turn a finished hand into another bet.",
    tags: &["doubled_a_natural", "doubled_a_natural.zapped"],
    runs: &[Run::Act(&[ActKind::Double], look)],
    templates: &[
        Template {
            tag: "doubled_a_natural",
            fits: |rules| rules.bj_timing == NaturalTiming::WaitForAceOrTen && rules.double_sideways && rules.player_cards == PlayerCards::Up,
            options: "",
            plan: "3 $: AH KC; 5 $: TH 9C stand; dealer: TS 8D",
            spoil: "stand 5 => double 3 | card 3 9D sideways | stand 5; pay 3 3$/2 => pay 3 $ | pay 3 double $",
        },
        Template {
            tag: "doubled_a_natural",
            fits: |rules| rules.bj_timing == NaturalTiming::WaitForAceOrTen && !rules.double_sideways && PAYS_3_TO_2(rules),
            options: "",
            plan: "3 $: AH KC; 5 $: TH 9C stand; dealer: TS 8D",
            spoil: "stand 5 => double 3 | card 3 9D | stand 5; pay 3 3$/2 => pay 3 $ | pay 3 double $",
        },
        Template {
            tag: "doubled_a_natural",
            fits: |rules| rules.bj_timing == NaturalTiming::WaitForAceOrTen && !rules.double_sideways && PAYS_6_TO_5(rules),
            options: "",
            plan: "3 $: AH KC; 5 $: TH 9C stand; dealer: TS 8D",
            spoil: "stand 5 => double 3 | card 3 9D | stand 5; pay 3 6$/5 => pay 3 $ | pay 3 double $",
        },
        Template {
            tag: "doubled_a_natural",
            fits: |rules| rules.bj_timing == NaturalTiming::WaitForAceOrTen && rules.double_sideways && rules.player_cards != PlayerCards::Up,
            options: "",
            plan: "3 $: AH KC; 5 $: TH 9C stand; dealer: TS 8D",
            spoil: "stand 5 => turn 3 AH | turn 3 KC | double 3 | card 3 9D sideways | stand 5; turn 3 AH => ; turn 3 KC => ; \
                    pay 3 3$/2 => pay 3 $ | pay 3 double $",
        },
        Template {
            tag: "doubled_a_natural",
            fits: |rules| rules.bj_timing == NaturalTiming::AtOnce,
            options: "",
            plan: "3 $: AH KC; 5 $: TH 9C stand; dealer: TS 8D",
            spoil: "pay 3 3$/2 => ; collect 3 => ; stand 5 => double 3 | card 3 9D sideways | stand 5; \
                    collect 5 => collect 5 | pay 3 $ | pay 3 double $ | collect 3",
        },
        Template {
            tag: "doubled_a_natural.zapped",
            fits: |rules| rules.zap.any(),
            options: "double_zapped_21=false",
            plan: "3 $: TH 6C zap AD KS stand; dealer: 9S 8D",
            spoil: "stand 3 => double 3 | card 3 9D; pay 3 $ => pay 3 $ | pay 3 double $",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Double(wager, _) = act else { return };
    let Some(hand) = table.hand(wager.place()) else { return };
    let zapped_21 = hand.play.zapped && !hand.play.split && is_ace_and_ten(&hand.play.cards);
    let tags: &[&str] = match () {
        () if hand.play.is_natural() && !table.rules.double_bj => &["doubled_a_natural"],
        () if zapped_21 && !table.rules.double_zapped_21 => &["doubled_a_natural.zapped"],
        () => return,
    };
    report.raise(Finding::at(
        wager.place(),
        tags,
        "two cards that make 21 are not doubled",
        format!("{} was doubled", shown(&hand.play.cards)),
    ));
}
