//! A box was split into more hands than the game allows.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "too_many_hands",
    kind: FlagKind::DealerError,
    finds: "A box that had as many hands as the game allows was split once more.",
    matters: "Each further hand is a further stake that the rules did not give the player.",
    tags: &["too_many_hands"],
    runs: &[Run::Act(&[ActKind::Split], look)],
    templates: &[
        Template {
            tag: "too_many_hands",
            fits: |rules| rules.split_max_hands == Some(3),
            options: "",
            plan: "3 $: TH TC split [TD split [TS stand] [9D stand]] [8D stand]; dealer: 9S 8S",
            spoil: "stand 3 => split 3 | card 3 9H | stand 3 | card 3d 9C | stand 3d; pay 3 $ => pay 3 $ | pay 3d $; \
                    collect 3 => collect 3 | collect 3d",
        },
        Template {
            tag: "too_many_hands",
            fits: |rules| rules.split_max_hands == Some(4),
            options: "",
            plan: "3 $: TH TC split [TD split [TS split [KS stand] [9D stand]] [8D stand]] [8H stand]; \
                   dealer: 9S 8S",
            spoil: "stand 3 => split 3 | card 3 9H | stand 3 | card 3e 9C | stand 3e; pay 3 $ => pay 3 $ | pay 3e $; \
                    collect 3 => collect 3 | collect 3e",
        },
        Template {
            tag: "too_many_hands",
            fits: |rules| rules.split_max_hands == Some(4),
            options: "split_max_hands=4",
            plan: "3 $: TH TC split [TD split [TS split [KS stand] [9D stand]] [8D stand]] [8H stand]; \
                   dealer: 9S 8S",
            spoil: "stand 3 => split 3 | card 3 9H | stand 3 | card 3e 9C | stand 3e; pay 3 $ => pay 3 $ | pay 3e $; \
                    collect 3 => collect 3 | collect 3e",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Split(wager, _) = act else { return };
    let Some(most) = table.rules.split_max_hands else { return };
    let Some(hand) = table.hand(wager.place()) else { return };
    let hands = table.box_at(wager.box_no).hands.len();
    let aces = hand.split_ace && !table.rules.resplit_aces;
    // A bettor behind who follows a split opens no hand of his own.
    if hand.play.cards.len() < 2 || hands < usize::from(most) || aces {
        return;
    }
    report.raise(Finding::at(
        wager.place(),
        &["too_many_hands"],
        format!("a box is split into {most} hands at most"),
        format!("hand {} was opened", hands + 1),
    ));
}
