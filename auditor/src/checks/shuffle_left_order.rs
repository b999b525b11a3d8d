//! A shuffle left order in the cards.

use super::prelude::*;
use crate::shuffle::Found;

/// Six boxes, all standing, and then the same cards in the order they lay in the rack; but one of them is another.
const RACK_DEALT_AGAIN: &str = concat!(
    "1 $: QH 8D stand; 2 $: KH 8H stand; 3 $: TS 8S stand; 4 $: JS 9D stand; 5 $: QS 9H stand; 6 $: KS 9S stand; \
     dealer: 9C TC",
    "\n---\n",
    ready!(),
    "1 $: KS 7C stand; 2 $: 9S KH stand; 3 $: QS 8H stand; 4 $: 9H QH stand; 5 $: JS 8D stand; 6 $: 9D 9C stand; \
     dealer: TS TC",
);

pub(super) static CHECK: Check = Check {
    name: "shuffle_left_order",
    kind: FlagKind::SuspectShuffle,
    finds: "The cards came out of the shoe in an order that still shows how they went into the shuffle: a run that \
            came through together, or more of the old order than the house's own shuffle leaves when it is done \
            properly.",
    matters: "Whoever saw the cards of the last shoe knows some of those to come. A false shuffle, a shuffle cut short \
              or a machine that does not mix all look proper to the eye; only the cards tell.",
    tags: &["shuffle_left_order"],
    runs: &[Run::Ends(look)],
    templates: &[
        Template {
            tag: "shuffle_left_order",
            fits: dealt_face_up,
            options: "",
            plan: RACK_DEALT_AGAIN,
            spoil: "card 1 7C => card 1 8S",
        },
        Template {
            tag: "shuffle_left_order",
            fits: |rules| !dealt_face_up(rules),
            options: "",
            plan: RACK_DEALT_AGAIN,
            spoil: "card 1 7C down => card 1 8S down; turn 1 7C => turn 1 8S",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let Some(found) = &table.shuffle_found else { return };
    let (expected, observed) = match found {
        Found::Slug(slug) => (
            "a shuffle parts the cards that lay together".to_owned(),
            format!(
                "{} in a row came out in the order they went in, from place {} to place {}",
                several(slug.length, "card"),
                slug.from + 1,
                slug.to + 1
            ),
        ),
        Found::Order(found) => (
            "the cards come out as a proper shuffle leaves them".to_owned(),
            format!("a proper shuffle leaves this much order {}{}", chance(found.p, "shoes"), worth(found)),
        ),
        Found::Returned(_) => return,
    };
    report.raise(Finding::on_table(&["shuffle_left_order"], expected, observed));
}

/// How often something so unlikely happens, in words.
pub(super) fn chance(p: f64, of: &str) -> String {
    let times = (1.0 / p).log10().floor().clamp(0.0, 12.0);
    format!("less than once in {} {of}", 10_u64.pow(times as u32))
}

/// What the shuffle was worth, in words.
fn worth(found: &crate::shuffle::Report) -> String {
    match (found.slugs.first(), found.riffles.estimate) {
        (Some(slug), _) => format!("; {} came through together", several(slug.length, "card")),
        (None, Some(riffles)) => format!("; it was worth about {riffles} riffles"),
        (None, None) => String::new(),
    }
}
