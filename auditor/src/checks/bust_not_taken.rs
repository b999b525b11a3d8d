//! A bust hand was not taken when it bust.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "bust_not_taken",
    kind: FlagKind::DealerError,
    finds: "A hand went over 21 and its wager was still on the layout when play had gone on past it.",
    matters: "A lost stake that stays can be paid by mistake when the dealer busts too.",
    tags: &["bust_not_taken", "bust_not_taken.double"],
    runs: &[Run::Ends(look)],
    templates: &[
        Template {
            tag: "bust_not_taken",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 6C hit 9D; 5 $: TD 8C stand; dealer: 9S 8D",
            spoil: "take 3 => ; collect 3 => ; stand 5 => stand 5 | take 3 | collect 3",
        },
        Template {
            tag: "bust_not_taken.double",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 6C double 9D; 5 $: TD 8C stand; dealer: 9S 8D",
            spoil: "take 3 => ; take 3 double => ; collect 3 => ; \
                    stand 5 => stand 5 | take 3 | take 3 double | collect 3",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    for (place, hand) in table.hands().filter(|(_, hand)| hand.is_bust()) {
        let Some(passed) = hand.passed_at.filter(|_| !table.bust_waits(hand)) else { continue };
        let late = |standing: &crate::replay::Standing| {
            standing.fate.taken.is_some() && standing.fate.at.is_some_and(|at| at > passed)
        };
        if !table.stakes_on(place).any(late) {
            continue;
        }
        let tags: &[&str] =
            if hand.play.doubled { &["bust_not_taken.double", "bust_not_taken"] } else { &["bust_not_taken"] };
        report.raise_at(
            passed,
            Finding::at(
                place,
                tags,
                "a hand over 21 is taken at once",
                "the bust hand was taken after play had gone on past it",
            ),
        );
    }
}
