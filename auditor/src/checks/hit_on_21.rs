//! A card went to a hand that had 21 or more.

use super::prelude::*;
use crate::rules::{Hit21, NaturalTiming};

pub(super) static CHECK: Check = Check {
    name: "hit_on_21",
    kind: FlagKind::DealerError,
    finds: "A natural, a 21 that may not be drawn to, or a hand already over 21 was given a further card.",
    matters: "A won or finished hand was put at risk, and a card left the shoe that belonged to the next hand.",
    tags: &[
        "hit_on_21",
        "hit_on_21.natural",
        "hit_on_21.hard",
        "hit_on_21.soft",
        "hit_on_21.bust",
        "hit_on_21.split",
    ],
    runs: &[Run::Act(&[ActKind::DrawnCard], look)],
    templates: &[
        Template {
            tag: "hit_on_21",
            fits: |rules| rules.bj_timing == NaturalTiming::WaitForAceOrTen && PAYS_3_TO_2(rules),
            options: "",
            plan: "3 $: AH KC; 5 $: TH 9C stand; dealer: TS 8D",
            spoil: "stand 5 => hit 3 | card 3 TD | stand 5; pay 3 3$/2 => pay 3 $",
        },
        Template {
            tag: "hit_on_21",
            fits: |rules| rules.bj_timing == NaturalTiming::WaitForAceOrTen && PAYS_6_TO_5(rules),
            options: "",
            plan: "3 $: AH KC; 5 $: TH 9C stand; dealer: TS 8D",
            spoil: "stand 5 => hit 3 | card 3 TD | stand 5; pay 3 6$/5 => pay 3 $",
        },
        Template {
            tag: "hit_on_21",
            fits: |rules| rules.bj_timing == NaturalTiming::AtOnce,
            options: "",
            plan: "3 $: AH KC; 5 $: TH 9C stand; dealer: TS 8D",
            spoil: "pay 3 3$/2 => hit 3 | card 3 TD | pay 3 $",
        },
        Template {
            tag: "hit_on_21.natural",
            fits: |rules| rules.bj_timing == NaturalTiming::WaitForAceOrTen && PAYS_3_TO_2(rules),
            options: "",
            plan: "3 $: AH KC; 5 $: TH 9C stand; dealer: TS 8D",
            spoil: "stand 5 => hit 3 | card 3 TD | stand 5; pay 3 3$/2 => pay 3 $",
        },
        Template {
            tag: "hit_on_21.natural",
            fits: |rules| rules.bj_timing == NaturalTiming::WaitForAceOrTen && PAYS_6_TO_5(rules),
            options: "",
            plan: "3 $: AH KC; 5 $: TH 9C stand; dealer: TS 8D",
            spoil: "stand 5 => hit 3 | card 3 TD | stand 5; pay 3 6$/5 => pay 3 $",
        },
        Template {
            tag: "hit_on_21.natural",
            fits: |rules| rules.bj_timing == NaturalTiming::AtOnce,
            options: "",
            plan: "3 $: AH KC; 5 $: TH 9C stand; dealer: TS 8D",
            spoil: "pay 3 3$/2 => hit 3 | card 3 TD | pay 3 $",
        },
        Template {
            tag: "hit_on_21.hard",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 5C hit 6D; 5 $: TD 9C stand; dealer: 9S 8D",
            spoil: "card 3 6D => card 3 6D | hit 3 | card 3 AD | take 3 | collect 3; pay 3 $ => ; collect 3 =>",
        },
        Template {
            tag: "hit_on_21.soft",
            fits: |rules| rules.hit_21 == Hit21::Forbidden,
            options: "",
            plan: "3 $: AH 5C hit 5D; 5 $: TD 9C stand; dealer: 9S 8D",
            spoil: "card 3 5D => card 3 5D | hit 3 | card 3 9D",
        },
        Template {
            tag: "hit_on_21.bust",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 5C hit 9D; 5 $: TD 9C stand; dealer: 9S 8D",
            spoil: "card 3 9D => card 3 9D | hit 3 | card 3 2D",
        },
        Template {
            tag: "hit_on_21.split",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH TC split [5D hit 6D] [9C stand]; dealer: 9S 8D",
            spoil: "card 3 6D => card 3 6D | hit 3 | card 3 AD | take 3 | collect 3; pay 3 $ => ; collect 3 =>",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Some((place, hand)) = drawing(table, act) else { return };
    let Some(total) = hand.play.total() else { return };
    let allowed = match table.rules.hit_21 {
        Hit21::Allowed => true,
        Hit21::SoftOnly => total.soft && !hand.play.is_natural(),
        Hit21::Forbidden => false,
    };
    let ace_held = hand.split_ace && !table.rules.hit_split_aces;
    let other_wrong = hand.play.doubled || ace_held || table.rules.max_cards.is_some_and(|most| is_past(hand, most));
    if total.points < 21 || other_wrong || (total.points == 21 && allowed) {
        return;
    }
    let how = match () {
        () if hand.play.is_natural() => "hit_on_21.natural",
        () if total.is_bust() => "hit_on_21.bust",
        () if total.soft => "hit_on_21.soft",
        () => "hit_on_21.hard",
    };
    let tags: &[&str] = if hand.play.split { &[how, "hit_on_21.split", "hit_on_21"] } else { &[how, "hit_on_21"] };
    let tags = counted(tags, &hand.play.cards);
    report.raise_unless_mended(Finding::at(
        place,
        &tags,
        format!("no card is dealt to {total}"),
        format!("a card was dealt to {total}"),
    ));
}

fn is_past(hand: &HandState, most: u8) -> bool {
    hand.play.cards.len() >= usize::from(most)
}
