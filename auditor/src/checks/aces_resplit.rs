//! Split aces were split again.

use table::Rank;

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "aces_resplit",
    kind: FlagKind::DealerError,
    finds: "An ace that came from a split was paired with another and split a second time.",
    matters: "Aces are the best start a hand can have; the rules give the player that chance once a round.",
    tags: &["aces_resplit"],
    runs: &[Run::Act(&[ActKind::Split], look)],
    templates: &[
        Template {
            tag: "aces_resplit",
            fits: |rules| rules.split_ace_sideways && !rules.free_split,
            options: "",
            plan: "3 $: AH AC split [AD] [9C]; dealer: 9S 8D",
            spoil: "card 3b 9C sideways => split 3 | card 3 8H sideways | card 3c 7H sideways | card 3b 9C sideways; \
                    take 3 => pay 3 $ | pay 3c $; collect 3 => collect 3 | collect 3c",
        },
        Template {
            tag: "aces_resplit",
            fits: |rules| rules.split_ace_sideways && rules.free_split,
            options: "",
            plan: "3 $: AH AC split [AD] [9C]; dealer: 9S 8D",
            spoil: "card 3b 9C sideways => split 3 free | card 3 8H sideways | card 3c 7H sideways | \
                    card 3b 9C sideways; take 3 => pay 3 $ | pay 3c $; collect 3 => collect 3 | collect 3c",
        },
        Template {
            tag: "aces_resplit",
            fits: |rules| !rules.split_ace_sideways && !rules.free_split,
            options: "",
            plan: "3 $: AH AC split [AD] [9C]; dealer: 9S 8D",
            spoil: "card 3b 9C => split 3 | card 3 8H | card 3c 7H | card 3b 9C; take 3 => pay 3 $ | pay 3c $; \
                    collect 3 => collect 3 | collect 3c",
        },
        Template {
            tag: "aces_resplit",
            fits: |rules| !rules.split_ace_sideways && rules.free_split,
            options: "",
            plan: "3 $: AH AC split [AD] [9C]; dealer: 9S 8D",
            spoil: "card 3b 9C => split 3 free | card 3 8H | card 3c 7H | card 3b 9C; take 3 => pay 3 $ | pay 3c $; \
                    collect 3 => collect 3 | collect 3c",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Split(wager, _) = act else { return };
    let Some(hand) = table.hand(wager.place()) else { return };
    let aces = hand.play.cards.len() == 2 && hand.play.cards.iter().all(|card| card.rank() == Some(Rank::Ace));
    if table.rules.resplit_aces || !hand.split_ace || !aces {
        return;
    }
    report.raise(Finding::at(
        wager.place(),
        &["aces_resplit"],
        "aces are split once",
        format!("split aces were split again, which opened hand {}", table.box_at(wager.box_no).hands.len() + 1),
    ));
}
