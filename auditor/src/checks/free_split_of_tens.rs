//! A free split was given where there is none, or charged where it is free.

use table::round::Stake;

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "free_split_of_tens",
    kind: FlagKind::DealerError,
    finds: "A lammer was put down to split ten-value cards, which are split for chips, or chips were put down for a \
            pair that is split for free.",
    matters: "A free bet given wrongly costs the house; one withheld costs the player.",
    tags: &["free_split_of_tens", "free_split_of_tens.charged"],
    runs: &[Run::Act(&[ActKind::Split], look)],
    templates: &[
        Template {
            tag: "free_split_of_tens",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH TC split [9D stand] [8C stand]; dealer: 9S 8D",
            spoil: "split 3 => split 3 free",
        },
        Template {
            tag: "free_split_of_tens.charged",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: 8H 8C split [TC stand] [9D stand]; dealer: 9S 8D",
            spoil: "split 3 free => split 3",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Split(wager, stake) = act else { return };
    let Some(hand) = table.hand(wager.place()).filter(|_| table.rules.free_split) else { return };
    let points = |card: &table::Card| card.rank().map(table::Rank::points);
    let [first, rest @ ..] = hand.play.cards.as_slice() else { return };
    let Some(value) = points(first) else { return };
    let paired = rest.iter().all(|card| points(card) == Some(value));
    // Whoever follows the player's split finds the hand it opened already there.
    let followed = if rest.is_empty() { 2 } else { 1 };
    let again = table.box_at(wager.box_no).hands.len() > followed;
    let free = value < 10 && (table.rules.free_resplit || !again);
    let (tag, expected, put) = match (stake, free) {
        (Stake::Free, false) if paired => ("free_split_of_tens", "these cards are split for chips", "a lammer was"),
        (Stake::Full | Stake::Chips(_), true) if paired => {
            ("free_split_of_tens.charged", "this pair is split for free", "chips were")
        }
        _ => return,
    };
    let observed = format!("{put} put down to split {}", shown(&hand.play.cards));
    report.raise(Finding::at(wager.place(), &[tag], expected, observed));
}
