//! A bust double or split was taken while a dealer's natural could still spare part of it.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "bust_taken_early",
    kind: FlagKind::DealerError,
    finds: "A doubled or split hand went over 21 against an ace or ten and was taken before the dealer's second card.",
    matters: "On a dealer's natural only the original stake is lost; once everything is taken, the rest may not be \
              given back.",
    tags: &["bust_taken_early.double", "bust_taken_early.split"],
    runs: &[Run::Act(&[ActKind::Settle, ActKind::Collect], look)],
    templates: &[
        Template {
            tag: "bust_taken_early.double",
            fits: |rules| rules.bust_waits,
            options: "",
            plan: "3 $: TH 6C double 9D; 5 $: TD 8C stand; dealer: KS 8D",
            spoil: "take 3 => ; take 3 double => ; collect 3 => ; \
                    stand 5 => take 3 | take 3 double | collect 3 | stand 5",
        },
        Template {
            tag: "bust_taken_early.split",
            fits: |rules| rules.bust_waits,
            options: "",
            plan: "3 $: TH TC split [5D hit 9D] [8C stand]; dealer: KS 7D",
            spoil: "take 3 => ; collect 3 => ; card 3b 8C => take 3 | collect 3 | card 3b 8C",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let place = match act {
        Act::Take(wager, _) if is_hand_stake(*wager) => wager.place(),
        Act::Collect(place) => *place,
        _ => return,
    };
    let Some(hand) = table.hand(place).filter(|hand| hand.is_bust() && table.bust_waits(hand)) else { return };
    if table.dealer.cards.len() > 1 {
        return;
    }
    let tag = if hand.play.doubled { "bust_taken_early.double" } else { "bust_taken_early.split" };
    report.raise(Finding::at(
        place,
        &[tag],
        "a bust double or split stays until the dealer's second card",
        "the bust hand was taken before the dealer's second card",
    ));
}
