//! The dealer drew to a hand that had to stand.

use super::prelude::*;
use crate::dealer::lawful_cards;

pub(super) static CHECK: Check = Check {
    name: "dealer_overdrew",
    kind: FlagKind::DealerError,
    finds: "The dealer took a further card on a total at which the rules end the hand, and the card was counted.",
    matters: "Every hand still in play was settled against the wrong total; the amounts shown are what that changed.",
    tags: &["dealer_overdrew.soft17", "dealer_overdrew.hard17", "dealer_overdrew", "dealer_extra_card_counted"],
    runs: &[Run::Missettled(look), Run::Ends(look_at_hand)],
    templates: &[
        Template {
            tag: "dealer_overdrew",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 9C stand; dealer: 9S 8D",
            spoil: "pay 3 $ => card dealer 4C | take 3",
        },
        Template {
            tag: "dealer_overdrew.hard17",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 9C stand; dealer: 9S 8D",
            spoil: "pay 3 $ => card dealer 4C | take 3",
        },
        Template {
            tag: "dealer_overdrew.soft17",
            fits: |rules| !rules.dealer_hits_soft_17(),
            options: "",
            plan: "3 $: TH 9C stand; dealer: 6S AD",
            spoil: "pay 3 $ => card dealer 4C | take 3",
        },
        Template {
            tag: "dealer_extra_card_counted",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 9C stand; dealer: 9S 8D",
            spoil: "pay 3 $ => card dealer 4C | take 3",
        },
    ],
};

/// Raises what the dealer drew beyond the standing total, if anything.
fn raise(table: &Table<'_>, gain: Money, report: &mut Report<'_>) {
    let cards = &table.dealer.cards;
    let Some(lawful) = lawful_cards(table.rules, cards).filter(|lawful| *lawful < cards.len()) else { return };
    let Some(total) = table::Total::of(cards[..lawful].iter().copied()) else { return };
    let how = if total.points == 17 && total.soft { "dealer_overdrew.soft17" } else { "dealer_overdrew.hard17" };
    let tags = counted(&[how, "dealer_overdrew", "dealer_extra_card_counted"], &cards[..lawful]);
    let drawn = shown(&cards[lawful..]);
    let finding = Finding::on_table(
        &tags,
        format!("the dealer stands on {total}"),
        format!("the dealer drew {drawn} to {total}"),
    );
    let step = table.dealer.dealt_at.get(lawful).copied().unwrap_or(table.step);
    report.raise_at(step, finding.worth(gain));
}

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    if judgement.wrong == Wrong::ByDealersHand {
        raise(table, judgement.gain, report);
    }
}

fn look_at_hand(table: &Table<'_>, report: &mut Report<'_>) {
    if !table.repaired && !table.void {
        raise(table, Money::ZERO, report);
    }
}
