//! Cards came to the table and were not mixed as they must be.

use table::round::{Mix, Preparation};

use super::prelude::*;
use crate::replay::Supply;

pub(super) static CHECK: Check = Check {
    name: "cards_not_mixed",
    kind: FlagKind::Irregularity,
    finds: "Decks were brought to the table and one of the moves that mix them was left out: wash, stack, riffle, or \
            any move at all before they went into a machine.",
    matters: "Decks come in a known order; a move left out leaves part of that order in the shoe.",
    tags: &[
        "cards_not_mixed.replacement",
        "cards_not_mixed.wash",
        "cards_not_mixed.stack",
        "cards_not_mixed.riffle",
        "cards_not_mixed.machine.wash",
        "cards_not_mixed.machine.stack",
        "cards_not_mixed.machine.riffle",
        "cards_not_mixed.machine",
        "cards_not_mixed.prechecked.wash",
        "cards_not_mixed.prechecked.stack",
        "cards_not_mixed.prechecked.riffle",
        "cards_not_mixed.prechecked",
        "cards_not_mixed.preshuffled",
    ],
    runs: &[Run::Act(&[ActKind::FirstCard], look)],
    templates: &[
        Template {
            tag: "cards_not_mixed.wash",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(opening!(), one_round!()),
            spoil: "shuffle wash =>",
        },
        Template {
            tag: "cards_not_mixed.stack",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(opening!(), one_round!()),
            spoil: "shuffle stack =>",
        },
        Template {
            tag: "cards_not_mixed.riffle",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(opening!(), one_round!()),
            spoil: "shuffle riffle => ; shuffle riffle =>",
        },
        Template {
            tag: "cards_not_mixed.machine",
            fits: EVERY_GAME,
            options: "csm=true",
            plan: concat!(
                "shoe: cards new 6 inspect dealer inspect supervisor shuffle wash shuffle stack shuffle riffle \
                 shuffle machine; ",
                one_round!(),
            ),
            spoil: "shuffle wash => ; shuffle stack => ; shuffle riffle =>",
        },
        Template {
            tag: "cards_not_mixed.machine.wash",
            fits: EVERY_GAME,
            options: "csm=true",
            plan: concat!(
                "shoe: cards new 6 inspect dealer inspect supervisor shuffle wash shuffle stack shuffle riffle \
                 shuffle machine; ",
                one_round!(),
            ),
            spoil: "shuffle wash =>",
        },
        Template {
            tag: "cards_not_mixed.machine.stack",
            fits: EVERY_GAME,
            options: "csm=true",
            plan: concat!(
                "shoe: cards new 6 inspect dealer inspect supervisor shuffle wash shuffle stack shuffle riffle \
                 shuffle machine; ",
                one_round!(),
            ),
            spoil: "shuffle stack =>",
        },
        Template {
            tag: "cards_not_mixed.machine.riffle",
            fits: EVERY_GAME,
            options: "csm=true",
            plan: concat!(
                "shoe: cards new 6 inspect dealer inspect supervisor shuffle wash shuffle stack shuffle riffle \
                 shuffle machine; ",
                one_round!(),
            ),
            spoil: "shuffle riffle =>",
        },
        Template {
            tag: "cards_not_mixed.prechecked",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(
                "shoe: cards checked 6 shuffle wash shuffle stack shuffle riffle offer-cut 3 cut 3 104 cut-card-in \
                 52 burn XX; ",
                one_round!(),
            ),
            spoil: "shuffle wash =>",
        },
        Template {
            tag: "cards_not_mixed.prechecked.wash",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(
                "shoe: cards checked 6 shuffle wash shuffle stack shuffle riffle offer-cut 3 cut 3 104 cut-card-in \
                 52 burn XX; ",
                one_round!(),
            ),
            spoil: "shuffle wash =>",
        },
        Template {
            tag: "cards_not_mixed.prechecked.stack",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(
                "shoe: cards checked 6 shuffle wash shuffle stack shuffle riffle offer-cut 3 cut 3 104 cut-card-in \
                 52 burn XX; ",
                one_round!(),
            ),
            spoil: "shuffle stack =>",
        },
        Template {
            tag: "cards_not_mixed.prechecked.riffle",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(
                "shoe: cards checked 6 shuffle wash shuffle stack shuffle riffle offer-cut 3 cut 3 104 cut-card-in \
                 52 burn XX; ",
                one_round!(),
            ),
            spoil: "shuffle riffle =>",
        },
        Template {
            tag: "cards_not_mixed.preshuffled",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(
                "shoe: cards preshuffled 6 shuffle riffle offer-cut 3 cut 3 104 cut-card-in 52 burn XX; ",
                one_round!(),
            ),
            spoil: "shuffle riffle =>",
        },
        Template {
            tag: "cards_not_mixed.replacement",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(one_round!(), "\n---\n", opening!(), another_round!()),
            spoil: "shuffle wash =>",
        },
    ],
};

