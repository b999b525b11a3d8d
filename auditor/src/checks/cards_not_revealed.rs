//! Cards that a player holds face down were not shown when the rules ask for it.

use table::Total;

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "cards_not_revealed",
    kind: FlagKind::DealerError,
    finds: "A hand held face down was doubled, split, lost by going over 21 or settled without being turned up.",
    matters: "Nobody saw whether the hand was what its player said it was.",
    tags: &[
        "cards_not_revealed.bust",
        "cards_not_revealed.double",
        "cards_not_revealed.double.le11",
        "cards_not_revealed.double.ge12",
        "cards_not_revealed.double_card",
        "cards_not_revealed.split",
    ],
    runs: &[
        Run::Act(&[ActKind::Split], look_at_split),
        Run::Act(&[ActKind::Collect], look_at_collection),
        Run::Ends(look_at_doubles),
    ],
    templates: &[
        Template {
            tag: "cards_not_revealed.bust",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 6C hit 9D; 5 $: TD 8C stand; dealer: 9S 8D",
            spoil: "turn 3 TH => ; turn 3 6C =>",
        },
        Template {
            tag: "cards_not_revealed.double",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: 5H 4C double TD; dealer: 9S 8D",
            spoil: "turn 3 5H => ; turn 3 4C =>",
        },
        Template {
            tag: "cards_not_revealed.double.le11",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: 5H 4C double TD; dealer: 9S 8D",
            spoil: "turn 3 5H => ; turn 3 4C =>",
        },
        Template {
            tag: "cards_not_revealed.double.ge12",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: 7H 5C double 8D; dealer: 9S 8H",
            spoil: "turn 3 7H => ; turn 3 5C =>",
        },
        Template {
            tag: "cards_not_revealed.double_card",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: 5H 4C double TD; dealer: 9S 8D",
            spoil: "turn 3 TD =>",
        },
        Template {
            tag: "cards_not_revealed.split",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: 8H 8C split [TC stand] [9D stand]; dealer: 9S 8D",
            spoil: "turn 3 8H => ; turn 3 8C =>",
        },
    ],
};

fn look_at_split(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Split(wager, _) = act else { return };
    let Some(hand) = table.hand(wager.place()) else { return };
    if hand.down > 0 && hand.play.cards.len() >= 2 {
        report.raise(Finding::at(
            wager.place(),
            &["cards_not_revealed.split"],
            "a hand is turned up to be split",
            "the hand was split face down",
        ));
    }
}

fn look_at_collection(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Collect(place) = act else { return };
    let Some(hand) = table.hand(*place).filter(|hand| hand.down > 0 && !hand.doubled_unseen) else { return };
    let before_dealer = table.dealer.at_players_done.is_none() && hand.play.cards.len() > 2;
    let taken = table.stakes_on(*place).any(|standing| standing.fate.taken.is_some());
    let (tag, expected) = if hand.play.doubled {
        ("cards_not_revealed.double_card", "a card dealt face down to a double is turned up to be settled")
    } else if hand.is_bust() || (hand.points().is_none() && before_dealer && taken) {
        ("cards_not_revealed.bust", "a hand over 21 is turned up")
    } else {
        return;
    };
    report.raise(Finding::at(*place, &[tag], expected, "the hand was collected face down"));
}

fn look_at_doubles(table: &Table<'_>, report: &mut Report<'_>) {
    for (place, hand) in table.hands().filter(|(_, hand)| hand.doubled_unseen) {
        let own = hand.play.cards.len().saturating_sub(usize::from(hand.since_double));
        let total = Total::of(hand.play.cards.iter().take(own).copied());
        let tags: &[&str] = match total.map(|total| total.points) {
            Some(..=11) => &["cards_not_revealed.double.le11", "cards_not_revealed.double"],
            Some(_) => &["cards_not_revealed.double.ge12", "cards_not_revealed.double"],
            None => &["cards_not_revealed.double"],
        };
        report.raise(Finding::at(place, tags, "a hand is turned up to be doubled", "the hand was doubled face down"));
    }
}
