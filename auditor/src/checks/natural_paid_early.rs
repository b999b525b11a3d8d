//! A natural was paid before the dealer's hand was decided.

use super::prelude::*;
use crate::rules::NaturalTiming;

pub(super) static CHECK: Check = Check {
    name: "natural_paid_early",
    kind: FlagKind::DealerError,
    finds: "A natural against an ace or ten was paid before it was known whether the dealer had one too, without even \
            money having been asked for.",
    matters: "Had the dealer made a natural too, the hand would have stood off.",
    tags: &["natural_paid_early", "natural_paid_early.insured", "natural_paid_early.unfinished"],
    runs: &[Run::Ends(look)],
    templates: &[
        Template {
            tag: "natural_paid_early",
            fits: PAYS_3_TO_2,
            options: "",
            plan: "3 $: AH KC; 5 $: TH 9C stand; dealer: TS 8D",
            spoil: "pay 3 3$/2 => ; collect 3 => ; stand 5 => pay 3 3$/2 | collect 3 | stand 5",
        },
        Template {
            tag: "natural_paid_early",
            fits: |rules| !PAYS_3_TO_2(rules),
            options: "",
            plan: "3 $: AH KC; 5 $: TH 9C stand; dealer: TS 8D",
            spoil: "pay 3 6$/5 => ; collect 3 => ; stand 5 => pay 3 6$/5 | collect 3 | stand 5",
        },
        Template {
            tag: "natural_paid_early.unfinished",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: AH KC; 5 $: TH 9C stand; dealer: TS 2D 5C",
            spoil: "pay 3 3$/2 => ; collect 3 => ; card dealer 5C => pay 3 3$/2 | card dealer 5C | collect 3",
        },
        Template {
            tag: "natural_paid_early.insured",
            fits: PAYS_3_TO_2,
            options: "",
            plan: "3 $: AH KC insure $/2; dealer: AS 8D",
            spoil: "pay 3 3$/2 => ; peek => pay 3 3$/2 | peek",
        },
        Template {
            tag: "natural_paid_early.insured",
            fits: |rules| !PAYS_3_TO_2(rules),
            options: "",
            plan: "3 $: AH KC insure $/2; dealer: AS 8D",
            spoil: "pay 3 5$/4 => ; peek => pay 3 5$/4 | peek",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    if !table.dealer_hand().shows_ace_or_ten() || !table.natural_waits() || table.repaired {
        return;
    }
    let peeking = table.rules.bj_timing == NaturalTiming::AfterPeek;
    let second = table.dealer.dealt_at.get(1).copied();
    for (place, _) in table.hands().filter(|(_, hand)| hand.play.is_natural()) {
        for standing in table.stakes_on(place).filter(|standing| standing.fate.paid.is_some()) {
            let Some(paid_at) = standing.fate.at.filter(|_| standing.even_money.is_none()) else { continue };
            let insured = table.wagers.get(standing.wager.of_kind(WagerKind::Insurance)).is_some();
            let peeked = table.dealer.peeked_at.is_some_and(|peeked| peeked < paid_at);
            let tags: &[&str] = match peeking {
                true if insured && !peeked && table.dealer.peeked => &["natural_paid_early.insured"],
                true => continue,
                false if second.is_none_or(|second| paid_at < second) => &["natural_paid_early"],
                false if table.dealer.dealt_at.last().is_some_and(|last| paid_at < *last) => {
                    &["natural_paid_early.unfinished"]
                }
                false => continue,
            };
            report.raise_at(paid_at, early(place, tags));
        }
    }
}

fn early<'f>(place: Place, tags: &'f [&'f str]) -> Finding<'f> {
    let expected = "a natural against an ace or ten waits for the dealer's hand";
    Finding::at(place, tags, expected, "the natural was paid before the dealer's hand was known")
}
