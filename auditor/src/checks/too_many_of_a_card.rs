//! A card was seen more often than the decks hold it.

use super::prelude::*;

const SEVEN_BOXES: &str = "1 $: TH 9C stand; 2 $: TH 9D stand; 3 $: TH 9H stand; 4 $: TH 9S stand; 5 $: TH 8C stand; \
                           6 $: TH 8D stand; 7 $: TD 8H stand; dealer: 9S 8D";
const SUPER_SEVENS: &str = "1 $ super_sevens $: TH 9C stand; 2 $: TH 9D stand; 3 $: TH 9H stand; 4 $: TH 9S stand; \
                            5 $: TH 8C stand; 6 $: TH 8D stand; 7 $: TD 8H stand; dealer: 9S 8D";
const THREE_BOXES: &str = "1 $: TH 9C stand; 2 $: TH 9D stand; 3 $: TD 9H stand; dealer: 9S 8D";
const TWO_BOXES: &str = "1 $: TH 9C stand; 3 $: TD 9H stand; dealer: 9S 8D";

pub(super) static CHECK: Check = Check {
    name: "too_many_of_a_card",
    kind: FlagKind::Irregularity,
    finds: "Since the last shuffle one and the same card was seen more often than there are decks in the shoe.",
    matters: "There is a card too many in the shoe, or one was brought in: the odds of every bet are no longer those \
              of the game.",
    tags: &["too_many_of_a_card.super_sevens", "too_many_of_a_card"],
    runs: &[Run::Act(&[ActKind::Card, ActKind::Turn, ActKind::Loose, ActKind::Shoe], look)],
    templates: &[
        Template {
            tag: "too_many_of_a_card",
            fits: |rules| rules.decks == 6 && dealt_face_up(rules),
            options: "",
            plan: SEVEN_BOXES,
            spoil: "card 7 TD => card 7 TH",
        },
        Template {
            tag: "too_many_of_a_card.super_sevens",
            fits: |rules| rules.decks == 6 && rules.side(SideBet::SuperSevens).is_some(),
            options: "",
            plan: SUPER_SEVENS,
            spoil: "card 7 TD => card 7 TH",
        },
        Template {
            tag: "too_many_of_a_card",
            fits: |rules| rules.decks == 2,
            options: "",
            plan: THREE_BOXES,
            spoil: "card 3 TD down => card 3 TH down; turn 3 TD => turn 3 TH",
        },
        Template {
            tag: "too_many_of_a_card",
            fits: |rules| rules.decks == 1,
            options: "",
            plan: TWO_BOXES,
            spoil: "card 3 TD down => card 3 TH down; turn 3 TD => turn 3 TH",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    // A continuous shuffler has all its cards back when a round begins.
    if table.rules.csm && opens_round(table, act) {
        return;
    }
    // A card burned in the middle of a shoe may be the first of another, which nobody saw made ready.
    if table.shoe.burned_midway && !report.procedure_is_seen() {
        return;
    }
    let Some((card, index)) = table.shows(act).and_then(|card| Some((card, card.index()?))) else { return };
    let decks = u16::from(table.rules.decks);
    let seen = table.shoe.drawn[index].saturating_add(1);
    if decks == 0 || seen <= decks {
        return;
    }
    let sevens = table.wagers.has_kind(WagerKind::Side(SideBet::SuperSevens));
    let tags: &[&str] =
        if sevens { &["too_many_of_a_card.super_sevens", "too_many_of_a_card"] } else { &["too_many_of_a_card"] };
    report.raise(Finding::on_table(
        tags,
        format!("{} comes at most {} from {}", card.pretty(), several(decks, "time"), several(decks, "deck")),
        format!("{} was seen {} since the shuffle", card.pretty(), several(seen, "time")),
    ));
}
