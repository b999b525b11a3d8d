//! A card of the initial deal went to the wrong hand.

use super::prelude::*;

const TWO_BOXES: &str = "3 $: TH 9C stand; 5 $: TD 8C stand; dealer: 9S 8D";
const FIRST_CARDS_SWAPPED: &str = "card 3 TH => ; card 5 TD => card 5 TD | card 3 TH";
const FIRST_CARDS_SWAPPED_DOWN: &str = "card 3 TH down => ; card 5 TD down => card 5 TD down | card 3 TH down";
const DEALER_FIRST: &str = "card dealer 9S => ; no-more-bets => no-more-bets | card dealer 9S";

pub(super) static CHECK: Check = Check {
    name: "dealt_out_of_order",
    kind: FlagKind::DealerError,
    finds: "In the initial deal a card went to a hand whose turn it was not, and it was left there. The turn runs \
            clockwise from the dealer's left and ends with the dealer.",
    matters: "From that card on everybody has somebody else's cards, until the round is put right or declared void.",
    tags: &[
        "dealt_out_of_order.first_pass",
        "dealt_out_of_order.dealer_card.war",
        "dealt_out_of_order.dealer_card",
        "dealt_out_of_order.second_pass",
        "dealt_out_of_order",
    ],
    runs: &[Run::Ends(look)],
    templates: &[
        Template {
            tag: "dealt_out_of_order.first_pass",
            fits: dealt_face_up,
            options: "",
            plan: TWO_BOXES,
            spoil: FIRST_CARDS_SWAPPED,
        },
        Template {
            tag: "dealt_out_of_order.first_pass",
            fits: dealt_face_down,
            options: "",
            plan: TWO_BOXES,
            spoil: FIRST_CARDS_SWAPPED_DOWN,
        },
        Template {
            tag: "dealt_out_of_order",
            fits: dealt_face_up,
            options: "",
            plan: TWO_BOXES,
            spoil: FIRST_CARDS_SWAPPED,
        },
        Template {
            tag: "dealt_out_of_order",
            fits: dealt_face_down,
            options: "",
            plan: TWO_BOXES,
            spoil: FIRST_CARDS_SWAPPED_DOWN,
        },
        Template {
            tag: "dealt_out_of_order.dealer_card",
            fits: EVERY_GAME,
            options: "",
            plan: TWO_BOXES,
            spoil: DEALER_FIRST,
        },
        Template {
            tag: "dealt_out_of_order.dealer_card.war",
            fits: dealt_face_up,
            options: "war=on",
            plan: "3 $ war $: TH 9C stand; dealer: 9S 8D",
            spoil: DEALER_FIRST,
        },
        Template {
            tag: "dealt_out_of_order.second_pass",
            fits: dealt_face_up,
            options: "",
            plan: TWO_BOXES,
            spoil: "card 3 9C => ; card 5 8C => card 5 8C | card 3 9C",
        },
        Template {
            tag: "dealt_out_of_order.second_pass",
            fits: dealt_face_down,
            options: "",
            plan: TWO_BOXES,
            spoil: "card 3 9C down => ; card 5 8C down => card 5 8C down | card 3 9C down",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    for misdeal in misdeals(table, report) {
        let war = table.wagers.has_kind(WagerKind::Side(SideBet::War));
        let tags: &[&str] = match misdeal.astray {
            Astray::FirstPass => &["dealt_out_of_order.first_pass", "dealt_out_of_order"],
            Astray::SecondPass => &["dealt_out_of_order.second_pass", "dealt_out_of_order"],
            Astray::DealerCard if war => {
                &["dealt_out_of_order.dealer_card.war", "dealt_out_of_order.dealer_card", "dealt_out_of_order"]
            }
            Astray::DealerCard => &["dealt_out_of_order.dealer_card", "dealt_out_of_order"],
            _ => continue,
        };
        let observed = misdeal.to.map_or_else(|| "the card was left out".to_owned(), |to| format!("the card went to {}", who(to)));
        let finding = Finding::on_table(tags, format!("the next card goes to {}", who(misdeal.due)), observed);
        report.raise(finding.shown_by(misdeal.step));
        return;
    }
}
