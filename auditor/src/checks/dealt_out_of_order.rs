//! A card of the initial deal went to the wrong hand.

use table::BoxNo;

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "dealt_out_of_order",
    kind: FlagKind::DealerError,
    finds: "In the initial deal a card went to another hand than the one whose turn it was, clockwise from the \
            dealer's left, the dealer in his place.",
    matters: "From that card on everybody has somebody else's cards; the round must be put right or declared void.",
    tags: &["dealt_out_of_order.first_pass", "dealt_out_of_order.dealer_card", "dealt_out_of_order.second_pass", "dealt_out_of_order"],
    runs: &[Run::Act(&[ActKind::Card], look)],
    templates: &[
        Template {
            tag: "dealt_out_of_order.first_pass",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 9C stand; 5 $: TD 8C stand; dealer: 9S 8D",
            spoil: "card 3 TH => card 5 TD; card 5 TD => card 3 TH",
        },
        Template {
            tag: "dealt_out_of_order.second_pass",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 9C stand; 5 $: TD 8C stand; dealer: 9S 8D",
            spoil: "card 3 9C => card 5 8C; card 5 8C => card 3 9C",
        },
    ],
};

/// Whose card is next in the initial deal: first cards, the dealer's up card, second cards, the hole card.
fn next(table: &Table<'_>) -> Option<(Place, &'static str)> {
    let has = |box_no: BoxNo| table.box_at(box_no).hands.first().map_or(0, |hand| hand.play.cards.len());
    let waiting = |count: usize| table.wagered_boxes().find(|box_no| has(*box_no) < count);
    let hand = |box_no: BoxNo| Place::Box(box_no, table::Hand::A);
    if let Some(box_no) = waiting(1) {
        return Some((hand(box_no), "dealt_out_of_order.first_pass"));
    }
    if table.dealer.cards.is_empty() {
        return Some((Place::Dealer, "dealt_out_of_order.dealer_card"));
    }
    if let Some(box_no) = waiting(2) {
        return Some((hand(box_no), "dealt_out_of_order.second_pass"));
    }
    (table.rules.hole_card && table.dealer.cards.len() < 2).then_some((Place::Dealer, "dealt_out_of_order.dealer_card"))
}

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Card { to, .. } = act else { return };
    if table.deal == Deal::Done || !table.seen.wagers || table.repaired {
        return;
    }
    let Some((due, tag)) = next(table) else { return };
    let unwagered = to.box_no().is_some_and(|box_no| !table.wagers.has_main(box_no));
    if *to == due || unwagered {
        return;
    }
    report.raise(Finding::on_table(
        &[tag, "dealt_out_of_order"],
        format!("the next card goes to {}", who(due)),
        format!("it went to {}", who(*to)),
    ));
}

fn who(place: Place) -> String {
    match place {
        Place::Dealer => "the dealer".to_owned(),
        place => format!("box {place}"),
    }
}
