//! A dealer's card lay the wrong way up.

use table::Face;

use super::prelude::*;

const ONE_BOX: &str = "3 $: TH 9C stand; dealer: 9S 8D";

pub(super) static CHECK: Check = Check {
    name: "dealer_card_face_wrong",
    kind: FlagKind::DealerError,
    finds: "The dealer's up card or a later card was dealt face down, or the hole card face up.",
    matters: "Players decide by what the dealer shows: a hidden up card keeps it from them, a shown hole card gives \
              them more than the rules do.",
    tags: &[
        "dealer_card_face_wrong.war",
        "dealer_card_face_wrong.up",
        "dealer_card_face_wrong.hole",
        "dealer_card_face_wrong.later",
        "dealer_card_face_wrong",
    ],
    runs: &[Run::Act(&[ActKind::Card], look)],
    templates: &[
        Template {
            tag: "dealer_card_face_wrong.up",
            fits: EVERY_GAME,
            options: "",
            plan: ONE_BOX,
            spoil: "card dealer 9S => card dealer 9S down",
        },
        Template {
            tag: "dealer_card_face_wrong",
            fits: EVERY_GAME,
            options: "",
            plan: ONE_BOX,
            spoil: "card dealer 9S => card dealer 9S down",
        },
        Template {
            tag: "dealer_card_face_wrong.war",
            fits: dealt_face_up,
            options: "war=on",
            plan: "3 $ war $: TH 9C stand; dealer: 9S 8D",
            spoil: "card dealer 9S => card dealer 9S down",
        },
        Template {
            tag: "dealer_card_face_wrong.later",
            fits: |rules| !rules.hole_card,
            options: "",
            plan: ONE_BOX,
            spoil: "card dealer 8D => card dealer 8D down",
        },
        Template {
            tag: "dealer_card_face_wrong.hole",
            fits: |rules| rules.hole_card,
            options: "",
            plan: ONE_BOX,
            spoil: "card dealer XX down => card dealer 8D; turn dealer 8D =>",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Card { to: Place::Dealer, face, .. } = act else { return };
    let war = table.wagers.has_kind(WagerKind::Side(SideBet::War));
    let down = *face == Face::Down;
    let (tags, expected): (&[&str], _) = match (table.dealer.cards.len(), table.rules.hole_card) {
        (0, _) if down && war => {
            (&["dealer_card_face_wrong.war", "dealer_card_face_wrong.up", "dealer_card_face_wrong"], "first card")
        }
        (0, _) if down => (&["dealer_card_face_wrong.up", "dealer_card_face_wrong"], "first card"),
        // Too early, a second card is no later card but a hole card the game does not have.
        (1, false) if down && table.deal == Deal::Done && !hands_wait(table) => {
            (&["dealer_card_face_wrong.later", "dealer_card_face_wrong"], "second card")
        }
        (1, true) if !down && table.deal == Deal::Dealing => {
            return report.raise(Finding::on_table(
                &["dealer_card_face_wrong.hole", "dealer_card_face_wrong"],
                "the hole card lies face down",
                "the hole card was dealt face up",
            ));
        }
        (2.., false) if down => (&["dealer_card_face_wrong.later", "dealer_card_face_wrong"], "further card"),
        _ => return,
    };
    report.raise(Finding::on_table(
        tags,
        format!("the dealer's {expected} lies face up"),
        format!("the dealer's {expected} was dealt face down"),
    ));
}

/// Whether a hand that has not been played is still to be asked.
fn hands_wait(table: &Table<'_>) -> bool {
    table.turn().is_some() && !table.hands().any(|(_, hand)| hand.acted)
}
