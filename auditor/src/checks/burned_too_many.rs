//! More cards were burned than the rules allow.

use super::prelude::*;
use crate::rules::Burn;

pub(super) static CHECK: Check = Check {
    name: "burned_too_many",
    kind: FlagKind::Irregularity,
    finds: "A second card was burned from a shoe, or one was burned between rounds.",
    matters: "A card burned at will is a way to keep it from the hand it would have gone to.",
    tags: &["burned_too_many"],
    runs: &[Run::Act(&[ActKind::Shoe], look)],
    templates: &[
        Template {
            tag: "burned_too_many",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(ready!(), one_round!()),
            spoil: "burn XX => burn XX | burn XX",
        },
        Template {
            tag: "burned_too_many",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(ready!(), one_round!(), "\n---\n4 $: TC 8H stand; dealer: 7S TD"),
            spoil: "bet 4 $ => burn XX | bet 4 $",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let shoe = &table.shoe;
    if !matches!(act, Act::Burn(_)) || table.shows(act).is_none() || table.rules.csm {
        return;
    }
    let burned = u32::from(shoe.burned);
    let (wrong, expected) = match table.rules.burn {
        Burn::Optional => (burned >= 1 || between_rounds(table), "at most one card is burned, when a shoe begins"),
        Burn::PerShoe => (burned >= 1 || between_rounds(table), "one card is burned, when a shoe begins"),
        Burn::PerRound => (shoe.watched_from_start && burned > shoe.rounds, "one card is burned before a round"),
        Burn::Never => (true, "no card is burned"),
        Burn::Unstated => (false, ""),
    };
    if wrong {
        let observed = match shoe.rounds {
            0 => format!("card {} of the shoe was burned", burned + 1),
            rounds => format!("a card was burned after {}", several(rounds, "round")),
        };
        report.raise(Finding::on_table(&["burned_too_many"], expected, observed));
    }
}

const fn between_rounds(table: &Table<'_>) -> bool {
    table.shoe.watched_from_start && table.shoe.rounds > 0
}