/// A move that may be missing, and the tags for it: decks as new, for a machine, checked beforehand.
const MOVES: [(Mix, [&[&str]; 3]); 3] = [
    (
        Mix::Wash,
        [
            &["cards_not_mixed.wash"],
            &["cards_not_mixed.machine.wash", "cards_not_mixed.machine"],
            &["cards_not_mixed.prechecked.wash", "cards_not_mixed.prechecked"],
        ],
    ),
    (
        Mix::Stack,
        [
            &["cards_not_mixed.stack"],
            &["cards_not_mixed.machine.stack", "cards_not_mixed.machine"],
            &["cards_not_mixed.prechecked.stack", "cards_not_mixed.prechecked"],
        ],
    ),
    (
        Mix::Riffle,
        [
            &["cards_not_mixed.riffle"],
            &["cards_not_mixed.machine.riffle", "cards_not_mixed.machine"],
            &["cards_not_mixed.prechecked.riffle", "cards_not_mixed.prechecked"],
        ],
    ),
];

fn look(table: &Table<'_>, _: &Act, report: &mut Report<'_>) {
    let Some(supply) = table.shoe.supply else { return };
    let made = |mix: Mix| table.shoe.was_mixed_by(mix) || table.shoe.was_mixed_by(Mix::Whole);
    let machine = table.rules.csm || table.shoe.was_mixed_by(Mix::Machine);
    let kind = match supply.prepared {
        Preparation::Sealed => return,
        Preparation::Preshuffled => {
            if !made(Mix::Wash) && !made(Mix::Riffle) {
                missing(&["cards_not_mixed.preshuffled"], supply, "washed or riffled", report);
            }
            return;
        }
        Preparation::Checked => 2,
        Preparation::New => usize::from(machine),
    };
    if table.shoe.mixed == 0 && !table.rules.csm {
        // Nothing was mixed at all: that is a missing shuffle.
        return;
    }
    let by_hand = MOVES.iter().any(|(mix, _)| made(*mix)) || made(Mix::Strip) || made(Mix::Box);
    if machine && !report.cites("cards_not_mixed.machine.wash") {
        if !by_hand {
            missing(&["cards_not_mixed.machine"], supply, "shuffled by hand before the machine", report);
        }
        return;
    }
    for (mix, tags) in MOVES.iter().filter(|(mix, _)| !made(*mix)) {
        let done = match mix {
            Mix::Wash => "washed",
            Mix::Stack => "stacked",
            _ => "riffled",
        };
        missing(tags[kind], supply, done, report);
    }
}

fn missing(tags: &[&'static str], supply: Supply, done: &str, report: &mut Report<'_>) {
    let mut all: Tags<'_> = Tags::new();
    if supply.replacement {
        all.push("cards_not_mixed.replacement");
    }
    all.extend(tags.iter().copied());
    report.raise(Finding::on_table(&all, format!("the decks are {done} before play"), format!("the decks were not {done}")));
}
