//! The dealer drew to a hand that had to stand.

use super::prelude::*;
use crate::dealer::lawful_cards;

pub(super) static CHECK: Check = Check {
    name: "dealer_overdrew",
    kind: FlagKind::DealerError,
    finds: "The dealer took a further card on a total at which the rules end the hand, and it was counted.",
    matters: "Every hand still in play was settled against a total that should not exist; the amounts shown are what \
              that changed.",
    tags: &["dealer_overdrew.soft17", "dealer_overdrew.hard17", "dealer_overdrew", "dealer_extra_card_counted"],
    runs: &[Run::Settled(look), Run::Ends(look_at_hand)],
    templates: &[
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

/// Where the dealer should have stopped, if not at the last card.
fn should_have_stood(table: &Table<'_>) -> Option<(table::Total, Finding<'static>)> {
    let cards = &table.dealer.cards;
    let lawful = lawful_cards(table.rules, cards)?;
    if lawful == cards.len() {
        return None;
    }
    let total = table::Total::of(cards[..lawful].iter().copied())?;
    let tags: &[&str] = match (total.points, total.soft) {
        (17, true) => &["dealer_overdrew.soft17", "dealer_overdrew", "dealer_extra_card_counted"],
        _ => &["dealer_overdrew.hard17", "dealer_overdrew", "dealer_extra_card_counted"],
    };
    let taken = cards[lawful..].iter().map(|card| card.pretty()).collect::<Vec<_>>().join(" ");
    let finding =
        Finding::on_table(tags, format!("dealer stands on {total}"), format!("dealer drew {taken} to {total}"));
    Some((total, finding))
}

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    if judgement.wrong != Wrong::ByDealersHand {
        return;
    }
    if let Some((_, finding)) = should_have_stood(table) {
        report.raise(finding.worth(judgement.gain));
    }
}

fn look_at_hand(table: &Table<'_>, report: &mut Report<'_>) {
    let put_away = table.repaired || table.void;
    if let (Some((_, finding)), false) = (should_have_stood(table), put_away) {
        report.raise(finding);
    }
}
