//! The dealer's second card came at the wrong time in the initial deal.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "dealer_card_early",
    kind: FlagKind::DealerError,
    finds: "In a game without a hole card the dealer took a second card in the initial deal; or the hole card came \
            before every box had two cards, or not at all.",
    matters: "A player's card went to the dealer, and whoever saw it decides with knowledge the rules do not give.",
    tags: &["dealer_card_early.hole_card", "dealer_card_early"],
    runs: &[Run::Ends(look)],
    templates: &[
        Template {
            tag: "dealer_card_early",
            fits: |rules| !rules.hole_card && dealt_face_up(rules),
            options: "",
            plan: "3 $: TH 9C stand; 5 $: TD 8C stand; dealer: 9S 8D",
            spoil: "card dealer 8D => ; card 3 9C => card dealer 8D | card 3 9C",
        },
        Template {
            tag: "dealer_card_early",
            fits: |rules| !rules.hole_card && dealt_face_down(rules),
            options: "",
            plan: "3 $: TH 9C stand; 5 $: TD 8C stand; dealer: 9S 8D",
            spoil: "card dealer 8D => ; card 3 9C down => card dealer 8D | card 3 9C down",
        },
        Template {
            tag: "dealer_card_early.hole_card",
            fits: |rules| rules.hole_card && dealt_face_up(rules),
            options: "",
            plan: "3 $: TH 9C stand; 5 $: TD 8C stand; dealer: 9S 8D",
            spoil: "card dealer XX down => ; card 3 9C => card dealer XX down | card 3 9C",
        },
        Template {
            tag: "dealer_card_early.hole_card",
            fits: |rules| rules.hole_card && dealt_face_down(rules),
            options: "",
            plan: "3 $: TH 9C stand; 5 $: TD 8C stand; dealer: 9S 8D",
            spoil: "card dealer XX down => ; card 3 9C down => card dealer XX down | card 3 9C down",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    for misdeal in misdeals(table, report) {
        let (tag, expected, observed) = match misdeal.astray {
            Astray::DealerEarly => (
                "dealer_card_early",
                "the initial deal gives the dealer one card",
                "the dealer took a second card before every box had two",
            ),
            Astray::HoleEarly => (
                "dealer_card_early.hole_card",
                "the hole card follows the second card of the last box",
                "the hole card came before every box had two cards",
            ),
            Astray::HoleMissing => (
                "dealer_card_early.hole_card",
                "the hole card follows the second card of the last box",
                "play went on without a hole card",
            ),
            _ => continue,
        };
        report.raise(Finding::on_table(&[tag], expected, observed).shown_by(misdeal.step));
    }
}
