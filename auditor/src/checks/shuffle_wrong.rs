//! A shuffle left out moves it must have.

use table::round::Mix;

use super::prelude::*;
use crate::replay::{MOST_MOVES, mixing};

pub(super) static CHECK: Check = Check {
    name: "shuffle_wrong",
    kind: FlagKind::Irregularity,
    finds: "A shuffle that was watched move by move did not make the moves the procedure asks for, or not in their \
            order.",
    matters: "A shuffle cut short leaves runs of cards together that an attentive player can follow.",
    tags: &["shuffle_wrong.first_pass", "shuffle_wrong.second_pass", "shuffle_wrong.pattern"],
    runs: &[Run::Act(&[ActKind::FirstCard], look)],
    templates: &[
        Template {
            tag: "shuffle_wrong.first_pass",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(opening!(), one_round!()),
            spoil: "shuffle riffle => ; shuffle riffle =>",
        },
        Template {
            tag: "shuffle_wrong.second_pass",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(opening!(), one_round!()),
            spoil: "shuffle riffle =>",
        },
        Template {
            tag: "shuffle_wrong.pattern",
            fits: |rules| rules.decks == 1,
            options: "",
            plan: concat!(
                "shoe: shuffle riffle shuffle riffle shuffle box shuffle riffle shuffle riffle shuffle riffle \
                 shuffle box shuffle riffle; ",
                one_round!(),
            ),
            spoil: "shuffle box =>",
        },
        Template {
            tag: "shuffle_wrong.pattern",
            fits: |rules| rules.decks > 1,
            options: "",
            plan: concat!(
                "shoe: shuffle riffle shuffle strip shuffle riffle cut 3 104 cut-card-in 52 burn XX; ",
                one_round!(),
                "\n---\nshoe: shuffle riffle shuffle strip shuffle riffle cut 3 104 cut-card-in 52 burn XX; ",
                another_round!(),
            ),
            spoil: "shuffle strip =>",
        },
    ],
};

/// The shuffle of a single deck: riffle, riffle, box, riffle, twice.
const SINGLE_DECK: [Mix; 8] =
    [Mix::Riffle, Mix::Riffle, Mix::Box, Mix::Riffle, Mix::Riffle, Mix::Riffle, Mix::Box, Mix::Riffle];

fn look(table: &Table<'_>, _: &Act, report: &mut Report<'_>) {
    let shoe = &table.shoe;
    let kept_to = |moves| mixing(&shoe.moves).eq(mixing(moves));
    if shoe.mixed == 0 || !by_moves(&shoe.moves) {
        return;
    }
    if report.cites("shuffle_wrong.first_pass") {
        let (tag, observed) = match shoe.riffles {
            0 => ("shuffle_wrong.first_pass", "the cards were not riffled through"),
            1 => ("shuffle_wrong.second_pass", "the cards were riffled through once"),
            _ => return,
        };
        report.raise(Finding::on_table(&[tag], "the cards are riffled through in two passes", observed));
    } else if table.rules.decks == 1 {
        if !shoe.moves.windows(SINGLE_DECK.len()).any(|moves| moves == SINGLE_DECK) {
            report.raise(Finding::on_table(
                &["shuffle_wrong.pattern"],
                "the deck is shuffled riffle, riffle, box, riffle, twice",
                format!("the moves were {}", in_words(&shoe.moves)),
            ));
        }
    } else if by_moves(&shoe.moves_before) && !kept_to(&shoe.moves_before) && !kept_to(&shoe.odd_moves) {
        // The book does not print the shuffle: a table that changes it has not kept to the one approved.
        report.raise(Finding::on_table(
            &["shuffle_wrong.pattern"],
            format!("the approved shuffle stays the same, last {}", in_words(&shoe.moves_before)),
            format!("the moves were {}", in_words(&shoe.moves)),
        ));
    }
}

/// Whether a shuffle was watched move by move to its end.
fn by_moves(moves: &[Mix]) -> bool {
    let short = moves.len() < MOST_MOVES && !moves.is_empty();
    short && !moves.iter().any(|mix| matches!(mix, Mix::Whole | Mix::Machine))
}

fn in_words(moves: &[Mix]) -> String {
    moves.iter().map(|mix| mix.name()).collect::<Vec<_>>().join(", ")
}
