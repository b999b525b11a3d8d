//! A hand was played before its turn.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "acted_out_of_turn",
    kind: FlagKind::DealerError,
    finds: "A hand was decided on or given a card while a hand before it was still open, and that one was played \
            afterwards.",
    matters: "Whoever comes later has seen more cards; from there on every card went to another hand than it should \
              have.",
    tags: &[
        "acted_out_of_turn",
        "acted_out_of_turn.first_seat",
        "acted_out_of_turn.split_hand",
        "acted_out_of_turn.zap",
    ],
    runs: &[Run::Act(
        &[ActKind::Hit, ActKind::Stand, ActKind::Double, ActKind::Split, ActKind::Zap, ActKind::DrawnCard],
        look,
    )],
    templates: &[
        Template {
            tag: "acted_out_of_turn",
            fits: EVERY_GAME,
            options: "",
            plan: "1 $: TS 7C stand; 3 $: TH 9C stand; 5 $: TD 8C stand; dealer: 9S 8D",
            spoil: "stand 3 => stand 5; stand 5 => stand 3",
        },
        Template {
            tag: "acted_out_of_turn.first_seat",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 9C stand; 5 $: TD 8C stand; dealer: 9S 8D",
            spoil: "stand 3 => stand 5; stand 5 => stand 3",
        },
        Template {
            tag: "acted_out_of_turn.split_hand",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH TC split [9D stand] [8C stand]; dealer: 9S 8D",
            spoil: "card 3b 8C => ; stand 3 => card 3b 8C | stand 3",
        },
        Template {
            tag: "acted_out_of_turn.zap",
            fits: |rules| rules.zap.any(),
            options: "",
            plan: "3 $: TH 9C stand; 5 $: TD 6C zap TS 9S stand; dealer: 9H 8D",
            spoil: "stand 3 => ; zap 5 => zap 5 | stand 3",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Some((place, hand)) = played(act).and_then(|place| Some((place, table.hand(place)?))) else { return };
    let Some(early) = hand.left_for else { return };
    if table.deal != Deal::Done || table.is_closed(place) {
        return;
    }
    let first = table.hands().find(|(_, hand)| !hand.play.is_natural()).map(|(place, _)| place);
    let zapped = early.box_no().is_some_and(|box_no| table.box_at(box_no).zap.is_some());
    let tags: &[&str] = match () {
        () if early.box_no() == place.box_no() => &["acted_out_of_turn.split_hand"],
        () if zapped => &["acted_out_of_turn.zap", "acted_out_of_turn"],
        () if first == Some(place) && !hand.acted => &["acted_out_of_turn.first_seat", "acted_out_of_turn"],
        () => &["acted_out_of_turn"],
    };
    report.raise_unless_mended(Finding::at(
        early,
        tags,
        format!("{} is played before {}", whose(place), whose(early)),
        format!("{} was played while {} was still open", whose(early), whose(place)),
    ));
}
